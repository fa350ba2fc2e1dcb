"""A JVM, a gateway or a callback server that ends while somebody waits: the waiter gets Py4J's exception."""

from __future__ import annotations

import subprocess
import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import pytest
from py4j_servers import KINDS, Server
from samewire.py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError

if TYPE_CHECKING:
    from collections.abc import Callable

pytestmark = pytest.mark.long

#: Seconds that a waiter may take to end on a machine that has much else to do.
SOON = 20


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

    def end(self) -> BaseException | None:
        """Returns the error that the call ended with."""
        self._thread.join(SOON)
        assert not self._thread.is_alive()
        return self.error


def killed(server: Server) -> None:
    server.end()


def shut_down(server: Server) -> None:
    with server.gateway() as other:
        other.shutdown()


#: With the incumbent's jar a call that waits does not end when another client shuts the gateway down.
ENDINGS = [*((kind, killed) for kind in KINDS), ("text", shut_down), ("native", shut_down)]


@pytest.mark.parametrize(("kind", "ended"), ENDINGS)
def test_a_waiting_call_ends_with_the_server(kind: str, ended: Callable[[Server], None], monkeypatch: pytest.MonkeyPatch) -> None:
    if KINDS[kind][1]:
        monkeypatch.setenv("SAMEWIRE_PY4J_DIALECT", "text")
    server = Server(kind)
    try:
        with server.gateway() as gateway:
            waiter = Waiter(gateway)
            ended(server)
            assert isinstance(waiter.end(), Py4JNetworkError)
            with pytest.raises(Py4JError):
                gateway.jvm.java.lang.Math.abs(-1)
    finally:
        server.end()


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


PROGRAM = """
import os, sys, threading, time
from samewire.py4j.java_gateway import GatewayParameters, JavaGateway
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
    assert (done.returncode, done.stdout, done.stderr) == (0, "ends 0\n", "")
