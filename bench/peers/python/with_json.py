"""The standard library's JSON as UTF-8: the incumbent."""

from __future__ import annotations

import json
from typing import Any

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.records import decoding


def _prepare(workload: Workload) -> Peer:
    encoder = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), check_circular=False, default=vars)

    def encode(value: Any) -> bytes:
        return encoder.encode(value).encode()

    return Peer(encode, decoding(json.loads, workload))


ROWS = {"json": Row(None, "dynamic", "syntax, UTF-8", False, ("plain",), True, _prepare)}
