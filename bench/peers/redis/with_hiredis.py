"""hiredis, in C: `hiredis.c`."""

from __future__ import annotations

import functools
import re
from pathlib import Path

from bench.peers.redis import program
from bench.peers.redis.peer import CALLS, PIPELINES, UNIX, Row

HEADER = Path("/usr/include/hiredis/hiredis.h")


def _version() -> str:
    """As the header says it."""
    text = HEADER.read_text("utf-8") if HEADER.exists() else ""
    return ".".join(re.findall(r"#define HIREDIS_(?:MAJOR|MINOR|PATCH) (\d+)", text))


ROWS = {
    "hiredis": Row(
        _version(),
        "client",
        "RESP; its replies are trees in C",
        (*CALLS, *UNIX, *PIPELINES),
        functools.partial(program.task, "hiredis"),
        program.missing("hiredis"),
    )
}
