"""Finds source files of TypeScript, Rust and Python that import each other in a circle; imports of types count like the others."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from house import python_modules, rust_modules

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
    """One line for each circle: its files, in order."""
    found = circles(imports(root, paths) | rust_modules.imports(root, paths) | python_modules.imports(root, paths))
    return [f"{group[0]}: imports in a circle with {', '.join(str(path) for path in group[1:]) or 'itself'}" for group in found]
