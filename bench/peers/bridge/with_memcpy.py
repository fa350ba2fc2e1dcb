"""Limit: the array copied within Python's process, into memory that was used before."""

from __future__ import annotations

import numpy

from bench.peers.bridge import values
from bench.peers.bridge.peer import DOUBLES, Row, Task
from bench.peers.bridge.sides import Sides
from bench.peers.bridge.tasks import timed


def start(_: str) -> Task:
    """`numpy.copyto`."""
    array = values.doubles()
    copy = numpy.zeros_like(array)
    return Task(timed("copyto(copy, array)", {"copyto": numpy.copyto, "copy": copy, "array": array}, Sides()), lambda: None)


ROWS = {"memcpy": Row("numpy", "limit", "nothing", (DOUBLES,), start)}
