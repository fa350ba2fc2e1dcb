"""Finds which files of a Rust crate import which, for the rule that they do so in no circle."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

Module = tuple[str, ...]


def imports(root: Path, paths: list[Path]) -> dict[Path, set[Path]]:
    """The files of the same crate that each file imports."""
    graph: dict[Path, set[Path]] = {}
    for source in sorted(path.parent / "src" for path in paths if path.name == "Cargo.toml"):
        files = {_module(path.relative_to(source)): path for path in paths if path.suffix == ".rs" and source in path.parents}
        for module, path in files.items():
            graph[path] = {files[target] for target in _imports(module, (root / path).read_text("utf-8"), files)}
    return graph


def _module(path: Path) -> Module:
    parts = path.with_suffix("").parts
    return parts[:-1] if parts[-1] in ("mod", "lib", "main") else parts


def _imports(module: Module, text: str, files: dict[Module, Path]) -> set[Module]:
    """The files that a file's `use` declarations and `crate::` paths name, tests apart."""
    text = re.sub(r"//[^\n]*", "", text).split("#[cfg(test)]\nmod tests")[0]
    named = [path for found in re.finditer(r"\buse\s+([^;]+);", text) for path in _expand((), found[1])]
    named += [tuple(found[0].split("::")) for found in re.finditer(r"(?<!\bin )\b(?:crate|super)(?:::\w+)+", text)]
    return {target for path in named if (target := _file(module, path, files)) is not None} - {module}


def _expand(lead: Module, tree: str) -> Iterator[Module]:
    """The paths of a tree like `a::{b, c::{d, e}}`."""
    head, brace, rest = tree.partition("{")
    lead = (*lead, *(part.split(" as ")[0].strip() for part in head.split("::") if part.strip()))
    if not brace:
        yield lead
        return
    depth, item = 0, ""
    for char in rest[: rest.rindex("}")] + ",":
        if char == "," and depth == 0:
            if item.strip():
                yield from _expand(lead, item)
            item = ""
            continue
        depth += {"{": 1, "}": -1}.get(char, 0)
        item += char


def _file(module: Module, path: Module, files: dict[Module, Path]) -> Module | None:
    """The file that holds what a path names; None for another crate's."""
    if path[0] == "crate":
        path = path[1:]
    elif path[0] == "super":
        ups = next((i for i, part in enumerate(path) if part != "super"), len(path))
        path = (*module[: len(module) - ups], *path[ups:])
    elif path[0] == "self" or (*module, path[0]) in files:
        path = (*module, *path[path[0] == "self" :])
    else:
        return None
    while path and path not in files:
        path = path[:-1]
    return path if path in files else None
