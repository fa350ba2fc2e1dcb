"""The parse of one LRANGE reply of 600 items to a list of texts, without a socket."""

from __future__ import annotations

from itertools import repeat
from typing import Any

from bench.peers.redis.peer import Task, Window, WrongReply
from bench.peers.redis.server import ITEM, LISTS
from bench.peers.redis.tasks import Measured

ITEMS = LISTS[-1]
REPLY = b"*%d\r\n" % ITEMS + b"$%d\r\n%s\r\n" % (len(ITEM), ITEM.encode()) * ITEMS


def task(reader: Any) -> Task:
    """A reader with `feed` and `gets`, as hiredis-py has them."""
    feed, gets = reader.feed, reader.gets
    feed(REPLY)
    if gets() != [ITEM] * ITEMS:
        raise WrongReply("it is not a list of texts")

    def window(count: int) -> Window:
        runs = repeat(None, count)
        measured = Measured()
        for _ in runs:
            feed(REPLY)
            gets()
        return measured.end(count)

    return Task(window, lambda: None)
