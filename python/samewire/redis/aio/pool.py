"""Pools of connections for asyncio callers, and the one that all callers of an event loop share.

Ordinary commands go over the shared connection (`shared.py`). The pool lends connections to what needs one of its own: blocking
commands, watched transactions, subscribers, monitors, and programs that use redis-py's interface.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import os
import weakref
from typing import Any, TypeVar

from ..exceptions import ConnectionError, MaxConnectionsError
from ..session.pool_options import BlockingPoolOptions, PoolOptions, none_free
from ..session.refusals import failure
from ..steps import AsyncClosing
from .retry import Retry
from .shared import Shared
from .transport import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

C = TypeVar("C", bound=AbstractConnection)


class ConnectionPool(PoolOptions[C], AsyncClosing):
    __doc__ = PoolOptions.__doc__

    _plain_class, _tls_class, _unix_class = Connection, SSLConnection, UnixDomainSocketConnection

    def __del__(self) -> None:
        # An event loop keeps its open transports: nobody else would close them before it ends.
        with contextlib.suppress(Exception):
            if os.getpid() == self.pid:
                for shared in self._shared.values():
                    shared.dropped()
                for connection in self._available_connections:
                    connection.dropped()

    def reset(self) -> None:
        """Forgets all connections, without closing those in use."""
        self._available_connections: list[C] = []
        self._in_use_connections: set[C] = set()
        self._shared: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, Shared] = weakref.WeakKeyDictionary()
        self.pid = os.getpid()

    def shared(self) -> Shared:
        """The connection that callers of the running event loop share; it connects when it is first used."""
        loop = asyncio.get_running_loop()
        if os.getpid() != self.pid:
            # A child process: the parent's connections are the parent's.
            self.reset()
        shared = self._shared.get(loop)
        if shared is None:
            # A shared connection keeps its loop: those of closed loops would stay, with their sockets.
            for other in list(self._shared):
                if other.is_closed():
                    self._shared.pop(other, None)
            shared = self._shared[loop] = Shared(loop, self.make_connection, self.cache)
        return shared

    # --- lending ---

    async def get_connection(self, command_name: str | None = None, *keys: Any, **options: Any) -> C:
        """Takes a connection that is connected and has nothing to read. The arguments are redis-py's old ones, not used."""
        connection = self.get_available_connection()
        try:
            await self.ensure_connection(connection)
        except BaseException:
            await self.release(connection)
            raise
        return connection

    def get_available_connection(self) -> C:
        """Takes a connection that need not be connected."""
        if os.getpid() != self.pid:
            self.reset()
        loop = asyncio.get_running_loop()
        idle = self._available_connections
        # The one used last is the warmest. Those of closed loops are of no use to anybody.
        for index in range(len(idle) - 1, -1, -1):
            its = idle[index].loop
            if its is None or its is loop:
                connection = idle.pop(index)
                break
            if its.is_closed():
                del idle[index]
        else:
            if len(self._in_use_connections) >= self.max_connections:
                raise MaxConnectionsError("Too many connections")
            connection = self.make_connection()
        self._in_use_connections.add(connection)
        return connection

    def can_get_connection(self) -> bool:
        """Whether a connection can be lent now."""
        return bool(self._available_connections) or len(self._in_use_connections) < self.max_connections

    def make_connection(self) -> C:
        """A new connection, not connected yet."""
        connection = self.connection_class(**self.connection_kwargs)
        connection.breaker = self.breaker
        return connection

    async def ensure_connection(self, connection: C) -> None:
        """Connects, and connects anew if the connection was closed or holds a reply."""
        await connection.refresh()

    async def release(self, connection: C) -> None:
        """Takes a connection back; closes it if replies are due. One that was not lent by this pool is left as it is."""
        if connection in self._in_use_connections and (connection.due or connection.should_reconnect()):
            await connection.disconnect(nowait=True)
        self.take_back(connection)

    def take_back(self, connection: C) -> None:
        """Takes a connection back without closing it, and does not await."""
        if connection not in self._in_use_connections:
            return
        self._in_use_connections.discard(connection)
        self._available_connections.append(connection)

    # --- all of them ---

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """Closes all connections, or only the idle ones. They are made anew when they are next used."""
        closing: list[C] = list(self._available_connections)
        if inuse_connections:
            closing += self._in_use_connections
            for shared in list(self._shared.values()):
                await shared.disconnect()
        await asyncio.gather(*[connection.disconnect() for connection in closing])

    async def aclose(self) -> None:
        """Closes all connections."""
        await self.disconnect()

    async def update_active_connections_for_reconnect(self) -> None:
        """Marks the connections that are lent: they are made anew after their use."""
        for connection in self._in_use_connections:
            connection.mark_for_reconnect()

    def set_retry(self, retry: Retry) -> None:
        """Sets the attempts of all connections."""
        super().set_retry(retry)
        for shared in self._shared.values():
            shared.retry = copy.deepcopy(retry)

    def _idle_and_used(self) -> tuple[tuple[C, ...], tuple[C, ...]]:
        return tuple(self._available_connections), tuple(self._in_use_connections)

    async def re_auth_callback(self, token: Any) -> None:
        """Authenticates all connections with a new token: idle ones and the shared one now, those in use after their use."""
        self.take_token(token)
        for connection in tuple(self._available_connections):
            if connection.is_connected and connection.loop is asyncio.get_running_loop():
                await connection.re_auth()

    def take_token(self, token: Any) -> None:
        """Authenticates all connections with a new token: the shared ones now, others before their next use.

        Any thread may call it.
        """
        for connection in (*self._available_connections, *self._in_use_connections):
            connection.set_re_auth_token(token)
        for shared in tuple(self._shared.values()):
            shared.re_auth(token)

    def _take_token(self, token: Any) -> None:
        self.take_token(token)


class BlockingConnectionPool(BlockingPoolOptions, ConnectionPool[C]):
    __doc__ = BlockingPoolOptions.__doc__

    def reset(self) -> None:
        super().reset()
        self._waiting: list[asyncio.Future[None]] = []

    async def get_connection(self, command_name: str | None = None, *keys: Any, **options: Any) -> C:
        try:
            async with asyncio.timeout(self.timeout):
                while not self.can_get_connection():
                    freed = asyncio.get_running_loop().create_future()
                    self._waiting.append(freed)
                    try:
                        await freed
                    except BaseException:
                        # Woken and cancelled at once: the next one in line is woken in its place.
                        if freed in self._waiting:
                            self._waiting.remove(freed)
                        elif not freed.cancelled():
                            self._wake()
                        raise
        except TimeoutError:
            raise failure(ConnectionError, none_free(self.max_connections, self.timeout), False) from None
        return await super().get_connection()

    def take_back(self, connection: C) -> None:
        super().take_back(connection)
        self._wake()

    def _wake(self) -> None:
        while self._waiting:
            freed = self._waiting.pop(0)
            if not freed.done():
                # The waiter's loop may be another thread's.
                freed.get_loop().call_soon_threadsafe(_done, freed)
                return


def _done(freed: asyncio.Future[None]) -> None:
    if not freed.done():
        freed.set_result(None)
