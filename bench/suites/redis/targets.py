"""What `redis` must reach, and what it aims at: rates, CPU time and memory, as ratios to peers in the same rounds."""

from __future__ import annotations

from typing import NamedTuple

OURS, ASYNC = "samewire", "samewire-asyncio"
CPU, RATE, MEMORY = "CPU", "rate", "memory"


class Ratio(NamedTuple):
    """Ours is at least ``least`` times as good as ``peer``: less CPU time of the client, more by the clock, less memory."""

    workload: str
    what: str
    peer: str
    least: float
    ours: str = OURS
    op: str = "call"
    aim: bool = False


class Most(NamedTuple):
    """Bytes by which the client may grow."""

    workload: str
    bytes: float


MOST = (Most("pipeline-1M", 100e6),)

RATIOS = (
    Ratio("pipeline-1M", RATE, "redis-py", 14.0),
    Ratio("pipeline-1M", RATE, "hiredis", 1.0),
    Ratio("callers-1000", RATE, "redis-py-asyncio", 20.0, ASYNC),
    Ratio("callers-1000", RATE, "glide", 8.0, ASYNC),
    Ratio("lrange-600", CPU, "redis-py", 1 / 0.65),
    Ratio("parse-600", CPU, "hiredis-py", 1 / 0.6),
    Ratio("pipeline-1M", RATE, "raw", 0.75, aim=True),
    Ratio("callers-1000", RATE, "redis-py-asyncio", 28.0, ASYNC, aim=True),
    Ratio("callers-1000", RATE, "glide", 10.0, ASYNC, aim=True),
    Ratio("lrange-600", CPU, "hiredis", 1 / 0.85, aim=True),
    Ratio("parse-600", CPU, "hiredis-py", 1 / 0.5, aim=True),
    Ratio("get", RATE, "raw", 1 / 1.15, aim=True),
    Ratio("set", RATE, "raw", 1 / 1.15, aim=True),
    *(
        Ratio(workload, RATE, peer, 5.0, aim=True)
        for workload in ("books-put", "books-get")
        for peer in ("redis-py-json", "redis-py-pickle")
    ),
    *(Ratio("books-put", MEMORY, peer, 1.0, op="server", aim=True) for peer in ("redis-py-json", "redis-py-pickle")),
)
