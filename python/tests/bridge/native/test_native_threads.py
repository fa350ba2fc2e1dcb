"""Channels of threads, batches beside one another, what is left behind."""

from __future__ import annotations

import gc
import threading
import time
import weakref
from typing import Any

import pytest
from samewire import bridge
from samewire._native import BatchFuture, Constructor, Peer, StaticMethod
from samewire.errors import SamewireError


def run(*works: Any) -> None:
    """Runs functions at once, each on a thread of its own."""
    failed: list[BaseException] = []

    def guarded(work: Any) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(30)
    assert not failed, failed


def test_a_thread_has_a_channel_of_its_own_until_it_ends(gateway: bridge.Gateway) -> None:
    largest = StaticMethod(gateway.session, "java.lang.Math", "max")
    largest(1, 2)
    before = gateway.session.statistics()
    for _ in range(10):
        run(lambda: [largest(1, 2) for _ in range(3)])
    after = gateway.session.statistics()
    assert after["channels"] - before["channels"] == 10
    deadline = time.monotonic() + 30
    while gateway.session.statistics()["open_channels"] > before["open_channels"] and time.monotonic() < deadline:
        time.sleep(0.01)
    assert gateway.session.statistics()["open_channels"] == before["open_channels"]


def test_what_a_thread_leaves_in_a_thread_local_is_its_own(gateway: bridge.Gateway) -> None:
    local = gateway.java.lang.ThreadLocal()
    seen: list[Any] = []

    def work(own: str) -> None:
        seen.append(local.get())
        local.set(own)
        seen.extend(local.get() for _ in range(3))

    local.set("main")
    for own in ("alice", "bob"):
        run(lambda own=own: work(own))
    assert seen == [None, "alice", "alice", "alice", None, "bob", "bob", "bob"]
    assert local.get() == "main"


def test_a_thread_whose_call_took_too_long_goes_on_as_nobody_else(gateway: bridge.Gateway) -> None:
    local = gateway.java.lang.ThreadLocal()
    seen: list[Any] = []

    def late() -> None:
        local.set("mine")
        with pytest.raises(SamewireError, match="timeout"):
            gateway.java.lang.Thread.sleep(60_000)
        seen.append(local.get())

    run(lambda: local.set("another's"))
    gateway.timeout = 0.2
    try:
        run(late)
    finally:
        gateway.timeout = None
    assert seen == [None]


def test_a_call_in_the_midst_of_another_leaves_nothing_to_other_threads(gateway: bridge.Gateway) -> None:
    local = gateway.java.lang.ThreadLocal()
    text_of = gateway.java.util.Objects.toString
    seen: list[Any] = []

    class Meanwhile:
        """A value whose text is asked for as a call is written."""

        def __init__(self, own: str) -> None:
            self.own = own

        def __fspath__(self) -> str:
            seen.append(local.get())
            local.set(self.own)
            return self.own

    import os

    os.PathLike.register(Meanwhile)
    for own in ("alice", "bob"):
        run(lambda own=own: [text_of(Meanwhile(own)) for _ in range(2)])
    assert seen == [None, "alice", None, "bob"]


def test_threads_call_beside_one_another(gateway: bridge.Gateway) -> None:
    largest = StaticMethod(gateway.session, "java.lang.Math", "max")
    wrong: list[tuple[int, int]] = []

    def work(own: int) -> None:
        wrong.extend((own, number) for number in range(200) if largest(own, number) != max(own, number))

    run(*(lambda own=own: work(own) for own in range(16)))
    assert not wrong


def test_a_batch_is_its_threads_own(gateway: bridge.Gateway) -> None:
    largest = StaticMethod(gateway.session, "java.lang.Math", "max")
    batch = gateway.session.batch()
    other: list[Any] = []
    run(lambda: other.append(largest(1, 2)))
    mine = largest(3, 4)
    assert other == [2] and isinstance(mine, BatchFuture)
    with pytest.raises(SamewireError, match="has begun a batch already"):
        gateway.session.batch()
    batch.run()
    assert mine.result() == 4
    with pytest.raises(SamewireError, match="is over"):
        batch.run()


def test_a_batch_of_more_calls_than_a_message_takes(gateway: bridge.Gateway) -> None:
    largest = StaticMethod(gateway.session, "java.lang.Math", "max")
    batch = gateway.session.batch()
    first = largest(7, 1)
    futures = [largest(number, 5) for number in range(2_500)]
    last = largest(first, 3)
    assert len(batch) == 2_502
    batch.run()
    assert [future.result() for future in futures] == [max(number, 5) for number in range(2_500)]
    assert last.result() == 7


def test_arguments_of_a_batch_live_until_it_runs(gateway: bridge.Gateway) -> None:
    make = Constructor(gateway.session, "java.util.ArrayList")
    taken = make([1, 2, 3])
    batch = gateway.session.batch()
    future = make(taken)
    del taken
    gc.collect()
    for _ in range(3):
        make.immediately()()
    batch.run()
    assert list(future.result()) == [1, 2, 3]


def test_a_python_object_is_forgotten_when_java_forgets_it(gateway: bridge.Gateway) -> None:
    class Runs:
        """Is passed, and not kept."""

        def run(self) -> None:
            """Called by Java."""

    passed = Runs()
    reference = weakref.ref(passed)
    Constructor(gateway.session, "java.lang.Thread")(Peer(passed, ("java.lang.Runnable",))).run()
    del passed
    until = time.monotonic() + 10
    while reference() is not None and time.monotonic() < until:
        gateway.java.lang.System.gc()
        time.sleep(0.02)
        gateway.java.lang.Math.abs(-1)
        gc.collect()
    assert reference() is None


def test_references_that_are_dropped_are_released(gateway: bridge.Gateway) -> None:
    gc.collect()
    before = gateway.session.statistics()["references"]
    kept = [gateway.java.util.ArrayList() for _ in range(50)]
    assert gateway.session.statistics()["references"] - before >= 50
    kept.clear()
    gc.collect()
    assert gateway.session.statistics()["references"] - before < 10


def test_an_interrupt_reaches_the_thread_that_waits(gateway: bridge.Gateway) -> None:
    sleep = StaticMethod(gateway.session, "java.lang.Thread", "sleep")
    caught: list[BaseException] = []
    started = threading.Event()

    def work() -> None:
        started.set()
        try:
            sleep(20_000)
        except bridge.JavaError as error:
            caught.append(error)

    thread = threading.Thread(target=work)
    thread.start()
    started.wait(5)
    assert thread.ident is not None
    until = time.monotonic() + 10
    while thread.is_alive() and time.monotonic() < until:
        gateway.session.interrupt(thread.ident)
        thread.join(0.05)
    assert not thread.is_alive()
    assert [type(error).__name__ for error in caught] == ["InterruptedException"]
    assert not gateway.session.interrupt(0)


def test_what_fails_as_an_argument_of_a_callback_is_read_ends_the_callback_alone(gateway: bridge.Gateway) -> None:
    session = gateway.session
    locales = StaticMethod(session, "java.util.Locale", "getAvailableLocales")()
    on_class = session.on_class

    def fails(_: Any) -> Any:
        raise LookupError("not now")

    session.on_class = fails
    try:
        with pytest.raises(LookupError, match="not now"):
            StaticMethod(session, "java.util.Arrays", "sort")(locales, lambda _one, _other: 0)
    finally:
        session.on_class = on_class
    StaticMethod(session, "java.util.Arrays", "sort")(locales, lambda _one, _other: 0)
