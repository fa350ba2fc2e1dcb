"""Methods on arrays that are written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samewire.redis.commands.choices import ArrayAggregateOperations, ArrayPredicateCombinator, ArrayPredicateType
from samewire.redis.commands.executes import Executes
from samewire.redis.typing import EncodableT, KeyT


def ardelrange(self: Executes, name: KeyT, *ranges: tuple[int, int]) -> Any:
    """Deletes the elements of ranges, each with both of its ends (ARDELRANGE of Redis 8.8)."""
    return self.execute_command("ARDELRANGE", name, *(bound for first, last in ranges for bound in (first, last)))


def argrep(
    self: Executes,
    name: KeyT,
    start: int | str,
    end: int | str,
    predicates: Sequence[tuple[ArrayPredicateType, EncodableT]],
    combinator: ArrayPredicateCombinator | None = None,
    limit: int | None = None,
    withvalues: bool = False,
    nocase: bool = False,
) -> Any:
    """Returns the indices of elements that match predicates, each a kind and a pattern (ARGREP of Redis 8.8)."""
    pieces: list[Any] = ["ARGREP", name, start, end]
    for kind, pattern in predicates:
        pieces += (kind.value, pattern)
    if combinator is not None:
        pieces.append(combinator.value)
    if limit is not None:
        pieces += ("LIMIT", limit)
    if withvalues:
        pieces.append("WITHVALUES")
    if nocase:
        pieces.append("NOCASE")
    return self.execute_command(*pieces)


def arop(
    self: Executes,
    name: KeyT,
    start: int,
    end: int,
    operation: ArrayAggregateOperations,
    value: EncodableT | None = None,
) -> Any:
    """Returns an aggregate of the elements of a range (AROP of Redis 8.8). value: what MATCH compares them with."""
    pieces: list[Any] = ["AROP", name, start, end, operation.value]
    if value is not None:
        pieces.append(value)
    return self.execute_command(*pieces)
