"""Pools of connections for blocking callers.

Taking a connection and giving it back is one `list.pop` and one `list.append`, which the interpreter does whole: no lock is
taken unless a connection is made or a caller has to wait. A child process that is forked begins with an empty pool.
"""

from __future__ import annotations

import copy
import os
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any, Generic, Self, TypeVar

from .breaker import CircuitBreaker, breaker_of
from .cache import CacheConfigurationInterface, CacheFactory, CacheFactoryInterface, CacheInterface
from .credentials import StreamingCredentialProvider
from .encoder import Encoder
from .exceptions import ConnectionError, MaxConnectionsError, RedisError, TimeoutError
from .observability import logger
from .options import parse_url, protocol_version
from .retry import AbstractRetry
from .tracking import Tracking
from .transport import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

C = TypeVar("C", bound=AbstractConnection)

#: Options that `repr` does not show.
SECRET = frozenset({"password", "username", "ssl_password", "credential_provider"})

DEFAULT_MAX_CONNECTIONS = 100

_alive: weakref.WeakSet[ConnectionPool[Any]] = weakref.WeakSet()


class ConnectionPool(Generic[C]):
    """Connections with the same options. Beyond `max_connections` in use at once it raises MaxConnectionsError.

    cache, cache_config: keep replies until the server says that they have changed (client-side caching; RESP3).
    breaker: while the server cannot be reached, one caller at a time tries it (`breaker.CircuitBreaker`, or the seconds after
    which it opens). None, the default, lets each caller try.

    Keywords that are not the pool's own are those of `connection_class`.
    """

    def __init__(
        self,
        connection_class: type[C] = Connection,  # type: ignore[assignment]
        max_connections: Any = None,
        cache: CacheInterface | None = None,
        cache_config: CacheConfigurationInterface | None = None,
        cache_factory: CacheFactoryInterface | None = None,
        breaker: CircuitBreaker | float | None = None,
        **connection_kwargs: Any,
    ) -> None:
        max_connections = DEFAULT_MAX_CONNECTIONS if max_connections is None else max_connections
        if not isinstance(max_connections, int) or max_connections < 1:
            raise ValueError('"max_connections" must be a positive integer')
        self.connection_class = connection_class
        #: Whether connections have only redis-py's methods.
        made: Any = connection_class
        self._foreign = not (isinstance(made, type) and issubclass(made, AbstractConnection))
        self.connection_kwargs = connection_kwargs
        self.max_connections = max_connections
        self.breaker = breaker_of(breaker)
        if cache is not None and not isinstance(cache, CacheInterface):
            raise ValueError("Cache must implement CacheInterface")
        if cache is None and cache_config is not None:
            cache = (cache_factory or CacheFactory(cache_config)).get_cache()
        if cache is not None and protocol_version(connection_kwargs.get("protocol")) != 3:
            raise RedisError("Client caching is only supported with RESP version 3")
        self.cache = cache
        self.tracking = None if cache is None else Tracking(cache)
        self.reset()
        _alive.add(self)
        provider = connection_kwargs.get("credential_provider")
        if isinstance(provider, StreamingCredentialProvider):
            provider.on_next(weak_method(self.re_auth_callback))
            provider.on_error(lambda error: logger.warning("no new credentials: %s", error))

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A pool for a URL (`options.parse_url`), whose options win over the keywords, except `connection_class`."""
        found = parse_url(url, UnixDomainSocketConnection, SSLConnection)
        if "connection_class" in kwargs:
            found["connection_class"] = kwargs["connection_class"]
        return cls(**{**kwargs, **found})

    def __repr__(self) -> str:
        shown = ",".join(f"{k}={'<REDACTED>' if k in SECRET else v}" for k, v in self.connection_kwargs.items())
        made = f"{self.connection_class.__module__}.{self.connection_class.__name__}"
        return f"<{type(self).__module__}.{type(self).__name__}(<{made}({shown})>)>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def reset(self) -> None:
        """Forgets all connections, without closing those in use."""
        self._lock = threading.RLock()
        self._freed = threading.Condition(self._lock)
        self._waiting = 0
        self._connections: list[C] = []
        self._available_connections: list[C] = []
        self.pid = os.getpid()

    # --- lending ---

    def get_connection(self, command_name: str | None = None, *keys: Any, **options: Any) -> C:
        """Takes a connection that is connected and has nothing to read. The arguments are redis-py's old ones, not used."""
        try:
            connection = self._available_connections.pop()
        except IndexError:
            connection = self.next_connection()
        connection.lent = self
        if self._foreign:
            self._refresh(connection)
            return connection
        link = connection._link
        try:
            if link is None or connection._renewing or link.readable():
                connection.refresh()
        except BaseException as error:
            if isinstance(error, OSError):
                # Another thread has closed the socket meanwhile.
                return self._anew(connection)
            self.release(connection)
            raise
        return connection

    def lend(self) -> C:
        """Takes a connection that is not connected: its user connects, within a time of its own."""
        try:
            connection = self._available_connections.pop()
        except IndexError:
            connection = self.next_connection()
        connection.lent = self
        connection.disconnect()
        return connection

    def _anew(self, connection: C) -> C:
        try:
            connection.disconnect()
            connection.connect()
        except BaseException:
            self.release(connection)
            raise
        return connection

    def _refresh(self, connection: Any) -> None:
        """Has a connection of a class that is not of this package ready, by redis-py's methods alone."""
        try:
            connection.connect()
            try:
                ready = not connection.can_read()
            except (ConnectionError, TimeoutError, OSError):
                ready = False
            if not ready:
                connection.disconnect()
                connection.connect()
        except BaseException:
            self.release(connection)
            raise

    def next_connection(self) -> C:
        """A connection where none is idle: a new one."""
        return self.make_connection()

    def make_connection(self) -> C:
        """A new connection, not connected yet."""
        with self._lock:
            if len(self._connections) >= self.max_connections:
                raise MaxConnectionsError("Too many connections")
            connection = self.connection_class(**self.connection_kwargs)
            connection.breaker = self.breaker
            if self.tracking is not None:
                connection.setup_commands += (("CLIENT", "TRACKING", "ON"),)
                connection.on_push = self.tracking.invalidated
                connection.on_disconnect = self.tracking.disconnected
            self._connections.append(connection)
        return connection

    def release(self, connection: C) -> None:
        """Takes a connection back. One that is not lent, or is another pool's, is left as it is."""
        if connection.lent is not self:
            return
        connection.lent = None
        if not self.owns_connection(connection):
            self.discard(connection)
            return
        if connection.should_reconnect():
            connection.disconnect()
        self._available_connections.append(connection)
        if self._waiting:
            with self._freed:
                self._freed.notify()

    def discard(self, connection: C) -> None:
        """Closes a connection that was lent, and forgets it."""
        connection.lent = None
        connection.disconnect()
        with self._freed:
            if connection in self._connections:
                self._connections.remove(connection)
            self._freed.notify()

    def owns_connection(self, connection: C) -> bool:
        """Whether a connection is this process's, and so of this pool."""
        return connection.pid == self.pid

    def hear(self, connection: Any) -> bool:
        """Reads the invalidations that an idle connection was sent. False for one that is in use: its user reads them."""
        try:
            self._available_connections.remove(connection)
        except ValueError:
            return False
        try:
            link = connection._link
            if link is not None:
                connection.hear()
        finally:
            self._available_connections.append(connection)
        return True

    # --- all of them ---

    @property
    def _created_connections(self) -> int:
        return len(self._connections)

    @property
    def _in_use_connections(self) -> set[C]:
        with self._lock:
            return {connection for connection in self._connections if connection.lent is self}

    def disconnect(self, inuse_connections: bool = True) -> None:
        """Closes all connections, or only the idle ones. They are made anew when they are next used."""
        with self._lock:
            closing: Iterable[C] = list(self._connections if inuse_connections else self._available_connections)
        for connection in closing:
            connection.disconnect()

    def close(self) -> None:
        """Closes all connections."""
        self.disconnect()

    def set_retry(self, retry: AbstractRetry) -> None:
        """Sets the attempts of all connections."""
        self.connection_kwargs["retry"] = retry
        with self._lock:
            for connection in self._connections:
                # It is mutable, and each connection's own.
                connection.retry = copy.deepcopy(retry)

    def get_encoder(self) -> Encoder:
        """The encoder of the pool's options."""
        return Encoder.of(self.connection_kwargs)

    def get_protocol(self) -> int | None:
        """The protocol that was asked for; None if none was."""
        return self.connection_kwargs.get("protocol")

    def get_connection_count(self) -> list[tuple[int, dict[str, str]]]:
        """How many connections are idle, and how many in use, with OpenTelemetry's attributes."""
        used = len(self._in_use_connections)
        name = {"db.client.connection.pool.name": repr(self)}
        idle = len(self._connections) - used
        return [
            (idle, {**name, "db.client.connection.state": "idle"}),
            (used, {**name, "db.client.connection.state": "used"}),
        ]

    def re_auth_callback(self, token: Any) -> None:
        """Has all connections authenticate with a new token: each when it is next lent, a client's own at its next call."""
        with self._lock:
            for connection in self._connections:
                connection.set_re_auth_token(token)


class BlockingConnectionPool(ConnectionPool[C]):
    """A pool whose callers wait, at most `timeout` seconds (None: for ever), while all connections are in use."""

    def __init__(
        self,
        max_connections: Any = 50,
        timeout: float | None = 20,
        connection_class: type[C] = Connection,  # type: ignore[assignment]
        queue_class: object = None,
        **connection_kwargs: Any,
    ) -> None:
        self.timeout = timeout
        super().__init__(connection_class, max_connections, **connection_kwargs)

    def next_connection(self) -> C:
        until = None if self.timeout is None else time.monotonic() + self.timeout
        with self._freed:
            # Counted before the last look: whoever gives one back after that look sees somebody wait.
            self._waiting += 1
            try:
                while True:
                    if self._available_connections:
                        return self._available_connections.pop()
                    if len(self._connections) < self.max_connections:
                        return self.make_connection()
                    left = None if until is None else until - time.monotonic()
                    if left is not None and left <= 0:
                        raise ConnectionError(none_free(self.max_connections, self.timeout))
                    self._freed.wait(left)
            finally:
                self._waiting -= 1


def none_free(connections: int, seconds: float | None) -> str:
    """The text of an error: a caller has waited in vain."""
    return f"all {connections} connections of the pool are in use, and none was given back within {seconds} seconds"


def weak_method(method: Callable[[Any], None]) -> Callable[[Any], None]:
    """A callable that does not keep the method's object alive, and does nothing once that is gone."""
    reference = weakref.WeakMethod(method)

    def call(argument: Any) -> None:
        alive = reference()
        if alive is not None:
            alive(argument)

    return call


def after_fork() -> None:
    """In a child: begins with empty pools. The connections themselves let go of the parent's sockets (`transport`)."""
    for pool in list(_alive):
        pool.reset()


os.register_at_fork(after_in_child=after_fork)
