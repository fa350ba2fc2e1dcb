"""What no reader can beat: the texts made of bytes that are at hand, without reading what stands between them."""

from __future__ import annotations

from bench.peers.redis import parsing
from bench.peers.redis.peer import PARSE, Row, Task
from bench.peers.redis.server import ITEM, LISTS, Server


def start(workload: str, server: Server) -> Task:
    """One decoding and one split."""
    return parsing.task(Split())


class Split:
    """Takes the reply, and splits a text that it has."""

    def __init__(self) -> None:
        self._items = b" ".join([ITEM.encode()] * LISTS[-1])

    def feed(self, data: bytes) -> None:
        """Leaves it aside."""

    def gets(self) -> list[str]:
        """The items."""
        return self._items.decode().split(" ")


ROWS = {"split": Row("bytes.decode().split()", "limit", "nothing", (PARSE,), start)}
