"""Workloads on bridges: every result is compared before anything is timed."""

from __future__ import annotations

import gc
import threading
import time
import timeit
from collections.abc import Callable
from typing import Any

from bench.peers.bridge import statements
from bench.peers.bridge.peer import IDLE, MEMORY, PLACES, START, THREADS, Bridge, Task, Window, WrongResult
from bench.peers.bridge.sides import Sides

IDLE_SECONDS = 3.0
SETTLED = 1.0
"""Seconds in which a JVM that has just started finishes compiling."""
USED = 1_000
"""Calls after which memory is read."""
FIRST, OTHER = 0, 1
"""Cores."""


def task(workload: str, launch: Callable[[], Bridge]) -> Task:
    """A workload on a bridge that is launched for it."""
    begun = time.perf_counter_ns(), time.process_time_ns()
    bridge = launch()
    sides = Sides(bridge.others)
    if workload == START:
        return _started(bridge, sides, begun)
    if workload == MEMORY:
        return _remembered(bridge, sides)
    if workload == IDLE:
        _compared(statements.of("args-0", bridge), bridge)
        return Task(lambda _: idle(sides), bridge.close)
    if workload in THREADS:
        return Task(_threads(int(workload.partition("-")[2]), bridge, sides), bridge.close)
    if workload in PLACES:
        pin(workload, sides)
        workload = "args-0"
    statement = statements.of(workload, bridge)
    if workload.endswith("1GiB"):
        return _large(statement, bridge, sides)
    return Task(_windows(statement, _compared(statement, bridge), sides), bridge.close)


def pin(workload: str, sides: Sides) -> None:
    """Binds both sides to a core each, or to one."""
    sides.pin(FIRST, OTHER if workload == "apart" else FIRST)


def _names(statement: statements.Statement, bridge: Bridge) -> dict[str, Any]:
    return {**statement.given, **{name: bridge.find(name) for name in statement.calls}}


def _compared(statement: statements.Statement, bridge: Bridge) -> dict[str, Any]:
    """The names of a statement whose result is the expected one. Raises WrongResult."""
    names = _names(statement, bridge)
    result = eval(statement.check or statement.text, dict(names))
    if result != statement.expected:
        raise WrongResult(f"{result!r:.100}, and {statement.expected!r:.100} is expected")
    return names


def _windows(statement: statements.Statement, names: dict[str, Any], sides: Sides) -> Callable[[int], Window]:
    return timed(statement.text, names, sides, statement.each)


def timed(text: str, names: dict[str, Any], sides: Sides, each: int = 1) -> Callable[[int], Window]:
    """A statement in a loop that Python compiles with it; its cyclic collector stays on, as in a program."""
    timer = timeit.Timer(text, gc.enable, globals=names)

    def window(count: int) -> Window:
        cpu = sides.cpu()
        wall = timer.timeit(count) * 1e9
        return Window((sides.cpu() - cpu) / count / each, wall / count / each)

    return window


def _threads(number: int, bridge: Bridge, sides: Sides) -> Callable[[int], Window]:
    """Calls without arguments from so many threads at once."""
    call = bridge.static("args0")

    def window(count: int) -> Window:
        each = max(1, count // number)
        ready = threading.Barrier(number + 1)

        def calls() -> None:
            ready.wait()
            timeit.timeit(call, gc.enable, number=each)

        threads = [threading.Thread(target=calls) for _ in range(number)]
        for thread in threads:
            thread.start()
        ready.wait()
        cpu, wall = sides.cpu(), time.perf_counter_ns()
        for thread in threads:
            thread.join()
        wall = time.perf_counter_ns() - wall
        return Window((sides.cpu() - cpu) / (each * number), wall / (each * number))

    return window


def _started(bridge: Bridge, sides: Sides, begun: tuple[int, int]) -> Task:
    """From before the launch until the first call has returned, in CPU time of both sides too."""
    result = bridge.static("args0")()
    wall, cpu = time.perf_counter_ns() - begun[0], sides.cpu() - begun[1]
    if result != 1:
        raise WrongResult(f"{result!r:.100}, and 1 is expected")
    return Task(lambda _: Window(cpu, wall), bridge.close)


def _remembered(bridge: Bridge, sides: Sides) -> Task:
    """Memory of both sides, after some calls."""
    statement = statements.of("args-8", bridge)
    window = _windows(statement, _compared(statement, bridge), sides)

    def memory() -> dict[str, float]:
        return {"memory": sides.memory().now}

    return Task(lambda _: window(USED), bridge.close, memory)


def idle(sides: Sides) -> Window:
    """CPU time of a second in which nothing is called."""
    time.sleep(SETTLED)
    cpu = sides.cpu()
    time.sleep(IDLE_SECONDS)
    return Window((sides.cpu() - cpu) / IDLE_SECONDS, 1e9)


def _large(statement: statements.Statement, bridge: Bridge, sides: Sides) -> Task:
    """With what both sides grow by at the first time, beyond the copies that they keep: what is sent from Python is there before."""
    # Its class is loaded and its threads have started: what is measured is the large value.
    _compared(statements.of("args-8", bridge), bridge)
    copies = statement.given["count"] * 2 if "count" in statement.given else len(statement.given["data"])
    sides.forget()
    before = sides.memory().now
    names = _compared(statement, bridge)
    grown = sides.memory().most - before - copies
    return Task(_windows(statement, names, sides), bridge.close, lambda: {"memory": max(grown, 1)})
