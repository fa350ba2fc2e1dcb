"""Limit: a JVM that does nothing. How long it takes from its start to its end, what it holds, and what it takes while it waits."""

from __future__ import annotations

import resource
import time

from bench.peers.bridge import java
from bench.peers.bridge.peer import IDLE, MEMORY, START, Row, Task, Window, WrongResult
from bench.peers.bridge.sides import Sides
from bench.peers.bridge.tasks import idle


def start(workload: str) -> Task:
    """`java -cp … Hello`, which prints a line."""
    if workload == START:
        return Task(_whole, lambda: None)
    process = java.started("Hello", "wait")
    java.said(process)
    sides = Sides((process.pid,))
    if workload == IDLE:
        return Task(lambda _: idle(sides), lambda: java.ended(process))
    return Task(lambda _: Window(0, 0), lambda: java.ended(process), lambda: {"memory": sides.memory().now})


def _whole(_: int) -> Window:
    """From the start to the end, as a shell would see it."""
    begun, used = time.perf_counter_ns(), _children()
    process = java.started("Hello")
    if java.said(process) != "main":
        raise WrongResult("it did not say that main has begun")
    process.wait()
    took = time.perf_counter_ns() - begun
    java.ended(process)
    return Window(_children() - used, took)


def _children() -> int:
    """Nanoseconds of CPU time of the processes that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return round((used.ru_utime + used.ru_stime) * 1e9)


ROWS = {"jvm": Row(java.version(), "limit", "nothing", (START, MEMORY, IDLE), start)}
