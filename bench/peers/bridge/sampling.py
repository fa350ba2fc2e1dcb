"""How often a workload runs for a sample, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, NamedTuple

from bench.peers.bridge.peer import IDLE, MEMORY, START, THREADS, Task, Window
from bench.peers.bridge.sides import Sides

STRETCH = 2
"""A sample is that many times as long as one of a codec: calls between processes are not always as quick."""
LONGEST = 4.0
"""Seconds after which no further sample begins."""
BEFORE = Sides().memory().now
"""Bytes that this process had before any library was loaded: what a user's own program takes."""
ONCE = (START, MEMORY, IDLE)
"""Workloads of which a process gives one figure."""


class Plan(NamedTuple):
    """``warm``: warm-up in seconds; then ``samples`` samples of ``sample`` seconds each."""

    warm: float
    samples: int
    sample: float


def lines(workload: str, task: Task, plan: Plan) -> Iterator[dict[str, Any]]:
    """The report of a workload. Wall time and CPU time are operations of their own: a call that keeps two cores busy is quick."""
    windows = [task.window(1)] if workload in ONCE else sampled(task, plan, least=16 if workload in THREADS else 1)
    if workload not in (MEMORY, IDLE):
        yield {"op": "call", "unit": "ns/op", "cpu": [], "wall": [window.wall for window in windows]}
        yield {"stats": {"low": min(window.wall for window in windows)}}
    if workload != MEMORY:
        yield {"op": "cpu", "unit": "ns/op", "cpu": [], "wall": [max(window.cpu, 1.0) for window in windows]}
    for op, figure in task.memory().items():
        yield {"op": op, "unit": "B", "cpu": [], "wall": [figure - BEFORE if workload == MEMORY else figure]}


def sampled(task: Task, plan: Plan, least: int) -> list[Window]:
    """Samples of one length, after a warm-up; fewer where one operation takes seconds."""
    begun, count = monotonic(), least
    while True:
        window_begun = monotonic()
        last = task.window(count)
        # What an operation stands for (a call of a thousand) is not known here: the clock tells.
        took = (monotonic() - window_begun) / count
        if monotonic() - begun >= plan.warm:
            break
        count = max(least, min(count * 10, round(plan.warm / 4 / took)))
    if took * count > LONGEST / 2:
        return [last]
    count = max(least, round(plan.sample * STRETCH / took))
    begun = monotonic()
    windows: list[Window] = []
    while len(windows) < plan.samples and (not windows or monotonic() - begun < LONGEST):
        windows.append(task.window(count))
    return windows
