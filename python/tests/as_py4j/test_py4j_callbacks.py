"""Python's objects called by Java."""

from __future__ import annotations

import socket
import threading
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from samewire.py4j.protocol import Py4JJavaError
from samewire.py4j.sockets import is_closed_by_peer
from samewire.py4j.text import TextDialect

if TYPE_CHECKING:
    from collections.abc import Iterator

    from py4j_servers import Server


class Upper:
    """A function of Java's that Python implements."""

    def __init__(self, gateway: Any = None) -> None:
        self.gateway = gateway
        self.threads: list[int] = []

    def apply(self, value: Any) -> Any:
        self.threads.append(threading.get_ident())
        if value == "fail":
            raise LookupError("no such value")
        if value == "java":
            return self.gateway.jvm.java.lang.Integer.parseInt("x")
        return self.gateway.jvm.java.lang.String.valueOf(value).upper() if self.gateway else value.upper()

    class Java:
        implements = ["java.util.function.Function"]  # noqa: RUF012


def applied(gateway: Any, function: Any, *values: str) -> Any:
    """Has Java call a function with values, in a stream."""
    held = gateway.jvm.java.util.ArrayList()
    for value in values:
        held.add(value)
    return [*held.stream().map(function).toArray()]


@contextmanager
def limited(outer: Any, token: str, java: int, python: float | None) -> Iterator[ClientServer]:
    """A ClientServer to one in the JVM of a gateway, whose callbacks have time limits: milliseconds in Java, seconds in Python."""
    built = outer.jvm.py4j.ClientServer.ClientServerBuilder().javaPort(0).authToken(token).readTimeout(java).build()
    built.startServer()
    made = ClientServer(
        JavaParameters(port=built.getJavaServer().getListeningPort(), auth_token=token),
        PythonParameters(port=0, daemonize=True, daemonize_connections=True, auth_token=token, read_timeout=python),
    )
    try:
        yield made
    finally:
        made.close()
        built.shutdown()


def test_java_calls_python_which_calls_java(server: Server) -> None:
    with server.callbacks() as gateway:
        assert applied(gateway, Upper(gateway), "a", "b") == ["A", "B"]
        assert len(gateway.gateway_property.pool) == (0 if server.kind == "native" else 1)


def test_an_exception_of_python_reaches_java_with_its_traceback(server: Server) -> None:
    with server.callbacks() as gateway:
        with pytest.raises(Py4JJavaError) as caught:
            applied(gateway, Upper(), "fail")
        assert caught.value.java_exception.getClass().getName() == "py4j.Py4JException"
        assert "LookupError: no such value" in str(caught.value)


def test_a_java_exception_passes_through_python_if_asked_to(server: Server) -> None:
    with server.callbacks(propagate_java_exceptions=True) as gateway:
        with pytest.raises(Py4JJavaError) as caught:
            applied(gateway, Upper(gateway), "java")
        assert caught.value.java_exception.getClass().getName() == "java.lang.NumberFormatException"


@pytest.mark.parametrize(("java", "python"), [(60_000, None), (0, 60.0)])
@pytest.mark.parametrize("started", ["native"], indirect=True)
def test_callbacks_with_a_time_limit_are_of_the_protocol_that_keeps_it(server: Server, java: int, python: float | None) -> None:
    with server.gateway() as outer, limited(outer, server.token, java, python) as gateway:
        assert applied(gateway, Upper(gateway), "a") == ["A"]
        assert type(gateway._gateway_client.dialect) is TextDialect


def test_a_pinned_threads_calls_are_of_one_thread_from_the_first_on(server: Server) -> None:
    with server.gateway() as outer:
        java = outer.jvm.py4j.ClientServer.ClientServerBuilder(outer.jvm.java.lang.Thread.currentThread()).javaPort(0).build()
        java.startServer()
        made = ClientServer(
            JavaParameters(port=java.getJavaServer().getListeningPort()), PythonParameters(port=0, eager_load=False)
        )
        try:
            # A method of the entry point: no class has been named yet.
            first = made.entry_point.currentThread().getId()
            assert made.jvm.java.lang.Thread.currentThread().getId() == first
        finally:
            made.close()
            java.shutdown()


@pytest.mark.parametrize("started", ["native"], indirect=True)
def test_a_shutdown_reaches_a_server_that_has_closed_an_idle_connection(server: Server) -> None:
    with server.gateway() as outer, limited(outer, server.token, 50, None) as gateway:
        client = gateway._gateway_client
        assert gateway.jvm.java.lang.Math.abs(-1) == 1
        end = time.monotonic() + 30
        while not is_closed_by_peer(client.get_thread_connection().socket):
            assert time.monotonic() < end
            time.sleep(0.01)
        gateway.shutdown()
        while True:
            try:
                socket.create_connection((client.address, client.port)).close()
            except ConnectionRefusedError:
                break
            assert time.monotonic() < end
            time.sleep(0.01)


class Stages:
    """Two steps of Java's on one thread; the first waits for the test."""

    def __init__(self) -> None:
        self.begun = threading.Event()
        self.goes_on = threading.Event()

    def get(self) -> str:
        self.begun.set()
        assert self.goes_on.wait(60)
        return "first"

    def apply(self, value: str) -> str:
        return f"{value}, second"

    class Java:
        implements = ["java.util.function.Supplier", "java.util.function.Function"]  # noqa: RUF012


def test_an_interrupt_of_java_s_thread_ends_no_callback(server: Server) -> None:
    with server.callbacks() as gateway:
        stages = Stages()
        executor = gateway.jvm.java.util.concurrent.Executors.newSingleThreadExecutor()
        first = gateway.jvm.java.util.concurrent.CompletableFuture.supplyAsync(stages, executor)
        second = first.thenApply(stages)
        assert stages.begun.wait(20)
        executor.shutdownNow()  # interrupts the thread, which waits for Python and then calls it once more
        time.sleep(0.1)
        stages.goes_on.set()
        assert second.get(20, gateway.jvm.java.util.concurrent.TimeUnit.SECONDS) == "first, second"
        assert executor.awaitTermination(20, gateway.jvm.java.util.concurrent.TimeUnit.SECONDS)
        assert applied(gateway, Upper(), "a") == ["A"]


def test_a_pinned_threads_callbacks_run_on_it(server: Server) -> None:
    with server.pinned() as gateway:
        function = Upper(gateway)
        assert applied(gateway, function, "a", "b") == ["A", "B"]
        assert set(function.threads) == {threading.get_ident()}
        first = gateway.jvm.java.lang.Thread.currentThread().getId()
        assert gateway.jvm.java.lang.Thread.currentThread().getId() == first
        others: list[int] = []
        thread = threading.Thread(target=lambda: others.append(gateway.jvm.java.lang.Thread.currentThread().getId()))
        thread.start()
        thread.join()
        assert others[0] != first
