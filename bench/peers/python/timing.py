"""Cost of one operation: CPU and wall nanoseconds, after a warm-up that ends when the figures hold still."""

from __future__ import annotations

import gc
from collections.abc import Callable
from itertools import repeat
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple


class Plan(NamedTuple):
    """``warm``: longest warm-up in seconds; then ``samples`` samples of ``sample`` seconds each."""

    warm: float
    samples: int
    sample: float


class Cost(NamedTuple):
    """Nanoseconds per operation, one entry a sample."""

    cpu: list[float]
    wall: list[float]


def _window(operation: Callable[[Any], object], argument: Any, count: int) -> tuple[int, int]:
    wall, cpu = perf_counter_ns(), process_time_ns()
    for _ in repeat(None, count):
        operation(argument)
    return process_time_ns() - cpu, perf_counter_ns() - wall


def repeated(operation: Callable[[Any], object], argument: Any, plan: Plan) -> Cost:
    """The same argument again and again; every result is dropped at once."""
    count, spent, last = 1, 0, 0.0
    target = plan.sample * 1e9
    while True:
        cpu, wall = _window(operation, argument, count)
        spent += wall
        each = cpu / count
        if wall < target / 2:
            count = max(count + 1, int(count * min(10.0, target / max(wall, 1))))
        elif spent > plan.warm * 1e9 or abs(each - last) < 0.03 * each:
            break
        last = each
    windows = [_window(operation, argument, count) for _ in range(plan.samples)]
    return Cost([cpu / count for cpu, _ in windows], [wall / count for _, wall in windows])


def fresh(operation: Callable[[Any], object], build: Callable[[], Any], copies: int, plan: Plan) -> Cost:
    """Every argument is used once: its texts have no cached hash and no cached encoding."""
    cost = Cost([], [])
    for index in range(plan.samples + 1):
        cpu = wall = done = 0
        while cpu < plan.sample * 1e9 / 5:
            arguments = [build() for _ in range(copies)]
            started, used = perf_counter_ns(), process_time_ns()
            for argument in arguments:
                operation(argument)
            cpu += process_time_ns() - used
            wall += perf_counter_ns() - started
            done += copies
        if index:
            cost.cpu.append(cpu / done)
            cost.wall.append(wall / done)
    return cost


def held(operation: Callable[[Any], object], argument: Any, copies: int, plan: Plan) -> Cost:
    """``copies`` results are kept, each in a list: the collections that they cause are part of the cost."""
    cost = Cost([], [])
    for index in range(plan.samples + 1):
        gc.collect()
        started, used = perf_counter_ns(), process_time_ns()
        results = [[operation(argument)] for _ in repeat(None, copies)]
        cpu, wall = process_time_ns() - used, perf_counter_ns() - started
        if index:
            cost.cpu.append(cpu / copies)
            cost.wall.append(wall / copies)
        results.clear()
    return cost
