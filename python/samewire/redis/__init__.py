"""redis: a client of Redis and Valkey with redis-py's names, typed values, and the protocol's reader (spec/redis.md).

>>> from samewire.redis import Client
>>> client = Client(host="localhost", port=6379)                                     # doctest: +SKIP
>>> client.set("key", "value"), client.get("key")                                    # doctest: +SKIP
(True, b'value')

`samewire.redis.aio` is the same for asyncio. `store`, `typed_hash`, `typed_list`, `typed_stream` and `typed_channel` of a
client are for typed values.

>>> from samewire.redis import Reader
>>> reader = Reader(encoding="utf-8")
>>> reader.feed(b"*2\\r\\n$5\\r\\nhel")
>>> reader.gets()
False
>>> reader.feed(b"lo\\r\\n:42\\r\\n")
>>> reader.gets()
['hello', 42]
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .exceptions import (
    AuthenticationError,
    AuthenticationWrongNumberOfArgsError,
    BusyLoadingError,
    ChildDeadlockedError,
    ConnectionError,
    CrossSlotTransactionError,
    DataError,
    InvalidPipelineStack,
    InvalidResponse,
    MaxConnectionsError,
    OutOfMemoryError,
    PubSubError,
    ReadOnlyError,
    RedisClusterException,
    RedisError,
    ResponseError,
    TimeoutError,
    WatchError,
)
from .factories import loads
from .pubsub.subscriptions import Subscription
from .reader import HiredisError, ProtocolError, PushNotification, Reader, ReplyError, install_as_hiredis, pack_command
from .session.backoff import default_backoff
from .session.credentials import CredentialProvider, UsernamePasswordCredentialProvider
from .session.driver_info import DriverInfo
from .sync.client import Client, Redis, StrictRedis
from .sync.pool import BlockingConnectionPool, ConnectionPool
from .sync.transport import Connection, SSLConnection, UnixDomainSocketConnection

if TYPE_CHECKING:
    from . import aio, asyncio, cluster, sentinel
    from . import backoff as backoff
    from . import breaker as breaker
    from . import cache as cache
    from . import client as client
    from . import connection as connection
    from . import crc as crc
    from . import credentials as credentials
    from . import driver_info as driver_info
    from . import retry as retry
    from .redis_py.as_redis import install_as_redis
    from .sync.cluster import RedisCluster
    from .sync.sentinel import Sentinel, SentinelConnectionPool, SentinelManagedConnection, SentinelManagedSSLConnection
    from .typed.deletion import DELETE
else:
    #: Modules that programs import, and that nothing here does.
    _MODULES = frozenset(
        "aio asyncio backoff breaker cache client cluster connection crc credentials driver_info retry sentinel".split()
    )
    _NAMES = {
        "DELETE": "typed.deletion",
        "RedisCluster": "sync.cluster",
        "Sentinel": "sync.sentinel",
        "SentinelConnectionPool": "sync.sentinel",
        "SentinelManagedConnection": "sync.sentinel",
        "SentinelManagedSSLConnection": "sync.sentinel",
        "install_as_redis": "redis_py.as_redis",
    }

    def __getattr__(name: str) -> object:
        """Loads what not every program needs when it is first asked for: asyncio's client, those of clusters and sentinels."""
        if name not in _MODULES and name not in _NAMES:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        if name in _MODULES:
            return import_module(f".{name}", __name__)
        return getattr(import_module(f".{_NAMES[name]}", __name__), name)


def from_url(url: str, **kwargs: Any) -> Client[Any]:
    """A client for a URL, as `Redis.from_url` makes it."""
    return Client.from_url(url, **kwargs)


def _cluster_module() -> object:
    from .sync import cluster

    return cluster


def _sentinel_module() -> object:
    from .sync import sentinel

    return sentinel


loads("cluster", False, _cluster_module)
loads("sentinel", False, _sentinel_module)

__all__ = [
    "DELETE",
    "AuthenticationError",
    "AuthenticationWrongNumberOfArgsError",
    "BlockingConnectionPool",
    "BusyLoadingError",
    "ChildDeadlockedError",
    "Client",
    "Connection",
    "ConnectionError",
    "ConnectionPool",
    "CredentialProvider",
    "CrossSlotTransactionError",
    "DataError",
    "DriverInfo",
    "HiredisError",
    "InvalidPipelineStack",
    "InvalidResponse",
    "MaxConnectionsError",
    "OutOfMemoryError",
    "ProtocolError",
    "PubSubError",
    "PushNotification",
    "ReadOnlyError",
    "Reader",
    "Redis",
    "RedisCluster",
    "RedisClusterException",
    "RedisError",
    "ReplyError",
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
    "UsernamePasswordCredentialProvider",
    "WatchError",
    "aio",
    "asyncio",
    "cluster",
    "default_backoff",
    "from_url",
    "install_as_hiredis",
    "install_as_redis",
    "pack_command",
    "sentinel",
]


def __dir__() -> list[str]:
    """Lists the names that are loaded later as well."""
    return sorted({*globals(), *__all__})
