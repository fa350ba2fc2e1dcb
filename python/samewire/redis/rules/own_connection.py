"""Which commands cannot go over a connection that all callers share."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..exceptions import DataError, RedisError
from .routing import facts

#: Commands whose replies are pushes, endless or none: every later reply would go to another caller than its own.
OUT_OF_STEP = frozenset("SUBSCRIBE PSUBSCRIBE SSUBSCRIBE UNSUBSCRIBE PUNSUBSCRIBE SUNSUBSCRIBE MONITOR SYNC PSYNC".split()) | {
    "CLIENT REPLY"
}

#: Commands that would change the connection for everybody, until it is made anew.
OF_ONE_CALLER = frozenset("MULTI EXEC DISCARD WATCH UNWATCH SELECT HELLO RESET".split())


#: Names, or first words of names, of all those, for callers that look at the name alone.
SUSPECT = OUT_OF_STEP | OF_ONE_CALLER | {"CLIENT", "AUTH", "READONLY", "READWRITE", "ASKING"}

#: Commands that change a connection which one caller has for the moment: others must not get it so.
CHANGING = OF_ONE_CALLER | {"AUTH", "READONLY", "READWRITE", "ASKING", "CLIENT SETNAME", "CLIENT TRACKING", "CLIENT NO-EVICT"}


def words_of(args: Sequence[Any]) -> Sequence[Any]:
    """A command with the words of its name apart, as they are sent. Raises DataError for a name without any."""
    name: Any = args[0] if args else ""
    if isinstance(name, bytearray | memoryview):
        name = bytes(name)
    if not isinstance(name, str | bytes):
        return args
    blank: Any = " " if isinstance(name, str) else b" "
    words = [word for word in name.split(blank) if word]
    if not words:
        raise DataError(f"a command's name is {name!r}: expected a word")
    return args if len(words) == 1 and words[0] == name else (*words, *args[1:])


def changes_lent(args: Sequence[Any]) -> bool:
    """Whether a command changes a connection of a pool. Raises RedisError for one whose reply could not be read."""
    name = facts(words_of(args)).name
    if name in OUT_OF_STEP:
        raise RedisError(f"{name} has no reply of its own: use pubsub() or monitor(), or send_command() of a connection")
    return name in CHANGING


def name_of(args: Sequence[Any]) -> str:
    """The full name of a command that may go over a shared connection. Raises RedisError for one that may not."""
    name = facts(words_of(args)).name
    if name in OUT_OF_STEP or name in OF_ONE_CALLER:
        raise RedisError(
            f"{name} changes the connection, which all callers share: use pipeline(), transaction(), pubsub(), monitor() or the"
            " option db, or a client with a connection of its own: client.client()"
        )
    return name


def check_queued(args: Sequence[Any]) -> None:
    """Raises RedisError for a command that may not stand in a pipeline."""
    name = facts(words_of(args)).name
    if name in OUT_OF_STEP or name in OF_ONE_CALLER:
        raise RedisError(f"{name} changes the connection, which all callers share: it cannot be part of a pipeline")
