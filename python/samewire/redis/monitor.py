"""MONITOR: every command that a server runs, as it runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Self

from .exceptions import RedisError
from .pool import ConnectionPool

LINE = re.compile(r"(\d+\.?\d*) \[(\d+) (.*?)\] (.*)", re.DOTALL)
ARGUMENT = re.compile(r'"(.*?)(?<!\\)"', re.DOTALL)


def command(line: str) -> dict[str, Any]:
    """A line of MONITOR as a dictionary: time, db, client_address, client_port, client_type, command."""
    found = LINE.match(line)
    if found is None:
        raise RedisError(f"expected a line of MONITOR, got {line!r:.200}")
    moment, db, client, rest = found.groups()
    address, port, kind = client, "", client
    if client.startswith("unix"):
        address, port, kind = "unix", client[5:], "unix"
    elif client == "":
        kind = "unknown"
    elif client != "lua":
        address, port = client.rsplit(":", 1)
        kind = "tcp"
    return {
        "time": float(moment),
        "db": int(db),
        "client_address": address,
        "client_port": port,
        "client_type": kind,
        "command": " ".join(ARGUMENT.findall(rest)).replace('\\"', '"'),
    }


class Monitor:
    """A connection that is sent every command. Use it in a `with` block."""

    def __init__(self, connection_pool: ConnectionPool[Any]) -> None:
        self.connection_pool = connection_pool
        self.connection = connection_pool.get_connection()

    def __enter__(self) -> Self:
        self.connection.send_command("MONITOR")
        reply = self.connection.read_response()
        if reply not in (b"OK", "OK"):
            raise RedisError(f"MONITOR failed: {reply}")
        return self

    def __exit__(self, *_: object) -> None:
        self.connection.disconnect()
        self.connection_pool.release(self.connection)

    def next_command(self) -> dict[str, Any]:
        """Waits for the next command."""
        line = self.connection.read_response(disable_decoding=True, timeout=None)
        return command(line.decode("utf-8", "replace"))

    def listen(self) -> Iterator[dict[str, Any]]:
        """Commands as they come, without end."""
        while True:
            yield self.next_command()
