"""redis for asyncio: one connection, pipelined by itself, under redis-py's names."""

from __future__ import annotations

from typing import Any

from ..subscriptions import Subscription
from .client import Client, Redis, StrictRedis
from .connection import BlockingConnectionPool, Connection, ConnectionPool, SSLConnection, UnixDomainSocketConnection

__all__ = [
    "BlockingConnectionPool",
    "Client",
    "Connection",
    "ConnectionPool",
    "Redis",
    "SSLConnection",
    "StrictRedis",
    "Subscription",
    "UnixDomainSocketConnection",
    "from_url",
]


def from_url(url: str, **kwargs: Any) -> Client[Any]:
    """A client for redis://[user:password@]host[:port][/db], rediss://… (TLS) or unix:///path?db=…"""
    return Client.from_url(url, **kwargs)
