"""Objects built and dropped: both sides have as many as before."""

from __future__ import annotations

import gc
import time
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j.finalizer import ThreadSafeFinalizer
from samewire.py4j.java_object import JavaObject
from samewire.py4j.pool import PythonProxyPool

if TYPE_CHECKING:
    from py4j_servers import Server


def test_identifiers_are_not_those_of_another_program() -> None:
    # A JVM sends the releases of an earlier program's objects to the current callback server.
    pools = [PythonProxyPool() for _ in range(3)]
    assert len({pool.put(object()) for pool in pools for _ in range(3)}) == 9


def java_side(gateway: Any) -> int:
    """Returns how many objects the JVM keeps for Python, in both dialects."""
    return int(gateway.java_gateway_server.getGateway().getBindings().size())


def python_side() -> int:
    """Returns how many proxies Python has, and finalizers of them."""
    gc.collect()
    return len(ThreadSafeFinalizer.finalizers) + sum(isinstance(each, JavaObject) for each in gc.get_objects())


def build(gateway: Any, columns: int) -> None:
    """Builds columns as PySpark does: each of calls whose results are the next call's receivers and arguments."""
    jvm = gateway.jvm
    for number in range(columns):
        column = jvm.java.net.URI(f"/column/{number}").normalize().resolve("x")
        named = jvm.java.util.ArrayList()
        named.add(column)
        assert named.size() == 1


def settled(gateway: Any, before: tuple[int, int]) -> tuple[int, int]:
    """Returns the counts of both sides once they are those of before, or have had long enough."""
    end = time.monotonic() + 20
    while True:
        now = (java_side(gateway), python_side())
        if (now[0] <= before[0] and now[1] <= before[1]) or time.monotonic() > end:
            return now
        time.sleep(0.05)


def returns_to_the_start(gateway: Any, columns: int) -> None:
    """Builds and drops so many columns."""
    build(gateway, 10)
    java_side(gateway)
    time.sleep(0.6)  # dropped objects are released
    before = (java_side(gateway), python_side())
    build(gateway, columns)
    java, python = settled(gateway, before)
    assert java <= before[0] + 3  # what the count itself has asked for
    assert python <= before[1]


def test_dropped_columns_leave_nothing(gateway: Any) -> None:
    returns_to_the_start(gateway, 300)


@pytest.mark.hard
def test_a_million_dropped_columns_leave_nothing(server: Server, gateway: Any) -> None:
    # The text protocol takes ten times as long for each.
    returns_to_the_start(gateway, 1_000_000 if server.kind == "native" else 50_000)
