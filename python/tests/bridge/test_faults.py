"""One side dies, or runs out of something, in the midst of a call: the other goes on, and nothing is left behind."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from raw_client import descriptors, holdings, settles, threads
from samewire import bridge
from samewire.errors import SamewireError
from served_gateway import TRANSPORTS


@pytest.fixture
def short(monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder for private folders."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder:
        monkeypatch.setenv("TMPDIR", folder)
        yield Path(folder)


def gone(pid: int, seconds: float = 15) -> bool:
    """Whether a process ends in time."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] == "Z":
                return True
        except FileNotFoundError:
            return True
        time.sleep(0.01)
    return False


def empties(folder: Path, seconds: float = 15) -> bool:
    """Whether nothing is left in a folder in time."""
    deadline = time.monotonic() + seconds
    while any(folder.iterdir()):
        if time.monotonic() > deadline:
            return False
        time.sleep(0.01)
    return True


class Waiters:
    """Threads that call, and the errors with which they end."""

    def __init__(self, *works: Callable[[], Any]) -> None:
        self.errors: list[BaseException] = []
        self.threads = [threading.Thread(target=self._run, args=(work,)) for work in works]
        for thread in self.threads:
            thread.start()

    def _run(self, work: Callable[[], Any]) -> None:
        try:
            work()
        except BaseException as error:
            self.errors.append(error)

    def closed_within(self, seconds: float) -> None:
        """All end in time, with `closed`."""
        deadline = time.monotonic() + seconds
        for thread in self.threads:
            thread.join(max(0.0, deadline - time.monotonic()))
        assert not any(thread.is_alive() for thread in self.threads), "a thread still waits"
        assert [getattr(error, "code", error) for error in self.errors] == ["closed"] * len(self.threads)


@pytest.mark.long
@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_jvm_that_is_killed_ends_every_wait(transport: str, short: Path) -> None:
    pid = os.getpid()
    before = holdings(pid)
    with bridge.launch(transport=transport) as first:
        assert first.java.lang.Math.max(1, 2) == 2
    assert settles(lambda: holdings(pid) == before), (before, holdings(pid))
    with bridge.launch(transport=transport) as gateway:
        java = gateway.java
        released = threading.Event()

        def calls_back() -> None:
            java.util.Optional.of(1).map(lambda value: released.wait(0.6) and value)

        def in_a_callback() -> None:
            java.util.Optional.of(1).map(lambda value: java.lang.Thread.sleep(60_000))

        sleep = java.lang.Thread.sleep
        waiters = Waiters(*[lambda: sleep(60_000)] * 6, in_a_callback, calls_back)
        time.sleep(0.4)
        assert gateway.process is not None
        gateway.process.kill()
        waiters.closed_within(1)
        with pytest.raises(SamewireError) as caught:
            java.lang.Math.max(1, 2)
        assert caught.value.code == "closed"
    assert empties(short)
    assert settles(lambda: holdings(pid) == before), (before, holdings(pid))
    with bridge.launch(transport=transport) as again:
        assert again.java.lang.Math.max(1, 2) == 2


@pytest.mark.long
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("direction", ["to Java", "from Java"])
def test_a_jvm_that_is_killed_ends_a_transfer(transport: str, direction: str, short: Path) -> None:
    with bridge.launch(transport=transport, options=["-Xmx1g"]) as gateway:
        java = gateway.java
        data = bytes(200 << 20)
        given = java.nio.ByteBuffer.allocate(200 << 20)

        def transfer() -> None:
            while True:
                if direction == "to Java":
                    java.util.Arrays.hashCode(data)
                else:
                    given.array()

        waiters = Waiters(transfer)
        time.sleep(0.5)
        assert gateway.process is not None
        gateway.process.kill()
        waiters.closed_within(5)
    assert empties(short)


CHILD = """
import sys, threading, time
from samewire import bridge
gateway = bridge.launch(transport=sys.argv[1], options=["-Xmx1g"])
print(gateway.process.pid, flush=True)
java = gateway.java
def work():
    if sys.argv[2] == "call":
        java.lang.Thread.sleep(60_000)
    elif sys.argv[2] == "callback":
        java.util.Optional.of(1).map(lambda value: time.sleep(60))
    else:
        data = bytes(200 << 20)
        while True:
            java.util.Arrays.hashCode(data)
threads = [threading.Thread(target=work) for _ in range(3)]
for thread in threads: thread.start()
time.sleep(0.4)
print("ready", flush=True)
time.sleep(60)
"""


@pytest.mark.long
@pytest.mark.parametrize("transport", TRANSPORTS)
@pytest.mark.parametrize("work", ["call", "callback", "transfer"])
def test_a_python_that_is_killed_takes_its_jvm_along(transport: str, work: str, short: Path) -> None:
    child = subprocess.Popen([sys.executable, "-c", CHILD, transport, work], stdout=subprocess.PIPE, text=True)
    assert child.stdout is not None
    jvm = int(child.stdout.readline())
    assert child.stdout.readline() == "ready\n"
    child.kill()
    child.wait()
    assert gone(jvm), "the JVM outlives its Python"
    assert empties(short)
    child.stdout.close()


@pytest.fixture(scope="module")
def small() -> Iterator[bridge.Gateway]:
    """A JVM with little memory."""
    with bridge.launch(options=["-Xmx64m", "-Xss512k"], timeout=30) as gateway:
        yield gateway


def test_an_out_of_memory_error_is_raised_and_the_jvm_goes_on(small: bridge.Gateway) -> None:
    java = small.java
    for _ in range(3):
        with pytest.raises(java.lang.OutOfMemoryError):
            java.nio.ByteBuffer.allocate(1 << 30)
    with pytest.raises((java.lang.OutOfMemoryError, SamewireError)):
        java.util.Arrays.hashCode(bytes(256 << 20))
    assert java.lang.Math.max(1, 2) == 2


def test_a_stack_overflow_is_raised_and_the_jvm_goes_on(small: bridge.Gateway) -> None:
    java = small.java
    itself = java.util.ArrayList()
    itself.add(itself)
    for _ in range(3):
        with pytest.raises(java.lang.StackOverflowError):
            itself.hashCode()
    assert java.lang.Math.max(1, 2) == 2


def test_calls_nested_too_deep_end_in_an_error(small: bridge.Gateway) -> None:
    java = small.java
    deepest = 0

    def deeper(value: int) -> Any:
        nonlocal deepest
        deepest = max(deepest, value)
        return java.util.Optional.of(value + 1).map(deeper)

    with pytest.raises(Exception) as caught:
        deeper(0)
    assert isinstance(caught.value, (RecursionError, SamewireError, java.lang.Throwable))
    assert deepest >= 20
    assert java.lang.Math.max(1, 2) == 2


def test_an_interrupt_ends_a_call_and_the_session_goes_on(small: bridge.Gateway) -> None:
    java = small.java
    for _ in range(3):
        timer = threading.Timer(0.3, signal.pthread_kill, (threading.main_thread().ident or 0, signal.SIGINT))
        timer.start()
        began = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            try:
                java.lang.Thread.sleep(120_000)
            finally:
                # An interrupt that comes later would be the test run's.
                timer.join()
        assert time.monotonic() - began < 60
        assert java.lang.Math.max(1, 2) == 2


def test_an_interrupt_in_a_callback_comes_out_of_the_call(small: bridge.Gateway) -> None:
    java = small.java

    def interrupted(value: int) -> int:
        signal.pthread_kill(threading.main_thread().ident or 0, signal.SIGINT)
        time.sleep(0.2)
        return value

    with pytest.raises(KeyboardInterrupt):
        java.util.Optional.of(1).map(interrupted)
    assert java.lang.Math.max(1, 2) == 2


def test_threads_that_end_leave_nothing_behind(small: bridge.Gateway) -> None:
    assert small.process is not None
    java = small.java
    for _ in range(3):
        waiters = Waiters(*[lambda: java.lang.Math.max(1, 2)] * 20)
        for thread in waiters.threads:
            thread.join(10)
        assert not waiters.errors
    before = descriptors(os.getpid()), descriptors(small.process.pid), threads(small.process.pid)
    for _ in range(20):
        waiters = Waiters(*[lambda: java.lang.Math.max(1, 2)] * 20)
        for thread in waiters.threads:
            thread.join(10)
        assert not waiters.errors
    after = descriptors(os.getpid()), descriptors(small.process.pid), threads(small.process.pid)
    assert all(now <= then + 25 for now, then in zip(after, before, strict=True)), (before, after)


def test_a_jvm_that_stands_still_is_given_up_in_time(short: Path) -> None:
    with bridge.launch(timeout=0.5) as gateway:
        assert gateway.process is not None
        assert gateway.java.lang.Math.max(1, 2) == 2
        os.kill(gateway.process.pid, signal.SIGSTOP)
        try:
            # A thread that spins may answer before the signal reaches it.
            while any(" T " not in stat.read_text() for stat in Path(f"/proc/{gateway.process.pid}/task").glob("*/stat")):
                time.sleep(0.01)
            began = time.monotonic()
            with pytest.raises(SamewireError) as caught:
                gateway.java.lang.Math.max(1, 2)
            assert caught.value.code == "timeout"
            assert time.monotonic() - began < 60
        finally:
            with suppress(ProcessLookupError):
                os.kill(gateway.process.pid, signal.SIGCONT)
    assert empties(short)


@pytest.mark.parametrize("transport", TRANSPORTS)
def test_a_call_that_a_stopped_jvm_has_not_read_leaves_the_session_as_it_is(transport: str, short: Path) -> None:
    with bridge.launch(transport=transport) as gateway:
        assert gateway.process is not None
        pid = gateway.process.pid
        absolute = gateway.jvm.java.lang.Math.abs
        before = gateway.statistics()["java"]["threads"]
        called, stopped = threading.Event(), threading.Event()

        def give_up() -> None:
            absolute(-1)
            called.set()
            stopped.wait(60)
            absolute(-2)

        waiters = Waiters(give_up)
        assert called.wait(60)
        gateway.timeout = 0.1
        os.kill(pid, signal.SIGSTOP)
        try:
            while any(" T " not in stat.read_text() for stat in Path(f"/proc/{pid}/task").glob("*/stat")):
                time.sleep(0.01)
            stopped.set()
            # The thread ends, and its channel with it.
            waiters.threads[0].join(60)
            assert [getattr(error, "code", error) for error in waiters.errors] == ["timeout"]
        finally:
            os.kill(pid, signal.SIGCONT)
        gateway.timeout = None
        # The JVM reads what was sent, and then that the channel has ended.
        assert settles(lambda: gateway.statistics()["java"]["threads"] <= before)
        assert absolute(-3) == 3
    assert empties(short)


@pytest.mark.long
@pytest.mark.parametrize(("transport", "count"), [("shared-memory", 1_000), ("unix", 300), ("tcp", 300)])
def test_a_thousand_threads_have_a_channel_each(transport: str, count: int) -> None:
    together, apart = threading.Barrier(count + 1), threading.Barrier(count + 1)
    with bridge.launch(transport=transport, timeout=60) as gateway:
        largest = gateway.java.lang.Math.max
        found: list[int] = []

        def calls(number: int) -> None:
            first = largest(number, 0)
            together.wait(60)
            found.append(first + largest(0, number))
            apart.wait(60)

        waiting = [threading.Thread(target=calls, args=(number,)) for number in range(count)]
        for thread in waiting:
            thread.start()
        together.wait(60)
        assert gateway.session.statistics()["open_channels"] >= count
        apart.wait(60)
        for thread in waiting:
            thread.join(60)
        assert sorted(found) == [2 * number for number in range(count)]
        assert largest(1, 2) == 2
