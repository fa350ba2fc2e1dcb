"""MONITOR: every command that a server runs, as it runs it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Self

from ..exceptions import RedisError
from ..steps import Blocking, Operations, Steps, operation, run

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


class MonitorSteps(Operations):
    """A connection that is sent every command. Use it in a `with` block; asyncio's in an `async with` block."""

    #: The time-out of a read that waits without a limit.
    _forever: float | None = None

    def __init__(self, connection_pool: Any) -> None:
        self.connection_pool = connection_pool
        self.connection: Any = None

    def _connected(self) -> Steps[Any]:
        if self.connection is None:
            self.connection = yield self.connection_pool.get_connection()
        return self.connection

    def _enter(self) -> Steps[None]:
        connection = yield from self._connected()
        try:
            yield connection.send_command("MONITOR")
            reply = yield connection.read_response()
            if reply not in (b"OK", "OK"):
                raise RedisError(f"MONITOR failed: {reply}")
        except BaseException:
            yield from self._exit()
            raise

    def _exit(self) -> Steps[None]:
        connection, self.connection = self.connection, None
        if connection is not None:
            yield connection.disconnect(nowait=True)
            yield self.connection_pool.release(connection)

    @operation
    def next_command(self) -> Steps[dict[str, Any]]:
        """Waits for the next command."""
        connection = yield from self._connected()
        line = yield connection.read_response(disable_decoding=True, timeout=self._forever)
        return command(line.decode("utf-8", "replace"))


class Monitor(MonitorSteps, Blocking):
    __doc__ = MonitorSteps.__doc__

    def __init__(self, connection_pool: Any) -> None:
        super().__init__(connection_pool)
        run(self._connected())

    def __enter__(self) -> Self:
        run(self._enter())
        return self

    def __exit__(self, *_: object) -> None:
        run(self._exit())

    def listen(self) -> Iterator[dict[str, Any]]:
        """Commands as they come, without end."""
        while True:
            yield self.next_command()
