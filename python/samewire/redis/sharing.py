"""Which commands cannot go over a connection that all callers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from .exceptions import RedisError
from .routing import facts

#: Commands whose replies are pushes, endless or none: every later reply would go to another caller than its own.
OUT_OF_STEP = frozenset("SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC".split()) | {
    "CLIENT REPLY"
}

#: Commands that would change the connection for everybody, until it is made anew.
OF_ONE_CALLER = frozenset("MULTI EXEC DISCARD WATCH UNWATCH SELECT HELLO RESET".split())


def name_of(args: Sequence[Any]) -> str:
    """The full name of a command that may go over a shared connection. Raises RedisError for one that may not."""
    name = facts(args).name
    if name in OUT_OF_STEP or name in OF_ONE_CALLER:
        raise RedisError(
            f"{name} changes the connection, which all callers share: use pipeline(), transaction(), pubsub(), monitor() or the"
            " option db, or a client with a connection of its own: client.client()"
        )
    return name


def check_queued(args: Sequence[Any]) -> None:
    """Raises RedisError for a command that may not stand in a pipeline."""
    name = facts(args).name
    if name in OUT_OF_STEP or name in ("SELECT", "HELLO", "RESET"):
        raise RedisError(f"{name} changes the connection, which all callers share: it cannot be part of a pipeline")
