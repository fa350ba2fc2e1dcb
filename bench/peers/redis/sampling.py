"""How often a workload runs for a sample, and what is told of it."""

from __future__ import annotations

from collections.abc import Iterator
from time import monotonic
from typing import Any, NamedTuple

from bench.peers.redis.peer import BOOKS, CALLERS, PIPELINES, Task, Window
from bench.peers.redis.tasks import CALLERS_AT_ONCE

STRETCH = 2
"""A sample is that many times as long as one of a codec: a round trip wakes a process, which is not always as quick."""
LONGEST = 4.0
"""Seconds after which no further sample of a fixed size begins."""
WHOLE = {"pipeline-1M": 1_000_000, "pipelines-10k": 100_000, **dict.fromkeys(BOOKS, 100_000)}
"""Workloads whose samples have one size."""
SHORT = 0.02
"""Seconds of a sample below which those sizes shrink with it: a look, not a measurement."""


class Plan(NamedTuple):
    """``warm``: warm-up in seconds; then ``samples`` samples of ``sample`` seconds each."""

    warm: float
    samples: int
    sample: float


def lines(workload: str, task: Task, plan: Plan) -> Iterator[dict[str, Any]]:
    """The report of a workload."""
    windows = whole(WHOLE[workload], task, plan) if workload in WHOLE else timed(workload, task, plan)
    cpu, wall = [window.cpu for window in windows], [window.wall for window in windows]
    yield {"op": "call", "unit": "ns/op", "cpu": cpu, "wall": wall}
    grown = [window.growth for window in windows if window.growth is not None]
    if workload in PIPELINES and grown:
        yield {"op": "memory", "unit": "B", "cpu": [], "wall": [max(grown)]}
    if task.server:
        yield {"op": "server", "unit": "B", "cpu": [], "wall": [task.server()]}


def whole(size: int, task: Task, plan: Plan) -> list[Window]:
    """Samples of one size, fewer where they take long; the first of them warms up, unless it takes very long."""
    count = round(size * min(1.0, plan.sample / SHORT))
    begun = monotonic()
    first = task.window(count)
    if monotonic() - begun > LONGEST / 2:
        return [first]
    windows: list[Window] = []
    while len(windows) < plan.samples and (not windows or monotonic() - begun < LONGEST):
        windows.append(task.window(count))
    # What the first has taken from the system the others find there: it tells how much that was.
    return [window._replace(growth=first.growth) for window in windows]


def timed(workload: str, task: Task, plan: Plan) -> list[Window]:
    """Samples of one length, after a warm-up."""
    least = CALLERS_AT_ONCE if workload == CALLERS else 1
    begun, count = monotonic(), least
    while True:
        last = task.window(count)
        if monotonic() - begun >= plan.warm:
            break
        count = max(least, min(count * 10, _count(plan.warm / 4, last, least)))
    count = _count(plan.sample * STRETCH, last, least)
    return [task.window(count) for _ in range(plan.samples)]


def _count(seconds: float, last: Window, multiple: int) -> int:
    return max(1, round(seconds * 1e9 / last.wall / multiple)) * multiple
