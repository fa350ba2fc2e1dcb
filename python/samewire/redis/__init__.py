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

from typing import TYPE_CHECKING

from .arguments import from_url
from .as_redis import install_as_redis
from .backoff import default_backoff
from .client import Client, Redis, StrictRedis
from .connection import BlockingConnectionPool, Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection
from .credentials import CredentialProvider, UsernamePasswordCredentialProvider
from .driver_info import DriverInfo
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
from .reader import HiredisError, ProtocolError, PushNotification, Reader, ReplyError, install_as_hiredis, pack_command
from .subscriptions import Subscription
from .typed.deletion import DELETE

if TYPE_CHECKING:
    from . import aio, asyncio, cluster, sentinel
    from .cluster import RedisCluster
    from .sentinel import Sentinel, SentinelConnectionPool, SentinelManagedConnection, SentinelManagedSSLConnection
else:
    _LATER = {
        "aio": ("aio", None),
        "asyncio": ("asyncio", None),
        "cluster": ("cluster", None),
        "RedisCluster": ("cluster", "RedisCluster"),
        "sentinel": ("sentinel", None),
        "Sentinel": ("sentinel", "Sentinel"),
        "SentinelConnectionPool": ("sentinel", "SentinelConnectionPool"),
        "SentinelManagedConnection": ("sentinel", "SentinelManagedConnection"),
        "SentinelManagedSSLConnection": ("sentinel", "SentinelManagedSSLConnection"),
    }

    def __getattr__(name: str) -> object:
        """Loads the asyncio client and the clients of clusters and sentinels when they are first asked for."""
        if name not in _LATER:
            raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
        from importlib import import_module

        module, inside = _LATER[name]
        found = import_module(f".{module}", __name__)
        return found if inside is None else getattr(found, inside)


def _cluster_module() -> object:
    from . import cluster

    return cluster


def _sentinel_module() -> object:
    from . import sentinel

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
