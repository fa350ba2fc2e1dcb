"""The dialect of a client."""

from __future__ import annotations

from typing import Any

from .text import TextDialect


def settled_dialect_of(gateway_client: Any) -> Any:
    """Returns the dialect of a client, after negotiating it with the server."""
    try:
        settle = gateway_client.settle
    except AttributeError:
        return dialect_of(gateway_client)
    return settle()


def dialect_of(gateway_client: Any) -> Any:
    """Returns the dialect of a client: text for a foreign client that only has `send_command`."""
    try:
        return gateway_client.dialect
    except AttributeError:
        return TextDialect(gateway_client)
