"""Cost of one operation: pyperf finds out how many runs make a value, warms up and takes the values, by a clock of ours.

pyperf runs as its own worker processes do: the lab gives each peer, workload and round a process. It knows one clock, so ours gives
it CPU time and notes wall time beside.
"""

from __future__ import annotations

import gc
import io
import sys
import tracemalloc
from collections.abc import Callable
from contextlib import redirect_stdout
from itertools import repeat
from math import ceil
from time import perf_counter_ns, process_time_ns
from typing import Any, NamedTuple

import pyperf  # type: ignore[import-untyped]

PINNED = 50
"""One of so many results stays: some in each arena (1 MiB), too few to matter."""
HELD_WARM_UPS = 4
"""Times that memory is held and dropped before it counts: its free lists come to rest."""

Window = Callable[[int], tuple[int, int]]
"""Runs so many times; returns CPU and wall nanoseconds."""


class Plan(NamedTuple):
    """``warm``: warm-up in seconds; then ``samples`` samples of ``sample`` seconds each."""

    warm: float
    samples: int
    sample: float


class Cost(NamedTuple):
    """Nanoseconds per operation, one entry a sample; blocks of memory that a result consists of; bytes in use at the worst moment."""

    cpu: list[float]
    wall: list[float]
    allocs: int | None = None
    heap: int | None = None

    def line(self, op: str) -> dict[str, Any]:
        """As one line of the report."""
        return {"op": op, "unit": "ns/op", **self._asdict()}


class Sampler:
    """pyperf's runner, of which a process has one."""

    def __init__(self, plan: Plan) -> None:
        self._plan = plan
        self._runner: Any = pyperf.Runner(values=plan.samples, min_time=plan.sample, processes=1)
        self._runner.parse_args(["--worker", "--loops", "1"])

    def _values(self, name: str, window: Window, loops: int, warm_ups: int, calibrate: bool = False) -> tuple[Cost, int]:
        walls: list[float] = []
        counts: list[int] = []

        def clock(count: int) -> float:
            cpu, wall = window(count)
            walls.append(wall / count)
            counts.append(count)
            return cpu / 1e9

        arguments = self._runner.args
        arguments.loops, arguments.warmups, arguments.calibrate_loops = loops, warm_ups, calibrate
        with redirect_stdout(io.StringIO()):
            found = self._runner.bench_time_func(name, clock)
        cpus = [] if calibrate else [value * 1e9 for value in found.get_values()]
        return Cost(cpus, walls[-self._plan.samples :]), counts[-1]

    def repeated(self, op: str, operation: Callable[[Any], object], argument: Any) -> Cost:
        """The same argument again and again; every result is dropped at once."""

        def window(count: int) -> tuple[int, int]:
            runs = repeat(None, count)
            wall, cpu = perf_counter_ns(), process_time_ns()
            for _ in runs:
                operation(argument)
            return process_time_ns() - cpu, perf_counter_ns() - wall

        blocks, peak = footprint(operation, argument)
        _, loops = self._values(f"{op} calibration", window, 1, 0, calibrate=True)
        warm_ups = max(1, ceil(self._plan.warm / self._plan.sample))
        return self._values(op, window, loops, warm_ups)[0]._replace(allocs=blocks, heap=peak)

    def fresh(self, op: str, operation: Callable[[Any], object], build: Callable[[], Any], copies: int, loops: int) -> Cost:
        """Every argument is used once: its texts have no cached hash and no cached encoding. ``copies`` at a time stay in the cache.

        loops: runs a sample; to make an argument may take ten times as long as the run.
        """

        def window(count: int) -> tuple[int, int]:
            cpu = wall = 0
            while count > 0:
                arguments = [build() for _ in range(min(count, copies))]
                # The last argument of the copies before goes now, not while the clock runs.
                argument = None
                count -= copies
                started, used = perf_counter_ns(), process_time_ns()
                for argument in arguments:
                    operation(argument)
                cpu += process_time_ns() - used
                wall += perf_counter_ns() - started
            return cpu, wall

        return self._values(op, window, loops, 1)[0]

    def held(self, op: str, operation: Callable[[Any], object], argument: Any, copies: int) -> Cost:
        """``copies`` results are kept, each in a list: the collections that they cause are part of the cost.

        Their memory has been held before, as in a service that runs for a while: else up to half of the cost is pages fetched from
        the kernel, by an amount that varies from process to process.
        """
        # An arena with a live object is not given back.
        pins = [[operation(argument)] for _ in repeat(None, copies)][::PINNED]

        def window(count: int) -> tuple[int, int]:
            gc.collect()
            wall, cpu = perf_counter_ns(), process_time_ns()
            results = [[operation(argument)] for _ in repeat(None, count)]
            cpu, wall = process_time_ns() - cpu, perf_counter_ns() - wall
            results.clear()
            return cpu, wall

        cost, _ = self._values(op, window, copies, HELD_WARM_UPS)
        pins.clear()
        return cost


def footprint(operation: Callable[[Any], object], argument: Any) -> tuple[int, int]:
    """Blocks that the result of a run consists of, and the most bytes that were in use during one; not while the clock runs."""
    operation(argument)
    gc.collect()
    before = sys.getallocatedblocks()
    result = operation(argument)
    blocks = sys.getallocatedblocks() - before
    del result
    tracemalloc.start()
    tracemalloc.reset_peak()
    used, _ = tracemalloc.get_traced_memory()
    operation(argument)
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    return max(0, blocks), peak - used


def once(operation: Callable[[], object]) -> Cost:
    """One run, the very first: what a program pays before its first message."""
    wall, cpu = perf_counter_ns(), process_time_ns()
    operation()
    return Cost([process_time_ns() - cpu], [perf_counter_ns() - wall])
