"""Finds which Java classes import which: by an import, or by a name with its package. Classes of one package need neither."""

from __future__ import annotations

import re
from pathlib import Path

_TEXTS = re.compile(r'"""(?:\\.|[^\\])*?"""|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])+\'|//[^\n]*|/\*.*?\*/', re.DOTALL)
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_NAMED = re.compile(r"\b[a-z]\w*(?:\.[a-z]\w*)*\.[A-Z]\w*")


def imports(root: Path, paths: list[Path]) -> dict[Path, set[Path]]:
    """The classes of other packages that each class names, as files."""
    texts = {path: _TEXTS.sub(" ", (root / path).read_text("utf-8")) for path in paths if path.suffix == ".java"}
    packages = {path: found[1] if (found := _PACKAGE.search(text)) else "" for path, text in texts.items()}
    files: dict[str, set[Path]] = {}
    for path in texts:
        files.setdefault(f"{packages[path]}.{path.stem}", set()).add(path)
    graph: dict[Path, set[Path]] = {}
    for path, text in texts.items():
        named = {name for name in _NAMED.findall(text) if name.rpartition(".")[0] != packages[path]}
        graph[path] = {target for name in named for target in files.get(name, ())} - {path}
    return graph
