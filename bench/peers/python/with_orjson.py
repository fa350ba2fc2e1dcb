"""orjson: JSON; encodes dataclasses as objects, decodes to dicts."""

from __future__ import annotations

import orjson

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.records import decoding


def _prepare(workload: Workload) -> Peer:
    return Peer(orjson.dumps, decoding(orjson.loads, workload))


ROWS = {"orjson": Row("orjson", "dynamic", "syntax, UTF-8, depth", False, ("plain",), True, _prepare)}
