"""How long a server may keep a client waiting that asked it to wait: a reply that comes later is late, not lost."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

#: Commands that wait for what other clients do; XREAD and XREADGROUP only with BLOCK.
BLOCKING = frozenset("BLMOVE BLMPOP BLPOP BRPOP BRPOPLPUSH BZMPOP BZPOPMAX BZPOPMIN WAIT WAITAOF XREAD XREADGROUP".split())

#: Those whose time comes first, and those whose time is in milliseconds and comes last. The others' comes last, in seconds.
FIRST = frozenset({"BLMPOP", "BZMPOP"})
MILLISECONDS = frozenset({"WAIT", "WAITAOF"})


def server_waits(name: str, args: Sequence[Any]) -> float | None:
    """Seconds that the server may wait for a command; 0 if it does not, None for ever.

    name: one of BLOCKING, in upper case.
    """
    try:
        if name.startswith("X"):
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
