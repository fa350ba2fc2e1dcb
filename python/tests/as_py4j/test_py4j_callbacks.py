"""Python's objects called by Java."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j.protocol import Py4JJavaError

if TYPE_CHECKING:
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
