"""hiredis-py: the reader that redis-py uses."""

from __future__ import annotations

import hiredis

from bench.peers.redis import parsing
from bench.peers.redis.peer import PARSE, Row, Task
from bench.peers.redis.server import Server


def start(workload: str, server: Server) -> Task:
    """Its reader, which decodes."""
    return parsing.task(hiredis.Reader(encoding="utf-8"))


ROWS = {"hiredis-py": Row("hiredis", "client", "RESP", (PARSE,), start)}
