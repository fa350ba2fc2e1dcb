"""Finds source files of TypeScript, Rust, Python and Java that import each other in a circle.

Imports of types count like the others, and those inside functions like those at the top.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from house import java_classes, python_modules, rust_modules

#: Circles that are allowed: the first file, how many files are in it, and why.
KNOWN: dict[str, tuple[int, str]] = {
    "rust/peers/src/pack/notation/definitions.rs": (3, "a trait, and what the macros of its emitted implementations call"),
}

_RELATIVE = re.compile(r"""(?:\bfrom\s*|\bimport\s*\(?\s*)(["'])(\.[^"'\s]+)\1""")


def imports(root: Path, paths: list[Path]) -> dict[Path, set[Path]]:
    """The files of the same list that each file of TypeScript imports."""
    sources = {path for path in paths if path.suffix == ".ts"}
    graph: dict[Path, set[Path]] = {}
    for path in sorted(sources):
        text = (root / path).read_text(encoding="utf-8")
        named = (Path(os.path.normpath(path.parent / found[2])).with_suffix(".ts") for found in _RELATIVE.finditer(text))
        graph[path] = {target for target in named if target in sources}
    return graph


def circles(graph: dict[Path, set[Path]]) -> Iterator[list[Path]]:
    """The groups of files (two or more, or one that imports itself) in which each is reached from each other."""
    reached = {path: _reached(graph, path) for path in graph}
    seen: set[Path] = set()
    for path in graph:
        if path in seen or path not in reached[path]:
            continue
        group = [other for other in graph if other in reached[path] and path in reached[other]]
        seen.update(group)
        yield group


def _reached(graph: dict[Path, set[Path]], start: Path) -> set[Path]:
    found: set[Path] = set()
    left = list(graph[start])
    while left:
        path = left.pop()
        if path not in found:
            found.add(path)
            left.extend(graph[path])
    return found


def violations(root: Path, paths: list[Path]) -> list[str]:
    """One line for each circle that is not allowed, its files in order; one for each allowed circle that does not exist."""
    languages = (imports, rust_modules.imports, python_modules.imports, java_classes.imports)
    graph = {file: named for read in languages for file, named in read(root, paths).items()}
    found = {str(group[0]): group for group in circles(graph)}
    lines = [
        f"{first}: imports in a circle with {', '.join(str(path) for path in group[1:]) or 'itself'}"
        for first, group in found.items()
        if KNOWN.get(first, (0, ""))[0] < len(group)
    ]
    present = {str(path) for path in paths}
    lines += [
        f"{first}: its circle has {len(found.get(first, ()))} files, not {size}: change KNOWN in house/circles.py"
        for first, (size, _) in KNOWN.items()
        if first in present and len(found.get(first, ())) < size
    ]
    return lines
