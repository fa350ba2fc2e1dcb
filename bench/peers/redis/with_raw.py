"""The limit: a loop in C that writes ready bytes and counts those of the replies."""

from __future__ import annotations

import functools

from bench.peers.redis import program
from bench.peers.redis.peer import CALLERS, CALLS, PIPELINES, UNIX, Row

ROWS = {
    "raw": Row(
        "ready bytes, by a loop in C",
        "limit",
        "how many bytes a reply has",
        (*CALLS, *UNIX, *PIPELINES, CALLERS),
        functools.partial(program.task, "raw"),
        program.missing("raw"),
    )
}
