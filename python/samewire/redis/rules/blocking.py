"""How long a server may keep a client waiting that asked it to wait: a reply that comes later is late, not lost."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from ..session.options import DefaultSeconds

#: Commands that wait only with BLOCK, whose milliseconds come behind it.
WITH_BLOCK = frozenset({"XREAD", "XREADGROUP", "TS.READ"})

#: Commands that wait for what other clients do.
BLOCKING = WITH_BLOCK | frozenset("BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN WAIT WAITAOF".split())

#: Those whose time comes first, and those whose time is in milliseconds and comes last. The others' comes last, in seconds.
FIRST = frozenset({"BLMPOP", "BZMPOP"})
MILLISECONDS = frozenset({"WAIT", "WAITAOF"})


def reply_within(waits: float | None, socket_timeout: float | None) -> float | None:
    """Seconds within which a reply must come; None for no limit.

    waits: what `server_waits` says. A `socket_timeout` that was asked for bounds commands that wait without a limit as well, as in
        redis-py. The default does not: an empty queue is not a fault of the connection.
    """
    if socket_timeout is None or (waits is None and isinstance(socket_timeout, DefaultSeconds)):
        return None
    return socket_timeout if waits is None else waits + socket_timeout


def server_waits(name: str, args: Sequence[Any]) -> float | None:
    """Seconds that the server may wait for a command; 0 if it does not, None for no limit.

    name: one of BLOCKING, in upper case.
    """
    try:
        if name in WITH_BLOCK:
            for place, word in enumerate(args):
                if isinstance(word, str | bytes) and word.upper() in ("BLOCK", b"BLOCK"):
                    return float(args[place + 1]) / 1000 or None
                if isinstance(word, str | bytes) and word.upper() in ("STREAMS", b"STREAMS"):
                    break
            return 0.0
        seconds = float(args[1] if name in FIRST else args[-1])
        return (seconds / 1000 if name in MILLISECONDS else seconds) or None
    except (ValueError, TypeError, IndexError):
        # The server refuses it.
        return 0.0


def all_wait(commands: Iterable[Sequence[bytes]]) -> float | None:
    """Seconds that the server may wait for all of some encoded commands, one after the other; None for no limit."""
    seconds = 0.0
    for words in commands:
        name = words[0].decode("ascii", "replace").upper()
        waits = server_waits(name, words) if name in BLOCKING else 0.0
        if waits is None:
            return None
        seconds += waits
    return seconds
