"""MONITOR for asyncio: every command that a server runs, as it runs it."""

from __future__ import annotations

import math
from collections.abc import AsyncIterator
from typing import Any, Self

from ..exceptions import RedisError
from ..monitor import command
from .pool import ConnectionPool
from .transport import AbstractConnection


class Monitor:
    """A connection that is sent every command. Use it in an `async with` block."""

    def __init__(self, connection_pool: ConnectionPool[Any]) -> None:
        self.connection_pool = connection_pool
        self.connection: AbstractConnection | None = None

    async def connect(self) -> None:
        """Takes a connection."""
        await self._connected()

    async def _connected(self) -> AbstractConnection:
        if self.connection is None:
            self.connection = await self.connection_pool.get_connection()
        return self.connection

    async def __aenter__(self) -> Self:
        connection = await self._connected()
        try:
            await connection.send_command("MONITOR")
            reply = await connection.read_response()
            if reply not in (b"OK", "OK"):
                raise RedisError(f"MONITOR failed: {reply}")
        except BaseException:
            await self.__aexit__()
            raise
        return self

    async def __aexit__(self, *_: object) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            await connection.disconnect(nowait=True)
            await self.connection_pool.release(connection)

    async def next_command(self) -> dict[str, Any]:
        """Waits for the next command."""
        connection = await self._connected()
        line = await connection.read_response(disable_decoding=True, timeout=math.inf)
        return command(line.decode("utf-8", "replace"))

    async def listen(self) -> AsyncIterator[dict[str, Any]]:
        """Commands as they come, without end."""
        while True:
            yield await self.next_command()
