"""What `grpc` must reach: CPU a request, calls a second, latency and memory, as ratios to peers in the same rounds."""

from __future__ import annotations

from typing import NamedTuple

OURS, BASE = "samewire", "grpc-js"
CPU, RATE, LATENCY, MEMORY = "CPU", "a second", "latency", "memory"


class Ratio(NamedTuple):
    """Ours is at least ``least`` times as good as ``peer``: less CPU time, more a second, less latency or memory."""

    workload: str
    what: str
    peer: str
    least: float
    op: str = "call"


class Most(NamedTuple):
    """Nanoseconds of CPU time that a request may take."""

    workload: str
    nanoseconds: float


class Growth(NamedTuple):
    """How many times as much memory a server may have late in a run as early."""

    workload: str
    most: float


RATIOS = (
    Ratio("c10-m50", CPU, BASE, 15.0),
    Ratio("c10-m50", RATE, BASE, 10.0),
    Ratio("c10-m50", CPU, "grpc-go", 1.0),
    Ratio("c10-m50", CPU, "tonic", 1.0),
    Ratio("c10-m50", RATE, "grpc-go", 1.0),
    Ratio("c10-m50", RATE, "tonic", 1.0),
    Ratio("c1-m100", CPU, BASE, 10.0),
    Ratio("c1-m100", RATE, BASE, 10.0),
    Ratio("c100-m1", CPU, BASE, 4.0),
    Ratio("c100-m1", RATE, BASE, 4.0),
    Ratio("tls-c10-m50", CPU, BASE, 15.0),
    Ratio("unary-100", RATE, BASE, 30.0),
    Ratio("unary-1", RATE, BASE, 3.0),
    Ratio("unary-1MB", CPU, BASE, 2.0),
    Ratio("unary-1MB", RATE, BASE, 2.0),
    Ratio("unary-64MB", CPU, BASE, 2.0),
    Ratio("unary-64MB", RATE, BASE, 2.0),
    Ratio("server-stream", CPU, BASE, 4.0),
    Ratio("server-stream", RATE, BASE, 4.0),
    Ratio("bidi-100", CPU, BASE, 4.0),
    Ratio("bidi-100", RATE, BASE, 4.0),
    Ratio("bidi-1", CPU, BASE, 2.0),
    Ratio("bidi-1", RATE, BASE, 2.0),
    Ratio("steady", LATENCY, BASE, 4.0, "p99"),
    Ratio("unary-64MB", MEMORY, BASE, 1.0, "peak"),
    Ratio("idle-streams", MEMORY, BASE, 1.0, "memory"),
    Ratio("connections", MEMORY, BASE, 1.0, "memory"),
)

MOST = (Most("c10-m50", 2_000.0),)

GROWTHS = (Growth("long-run", 1.05),)
