"""Clients of a service that sentinels watch, for asyncio callers."""

from __future__ import annotations

import asyncio
import contextlib
import weakref
from collections.abc import AsyncIterator
from typing import Any

from ..commands.by_hand.sentinel import AsyncSentinelsCommands
from ..sentinel.client import SentinelSteps, ServiceConnectionSteps, ServicePoolSteps
from ..sentinel.master_locator import (
    Address,
    MasterNotFoundError,
    ReplicaNotFoundError,
    SlaveNotFoundError,
    no_replica,
)
from ..steps import AsyncClosing, Awaiting, run_async
from .client import Client
from .pool import ConnectionPool
from .retry import Retry, default_retry
from .switching import SwitchListener
from .transport import Connection, SSLConnection

__all__ = [
    "MasterNotFoundError",
    "ReplicaNotFoundError",
    "Sentinel",
    "SentinelConnectionPool",
    "SentinelManagedConnection",
    "SentinelManagedSSLConnection",
    "SlaveNotFoundError",
]


class SentinelManagedConnection(ServiceConnectionSteps, Connection, Awaiting):
    __doc__ = ServiceConnectionSteps.__doc__

    async def _connect(self) -> None:
        pool = self.connection_pool
        if pool.is_master:
            return await self._to(await pool.get_master_address())
        async for address in pool.rotate_slaves():
            with contextlib.suppress(OSError):
                return await self._to(address)
        raise no_replica(pool.service_name)

    async def _to(self, address: Address) -> None:
        self.host, self.port = self._at = address
        await super()._connect()

    async def _role(self) -> Any:
        (role,) = await self.exchange([("ROLE",)])
        return role


class SentinelManagedSSLConnection(SentinelManagedConnection, SSLConnection):
    """A connection with TLS to the service's address."""


class SentinelConnectionPool(ServicePoolSteps, ConnectionPool[SentinelManagedConnection], Awaiting):
    __doc__ = ServicePoolSteps.__doc__

    _managed_class, _managed_tls_class = SentinelManagedConnection, SentinelManagedSSLConnection
    _listener_class = SwitchListener
    _default_retry = staticmethod(default_retry)

    def reset(self) -> None:
        super().reset()
        self._listeners: weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, list[SwitchListener]] = weakref.WeakKeyDictionary()
        self._discovering: asyncio.Task[Address] | None = None

    async def get_master_address(self) -> Address:
        """Where the master is. Callers that ask at the same time share one question.

        Raises MasterNotFoundError.
        """
        loop = asyncio.get_running_loop()
        if self._discovering is None or self._discovering.done() or self._discovering.get_loop() is not loop:
            self._discovering = loop.create_task(run_async(self._discover()))
            self._discovering.add_done_callback(_seen)
        return await asyncio.shield(self._discovering)

    def _leave(self, in_use: bool) -> None:
        for connection in (*self._available_connections, *(self._in_use_connections if in_use else ())):
            connection.mark_for_reconnect()
        if in_use:
            for shared in list(self._shared.values()):
                shared.leave()

    def _listen(self) -> None:
        loop = asyncio.get_running_loop()
        if loop not in self._listeners:
            self._listeners[loop] = self._started_listeners()

    async def disconnect(self, inuse_connections: bool = True) -> None:
        """Closes all connections, or only the idle ones. They are made anew when they are next used."""
        if inuse_connections:
            for listener in self._listeners.pop(asyncio.get_running_loop(), []):
                listener.stop()
        await super().disconnect(inuse_connections)

    async def rotate_slaves(self) -> AsyncIterator[Address]:
        """The replicas, each time from the next one on, and at last the master. Raises SlaveNotFoundError after them."""
        for address in self._turns.of(await self.sentinel_manager.discover_slaves(self.service_name)):
            yield address
        with contextlib.suppress(MasterNotFoundError):
            yield await self.get_master_address()
        raise no_replica(self.service_name)

    rotate_replicas = rotate_slaves


class Sentinel(AsyncSentinelsCommands, SentinelSteps, AsyncClosing, Awaiting):
    __doc__ = SentinelSteps.__doc__

    _client_class, _pool_class, _retry_class = Client, SentinelConnectionPool, Retry
    sentinels: list[Client[Any]]

    def _client_of(self, **options: Any) -> Client[Any]:
        return Client(**options)

    async def aclose(self) -> None:
        """Closes the connections to all sentinels; those to masters and replicas are their clients'. Raises the first error."""
        await run_async(self._close(sentinel.aclose for sentinel in self.sentinels))


def _seen(done: asyncio.Future[Any]) -> None:
    """Marks a failure as seen: whoever waited has its own."""
    if not done.cancelled():
        done.exception()
