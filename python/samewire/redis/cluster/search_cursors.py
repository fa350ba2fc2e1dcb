"""Which node made the cursor of a search: no other node knows it. Without I/O."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic, TypeVar

from ..commands.replies.texts import named, text
from ..exceptions import RedisClusterException
from .placement import name_of
from .topology import Node

N = TypeVar("N", bound=Node)

#: Cursors that a client remembers. Servers drop those that nobody reads, and do not tell: the oldest are forgotten.
MOST = 10_000

#: Commands whose replies may have cursors.
MAKERS = frozenset({"FT.AGGREGATE", "FT.CURSOR", "FT.HYBRID"})


class SearchCursors(Generic[N]):
    """The nodes of the cursors that replies have named, by the index and the cursor's number."""

    def __init__(self) -> None:
        self._nodes: dict[tuple[str, int], N] = {}

    def __len__(self) -> int:
        return len(self._nodes)

    def node_of(self, args: Sequence[Any], known: Callable[[str], bool]) -> N | None:
        """The node that a command must go to since it reads or deletes a cursor; None for others, and for a cursor of which
        no reply told.

        known: whether the cluster has a node of this name. Raises RedisClusterException if it has the cursor's no more.
        """
        if name_of(args) != "FT.CURSOR" or (key := _key(args)) is None:
            return None
        node = self._nodes.get(key)
        if node is not None and not known(node.name):
            raise RedisClusterException(
                f"cursor {key[1]} of index {key[0]!r} was made by {node.name}, which is not in the cluster any more: run the query again"
            )
        return node

    def watched(self, args: Sequence[Any], convert: Any, node: Callable[[], N | None]) -> Any:
        """The conversion of a reply that may have cursors. It remembers them before it converts."""

        def converted(reply: Any) -> Any:
            made_by = node()
            if made_by is not None:
                self._replied(args, reply, made_by)
            return convert(reply) if callable(convert) else reply

        return converted

    def _replied(self, args: Sequence[Any], reply: Any, node: N) -> None:
        if name_of(args) == "FT.CURSOR":
            # Behind the last row, and once deleted, it is no more.
            self._nodes.pop(_key(args) or ("", 0), None)
            index = args[2]
        else:
            index = args[1]
        for number in _numbers(reply):
            self._nodes[_name(index), number] = node
        while len(self._nodes) > MOST:
            self._nodes.pop(next(iter(self._nodes)), None)


def _name(index: Any) -> str:
    return str(text(bytes(index) if isinstance(index, memoryview | bytearray) else index))


def _key(args: Sequence[Any]) -> tuple[str, int] | None:
    """The index and the number of the cursor that a command names. None if it names none."""
    try:
        return _name(args[2]), int(args[3])
    except (IndexError, TypeError, ValueError):
        return None


def _numbers(reply: Any) -> list[int]:
    """The cursors that a reply names: FT.AGGREGATE's and FT.CURSOR's behind the rows, or FT.HYBRID's two."""
    if isinstance(reply, list) and len(reply) == 2 and isinstance(reply[0], list | dict) and isinstance(reply[1], int):
        found: list[Any] = [reply[1]]
    elif isinstance(reply, dict) or (isinstance(reply, list) and len(reply) % 2 == 0):
        try:
            said = named(reply)
        except TypeError:
            return []
        found = [said.get("SEARCH"), said.get("VSIM")]
    else:
        return []
    return [number for number in found if type(number) is int and number]
