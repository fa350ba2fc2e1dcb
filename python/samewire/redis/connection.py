"""Connections and pools of blocking callers, under the module name that redis-py has for them."""

from __future__ import annotations

from typing import Any

from .session import options
from .session.options import URL_QUERY_ARGUMENT_PARSERS, to_bool
from .sync.pool import BlockingConnectionPool, ConnectionPool
from .sync.transport import AbstractConnection, Connection, SSLConnection, UnixDomainSocketConnection

__all__ = [
    "URL_QUERY_ARGUMENT_PARSERS",
    "AbstractConnection",
    "BlockingConnectionPool",
    "Connection",
    "ConnectionPool",
    "SSLConnection",
    "UnixDomainSocketConnection",
    "parse_url",
    "to_bool",
]


def parse_url(url: str) -> dict[str, Any]:
    """The keywords of a URL for a pool."""
    return options.parse_url(url, UnixDomainSocketConnection, SSLConnection)
