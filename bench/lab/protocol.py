"""What a native runner prints.

``RUNNER list`` prints one JSON object::

    {"harness": "jmh 1.37", "peers": {NAME: {"workloads": [...], "version": "...", "kind": "typed|dynamic|schema|limit",
                                             "checks": "...", "trusted": false, "missing": "why, if it is not there"}}}

``RUNNER PEER WORKLOAD --warm S --samples N --sample S [--data FILE --schema FILE]`` times one peer on one workload and prints JSON
objects, one a line; with no samples, only what a process pays once:

- ``{"digest": "..."}`` of the value it made itself, FNV-1a of a canonical dump;
- ``{"version": "...", "hex": "..."}``, the encoded bytes;
- ``{"op": "decode", "unit": "ns/op", "cpu": [...], "wall": [...], "allocs": number or null, "heap": bytes or null}``, a figure a sample;
  with the unit ``B`` it reports memory, and the figures stand for ``wall``;
- ``{"stats": {...}}``, figures of a library about itself (a buffer pool);
- ``{"wrong": why}``: the value that came back is another; ``{"cannot": why}``: the peer cannot carry such a value.

With ``--data`` the workload's name is ``data``, FILE is JSON with null for every missing field, and the schema file holds the
canonical text of its type, dates and enums kept as text. ``bench/peers/own.py`` puts the same value as our message beside it, and
compiles its types where the language needs them.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import time
from dataclasses import asdict, dataclass, field
from typing import Any

import lz4.frame
import zstandard

OWN = "data"
"""The name of a workload that is a file, in a listing and on a runner's command line."""
LIMIT = "limit"
"""The kind of a row that no library can beat: a memory copy, the making of the objects alone."""


@dataclass(frozen=True)
class Peer:
    """A peer as its runner declares it. trusted: whether it assumes that its input is well-formed and friendly."""

    workloads: list[str] = field(default_factory=list)
    version: str = ""
    kind: str = ""
    checks: str = ""
    trusted: bool = False
    missing: str = ""

    def as_json(self) -> dict[str, Any]:
        """What `peers` reads."""
        return asdict(self)


@dataclass(frozen=True)
class Listing:
    """What a runner offers. harness: name and version of what takes the time."""

    harness: str
    peers: dict[str, Peer]


def listing(text: str) -> Listing:
    """Reads the answer to ``list``. Raises ValueError."""
    found = json.loads(text)
    named = found.get("peers") if isinstance(found, dict) else None
    if named is None:
        raise ValueError('an object with "peers" is expected')
    return Listing(str(found.get("harness", "")), {name: peer(about) for name, about in found["peers"].items()})


def peer(about: dict[str, Any]) -> Peer:
    """One peer of a listing; what this lab does not know is left out."""
    return Peer(**{name: value for name, value in about.items() if name in Peer.__dataclass_fields__})


def lines(text: str) -> list[dict[str, Any]]:
    """The report of one process; bytes are replaced by their number, their number after each compressor, and their SHA-256.

    Raises ValueError for a line that is not a JSON object.
    """
    found = [json.loads(line) for line in text.splitlines() if line.strip()]
    if not all(isinstance(line, dict) for line in found):
        raise ValueError("a runner's line has to be a JSON object")
    return [_condensed(line) for line in found]


def _condensed(line: dict[str, Any]) -> dict[str, Any]:
    if "hex" not in line:
        return line
    data = bytes.fromhex(line.pop("hex"))
    packed = len(gzip.compress(data, 9, mtime=0))
    return {**line, "bytes": len(data), "gz": packed, **_compressed(data), "sha256": hashlib.sha256(data).hexdigest()}


def _compressed(data: bytes) -> dict[str, float]:
    """Bytes after zstd at level 1 and after lz4, and the CPU nanoseconds that either takes: the least of three."""
    told: dict[str, float] = {}
    for name, compress in (("zstd", zstandard.ZstdCompressor(level=1).compress), ("lz4", lz4.frame.compress)):
        times = []
        for _ in range(3):
            begun = time.process_time_ns()
            told[name] = len(compress(data))
            times.append(time.process_time_ns() - begun)
        told[f"{name}_ns"] = min(times)
    return told
