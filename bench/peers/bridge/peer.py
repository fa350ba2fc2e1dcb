"""What a peer's file gives: its rows, and for each how one library does what the workloads ask."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

from bench.peers.bridge import values

TARGET = "io.samewire.bench.bridge.Target"
ITEM = "io.samewire.bench.bridge.Item"
FAILURE = "java.lang.IllegalStateException"

ARGUMENTS = tuple(f"args-{count}" for count in range(9))
OBJECTS = ("method", "field", "new", "exception")
CALLBACKS = ("callback", "callbacks-200")
BATCHES = ("batch-0", "batch-8")
THREADS = ("threads-1", "threads-2", "threads-16")
CONTAINERS = ("ints-to-array", "array-to-ints", "ints-to-list", "list-to-ints")
DOUBLES, ITEMS = "doubles", "items"
BULK = ("512KiB", "64MiB", "1GiB")
TO = tuple(f"to-{size}" for size in ("4B", "1KiB", *BULK))
FROM = tuple(f"from-{size}" for size in ("4B", "1KiB", *BULK))
TEXTS = tuple(f"text-{size}" for size in ("512KiB", "64MiB", "256MiB"))
START, MEMORY, IDLE = "start", "memory", "idle"
PLACES = ("apart", "one-core")
SOME = (
    *("args-0", "args-1", "args-3", "args-8", *OBJECTS, *CALLBACKS, "threads-16", *CONTAINERS, DOUBLES, ITEMS),
    *("to-1KiB", "to-64MiB", "to-1GiB", "from-64MiB", START, MEMORY),
)
"""Enough of a library that others are compared with more closely."""
WORKLOADS = (
    *(*ARGUMENTS, *OBJECTS, *CALLBACKS, *BATCHES, *THREADS, *CONTAINERS, DOUBLES, ITEMS),
    *(*TO, *FROM, *TEXTS, START, MEMORY, *PLACES, IDLE),
)


class Bridge:
    """A library with its JVM started. Statements of workloads find what they call here by its name; what is not here is a static
    method of Java's class ``Target``, which takes and returns the same values.
    """

    others: tuple[int, ...] = ()
    """Processes beside this one: that of the JVM, where it is not within."""
    failed: type[BaseException] = Exception
    """How Java's IllegalStateException is caught."""
    records = values.ITEMS
    """How many records cross at a time."""

    def static(self, name: str) -> Callable[..., Any]:
        """A static method of ``Target``, bound as a caller would keep it."""
        raise NotImplementedError

    def make(self, value: int) -> Any:
        """A new ``Target``."""
        raise NotImplementedError

    def function(self, function: Callable[[int], int]) -> Any:
        """What is passed for a Java IntUnaryOperator."""
        return function

    def batch(self, name: str, arguments: Sequence[Any], count: int) -> Any:
        """So many calls sent together; returns the last result."""
        raise NotImplementedError

    def close(self) -> None:
        """Ends the JVM, where it is another process."""

    def find(self, name: str) -> Any:
        """What a statement calls by this name."""
        return getattr(self, name, None) or self.static(name)


class Window(NamedTuple):
    """What one operation took: nanoseconds of CPU time of both sides, and of the clock."""

    cpu: float
    wall: float


class Task(NamedTuple):
    """A workload as a peer does it. window: does it so many times. memory: figures in bytes, by operation, told at the end."""

    window: Callable[[int], Window]
    close: Callable[[], object]
    memory: Callable[[], dict[str, float]] = dict


class Row(NamedTuple):
    """One row of the lab.

    package: the distribution that tells the version, or a text that is the version. kind: process, in-process or limit. checks: what
    it does with arguments. start: begins a workload. missing: why it cannot run here.
    """

    package: str
    kind: str
    checks: str
    workloads: Sequence[str]
    start: Callable[[str], Task]
    missing: str = ""


class WrongResult(Exception):
    """A result is not the one that is expected."""
