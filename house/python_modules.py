"""Finds which modules of the Python package import which, for the rule that they do so in no circle."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

PACKAGE = Path("python")


def imports(root: Path, paths: list[Path]) -> dict[Path, set[Path]]:
    """The modules that each module imports, as it is loaded or later, inside a function."""
    modules = {_name(path): path for path in paths if path.suffix == ".py" and path.is_relative_to(PACKAGE / "samewire")}
    graph: dict[Path, set[Path]] = {}
    for name, path in modules.items():
        package = name if path.name == "__init__.py" else name.rpartition(".")[0]
        found = set(_imported(ast.parse((root / path).read_text("utf-8")), package, set(modules)))
        graph[path] = {modules[target] for target in found if target != name}
    return graph


def _name(path: Path) -> str:
    parts = path.relative_to(PACKAGE).with_suffix("").parts
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _imported(block: ast.AST, package: str, modules: set[str]) -> Iterator[str]:
    """What a block imports at any depth; expressions, nine tenths of a tree, import nothing."""
    for field in ("body", "handlers", "cases", "orelse", "finalbody"):
        for node in getattr(block, field, ()):
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names if alias.name in modules)
            elif isinstance(node, ast.ImportFrom):
                above = package.split(".")[: len(package.split(".")) - node.level + 1] if node.level else []
                base = ".".join([*above, *filter(None, [node.module])])
                for alias in node.names:
                    full = f"{base}.{alias.name}"
                    yield from (name for name in (full if full in modules else base,) if name in modules)
            else:
                yield from _imported(node, package, modules)
