"""A program of Python's that ends while Java waits for one of its objects: Java's caller gets Py4J's exception."""

from __future__ import annotations

import subprocess
import sys
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j.protocol import Py4JJavaError

if TYPE_CHECKING:
    from collections.abc import Iterator

    from py4j_servers import Server

pytestmark = pytest.mark.long

#: Seconds that a waiter may take to end: on a machine that has much else to do, and on one that has not.
WITHIN = [20, pytest.param(1, marks=pytest.mark.hard)]

#: A task of Java's calls the program, which never answers. Java runs it for the program's own call, or on a thread of its own.
PROGRAM = """
import os, sys, threading
from samewire.py4j.java_gateway import CallbackServerParameters, GatewayParameters, JavaGateway
port, token, where, end = sys.argv[1:]
gateway = JavaGateway(
    gateway_parameters=GatewayParameters(port=int(port), auth_token=token),
    callback_server_parameters=CallbackServerParameters(port=0, daemonize=True, daemonize_connections=True),
)
listening = gateway.get_callback_server().get_listening_port()
gateway.java_gateway_server.resetCallbackClient(gateway.jvm.java.net.InetAddress.getByName("127.0.0.1"), listening)
called = threading.Event()

class Waits:
    def call(self):
        called.set()
        threading.Event().wait()

    class Java:
        implements = ["java.util.concurrent.Callable"]

task = gateway.jvm.java.util.concurrent.FutureTask(Waits())
gateway.jvm.java.lang.System.getProperties().put("task", task)
if where == "call":
    threading.Thread(target=task.run, daemon=True).start()
else:
    gateway.jvm.java.lang.Thread(task).start()
called.wait()
print("waits", flush=True)
sys.stdin.readline()
if end == "dies":
    os.kill(os.getpid(), 9)
"""


@contextmanager
def calling(server: Server, where: str, end: str) -> Iterator[subprocess.Popen[str]]:
    """The program, whose object Java waits for. It ends with its input."""
    arguments = [sys.executable, "-c", PROGRAM, str(server.port), server.token, where, end]
    with subprocess.Popen(arguments, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True) as started:
        try:
            assert started.stdout is not None
            assert started.stdout.readline() == "waits\n"
            yield started
        finally:
            started.kill()


def outcome(gateway: Any, within: int) -> str:
    """Returns the class of what the task's call of Python has ended with."""
    task = gateway.jvm.java.lang.System.getProperties().get("task")
    with pytest.raises(Py4JJavaError) as caught:
        task.get(within, gateway.jvm.java.util.concurrent.TimeUnit.SECONDS)
    cause = caught.value.java_exception.getCause()
    return "no end" if cause is None else str(cause.getClass().getName())


@pytest.mark.parametrize("within", WITHIN)
@pytest.mark.parametrize(("where", "end"), [("call", "dies"), ("thread", "dies"), ("call", "ends")])
def test_java_s_wait_for_a_program_ends_with_it(server: Server, where: str, end: str, within: int) -> None:
    with server.gateway() as gateway, calling(server, where, end) as program:
        assert program.stdin is not None
        program.stdin.close()
        assert program.wait(20) == (-9 if end == "dies" else 0)
        assert outcome(gateway, within) == "py4j.Py4JException"
        # No wait is left behind for the program that has ended: the server goes on.
        assert gateway.jvm.java.lang.Math.abs(-1) == 1


class Nothing:
    """An object without the method that Java calls."""

    class Java:
        implements = ["java.util.concurrent.Callable"]  # noqa: RUF012


def test_a_missing_method_is_py4j_s_exception_in_java(server: Server) -> None:
    with server.callbacks() as gateway:
        task = gateway.jvm.java.util.concurrent.FutureTask(Nothing())
        task.run()
        gateway.jvm.java.lang.System.getProperties().put("task", task)
        assert outcome(gateway, 20) == "py4j.Py4JException"
