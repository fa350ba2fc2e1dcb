"""Py4J's own Python package against our jar, as a program has it that only replaced the jar."""

from __future__ import annotations

import decimal
import gc
import math
import threading
from pathlib import Path
from typing import TYPE_CHECKING, Any

import py4j
import pytest
import samewire.py4j
from py4j.clientserver import ClientServer, JavaParameters, PythonParameters
from py4j.finalizer import ThreadSafeFinalizer
from py4j.java_collections import ListConverter, MapConverter
from py4j.java_gateway import (
    CallbackServerParameters,
    GatewayParameters,
    JavaGateway,
    is_instance_of,
    java_import,
    launch_gateway,
)
from py4j.protocol import Py4JError, Py4JJavaError, Py4JNetworkError

if TYPE_CHECKING:
    from collections.abc import Iterator

JAR = Path(samewire.py4j.__file__).parent / "samewire-py4j.jar"


class Server:
    """A JVM with our jar, and how to reach it."""

    def __init__(self) -> None:
        self.port, token, self.process = launch_gateway(
            jarpath=str(JAR), die_on_exit=True, enable_auth=True, return_proc=True, javaopts=["-XX:TieredStopAtLevel=1"]
        )
        self.token = token.decode()

    def parameters(self, **more: Any) -> Any:
        return GatewayParameters(**{"port": self.port, "auth_token": self.token, **more})


@pytest.fixture(scope="module")
def server() -> Iterator[Server]:
    assert "samewire" not in str(py4j.__file__)
    made = Server()
    yield made
    # Nothing of Py4J's may run in a later collection: CPython 3.11's parser fails if one comes while it builds a tree.
    gc.collect()
    ThreadSafeFinalizer.clear_finalizers(clear_all=True)
    made.process.kill()
    made.process.wait()


@pytest.fixture
def gateway(server: Server) -> Iterator[Any]:
    made = JavaGateway(gateway_parameters=server.parameters())
    yield made
    made.close()


class Calls:
    """A Python object that is two of Java's interfaces."""

    def __init__(self) -> None:
        self.seen: list[Any] = []

    def apply(self, value: Any) -> Any:
        self.seen.append(value)
        if value == "raise":
            raise ValueError(value)
        return value * 2

    def compare(self, left: Any, right: Any) -> int:
        return int(right - left)

    class Java:
        implements = ["java.util.function.Function", "java.util.Comparator"]  # noqa: RUF012


@pytest.mark.parametrize("value", [1, -(2**31), 2**40, True, 1.5, math.inf, "grüß\ndich\\", b"\x00\xff", bytearray(b"ab")])
def test_values_come_back_as_they_went(gateway: Any, value: Any) -> None:
    assert gateway.jvm.java.util.Objects.requireNonNull(value) == value


def test_none_and_decimals_come_back(gateway: Any) -> None:
    assert gateway.jvm.java.util.Objects.toString(None) == "null"
    assert gateway.jvm.java.math.BigDecimal("1.50") == decimal.Decimal("1.50")
    assert math.isnan(gateway.jvm.java.lang.Double.valueOf("NaN"))


def test_lists_are_python_s(gateway: Any) -> None:
    items = gateway.jvm.java.util.ArrayList()
    for item in (3, 1, 2):
        items.append(item)
    items.sort()
    assert list(items) == [1, 2, 3] and items[-1] == 3 and list(items[0:2]) == [1, 2]
    items[1] = 9
    del items[0]
    assert list(items + items) == [9, 3, 9, 3] and items.count(9) == 1 and max(items) == 9 and 3 in items
    assert list(items * 2) == [9, 3, 9, 3] and len(items) == 2
    with pytest.raises(IndexError):
        items[2]


def test_maps_sets_and_iterators_are_python_s(gateway: Any) -> None:
    names = gateway.jvm.java.util.HashMap()
    names["one"] = 1
    assert dict(names) == {"one": 1} and "one" in names and "two" not in names
    kinds = gateway.jvm.java.util.HashSet()
    kinds.add("a")
    assert "a" in kinds and len(kinds) == 1 and next(iter(kinds)) == "a"
    assert list(gateway.jvm.java.util.Arrays.asList(gateway.new_array(gateway.jvm.java.lang.String, 2))) == [None, None]


def test_arrays_are_python_s(gateway: Any) -> None:
    numbers = gateway.new_array(gateway.jvm.int, 3)
    numbers[0] = 7
    assert list(numbers) == [7, 0, 0] and len(numbers) == 3 and list(numbers[0:1]) == [7]
    with pytest.raises(Py4JError, match=r"Cannot convert java.lang.String to int"):
        numbers[0] = "seven"


def test_python_s_containers_are_converted(server: Server) -> None:
    made = JavaGateway(gateway_parameters=server.parameters(auto_convert=True))
    try:
        assert made.jvm.java.lang.String.join("-", ["a", "b"]) == "a-b"
        converted = ListConverter().convert([3, 1], made._gateway_client)
        assert converted.toString() == "[3, 1]"
        assert MapConverter().convert({"a": 1}, made._gateway_client).toString() == "{a=1}"
    finally:
        made.close()


def test_exceptions_carry_the_java_object(gateway: Any) -> None:
    with pytest.raises(Py4JJavaError) as caught:
        gateway.jvm.java.lang.Integer.parseInt("x")
    assert caught.value.java_exception.getMessage() == 'For input string: "x"'
    assert "java.lang.NumberFormatException" in str(caught.value)
    with pytest.raises(Py4JError, match=r"Method parseInt\(\[class java\.lang\.Boolean\]\) does not exist"):
        gateway.jvm.java.lang.Integer.parseInt(True)


def test_imports_and_names_are_looked_up(gateway: Any) -> None:
    java_import(gateway.jvm, "java.util.*")
    assert is_instance_of(gateway, gateway.jvm.ArrayList(), "java.util.List")
    assert not is_instance_of(gateway, gateway.jvm.ArrayList(), gateway.jvm.Map)
    assert gateway.jvm.java.lang.Thread.State.RUNNABLE.toString() == "RUNNABLE"
    assert "add" in dir(gateway.jvm.ArrayList()) and "sleep" in dir(gateway.jvm.Thread)
    with pytest.raises(TypeError, match="'JavaPackage' object is not callable"):
        gateway.jvm.NoSuchClass()
    page = gateway.help(gateway.jvm.ArrayList(), pattern="add*", display=False)
    assert "|  add(Object) : boolean" in page and "remove" not in page


@pytest.fixture
def calling(server: Server) -> Iterator[Any]:
    made = JavaGateway(
        gateway_parameters=server.parameters(),
        callback_server_parameters=CallbackServerParameters(port=0, daemonize=True, daemonize_connections=True),
    )
    address = made.jvm.java.net.InetAddress.getByName("127.0.0.1")
    made.java_gateway_server.resetCallbackClient(address, made.get_callback_server().get_listening_port())
    yield made
    made.close()
    made.shutdown_callback_server()


def test_java_calls_python(calling: Any) -> None:
    calls = Calls()
    names = calling.jvm.java.util.HashMap()
    assert names.computeIfAbsent("key", calls) == "keykey" and calls.seen == ["key"]
    items = calling.jvm.java.util.ArrayList()
    for item in (1, 3, 2):
        items.append(item)
    calling.jvm.java.util.Collections.sort(items, calls)
    assert list(items) == [3, 2, 1]
    assert calling.jvm.java.util.Collections.max(items, calls) == 1
    with pytest.raises(Py4JJavaError, match="raise"):
        names.computeIfAbsent("raise", calls)


def test_a_pinned_thread_calls_back_on_itself(gateway: Any, server: Server) -> None:
    built = gateway.jvm.py4j.ClientServer.ClientServerBuilder().javaPort(0).authToken(server.token).build()
    port = built.getJavaServer().getListeningPort()
    pinned = ClientServer(
        JavaParameters(port=port, auth_token=server.token),
        PythonParameters(port=0, daemonize=True, daemonize_connections=True, auth_token=server.token),
    )
    threads: list[int] = []

    class Noting(Calls):
        def apply(self, value: Any) -> Any:
            threads.append(threading.get_ident())
            # Within the call Java is called again, on its own thread of before.
            return pinned.jvm.java.lang.Thread.currentThread().getId()

    try:
        there = pinned.jvm.java.lang.Thread.currentThread().getId()
        assert pinned.jvm.java.util.HashMap().computeIfAbsent("a", Noting()) == there
        assert threads == [threading.get_ident()]
        others: list[int] = []
        work = threading.Thread(target=lambda: others.append(pinned.jvm.java.lang.Thread.currentThread().getId()))
        work.start()
        work.join(60)
        assert others and others != [there]
    finally:
        pinned.shutdown()


def test_a_wrong_token_is_refused(server: Server) -> None:
    with pytest.raises(Exception, match="authenticate") as caught:
        JavaGateway(gateway_parameters=server.parameters(auth_token="wrong", eager_load=True))
    assert caught.type.__name__ == "Py4JAuthenticationError"


def test_an_ended_server_is_told(server: Server) -> None:
    inner = Server()
    made = JavaGateway(gateway_parameters=inner.parameters())
    assert made.jvm.java.lang.Math.abs(-1) == 1
    made.shutdown()
    with pytest.raises(Py4JNetworkError):
        made.jvm.java.lang.Math.abs(-1)
    inner.process.stdin.close()
    assert inner.process.wait(60) == 0
