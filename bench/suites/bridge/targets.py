"""What `bridge` must reach, and what it aims at: times, and ratios to peers in the same rounds."""

from __future__ import annotations

from typing import NamedTuple

OURS, UNIX, TCP, EMBEDDED = "samewire", "samewire-unix", "samewire-tcp", "samewire-embedded"
PY4J = ("py4j", "py4j-clientserver")
"""Beside the faster of both, in each round."""
JVM = ("jvm",)
US, MS, MB = 1e3, 1e6, 1e6
GIB_AT_2_GB = 2**30 / 2e9 * 1e9
"""Nanoseconds."""


class Most(NamedTuple):
    """Nanoseconds, or bytes, that a figure of ours may be; ``beyond`` that of a row."""

    workload: str
    most: float
    ours: str = OURS
    op: str = "call"
    beyond: str = ""
    aim: bool = False


class Ratio(NamedTuple):
    """Ours takes at most one ``least``-th of the time of the fastest of some peers."""

    workload: str
    peers: tuple[str, ...]
    least: float
    ours: str = OURS
    aim: bool = False


MOST = (
    Most("args-0", 0.5 * US),
    Most("args-8", 0.8 * US),
    Most("exception", 2 * US),
    Most("callbacks-200", 1.5 * US),
    Most("batch-0", 0.15 * US),
    Most("batch-8", 0.15 * US),
    Most("ints-to-array", 15 * US),
    Most("to-1GiB", 64 * 2**20, op="memory"),
    Most("idle", 1 * MS, op="cpu", beyond="jvm"),
    Most("args-0", 0.35 * US, aim=True),
    Most("args-8", 0.5 * US, aim=True),
    Most("exception", 1.5 * US, aim=True),
    Most("callbacks-200", 1.0 * US, aim=True),
    Most("batch-0", 0.10 * US, aim=True),
    Most("batch-8", 0.10 * US, aim=True),
    Most("args-0", 0.20 * US, EMBEDDED, aim=True),
    Most("to-1GiB", GIB_AT_2_GB, aim=True),
    Most("memory", 45 * MB, op="memory", beyond="jvm", aim=True),
)

RATIOS = (
    *(Ratio(workload, PY4J, 50.0) for workload in ("args-0", "args-8", "exception", "callback", "callbacks-200")),
    Ratio("args-8", ("jpype",), 1.0),
    Ratio("args-0", PY4J, 1.0, UNIX),
    Ratio("args-8", PY4J, 2.5, UNIX),
    Ratio("one-core", ("floor-unix",), 1 / 1.3),
    Ratio("one-core", ("floor-unix",), 1 / 1.3, UNIX),
    Ratio("one-core", ("floor-tcp",), 1 / 1.3, TCP),
    Ratio("threads-16", PY4J, 5.0),
    Ratio("to-64MiB", PY4J, 40.0),
    Ratio("from-64MiB", PY4J, 40.0),
    Ratio("items", PY4J, 200.0),
    Ratio("start", JVM, 1 / 1.25),
    Ratio("args-8", ("jpype",), 1 / 0.3, aim=True),
    Ratio("args-0", ("floor-unix",), 1 / 1.3, UNIX, aim=True),
    Ratio("to-64MiB", ("floor-shm",), 1 / 1.2, aim=True),
    Ratio("from-64MiB", ("floor-shm",), 1 / 1.2, aim=True),
    Ratio("doubles", ("memcpy",), 0.4, aim=True),
    Ratio("start", JVM, 1 / 1.15, aim=True),
)
