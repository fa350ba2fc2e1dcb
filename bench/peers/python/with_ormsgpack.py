"""ormsgpack: MessagePack; encodes dataclasses as maps, decodes to dicts."""

from __future__ import annotations

import ormsgpack

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.records import decoding


def _prepare(workload: Workload) -> Peer:
    return Peer(ormsgpack.packb, decoding(ormsgpack.unpackb, workload))


ROWS = {"ormsgpack": Row("ormsgpack", "dynamic", "syntax, UTF-8, depth", False, ("plain",), True, _prepare)}
