"""The hash of a benchmark's own code: figures made by different code are not compared."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

_SOURCES = frozenset({".py", ".mjs", ".js", ".ts", ".java", ".scala", ".rs", ".proto"})
_SKIPPED = frozenset({"node_modules", "target", "__pycache__", "dist", "build"})


def hashes(folder: Path, peers: Iterable[str]) -> dict[str, str]:
    """For each peer twelve digits over its own file and what all peers of the folder share.

    A peer's own file is the ``with…`` file whose name its name begins with, letter case and signs aside; ours is not compared with
    itself by the code of the library, which is what a comparison of two runs is to show.
    """
    files = {path: path.read_bytes() for path in sorted(_files(folder))}
    own = {path: _plain(path.stem)[4:] for path in files if _plain(path.stem).startswith("with") and len(_plain(path.stem)) > 4}
    shared = b"".join(content for path, content in files.items() if path not in own)
    found = {}
    for peer in peers:
        matching = [path for path, name in own.items() if _plain(peer).startswith(name)]
        best = max(matching, key=lambda path: len(own[path]), default=None)
        parts = [files[best]] if best else [files[path] for path in own]
        found[peer] = hashlib.sha256(b"\0".join([shared, *parts])).hexdigest()[:12]
    return found


def _files(folder: Path) -> Iterable[Path]:
    if not folder.is_dir():
        return
    for path in folder.rglob("*"):
        if path.suffix in _SOURCES and path.is_file() and _SKIPPED.isdisjoint(path.relative_to(folder).parts):
            yield path


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
