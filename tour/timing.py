"""CPU time of operations, measured in turns so that a slow moment of the machine meets all of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import repeat
from time import perf_counter_ns, process_time_ns


@dataclass
class Operation:
    """One thing to time. cpu: nanoseconds of one run, an entry a round."""

    run: Callable[[], object]
    count: int = 1
    cpu: list[float] = field(default_factory=list)


def measure(operations: list[Operation], warm: float, rounds: int, round_seconds: float) -> None:
    """Fills `cpu` of each operation.

    warm: seconds each is run before, at least once. round_seconds: length of one measurement; an operation that is
    longer runs once.
    """
    for operation in operations:
        _warm_up(operation, warm, round_seconds)
    for _ in range(rounds):
        for operation in operations:
            run, count = operation.run, operation.count
            before = process_time_ns()
            for _ in repeat(None, count):
                run()
            operation.cpu.append((process_time_ns() - before) / count)


def _warm_up(operation: Operation, warm: float, round_seconds: float) -> None:
    runs, begun = 0, perf_counter_ns()
    while True:
        operation.run()
        runs += 1
        spent = perf_counter_ns() - begun
        if spent >= warm * 1e9:
            break
    operation.count = max(1, round(round_seconds * 1e9 / (spent / runs)))
