"""Objects that Python drops, forks, and JVMs that end."""

from __future__ import annotations

import gc
import os
import time
import weakref
from typing import Any

import pytest
from py4j_servers import KINDS, Server
from samewire.py4j import java_gateway
from samewire.py4j.arrived import Arrived
from samewire.py4j.protocol import Py4JAuthenticationError, Py4JError, Py4JJavaError, Py4JNetworkError
from samewire.py4j.sockets import is_closed_by_peer, is_listening


def bindings(gateway: Any) -> int:
    """Returns how many objects the JVM keeps for Python, in both dialects."""
    return int(gateway.java_gateway_server.getGateway().getBindings().size())


def test_dropped_objects_are_forgotten_before_the_next_command(gateway: Any) -> None:
    held = [gateway.jvm.java.lang.Object() for _ in range(50)]
    before = bindings(gateway)
    del held
    gc.collect()
    assert before - bindings(gateway) >= 50


def test_bindings_return_to_the_start(gateway: Any) -> None:
    def hold() -> None:
        made = gateway.jvm.java.lang.Object()
        assert gateway.java_gateway_server.getGateway().getBindings().containsValue(made)

    hold()
    before = bindings(gateway)
    hold()
    gc.collect()
    end = time.monotonic() + 20
    while bindings(gateway) > before:
        assert time.monotonic() < end
        time.sleep(0.05)


def test_bindings_have_each_object_that_python_holds(gateway: Any) -> None:
    held = [gateway.jvm.java.lang.Object() for _ in range(50)]
    known = gateway.java_gateway_server.getGateway().getBindings()
    # How many there were before says nothing: what earlier tests dropped goes meanwhile.
    assert known.size() >= 50
    assert all(known.containsValue(made) for made in held)
    assert known.get(held[0]._target_id).equals(held[0])
    assert known.get("no identifier") is None


def test_dropped_objects_are_forgotten_without_another_command(server: Server) -> None:
    with server.gateway() as watcher, server.gateway() as gateway:
        held = [gateway.jvm.java.lang.Object() for _ in range(50)]
        for made in held:
            _ = made._target_id  # the text protocol's bindings are what the watcher sees
        before = bindings(watcher)
        del held, made
        gc.collect()
        end = time.monotonic() + 20
        while before - bindings(watcher) < 40:  # the watcher has some of its own
            gc.collect()
            assert time.monotonic() < end
            time.sleep(0.05)


def test_detached_objects_are_gone(gateway: Any) -> None:
    made = gateway.jvm.java.lang.Object()
    command = f"c\n{made._target_id}\nhashCode\ne\n"
    client = gateway._gateway_client
    assert client.send_command(command).startswith("yi")
    gateway.detach(made)
    assert client.send_command(command).startswith("xs")


@pytest.mark.parametrize("replaced", [False, True])
def test_an_exception_is_gone_with_its_handler(gateway: Any, monkeypatch: pytest.MonkeyPatch, replaced: bool) -> None:
    if replaced:
        original = java_gateway.get_return_value
        monkeypatch.setattr(java_gateway, "get_return_value", lambda *args: original(*args))
    gateway.jvm.java.lang.Math.abs(1)
    gone: list[Any] = []
    identifier = ""
    gc.disable()
    try:
        try:
            gateway.jvm.java.lang.Integer.valueOf("no number")
        except Py4JJavaError as error:
            gone.append(weakref.ref(error))
            identifier = error.java_exception._target_id
        assert gone[0]() is None
        with pytest.raises(Py4JError):
            java_gateway.JavaObject(identifier, gateway._gateway_client).getCause()
    finally:
        gc.enable()


def test_finalizers_send_nothing(server: Server) -> None:
    with server.gateway() as gateway:
        made = gateway.jvm.java.lang.Object()
        client = gateway._gateway_client
        connection = client.deque.pop()  # none is left: sending would open another
        del made
        assert not client.deque
        client.deque.append(connection)
        assert gateway.jvm.java.lang.Math.abs(-1) == 1


def size_in_child(made: Any) -> bool:
    """Whether a list of the parent's has its size, or says that it cannot be used here."""
    try:
        return bool(made.size() == 1)
    except Py4JError:
        return isinstance(made, Arrived)


def test_a_forked_child_has_connections_of_its_own(server: Server) -> None:
    with server.gateway() as gateway:
        made = gateway.jvm.java.util.ArrayList()
        made.add(1)
        child = os.fork()
        if child == 0:
            status = 1
            try:
                status = 0 if size_in_child(made) and gateway.jvm.java.lang.Math.max(4, 5) == 5 else 2
                del made
                gc.collect()
                gateway.jvm.java.lang.Math.max(4, 5)
            finally:
                os._exit(status)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert made.get(0) == 1  # the child's end does not take the parent's objects


def test_a_wrong_token_is_refused(server: Server) -> None:
    parameters = java_gateway.GatewayParameters(port=server.port, auth_token="wrong")
    with pytest.raises(Py4JAuthenticationError):
        java_gateway.JavaGateway(gateway_parameters=parameters).jvm.java.lang.Math.abs(1)


@pytest.mark.parametrize("kind", KINDS)
def test_a_killed_jvm_ends_calls_with_an_error(kind: str) -> None:
    server = Server(kind)
    with server.gateway() as gateway:
        made = gateway.jvm.java.lang.Object()
        server.end()
        with pytest.raises(Py4JError):
            made.hashCode()
        with pytest.raises(Py4JNetworkError):
            made.hashCode()


@pytest.mark.parametrize("kind", KINDS)
def test_a_shut_down_gateway_says_so(kind: str) -> None:
    server = Server(kind)
    try:
        gateway = java_gateway.JavaGateway(gateway_parameters=server.parameters())
        assert gateway.jvm.java.lang.Math.abs(-1) == 1
        gateway.shutdown()
        with pytest.raises(Py4JNetworkError, match="Gateway is not connected"):
            gateway.jvm.java.lang.Math.abs(-1)
    finally:
        server.end()


def test_shutting_down_what_has_been_shut_down_opens_no_connection(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    with server.gateway() as outer:
        java = outer.jvm.py4j.GatewayServer.GatewayServerBuilder().javaPort(0).authToken(server.token).build()
        java.start()
        parameters = java_gateway.GatewayParameters(port=java.getListeningPort(), auth_token=server.token)
        gateway = java_gateway.JavaGateway(gateway_parameters=parameters)
        client = gateway._gateway_client
        assert gateway.jvm.java.lang.Math.abs(-1) == 1
        java.shutdown()
        end = time.monotonic() + 30
        while not is_closed_by_peer(client.deque[0].socket) or is_listening(client.address, client.port):
            assert time.monotonic() < end
            time.sleep(0.01)
        caplog.clear()
        gateway.shutdown(raise_exception=True)
        assert not client.is_connected
        assert not [record for record in caplog.records if record.levelname == "ERROR"]
