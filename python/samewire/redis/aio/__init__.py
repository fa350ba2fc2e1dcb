"""redis for asyncio: one connection, pipelined by itself, under redis-py's names."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    BusyLoadingError,
    ChildDeadlockedError,
    ConnectionError,
    DataError,
    InvalidResponse,
    OutOfMemoryError,
    PubSubError,
    ReadOnlyError,
    RedisError,
    ResponseError,
    TimeoutError,
    WatchError,
)
from ..factories import loads
from ..pubsub.subscriptions import Subscription
from ..session.backoff import default_backoff
from .client import Client, Redis, StrictRedis
from .connection import BlockingConnectionPool, Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection

if TYPE_CHECKING:
    from .cluster import RedisCluster
    from .sentinel import Sentinel, SentinelConnectionPool, SentinelManagedConnection, SentinelManagedSSLConnection
else:

    def __getattr__(name: str) -> object:
        """Loads the clients of clusters and sentinels when they are first asked for."""
        if name == "RedisCluster":
            from . import cluster as module
        elif name.startswith("Sentinel") and name in __all__:
            from . import sentinel as module
        else:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        return getattr(module, name)


def _cluster_module() -> object:
    from . import cluster

    return cluster


def _sentinel_module() -> object:
    from . import sentinel

    return sentinel


loads("cluster", True, _cluster_module)
loads("sentinel", True, _sentinel_module)

__all__ = [
    "AuthenticationError",
    "AuthenticationWrongNumberOfArgsError",
    "BlockingConnectionPool",
    "BusyLoadingError",
    "ChildDeadlockedError",
    "Client",
    "Connection",
    "ConnectionError",
    "ConnectionPool",
    "DataError",
    "InvalidResponse",
    "OutOfMemoryError",
    "PubSubError",
    "ReadOnlyError",
    "Redis",
    "RedisCluster",
    "RedisError",
    "ResponseError",
    "SSLConnection",
    "Sentinel",
    "SentinelConnectionPool",
    "SentinelManagedConnection",
    "SentinelManagedSSLConnection",
    "StrictRedis",
    "Subscription",
    "TimeoutError",
    "UnixDomainSocketConnection",
    "WatchError",
    "default_backoff",
    "from_url",
]


def __dir__() -> list[str]:
    """Lists the names that are loaded later as well."""
    return sorted({*globals(), *__all__})


def from_url(url: str, **kwargs: Any) -> Client[Any]:
    """A client for redis://[user:password@]host[:port][/db], rediss://… (TLS) or unix:///path?db=…"""
    return Client.from_url(url, **kwargs)
