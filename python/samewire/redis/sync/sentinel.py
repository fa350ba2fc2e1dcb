"""Clients of a service that sentinels watch, for blocking callers."""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from typing import Any

from ..commands.by_hand.sentinel import SentinelsCommands
from ..exceptions import ResponseError
from ..sentinel.client import SentinelSteps, ServiceConnectionSteps, ServicePoolSteps
from ..sentinel.master_locator import (
    Address,
    MasterNotFoundError,
    ReplicaNotFoundError,
    SlaveNotFoundError,
    no_replica,
)
from ..session.retry import Retry, default_retry
from ..steps import Blocking, Closing, run
from .client import Client
from .pool import ConnectionPool
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


class ServiceConnection(ServiceConnectionSteps, Connection, Blocking):
    __doc__ = ServiceConnectionSteps.__doc__

    def _connect(self) -> socket.socket:
        pool = self.connection_pool
        if pool.is_master:
            return self._to(pool.get_master_address())
        for address in pool.rotate_slaves():
            with contextlib.suppress(OSError):
                return self._to(address)
        raise no_replica(pool.service_name)

    def _to(self, address: Address) -> socket.socket:
        self.host, self.port = self._at = address
        return super()._connect()

    def _role(self) -> Any:
        with contextlib.suppress(ResponseError):
            return self.call(("ROLE",))


class SentinelManagedConnection(ServiceConnection):
    """A connection to the service's address, under redis-py's name: programs rely on its first base, a connection."""

    __module__ = "samewire.redis.sentinel"


class SentinelManagedSSLConnection(SentinelManagedConnection, SSLConnection):
    """A connection with TLS to the service's address."""

    __module__ = "samewire.redis.sentinel"


class SentinelConnectionPool(ServicePoolSteps, ConnectionPool[SentinelManagedConnection], Blocking):
    __doc__ = ServicePoolSteps.__doc__

    __module__ = "samewire.redis.sentinel"

    _managed_class, _managed_tls_class = SentinelManagedConnection, SentinelManagedSSLConnection
    _listener_class = SwitchListener
    _default_retry = staticmethod(default_retry)

    def reset(self) -> None:
        super().reset()
        self._listeners: list[SwitchListener] = []
        self._discovering = threading.Lock()

    def owns_connection(self, connection: Any) -> bool:
        """Whether a connection is this process's, and to the master of now."""
        return super().owns_connection(connection) and ConnectionPool.owns_connection(self, connection)

    def get_master_address(self) -> Address:
        """Where the master is. Callers that ask at the same time share one question.

        Raises MasterNotFoundError.
        """
        asked_at = self._now()
        with self._discovering:
            address = self.master_address
            if self._discovered_at <= asked_at or address is None:
                address = run(self._discover())
            # A switch may have been published meanwhile.
            return self.master_address or address

    def _leave(self, in_use: bool) -> None:
        super().disconnect(inuse_connections=False)
        if in_use:
            for connection in self._in_use_connections:
                connection.mark_for_reconnect()

    def _listen(self) -> None:
        if not self._listeners:
            self._listeners = self._started_listeners()

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Closes all connections, or only the idle ones. They are made anew when they are next used."""
        super().disconnect(inuse_connections)
        if inuse_connections:
            listeners, self._listeners = self._listeners, []
            for listener in listeners:
                listener.stop()

    def rotate_slaves(self) -> Iterator[Address]:
        """The replicas, each time from the next one on, and at last the master. Raises SlaveNotFoundError after them."""
        yield from self._turns.of(self.sentinel_manager.discover_slaves(self.service_name))
        with contextlib.suppress(MasterNotFoundError):
            yield self.get_master_address()
        raise no_replica(self.service_name)

    rotate_replicas = rotate_slaves


class Sentinel(SentinelsCommands, SentinelSteps, Closing, Blocking):
    __doc__ = SentinelSteps.__doc__

    __module__ = "samewire.redis.sentinel"

    _client_class, _pool_class, _retry_class = Client, SentinelConnectionPool, Retry
    sentinels: list[Client[Any]]

    def _client_of(self, **options: Any) -> Client[Any]:
        return Client(**options)

    def close(self) -> None:
        """Closes the connections to all sentinels; those to masters and replicas are their clients'. Raises the first error."""
        run(self._close(sentinel.close for sentinel in self.sentinels))
