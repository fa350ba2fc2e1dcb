"""Clients of a service that sentinels watch, for blocking callers: they ask the sentinels where its master and replicas are."""

from __future__ import annotations

import contextlib
import random
import socket
import threading
import time
import weakref
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Self

from .backoff import NoBackoff
from .client import Client
from .exceptions import ConnectionError, ResponseError, TimeoutError
from .pool import ConnectionPool
from .retry import Retry, default_retry
from .sentinel_commands import SentinelCommands
from .switching import SwitchListener
from .transport import Connection, SSLConnection
from .watching import (
    Address,
    MasterAddress,
    MasterNotFoundError,
    ReplicaNotFoundError,
    SlaveNotFoundError,
    Turns,
    address_of,
    alive,
    demoted,
    listened_to,
    no_master,
    no_replica,
    not_master,
    shown,
    sought,
    usable,
)

__all__ = [
    "MasterNotFoundError",
    "ReplicaNotFoundError",
    "Sentinel",
    "SentinelConnectionPool",
    "SentinelManagedConnection",
    "SentinelManagedSSLConnection",
    "SlaveNotFoundError",
]


class SentinelManagedConnection(Connection):
    """A connection to the master of a service, or to a replica: whoever that is when it connects."""

    def __init__(self, **options: Any) -> None:
        self.connection_pool = options.pop("connection_pool")
        super().__init__(**options)

    #: The server's address; None before the sentinels have told one.
    _at: Address | None = None

    def __repr__(self) -> str:
        return shown(self, self.connection_pool, (self.host, self.port))

    def _host_error(self) -> str:
        return super()._host_error() if self._at is not None else sought(self.connection_pool)

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

    def on_connect(self) -> None:
        """Greets the server, and makes sure that it is the master: sentinels may not know yet that it has changed."""
        super().on_connect()
        if not self.connection_pool.is_master:
            return
        if self.connection_pool.master_address not in (None, (self.host, self.port)):
            raise ConnectionError(f"{self.host}:{self.port} is the master no more: it has changed while the connection was made")
        with contextlib.suppress(ResponseError):
            why = not_master(self.call(("ROLE",)))
            if why:
                raise ConnectionError(f"{why} ({self.host}:{self.port})")

    def reply_error(self, text: str) -> Exception:
        error = demoted(text, self.connection_pool.is_master)
        if isinstance(error, ConnectionError):
            self.mark_for_reconnect()
        return error


class SentinelManagedSSLConnection(SentinelManagedConnection, SSLConnection):
    """The same with TLS."""


class SentinelConnectionPool(ConnectionPool[SentinelManagedConnection]):
    """Connections to the master of a service, or to its replicas in turn.

    When the master changes, idle connections to the old one are closed, and those in use when they are given back.

    retry: attempts after a failure: while a new master is elected there is none for seconds.
    check_connection: has no effect; each connection is greeted, and the master asked for its role.
    """

    def __init__(self, service_name: str, sentinel_manager: Sentinel, **kwargs: Any) -> None:
        tls = kwargs.pop("ssl", False)
        kwargs.setdefault("connection_class", SentinelManagedSSLConnection if tls else SentinelManagedConnection)
        kwargs.setdefault("retry", default_retry())
        self.is_master = kwargs.pop("is_master", True)
        self.check_connection = kwargs.pop("check_connection", False)
        self.service_name = service_name
        self.sentinel_manager = sentinel_manager
        super().__init__(**kwargs)
        # The pool keeps its connections alive, not they the pool.
        self.connection_kwargs["connection_pool"] = weakref.proxy(self)

    def __repr__(self) -> str:
        return shown(self, self)

    def reset(self) -> None:
        super().reset()
        self._master = MasterAddress()
        self._turns = Turns()
        self._listeners: list[SwitchListener] = []
        self._discovering = threading.Lock()
        self._discovered_at = 0.0

    @property
    def master_address(self) -> Address | None:
        """Where the master is; None before it was asked for."""
        return self._master.current

    def owns_connection(self, connection: Any) -> bool:
        """Whether a connection is this process's, and to the master of now."""
        current = not self.is_master or self.master_address == (connection.host, connection.port)
        return current and super().owns_connection(connection)

    def get_master_address(self) -> Address:
        """Where the master is. Callers that ask at the same time share one question.

        Raises MasterNotFoundError.
        """
        asked_at = time.monotonic()
        with self._discovering:
            address = self.master_address
            if self._discovered_at <= asked_at or address is None:
                found = self.sentinel_manager.discover_master(self.service_name)
                self._discovered_at = time.monotonic()
                address = self._master.found(found, self._discovered_at)
                if address != self.master_address:
                    self._master.current = address
                    if self.is_master:
                        super().disconnect(inuse_connections=False)
                if self.is_master and not self._listeners:
                    self._listeners = [SwitchListener(self, sentinel) for sentinel in listened_to(self)]
                    for listener in self._listeners:
                        listener.start()
            # A switch may have been published meanwhile.
            return self.master_address or address

    def switched(self, old: Address, new: Address) -> None:
        """A sentinel has published that the master is another server: leaves the old one, calls on their way excepted."""
        forced = getattr(self.sentinel_manager, "_force_master_ip", None)
        if self._master.switched((forced or old[0], old[1]), (forced or new[0], new[1]), time.monotonic()):
            super().disconnect(inuse_connections=False)
            for connection in self._in_use_connections:
                connection.mark_for_reconnect()

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


class Sentinel(SentinelCommands):
    """The sentinels that watch services.

    sentinels: their addresses as (host, port).
    min_other_sentinels: a sentinel that knows fewer others is not believed.
    sentinel_kwargs: keywords of the connections to the sentinels; None takes those of `connection_kwargs` for sockets.
    force_master_ip: the host of all masters, whatever the sentinels say.
    connection_kwargs: keywords of the connections to masters and replicas.
    """

    def __init__(
        self,
        sentinels: Iterable[Address],
        min_other_sentinels: int = 0,
        sentinel_kwargs: Mapping[str, Any] | None = None,
        force_master_ip: str | None = None,
        **connection_kwargs: Any,
    ) -> None:
        if sentinel_kwargs is None:
            sentinel_kwargs = {name: value for name, value in connection_kwargs.items() if name.startswith("socket_")}
        self.sentinel_kwargs = dict(sentinel_kwargs)
        # The attempt after a failed one is at the next sentinel.
        once = {"retry": Retry(NoBackoff(), 0)}
        self.sentinels: list[Client[Any]] = [Client(host, port, **{**once, **self.sentinel_kwargs}) for host, port in sentinels]
        self.min_other_sentinels = min_other_sentinels
        self.connection_kwargs = connection_kwargs
        self._force_master_ip = force_master_ip

    def __repr__(self) -> str:
        options = (sentinel.connection_pool.connection_kwargs for sentinel in self.sentinels)
        addresses = ",".join(f"{one['host']}:{one['port']}" for one in options)
        return f"<{type(self).__module__}.{type(self).__name__}(sentinels=[{addresses}])>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections to all sentinels; those to masters and replicas are their clients'. Raises the first error."""
        failed: Exception | None = None
        for sentinel in self.sentinels:
            try:
                sentinel.close()
            except Exception as error:
                failed = failed or error
        if failed is not None:
            raise failed

    def execute_command(self, *args: Any, **kwargs: Any) -> Any:
        """Sends a command to all sentinels, or with `once` to a random one; returns whether all replies are true, or with
        `return_responses` the replies."""
        once = kwargs.pop("once", False)
        return_responses = kwargs.pop("return_responses", False)
        asked = [random.choice(self.sentinels)] if once else list(self.sentinels)
        replies = [sentinel.execute_command(*args, **kwargs) for sentinel in asked]
        return replies if return_responses else all(replies)

    def check_master_state(self, state: Mapping[str, Any], service_name: str) -> bool:
        """Whether a sentinel says that a master is up, and is to be believed."""
        return usable(state, self.min_other_sentinels)

    def discover_master(self, service_name: str) -> Address:
        """The address of a service's master. The sentinel that knows it is asked first the next time.

        Raises MasterNotFoundError.
        """
        errors = []
        for index, sentinel in enumerate(self.sentinels):
            try:
                masters = sentinel.sentinel_masters()
            except (ConnectionError, TimeoutError) as error:
                errors.append(f"{address_of(sentinel)}: {error}")
                continue
            state = masters.get(service_name)
            if state and self.check_master_state(state, service_name):
                self.sentinels[0], self.sentinels[index] = sentinel, self.sentinels[0]
                return self._force_master_ip or state["ip"], state["port"]
            errors.append(f"{address_of(sentinel)} replied that there is none")
        raise no_master(service_name, errors)

    def filter_slaves(self, slaves: Sequence[Mapping[str, Any]]) -> list[Address]:
        """The addresses of the replicas that are not thought to be down."""
        return alive(slaves)

    filter_replicas = filter_slaves

    def discover_slaves(self, service_name: str) -> list[Address]:
        """The addresses of a service's replicas that are up; none if no sentinel knows any."""
        for sentinel in self.sentinels:
            try:
                found = self.filter_slaves(sentinel.sentinel_slaves(service_name))
            except (ConnectionError, ResponseError, TimeoutError):
                continue
            if found:
                return found
        return []

    discover_replicas = discover_slaves

    def master_for(
        self,
        service_name: str,
        redis_class: Any = Client,
        connection_pool_class: Any = SentinelConnectionPool,
        **kwargs: Any,
    ) -> Any:
        """A client of a service's master. It finds the new master when that changes.

        kwargs: keywords of its connections, over those of this object.
        """
        kwargs["is_master"] = True
        return redis_class.from_pool(connection_pool_class(service_name, self, **{**self.connection_kwargs, **kwargs}))

    def slave_for(
        self,
        service_name: str,
        redis_class: Any = Client,
        connection_pool_class: Any = SentinelConnectionPool,
        **kwargs: Any,
    ) -> Any:
        """A client of a service's replicas in turn; of its master if no replica is up."""
        kwargs["is_master"] = False
        return redis_class.from_pool(connection_pool_class(service_name, self, **{**self.connection_kwargs, **kwargs}))

    replica_for = slave_for
