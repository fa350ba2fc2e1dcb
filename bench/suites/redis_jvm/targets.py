"""What `redis_jvm` must reach, and what it aims at: times as ratios to peers in the same rounds, and bytes allocated."""

from __future__ import annotations

from typing import NamedTuple

OURS, LAZY, BYTES = "samewire", "samewire-lazy", "samewire-bytes"
LETTUCE, JEDIS, LIMIT, RAW, BENCHMARK = "lettuce", "jedis", "limit", "raw-socket", "redis-benchmark"
LANGUAGES = ("redis_jvm", "redis_jvm_25")
ONE_PIECE = "whole-64M"


class Ratio(NamedTuple):
    """Ours takes at most so much of a peer's time; or of our own at another workload. cpu: of the client's CPU time."""

    workload: str
    op: str
    peer: str
    most: float
    ours: str = OURS
    beside: str = ""
    aim: bool = False
    cpu: bool = False


class Bytes(NamedTuple):
    """Bytes that one operation may allocate."""

    workload: str
    op: str
    most: float
    ours: str = OURS
    aim: bool = False


SCALARS = ("simple", "integer", "error")

RATIOS = (
    *(Ratio(workload, "decode", LETTUCE, 0.7) for workload in SCALARS),
    *(Ratio("bulk", "decode", peer, 0.5) for peer in (LETTUCE, JEDIS)),
    Ratio("array-600", "decode", JEDIS, 0.95),
    Ratio("array-600", "decode", LETTUCE, 0.45),
    Ratio("array-600", "decode", JEDIS, 0.35, LAZY),
    Ratio("get", "encode", JEDIS, 0.6),
    Ratio("set", "encode", JEDIS, 0.6),
    Ratio("pieces-64M", "decode", OURS, 1.5, beside=ONE_PIECE),
    Ratio("pipeline-1000", "call", JEDIS, 0.65, cpu=True),
    Ratio("round-trip", "call", RAW, 1.05),
    Ratio("callers-1000", "call", LETTUCE, 1 / 3),
    *(Ratio(workload, "decode", LETTUCE, 0.6, aim=True) for workload in SCALARS),
    *(Ratio("bulk", "decode", peer, 0.4, aim=True) for peer in (LETTUCE, JEDIS)),
    Ratio("bulk", "decode", LIMIT, 1.25, aim=True),
    Ratio("array-600", "decode", JEDIS, 0.9, aim=True),
    Ratio("array-600", "decode", LETTUCE, 0.4, aim=True),
    Ratio("array-600", "decode", JEDIS, 0.3, LAZY, aim=True),
    Ratio("get", "encode", JEDIS, 0.5, aim=True),
    Ratio("set", "encode", JEDIS, 0.5, aim=True),
    Ratio("args-600", "encode", JEDIS, 0.5, aim=True),
    *(Ratio(workload, "decode", LIMIT, 1.5, aim=True) for workload in ("numbers-40", "nils-40", "table-20x40", "pairs-80")),
    *(Ratio(workload, "decode", LIMIT, 1.0, aim=True) for workload in ("latin1", "emoji")),
    Ratio("pipeline-1000", "call", BENCHMARK, 1.0, aim=True),
    Ratio("callers-1000", "call", LETTUCE, 1 / 4, aim=True),
)

MOST = (
    Bytes("bulk", "decode", 2_100),
    *(Bytes(workload, "encode", 64, ours, aim=True) for workload in ("get", "args-600") for ours in (OURS, BYTES)),
    Bytes("set", "encode", 64, BYTES, aim=True),
)
