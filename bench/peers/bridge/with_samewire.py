"""Ours: shared memory, as `launch` has it by default; sockets; and a JVM within Python's process."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any

from samewire import bridge

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import (
    ARGUMENTS,
    BATCHES,
    IDLE,
    MEMORY,
    PLACES,
    SOME,
    START,
    TARGET,
    THREADS,
    TO,
    WORKLOADS,
    Bridge,
    Row,
    WrongResult,
)

library: Any = bridge


class Samewire(Bridge):
    """Values cross as they are: lists, arrays, dataclasses and functions of Python."""

    def __init__(self, gateway: Any) -> None:
        self.gateway = gateway
        self.target = functools.reduce(getattr, TARGET.split("."), gateway.jvm)
        self.failed = gateway.jvm.java.lang.IllegalStateException

    def static(self, name: str) -> Callable[..., Any]:
        found: Callable[..., Any] = getattr(self.target, name)
        return found

    def make(self, value: int) -> Any:
        return self.target(value)

    def batch(self, name: str, arguments: Sequence[Any], count: int) -> Any:
        call = getattr(self.target, name)
        with self.gateway.batch():
            for _ in range(count):
                last = call(*arguments)
        return last.result()

    def giveInts(self, count: int) -> Any:  # noqa: N802
        return self.target.giveInts(count).to_py()

    def giveList(self, count: int) -> Any:  # noqa: N802
        return self.target.giveList(count).to_py()

    def close(self) -> None:
        self.gateway.close()


def launched(transport: str) -> Samewire:
    """A JVM of its own."""
    gateway: Any = library.launch(classpath=[str(java.CLASSES)], transport=transport)
    if gateway.session.transport != transport:
        raise WrongResult(f"the session goes by {gateway.session.transport}, and {transport} is measured")
    made = Samewire(gateway)
    made.others = (gateway.process.pid,)
    return made


def embedded() -> Samewire:
    """A JVM within this process."""
    return Samewire(library.embed(classpath=[str(java.CLASSES)]))


CHECKS = "each call's types; every message's bounds"
UNIX = [*ARGUMENTS, "exception", "callbacks-200", *BATCHES, *THREADS, *TO, "from-64MiB", START, MEMORY, *PLACES, IDLE]
TCP = ["args-0", "args-8", "threads-16", *TO[:-1], "from-64MiB", START, *PLACES, IDLE]


def row(carried: Sequence[str], launch: Callable[[], Samewire], kind: str = "process") -> Row:
    """One transport."""
    return Row("samewire", kind, CHECKS, carried, functools.partial(tasks.task, launch=launch))


ROWS = {
    "samewire": row(WORKLOADS, lambda: launched("shared-memory")),
    "samewire-unix": row(UNIX, lambda: launched("unix")),
    "samewire-tcp": row(TCP, lambda: launched("tcp")),
    "samewire-embedded": row([*SOME, *BATCHES], embedded, "in-process"),
}
