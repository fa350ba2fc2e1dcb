"""Keeps the map true: paths exist, and a concept that all languages of a part have a file for is in ARCHITECTURE.md's table.

The table under "## Concepts and files" has a column for each language; a cell is `–` or backticked paths with commas between.
Elsewhere in the page, and in those beside it (`BESIDE`), a backticked word with a slash is a path of the repository too, unless
it begins with a name in `NAMES`. The page stays short: 350 lines.

usage: python -m house.concepts
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from pathlib import Path

from house.sources import files, is_source

PAGE = Path("ARCHITECTURE.md")
LONGEST = 350
BESIDE = ("architecture/*.md", "spec/README.md", "rust/UNSAFE.md", "bench/NOTES.md")
HEADING = "## Concepts and files"
HEADER = ["concept", "Rust", "Python", "Java", "TypeScript"]
CELL = re.compile(r"–|`[^` ]+`(?:, `[^` ]+`)*")
WORD = re.compile(r"`([^`\s*<:]+/[^`\s*<:]*)`")

#: Words with a slash that are not paths: exports of packages, outputs of a build, options of a JVM.
NAMES = ("samewire/", "build/", "typescript/dist/", "-X")

#: The folders of the libraries, by part. A file name that all languages of a part have is a concept.
ROOMS = (
    {
        "Rust": ("rust/core/src", "rust/pack/src"),
        "Java": ("java/core/src/main", "java/pack/src/main"),
        "TypeScript": ("typescript/src/core", "typescript/src/pack"),
    },
    {"Rust": ("rust/redis/src",), "Java": ("java/redis/src/main/java/io/samewire/redis/resp",)},
    {"Rust": ("rust/bridge/src",), "Java": ("java/bridge/src/main",)},
)
#: One name for two things: Rust's buffers the bytes of a channel, Java's reads one message.
DIFFERENT = {("rust/bridge/src/input.rs", "java/bridge/src/main/java/io/samewire/bridge/wire/Input.java")}
#: The file that a folder is known by, in each language.
DOORS = {"mod", "lib", "index", "packageinfo", "moduleinfo"}


def rows(page: str) -> list[list[str]]:
    """The table's rows, header first; empty if the page has none."""
    lines = page.partition(HEADING + "\n")[2].partition("\n## ")[0].splitlines()
    found = [[cell.strip() for cell in line.strip().strip("|").split("|")] for line in lines if line.startswith("|")]
    return [row for row in found if not set("".join(row)) <= set("-: ")]


def named(root: Path, name: Path) -> Iterator[str]:
    """Words of a page that look like paths and do not exist."""
    for number, line in enumerate((root / name).read_text("utf-8").splitlines(), 1):
        for found in WORD.finditer(line):
            word = found[1]
            if not word.startswith(NAMES) and not (root / word).exists():
                yield f"{name}:{number}: `{word}` does not exist"


def table(page: str) -> Iterator[str]:
    """Cells that are neither paths nor a dash."""
    found = rows(page)
    if not found or found[0] != HEADER:
        yield f"{PAGE}: no table with the header {' | '.join(HEADER)} under '{HEADING}'"
        return
    for row in found[1:]:
        if len(row) != len(HEADER):
            yield f"{PAGE}: the row '{row[0]}' has {len(row)} cells, not {len(HEADER)}"
        for cell in row[1:]:
            if not CELL.fullmatch(cell):
                yield f"{PAGE}: the row '{row[0]}' has a cell that is neither – nor paths: {cell}"


def missing(paths: list[Path], page: str) -> Iterator[str]:
    """Concepts that have a file of one name in every language of a part, of which the table lists none."""
    listed = {Path(word) for row in rows(page) for cell in row[1:] for word in re.findall(r"`([^`]+)`", cell)}
    sources = list(filter(is_source, paths))
    for rooms in ROOMS:
        by_name: dict[str, dict[str, Path]] = {}
        for path in sources:
            for language, folders in rooms.items():
                if any(path.is_relative_to(folder) for folder in folders):
                    by_name.setdefault(re.sub(r"[^a-z0-9]", "", path.stem.lower()), {})[language] = path
        for name, found in sorted(by_name.items()):
            places = [str(found[language]) for language in rooms if language in found]
            complete = len(places) == len(rooms) and name not in DOORS and tuple(places) not in DIFFERENT
            if complete and listed.isdisjoint(found.values()):
                yield f"{PAGE}: the table has no row for {', '.join(places)}"


def violations(root: Path) -> list[str]:
    """Every place where the map is wrong, one line each."""
    page = (root / PAGE).read_text("utf-8")
    beside = [path.relative_to(root) for pattern in BESIDE for path in sorted(root.glob(pattern))]
    wrong = [line for name in (PAGE, *beside) for line in named(root, name)]
    if (lines := page.count("\n")) > LONGEST:
        wrong.append(f"{PAGE}: {lines} lines, {LONGEST} are allowed: pages in {PAGE.stem.lower()}/ have room")
    return [*table(page), *wrong, *missing(files(root), page)]


if __name__ == "__main__":
    broken = violations(Path(__file__).parents[1])
    print("\n".join(broken) if broken else "concepts and files: in order")
    sys.exit(bool(broken))
