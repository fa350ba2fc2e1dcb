"""The hash of a benchmark's own code: figures made by different code are not compared."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

_SOURCES = frozenset({".py", ".mjs", ".js", ".ts", ".java", ".scala", ".rs", ".go", ".c", ".h", ".proto", ".options"})
_MANIFESTS = frozenset({".toml", ".lock", ".mod", ".sum"})
_SKIPPED = frozenset({"node_modules", "target", "__pycache__", "dist", "build"})


def hashes(sources: Sequence[Path], peers: Iterable[str], programs: Mapping[str, Path]) -> dict[str, str]:
    """For each peer twelve digits over its own file and what all peers share in ``sources``, folders or files.

    A peer's own file is the ``with…`` file whose name its name begins with, letter case and signs aside; ours is not compared with
    itself by the code of the library, which is what a comparison of two runs is to show. programs: by peer the folder of a program
    that is built for it alone; its manifests count too, as they pin what it is made of. Those that all peers share do not: a version
    that changed in one makes that peer not comparable, and no other.
    """
    files = {path: path.read_bytes() for place in sources for path in _files(place, _SOURCES)}
    own = {path: _plain(path.stem)[4:] for path in files if _plain(path.stem).startswith("with") and len(_plain(path.stem)) > 4}
    shared = b"".join(content for path, content in files.items() if path not in own)
    found = {}
    for peer in peers:
        matching = [path for path, name in own.items() if _plain(peer).startswith(name)]
        best = max(matching, key=lambda path: len(own[path]), default=None)
        parts = [files[best]] if best else [files[path] for path in own]
        if peer in programs:
            parts += [path.read_bytes() for path in _files(programs[peer], _SOURCES | _MANIFESTS)]
        found[peer] = hashlib.sha256(b"\0".join([shared, *parts])).hexdigest()[:12]
    return found


def _files(place: Path, endings: frozenset[str]) -> Iterator[Path]:
    """A file itself; of a folder all with one of those endings, in their order."""
    if place.is_file():
        yield place
        return
    for path in sorted(place.rglob("*")):
        if path.suffix in endings and path.is_file() and _SKIPPED.isdisjoint(path.relative_to(place).parts):
            yield path


def _plain(name: str) -> str:
    return re.sub(r"[^a-z0-9]", "", name.lower())
