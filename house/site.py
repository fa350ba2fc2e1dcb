"""Builds the documentation as a site in build/site/html: the pages of this repository and the reference of each language.

usage: python -m house.site [--pages-only]      --pages-only leaves out the references of Java, Kotlin, TypeScript and Rust

The pages are those that docs/site/mkdocs.yml names. They are put where they stand in the repository, so that links between
them hold; a link to a file that is not a page becomes its text. A link to a missing page, heading or file ends
the build. Python's reference and the commands' are made from the sources; the three others are made by the
languages' own tools and lie beside the pages. It needs the environment of docs/site/requirements.txt (`make docs`).
"""

from __future__ import annotations

import argparse
import os
import posixpath
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

from house import java_sources

ROOT = Path(__file__).resolve().parent.parent
SITE = ROOT / "build/site"
PAGES = SITE / "source/pages"
HTML = SITE / "html"
SETTINGS = ROOT / "docs/site/mkdocs.yml"
#: Public modules of Python, in the order of the reference.
MODULES = (
    "samewire.pack",
    "samewire.redis",
    "samewire.redis.aio",
    "samewire.bridge",
    "samewire.spark",
    "samewire.errors",
    "samewire.limits",
)
#: Commands of Python's package, as they are called.
COMMANDS = (
    ("samewire",),
    ("samewire", "infer"),
    ("samewire", "pack"),
    ("samewire", "emit"),
    ("samewire", "cat"),
    ("samewire", "schema"),
    ("samewire", "diff"),
    ("samewire", "bridge"),
)
#: Crates that programs depend on.
CRATES = ("samewire-core", "samewire-pack", "samewire-redis")
_LINK = re.compile(r"(?<!!)\[((?:[^\[\]]|\[[^\]]*\])*)\]\(([^)\s]+)\)")
_IMAGE = re.compile(r"!\[[^\]]*\]\(([^)\s]+)\)")


class NotThere(Exception):
    """A page links to a missing target, or a source lacks part of its reference."""


def named_pages() -> list[str]:
    """The pages in the settings' navigation that stand in the repository."""
    return [
        name for name in re.findall(r"([\w./-]+\.md)$", SETTINGS.read_text(), re.MULTILINE) if not name.startswith("reference/")
    ]


def linked(text: str, page: str, pages: set[str]) -> str:
    """A page's text in which links to files that are not pages are replaced by their texts.

    Raises NotThere for a link to a file that the repository lacks.
    """

    def link(found: re.Match[str]) -> str:
        label, target = found[1], found[2]
        path, _, _ = target.partition("#")
        if not path or re.match(r"[a-z]+:", path):
            return found[0]
        name = posixpath.normpath(posixpath.join(posixpath.dirname(page), path))
        if name in pages:
            return found[0]
        if not (ROOT / name).exists():
            raise NotThere(f"{page} links to {target}, which is not there")
        return label if "`" in label else f"{label} (`{name}`)" if label != name else f"`{name}`"

    # Code is not Markdown: neither blocks between fences nor spans.
    parts = re.split(r"(^```.*?^```$|`[^`\n]+`(?!\]))", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(part if number % 2 else _LINK.sub(link, part) for number, part in enumerate(parts))


def put_pages() -> None:
    """Puts the pages and their images into place."""
    pages = set(named_pages())
    for name in sorted(pages):
        text = (ROOT / name).read_text()
        target = PAGES / name
        target.parent.mkdir(parents=True, exist_ok=True)
        for image in _IMAGE.findall(text):
            if not image.startswith("http"):
                source = (ROOT / name).parent / image
                place = PAGES / posixpath.normpath(posixpath.join(posixpath.dirname(name), image))
                place.parent.mkdir(parents=True, exist_ok=True)
                shutil.copy(source, place)
        target.write_text(linked(text, name, pages))


def put_reference() -> None:
    """Writes the pages of the commands and of the languages' references."""
    folder = PAGES / "reference"
    folder.mkdir(parents=True, exist_ok=True)
    folder.joinpath("commands.md").write_text("".join(_commands()))
    folder.joinpath("python.md").write_text("".join(_python()))
    folder.joinpath("others.md").write_text("".join(_others()))


def _commands() -> Iterator[str]:
    yield "# Commands\n\nWhat each command prints for `--help`.\n"
    for command in COMMANDS:
        program = [str(ROOT / ".venv/bin" / command[0]), *command[1:], "--help"]
        text = subprocess.run(program, capture_output=True, text=True, check=True, env=os.environ | {"COLUMNS": "100"})
        yield f"\n## {' '.join(command)}\n\n```text\n{text.stdout.rstrip()}\n```\n"


def _python() -> Iterator[str]:
    yield "# Python\n\nThe public modules, from their sources.\n"
    for module in MODULES:
        yield f"\n::: {module}\n"


def _others() -> Iterator[str]:
    yield "# Java, Kotlin, TypeScript, Rust\n\nEach language's own reference, made by its own tool:\n\n"
    for title, place in (("Java", "java"), ("Kotlin", "kotlin"), ("TypeScript", "typescript"), ("Rust", "rust")):
        yield f'- <a href="{place}/index.html">{title}</a>\n'


def javadoc(into: Path) -> None:
    """Javadoc of all modules of Java, which `make build-java` has built."""
    modules, paths = {}, []
    for declared in sorted(ROOT.glob("java/*/src/main/java/module-info.java")):
        name = re.search(r"^(?:open )?module ([\w.]+)", declared.read_text(), re.MULTILINE)
        if name is None:
            raise NotThere(f"{declared} declares no module")
        module = declared.parents[3]
        modules[name[1]] = ":".join(str(root) for root in java_sources.roots(module))
        paths.append((module / "target/classpath.txt").read_text().strip())
    options = [f"--module-source-path={name}={sources}" for name, sources in modules.items()]
    run(
        "javadoc",
        "-quiet",
        "-Xdoclint:none",
        "-d",
        into,
        *options,
        "--module-path",
        ":".join(paths),
        "--module",
        ",".join(modules),
    )


def dokka(into: Path) -> None:
    """What Dokka has written for the module in Kotlin (`make build-kotlin`)."""
    shutil.copytree(ROOT / "java/redis-kotlin/target/package/dokkaJavadoc", into)


def typedoc(into: Path) -> None:
    """TypeDoc of what the package exports."""
    run(ROOT / "docs/site/node_modules/.bin/typedoc", "--options", "docs/site/typedoc.json", "--logLevel", "Warn", "--out", into)


def rustdoc(into: Path) -> None:
    """Rustdoc of the crates that programs depend on."""
    target = ROOT / "rust/target"
    crates = [argument for crate in CRATES for argument in ("-p", crate)]
    run("cargo", "doc", "-q", "--no-deps", "--manifest-path", ROOT / "rust/Cargo.toml", "--target-dir", target, *crates)
    shutil.copytree(target / "doc", into)
    into.joinpath("index.html").write_text('<meta http-equiv="refresh" content="0; url=samewire_pack/index.html">\n')


def run(*command: str | Path) -> None:
    """Runs a tool in the repository's root, with its output shown."""
    subprocess.run([str(part) for part in command], cwd=ROOT, check=True)


OTHERS = {"java": javadoc, "kotlin": dokka, "typescript": typedoc, "rust": rustdoc}


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m house.site", description=__doc__.split("\n")[0])
    parser.add_argument("--pages-only", action="store_true", help="leave out the references of Java, Kotlin, TypeScript and Rust")
    options = parser.parse_args()
    shutil.rmtree(SITE, ignore_errors=True)
    put_pages()
    put_reference()
    settings = SITE / "source/mkdocs.yml"
    for name in ("mkdocs.yml", "doctests.py"):
        shutil.copy(SETTINGS.with_name(name), settings.with_name(name))
    (SITE / "source/python").symlink_to(ROOT / "python")
    print("== pages", flush=True)
    run(sys.executable, "-m", "mkdocs", "build", "-q", "-f", settings)
    for place, make in OTHERS.items():
        if not options.pages_only:
            print(f"== {place}'s reference", flush=True)
            make(HTML / "reference" / place)
    print(f"site: {len(list(HTML.rglob('*.html')))} pages in {HTML.relative_to(ROOT)}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
