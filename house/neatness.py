"""The root rules that keep the structure visible: names, lengths, and nothing that ties the tree to one machine.

usage: python -m house.neatness
"""

from __future__ import annotations

import re
import statistics
import sys
from collections.abc import Iterator
from pathlib import Path

from house.sources import files, is_source

LONGEST = 800
MEDIAN = 200

# A thing that is shared has a name of its own.
FORBIDDEN_NAMES = frozenset({"util", "utils", "common", "internal", "misc", "helper", "helpers"})

# Written with one-letter classes, so that this file does not contain what it looks for.
MACHINE_PATHS = re.compile(r"(?<![\w.])/(?:wor[k]|hom[e]/\w|roo[t]/|User[s]/)|\.\./share[d]\b|\.librar[y]/")
REGISTRY_HOSTS = re.compile(
    r"(?:files\.pythonhoste[d]\.org|pyp[i]\.org|registry\.npmj[s]\.(?:org|com)|registry\.yarnpk[g]\.com"
    r"|rep[o]1?\.maven\.(?:apache\.)?org|(?:static\.|index\.)crate[s]\.io|proxy\.golan[g]\.org|deb\.debia[n]\.org)"
)
UNFINISHED = re.compile(r"\b(?:TOD[O]|FIXM[E]|XX[X])\b")


def words(stem: str) -> list[str]:
    """The lower-case words of a file or folder name in any of the four languages' habits."""
    return [word.lower() for word in re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", stem)]


def names(paths: list[Path]) -> Iterator[str]:
    """Folders and source files whose name says nothing."""
    for path in paths:
        parts = [*path.parts[:-1], path.stem] if is_source(path) else path.parts[:-1]
        for part in parts:
            for word in FORBIDDEN_NAMES.intersection(words(part)):
                yield f"{path}: a file or folder may not be called '{word}'"


def lengths(root: Path, paths: list[Path]) -> Iterator[str]:
    """Files over the ceiling, and languages whose median file is too long."""
    by_suffix: dict[str, list[int]] = {}
    for path in paths:
        if is_source(path):
            lines = (root / path).read_bytes().count(b"\n")
            if path.suffix:
                by_suffix.setdefault(path.suffix, []).append(lines)
            if lines > LONGEST:
                yield f"{path}: {lines} lines, {LONGEST} are allowed"
    for suffix, counts in sorted(by_suffix.items()):
        if statistics.median(counts) >= MEDIAN:
            yield f"*{suffix}: the median file has {statistics.median(counts):.0f} lines, under {MEDIAN} is allowed"


def ties(root: Path, paths: list[Path]) -> Iterator[str]:
    """Machine paths, registry hosts and notes to self, in any text file."""
    for path in paths:
        try:
            text = (root / path).read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue
        for number, line in enumerate(text.splitlines(), 1):
            if found := MACHINE_PATHS.search(line):
                yield f"{path}:{number}: machine path '{found[0]}'"
            if found := REGISTRY_HOSTS.search(line):
                yield f"{path}:{number}: registry host '{found[0]}'"
            if is_source(path) and (found := UNFINISHED.search(line)):
                yield f"{path}:{number}: '{found[0]}' is unfinished work"


def violations(root: Path) -> list[str]:
    """Every broken rule, one line each."""
    paths = files(root)
    return [*names(paths), *lengths(root, paths), *ties(root, paths)]


if __name__ == "__main__":
    broken = violations(Path(__file__).parents[1])
    print("\n".join(broken) if broken else "names, lengths and paths: in order")
    sys.exit(bool(broken))
