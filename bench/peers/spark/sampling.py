"""How often a workload runs, and what is told of it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

from bench.peers.spark.peer import START
from bench.peers.spark.programs import Session

LEAST_WARM = 10
"""Runs before the first that counts. The JVM compiles Spark's planner for hundreds; a program that builds plans makes that many."""
LONGEST_WARM = 30.0
"""Seconds after which no further run warms up."""
SAMPLES = 3
"""So many runs for each sample that the lab asks for: one is short, and none is like another while the JVM compiles."""


def lines(workload: str, session: Session, warm: float, samples: int) -> Iterator[dict[str, Any]]:
    """The report of a workload. Wall time and CPU time are operations of their own, as of bridges."""
    if workload == START:
        yield from _told([session.wall], [session.cpu])
        return
    program = session.program(workload)
    program.check(program.run())
    begun, count = time.monotonic(), 0
    while time.monotonic() - begun < warm or (count < LEAST_WARM and time.monotonic() - begun < LONGEST_WARM):
        program.run()
        count += 1
    walls, cpus = [], []
    for _ in range(max(1, samples) * SAMPLES):
        cpu, wall = session.sides.cpu(), time.perf_counter_ns()
        program.run()
        walls.append(time.perf_counter_ns() - wall)
        cpus.append(session.sides.cpu() - cpu)
    yield from _told(walls, cpus)


def _told(walls: list[int], cpus: list[int]) -> Iterator[dict[str, Any]]:
    yield {"op": "call", "unit": "ns/op", "cpu": [], "wall": [float(wall) for wall in walls]}
    yield {"stats": {"low": float(min(walls))}}
    yield {"op": "cpu", "unit": "ns/op", "cpu": [], "wall": [max(float(cpu), 1.0) for cpu in cpus]}
