"""What pools are made of, and what they tell of themselves. Without I/O: blocking and asyncio pools share it."""

from __future__ import annotations

import copy
import weakref
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Generic, Self, TypeVar

from ..caching.cache import CacheConfigurationInterface, CacheFactory, CacheFactoryInterface, CacheInterface
from ..exceptions import RedisError
from ..observability import logger
from .breaker import CircuitBreaker, breaker_of
from .connecting import ConnectSteps
from .credentials import StreamingCredentialProvider
from .encoder import Encoder
from .options import parse_url, protocol_version

C = TypeVar("C", bound=ConnectSteps)

#: Options that `repr` does not show.
SECRET = frozenset({"password", "username", "ssl_password", "credential_provider"})

DEFAULT_MAX_CONNECTIONS = 100


class PoolOptions(Generic[C]):
    """Connections with the same options. Beyond `max_connections` in use at once it raises MaxConnectionsError.

    cache, cache_config: keep replies until the server says that they have changed (client-side caching; RESP3).
    breaker: while the server cannot be reached, one caller at a time tries it (`breaker.CircuitBreaker`, or the seconds after
    which it opens). None, the default, lets each caller try.

    A connection of an asyncio pool belongs to an event loop: each loop has connections of its own, and a shared one.
    Keywords that are not the pool's own are those of `connection_class`.
    """

    # What each kind has of its own.

    #: Classes of connections: by TCP, by TLS, and by a unix socket.
    _plain_class: Any
    _tls_class: Any
    _unix_class: Any
    #: Keywords of `from_url` that win over the URL's options.
    _over_url: frozenset[str] = frozenset()
    #: Forgets all connections, without closing those in use.
    reset: Callable[[], None]
    #: The connections that are idle, and those in use.
    _idle_and_used: Callable[[], tuple[Iterable[C], Iterable[C]]]
    #: Has all connections authenticate with a new token. Any thread may call it.
    _take_token: Callable[[Any], Any]

    def __init__(
        self,
        connection_class: type[C] | None = None,
        max_connections: Any = None,
        cache: CacheInterface | None = None,
        cache_config: CacheConfigurationInterface | None = None,
        cache_factory: CacheFactoryInterface | None = None,
        breaker: CircuitBreaker | float | None = None,
        **connection_kwargs: Any,
    ) -> None:
        max_connections = DEFAULT_MAX_CONNECTIONS if max_connections is None else max_connections
        if not isinstance(max_connections, int) or max_connections < 1:
            raise ValueError(f'"max_connections" must be a positive integer: it is {max_connections!r}')
        self.connection_class: type[C] = connection_class or self._plain_class
        self.connection_kwargs = connection_kwargs
        self.max_connections = max_connections
        self.breaker = breaker_of(breaker)
        if cache is not None and not isinstance(cache, CacheInterface):
            raise ValueError(f"Cache must implement CacheInterface: {cache!r} does not")
        if cache is None and cache_config is not None:
            cache = (cache_factory or CacheFactory(cache_config)).get_cache()
        if cache is not None and protocol_version(connection_kwargs.get("protocol")) != 3:
            raise RedisError("Client caching is only supported with RESP version 3: leave protocol out or make it 3")
        self.cache = cache
        self.reset()
        self._set_up()
        provider = connection_kwargs.get("credential_provider")
        if isinstance(provider, StreamingCredentialProvider):
            provider.on_next(told_to(self))
            provider.on_error(no_credentials)

    def _set_up(self) -> None:
        """What a kind adds to a pool when it is made."""

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A pool for a URL (`options.parse_url`), whose options win over the keywords; over a blocking pool's, except
        `connection_class`."""
        found = parse_url(url, cls._unix_class, cls._tls_class)
        return cls(**{**kwargs, **found, **{name: kwargs[name] for name in cls._over_url & kwargs.keys()}})

    def __repr__(self) -> str:
        shown = ",".join(f"{k}={'<REDACTED>' if k in SECRET else v}" for k, v in self.connection_kwargs.items())
        made = f"{self.connection_class.__module__}.{self.connection_class.__name__}"
        return f"<{type(self).__module__}.{type(self).__name__}(<{made}({shown})>)>"

    def set_retry(self, retry: Any) -> None:
        """Sets the attempts of all connections."""
        self.connection_kwargs["retry"] = retry
        for connections in self._idle_and_used():
            for connection in connections:
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
        name = {"db.client.connection.pool.name": repr(self)}
        return [
            (len(list(connections)), {**name, "db.client.connection.state": state})
            for connections, state in zip(self._idle_and_used(), ("idle", "used"), strict=True)
        ]


class BlockingPoolOptions:
    """A pool whose callers wait, at most `timeout` seconds (None: no limit), while all connections are in use."""

    def __init__(
        self,
        max_connections: Any = 50,
        timeout: float | None = 20,
        connection_class: type[Any] | None = None,
        queue_class: object = None,
        **connection_kwargs: Any,
    ) -> None:
        self.timeout = timeout
        super().__init__(connection_class, max_connections, **connection_kwargs)  # type: ignore[call-arg]


def none_free(connections: int, seconds: float | None) -> str:
    """The text of an error: a caller has waited in vain."""
    return f"all {connections} connections of the pool are in use, and none was given back within {seconds} seconds"


class Told:
    """What a provider may await that was told of a new token; nothing is left to be done."""

    def __await__(self) -> Iterator[Any]:
        return iter(())


def told_to(pool: PoolOptions[Any]) -> Callable[[Any], Told]:
    """What a provider calls with each new token, from any thread, and may await. It does not keep the pool alive."""
    reference = weakref.ref(pool)

    def take(token: Any) -> Told:
        alive = reference()
        if alive is not None:
            alive._take_token(token)
        return Told()

    return take


def no_credentials(error: Exception) -> Told:
    """What a provider calls when it has no new token."""
    logger.warning("no new credentials: %s", error)
    return Told()
