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
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

from ..breaker import CircuitBreaker, breaker_of
from ..cache import CacheConfigurationInterface, CacheFactory, CacheInterface
from ..credentials import StreamingCredentialProvider
from ..encoder import Encoder
from ..exceptions import ConnectionError, MaxConnectionsError, RedisError
from ..observability import logger
from ..options import parse_url, protocol_version
from ..pool import DEFAULT_MAX_CONNECTIONS, SECRET, none_free
from .retry import Retry
from .shared import Shared
from .transport import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

C = TypeVar("C", bound=AbstractConnection)


class ConnectionPool(Generic[C]):
    """Connections with the same options. Beyond `max_connections` lent at once it raises MaxConnectionsError.

    A connection belongs to an event loop: each loop has connections of its own, and a shared one.
    Keywords that are not the pool's own are those of `connection_class`.

    cache, cache_config: keep replies until the server says that they have changed (client-side caching; RESP3).
    breaker: while the server cannot be reached, one caller at a time tries it (`breaker.CircuitBreaker`, or the seconds after
    which it opens). None, the default, lets each caller try.
    """

    def __init__(
        self,
        connection_class: type[C] = Connection,  # type: ignore[assignment]
        max_connections: int | None = None,
        *,
        cache: CacheInterface | None = None,
        cache_config: CacheConfigurationInterface | None = None,
        breaker: CircuitBreaker | float | None = None,
        **connection_kwargs: Any,
    ) -> None:
        most: Any = DEFAULT_MAX_CONNECTIONS if max_connections is None else max_connections
        if not isinstance(most, int) or most < 1:
            raise ValueError('"max_connections" must be a positive integer')
        self.connection_class = connection_class
        self.connection_kwargs = connection_kwargs
        self.max_connections = most
        self.breaker = breaker_of(breaker)
        if cache is not None and not isinstance(cache, CacheInterface):
            raise ValueError(f"cache={cache!r}: expected a CacheInterface")
        if cache is None and cache_config is not None:
            cache = CacheFactory(cache_config).get_cache()
        if cache is not None and protocol_version(connection_kwargs.get("protocol")) != 3:
            raise RedisError("client-side caching needs RESP3: leave protocol out or make it 3")
        self.cache = cache
        self.reset()
        provider = connection_kwargs.get("credential_provider")
        if isinstance(provider, StreamingCredentialProvider):
            provider.on_next(told_to(self))
            provider.on_error(no_credentials)

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A pool for a URL (`options.parse_url`), whose options win over the keywords."""
        return cls(**{**kwargs, **parse_url(url, UnixDomainSocketConnection, SSLConnection)})

    def __repr__(self) -> str:
        shown = ",".join(f"{k}={'<REDACTED>' if k in SECRET else v}" for k, v in self.connection_kwargs.items())
        made = f"{self.connection_class.__module__}.{self.connection_class.__name__}"
        return f"<{type(self).__module__}.{type(self).__name__}(<{made}({shown})>)>"

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

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
        """The same, without waiting."""
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
        """Has the connections that are lent made anew after their use."""
        for connection in self._in_use_connections:
            connection.mark_for_reconnect()

    def set_retry(self, retry: Retry) -> None:
        """Sets the attempts of all connections."""
        self.connection_kwargs["retry"] = retry
        everyone: Iterable[C] = (*self._available_connections, *self._in_use_connections)
        # It is mutable, and each connection's own.
        for connection in everyone:
            connection.retry = copy.deepcopy(retry)
        for shared in self._shared.values():
            shared.retry = copy.deepcopy(retry)

    def get_encoder(self) -> Encoder:
        """The encoder of the pool's options."""
        return Encoder.of(self.connection_kwargs)

    def get_protocol(self) -> int | None:
        """The protocol that was asked for; None if none was."""
        return self.connection_kwargs.get("protocol")

    def get_connection_count(self) -> list[tuple[int, dict[str, str]]]:
        """How many connections are idle, and how many in use, with OpenTelemetry's attributes."""
        name = {"db.client.connection.pool.name": repr(self)}
        return [
            (len(self._available_connections), {**name, "db.client.connection.state": "idle"}),
            (len(self._in_use_connections), {**name, "db.client.connection.state": "used"}),
        ]

    async def re_auth_callback(self, token: Any) -> None:
        """Authenticates all connections with a new token: idle ones and the shared one now, those in use after their use."""
        self.take_token(token)
        for connection in tuple(self._available_connections):
            if connection.is_connected and connection.loop is asyncio.get_running_loop():
                await connection.re_auth()

    def take_token(self, token: Any) -> None:
        """Has all connections authenticate with a new token: the shared ones now, others before their next use. Any thread may
        call it."""
        for connection in (*self._available_connections, *self._in_use_connections):
            connection.set_re_auth_token(token)
        for shared in tuple(self._shared.values()):
            shared.re_auth(token)


class BlockingConnectionPool(ConnectionPool[C]):
    """A pool whose callers wait, at most `timeout` seconds (None: for ever), while all connections are lent."""

    def __init__(
        self,
        max_connections: int = 50,
        timeout: float | None = 20,
        connection_class: type[C] = Connection,  # type: ignore[assignment]
        queue_class: object = None,
        **connection_kwargs: Any,
    ) -> None:
        self.timeout = timeout
        super().__init__(connection_class, max_connections, **connection_kwargs)

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
            raise ConnectionError(none_free(self.max_connections, self.timeout)) from None
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


class Told:
    """What a provider may await that was told of a new token; nothing is left to be done."""

    def __await__(self) -> Iterator[Any]:
        return iter(())


def told_to(pool: ConnectionPool[Any]) -> Callable[[Any], Told]:
    """What a provider calls with each new token, from any thread, and may await. It does not keep the pool alive."""
    reference = weakref.ref(pool)

    def take(token: Any) -> Told:
        alive = reference()
        if alive is not None:
            alive.take_token(token)
        return Told()

    return take


def no_credentials(error: Exception) -> Told:
    """What a provider calls when it has no new token."""
    logger.warning("no new credentials: %s", error)
    return Told()


def _done(freed: asyncio.Future[None]) -> None:
    if not freed.done():
        freed.set_result(None)
