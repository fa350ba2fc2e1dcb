"""Connections that are closed while another thread, a handler of signals or a forked parent's thread uses them: no byte goes to a
descriptor that has become another one's, and none in the clear."""

from __future__ import annotations

import _socket
import contextlib
import os
import socket
import ssl
import threading
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from certificates import Certificates, certificates
from samewire.redis.connection import Connection, SSLConnection
from samewire.redis.exceptions import ConnectionError
from samewire.redis.session import apart
from servers import valkey
from tls_servers import tls


@contextlib.contextmanager
def in_use(connection: Connection) -> Iterator[None]:
    """Has another thread be within a call of the connection, which goes on only afterwards."""
    within, over = threading.Event(), threading.Event()

    def convert(reply: Any) -> Any:
        within.set()
        assert over.wait(60)
        return reply

    thread = threading.Thread(target=lambda: connection.call(("PING",), convert), daemon=True)
    thread.start()
    assert within.wait(60)
    try:
        yield
    finally:
        over.set()
        thread.join(60)


class Interrupted(Connection):
    """Disconnects once more where a disconnect lets go of the socket, as another thread or a handler of signals may."""

    _kept: socket.socket | None = None
    armed = False

    @property
    def _sock(self) -> socket.socket | None:
        return self._kept

    @_sock.setter
    def _sock(self, sock: socket.socket | None) -> None:
        self._kept = sock
        if sock is None and self.armed:
            self.armed = False
            self.disconnect()


def test_two_that_close_at_once_leave_the_descriptor_to_the_thread_that_uses_it(port: int) -> None:
    connection = Interrupted(port=port)
    connection.connect()
    sock = connection._sock
    assert sock is not None
    with in_use(connection):
        connection.armed = True
        connection.disconnect()
        assert not connection.armed
        # Its number must not become another socket's before the call has returned.
        assert sock.fileno() >= 0
    assert not connection.is_connected
    connection.connect()
    # Nor is it kept for ever.
    assert sock.fileno() < 0
    assert connection.call(("PING",)) == b"PONG"
    connection.disconnect()


class Asked:
    """A lock that tells when a second one asks for it."""

    def __init__(self, lock: Any) -> None:
        self._lock = lock
        self._holder = 0
        self.waits = threading.Event()

    def __enter__(self) -> None:
        if self._holder not in (0, threading.get_ident()):
            self.waits.set()
        self._lock.acquire()
        self._holder = threading.get_ident()

    def __exit__(self, *_: object) -> None:
        self._holder = 0
        self._lock.release()


def test_a_descriptor_is_not_closed_under_a_write(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    connection = Connection(port=port)
    connection.connect()
    asked = Asked(connection._writing)
    connection._writing = asked
    open_during: list[bool] = []

    def send_some(sock: socket.socket, data: memoryview, timeout: float | None) -> int:
        # Within the system's call, which knows the number alone, another thread closes the connection.
        other = threading.Thread(target=connection.disconnect, daemon=True)
        other.start()
        while other.is_alive() and not asked.waits.wait(0.01):
            pass
        open_during.append(sock.fileno() >= 0)
        return sent(sock, data, timeout)

    sent = apart.send_some
    monkeypatch.setattr(apart, "send_some", send_some)
    with contextlib.suppress(ConnectionError):
        connection.send_command("PING")
    assert open_during == [True]
    connection.disconnect()


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Certificates:
    return certificates(Path(tmp_path_factory.mktemp("tls")))


def test_an_encrypted_socket_is_closed_encrypted(made: Certificates, monkeypatch: pytest.MonkeyPatch) -> None:
    encrypted: list[bool] = []

    def shutdown(sock: socket.socket, how: int) -> None:
        # A thread that writes now, as it may at this place, writes in the clear unless there is a version.
        encrypted.append(isinstance(sock, ssl.SSLSocket) and sock.version() is not None)
        _socket.socket.shutdown(sock, how)

    with valkey() as server, tls(server.port, (made.server, made.server_key)) as port:
        connection = SSLConnection(host="localhost", port=port, ssl_ca_certs=str(made.authority))
        connection.connect()
        monkeypatch.setattr(socket.socket, "shutdown", shutdown, raising=False)
        connection.disconnect()
        monkeypatch.undo()
    assert encrypted == [True]


def test_a_forked_child_closes_its_copy_of_a_connection_in_use(port: int) -> None:
    connection = Connection(port=port)
    connection.connect()
    sock = connection._sock
    assert sock is not None
    with in_use(connection):
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", DeprecationWarning)
            child = os.fork()
        if child == 0:
            # Else the server does not learn that the parent closes it, as long as the child lives.
            os._exit(0 if sock.fileno() < 0 else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert connection.call(("PING",)) == b"PONG"
    connection.disconnect()


def test_a_socket_that_a_program_has_put_there_is_closed() -> None:
    ours, theirs = socket.socketpair()
    connection = Connection()
    connection._sock = ours
    connection.disconnect()
    assert ours.fileno() == -1
    assert not connection.is_connected
    with theirs:
        assert theirs.recv(1) == b""
