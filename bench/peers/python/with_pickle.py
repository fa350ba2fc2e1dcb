"""pickle, protocol 5."""

from __future__ import annotations

import pickle
from typing import Any

from bench.peers.python.peer import Peer, Row, Workload


def _encode(value: Any) -> bytes:
    return pickle.dumps(value, protocol=5)


def _prepare(_: Workload) -> Peer:
    return Peer(_encode, pickle.loads)


ROWS = {"pickle": Row(None, "dynamic", "nothing: its input can run any code", True, ("plain",), True, _prepare)}
