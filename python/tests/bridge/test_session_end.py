"""A session that has ended leaves nothing open: no socket, no memory, no object, in every kind of program."""

from __future__ import annotations

import gc
import os
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path

import pytest
from raw_client import holdings, settles
from samewire import bridge
from samewire.errors import SamewireError
from served_gateway import TRANSPORTS, Served, served_by

SESSIONS = 50


@pytest.fixture(scope="module", params=TRANSPORTS)
def running(request: pytest.FixtureRequest) -> Iterator[Served]:
    """A gateway of each transport."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder, served_by(request.param, Path(folder)) as served:
        yield served


@contextmanager
def uncollected() -> Iterator[None]:
    """What is freed here is freed without the collector."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def test_sessions_one_after_the_other_leave_nothing_open(running: Served) -> None:
    with uncollected():
        before = holdings(os.getpid())
        for _ in range(SESSIONS):
            with running.connect() as gateway:
                assert gateway.java.lang.Math.max(1, 2) == 2
        assert settles(lambda: holdings(os.getpid()) == before), (before, holdings(os.getpid()))


def test_threads_that_live_on_keep_nothing_open(running: Served) -> None:
    def calls(gateway: bridge.Gateway, together: threading.Barrier) -> int:
        together.wait(10)
        return int(gateway.java.lang.Math.max(1, 2))

    with uncollected(), ThreadPoolExecutor(8) as pool:
        list(pool.map(lambda wait: wait(10), [threading.Barrier(8).wait] * 8))
        before = holdings(os.getpid())
        for _ in range(SESSIONS // 10):
            together = threading.Barrier(8)
            with running.connect() as gateway:
                assert list(pool.map(calls, [gateway] * 8, [together] * 8)) == [2] * 8
                assert gateway.session.statistics()["open_channels"] == 8
            assert settles(lambda: holdings(os.getpid()) == before), (before, holdings(os.getpid()))


def test_a_call_that_comes_back_after_the_end_closes_its_channel(running: Served) -> None:
    before = holdings(os.getpid())
    inside, ended = threading.Event(), threading.Event()
    caught: list[BaseException] = []

    def called(value: int) -> int:
        inside.set()
        ended.wait(10)
        return value

    def calls() -> None:
        try:
            gateway.java.util.Optional.of(1).map(called)
        except SamewireError as error:
            caught.append(error)
        finished.set()
        leave.wait(10)

    finished, leave = threading.Event(), threading.Event()
    gateway = running.connect()
    thread = threading.Thread(target=calls)
    thread.start()
    try:
        assert inside.wait(10)
        gateway.close()
        assert holdings(os.getpid()) != before
        ended.set()
        assert finished.wait(10)
        assert [getattr(error, "code", error) for error in caught] == ["closed"]
        assert settles(lambda: holdings(os.getpid()) == before), (before, holdings(os.getpid()))
    finally:
        ended.set()
        leave.set()
        thread.join(10)


def test_a_closed_gateway_is_collected(running: Served) -> None:
    def session() -> list[Callable[[], object]]:
        gateway = running.connect()
        # An enum's constant is kept by its class, a callable and an object by Java.
        unit = gateway.java.util.concurrent.TimeUnit.SECONDS
        kept = gateway.java.util.ArrayList([lambda: unit])
        gateway.close()
        assert repr(kept) == "<java.util.ArrayList (closed)>"
        return [weakref.ref(gateway), weakref.ref(gateway.session)]

    gone = session()
    gc.collect()
    assert [reference() for reference in gone] == [None, None]
