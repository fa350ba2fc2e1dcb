"""A JVM, a gateway or a callback server ends during a call: the caller gets Py4J's exception."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pytest
from py4j_servers import KINDS, Server
from samewire.py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.long

#: Seconds that a waiter may take to end: on a machine that has much else to do, and on one that has not.
WITHIN = [20, pytest.param(1, marks=pytest.mark.hard)]


class Waiter:
    """A thread in a call of Java that takes a minute."""

    def __init__(self, gateway: Any) -> None:
        self._sleep = gateway.jvm.java.lang.Thread.sleep
        self._sleep(0)
        self.error: BaseException | None = None
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()
        time.sleep(0.3)
        assert self._thread.is_alive()

    def _run(self) -> None:
        try:
            self._sleep(60_000)
        except BaseException as error:
            self.error = error

    def end(self, within: int) -> BaseException | None:
        """Returns the error that the call ended with."""
        self._thread.join(within)
        assert not self._thread.is_alive()
        return self.error


def killed(server: Server) -> None:
    server.end()


def shut_down(server: Server) -> None:
    with server.gateway() as other:
        other.shutdown()


#: With the incumbent's jar a call that waits does not end when another client shuts the gateway down.
ENDINGS = [*((kind, killed) for kind in KINDS), ("text", shut_down), ("native", shut_down)]


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize(("kind", "ended"), ENDINGS)
def test_a_waiting_call_ends_with_the_server(
    kind: str, ended: Callable[[Server], None], within: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    if KINDS[kind][1]:
        monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", "text")
    server = Server(kind)
    try:
        with server.gateway() as gateway:
            waiter = Waiter(gateway)
            ended(server)
            assert isinstance(waiter.end(within), Py4JNetworkError)
            with pytest.raises(Py4JError):
                gateway.jvm.java.lang.Math.abs(-1)
    finally:
        server.end()


def in_callback(gateway: Any, called: Callable[[Any], Any]) -> None:
    """Has Java call a Python function, and Python wait for it."""
    values = gateway.jvm.java.util.ArrayList()
    values.add("value")
    values.stream().map(Applied(called)).toArray()


class Applied:
    """A function of Java's that Python implements."""

    def __init__(self, called: Callable[[Any], Any]) -> None:
        self.apply = called

    class Java:
        implements = ["java.util.function.Function"]  # noqa: RUF012


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize("pinned", [False, True])
@pytest.mark.parametrize("kind", ["text", "native"])
def test_a_callback_s_call_ends_with_the_server(kind: str, pinned: bool, within: int, monkeypatch: pytest.MonkeyPatch) -> None:
    if KINDS[kind][1]:
        monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", "text")
    server = Server(kind)
    begun = threading.Event()
    errors: list[BaseException] = []
    failed = threading.Semaphore(0)

    def noting(called: Callable[..., None], *args: Any) -> None:
        try:
            called(*args)
        except BaseException as error:
            errors.append(error)
            failed.release()
            raise

    def sleep(_: Any) -> None:
        call = gateway.jvm.java.lang.Thread.sleep
        call(0)
        begun.set()
        noting(call, 60_000)

    def outer() -> None:
        with suppress(Exception):
            noting(in_callback, gateway, sleep)

    try:
        with server.pinned() if pinned else server.callbacks() as gateway:
            threading.Thread(target=outer, daemon=True).start()
            assert begun.wait(20)
            time.sleep(0.1)
            server.end()
            # The callback's call and the call that it belongs to: of Py4J's protocol on two threads, else one after the other.
            assert failed.acquire(timeout=within)
            assert failed.acquire(timeout=within)
    finally:
        server.end()
    # As Py4J's: a pinned thread's call connects again, and is refused.
    assert all(isinstance(error, (Py4JError, ConnectionRefusedError)) for error in errors)


class Compared:
    """A Comparable of Python's."""

    def compareTo(self, other: Any) -> int:  # noqa: N802
        """Is less than any."""
        return -1

    class Java:
        implements = ["java.lang.Comparable"]  # noqa: RUF012


# Over the bridge callbacks go over the session of the call.
@pytest.mark.parametrize("started", [kind for kind in KINDS if kind != "native"], indirect=True)
def test_a_callback_to_a_server_that_has_ended_fails(server: Server) -> None:
    with server.callbacks() as gateway:
        pair = gateway.jvm.java.util.ArrayList()
        pair.add(Compared())
        pair.add(Compared())
        assert gateway.jvm.java.util.Collections.max(pair) is not None
        gateway.shutdown_callback_server()
        with pytest.raises(Py4JJavaError):
            gateway.jvm.java.util.Collections.max(pair)
        assert gateway.jvm.java.lang.Math.abs(-1) == 1


def test_a_fork_leaves_a_waiting_call_to_the_parent(gateway: Any) -> None:
    latch = gateway.jvm.java.util.concurrent.CountDownLatch(1)
    answers: list[bool] = []
    seconds = gateway.jvm.java.util.concurrent.TimeUnit.SECONDS
    thread = threading.Thread(target=lambda: answers.append(getattr(latch, "await")(60, seconds)))
    thread.start()
    time.sleep(0.1)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if gateway.jvm.java.lang.Math.abs(-1) == 1 else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert thread.is_alive()
    latch.countDown()
    thread.join(20)
    assert answers == [True]


def test_an_interrupt_ends_a_waiting_call(gateway: Any) -> None:
    sleep = gateway.jvm.java.lang.Thread.sleep
    sleep(0)
    begun = time.monotonic()
    threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT)).start()
    with pytest.raises(KeyboardInterrupt):
        sleep(60_000)
    assert time.monotonic() - begun < 30
    assert gateway.jvm.java.lang.Math.abs(-1) == 1


PROGRAM = """
import atexit, os, sys, threading, time
from samewire.py4j.java_gateway import GatewayParameters, JavaGateway
atexit.register(lambda: print("still", held[1].size()))
gateway = JavaGateway(gateway_parameters=GatewayParameters(port=int(sys.argv[1]), auth_token=sys.argv[2]))
held = [gateway.jvm.java.util.ArrayList() for _ in range(100)]
sleep = gateway.jvm.java.lang.Thread.sleep
threading.Thread(target=sleep, args=(60_000,), daemon=True).start()
time.sleep(0.2)
print("ends", held[0].size(), flush=True)
"""


def test_an_interpreter_that_ends_waits_for_no_call(server: Server) -> None:
    started = [sys.executable, "-c", PROGRAM, str(server.port), server.token]
    done = subprocess.run(started, capture_output=True, text=True, timeout=50, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends 0\nstill 0\n", "")
