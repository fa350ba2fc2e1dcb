"""Iterators over keys and over the elements of one key: SCAN and its kin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Generic

from samewire.redis.typing import KeyT, PatternT, ScoreCast, Text

Batch = tuple[Any, Any]


def batches(scan: Callable[..., Batch], *args: Any, **options: Any) -> Iterator[Any]:
    """What `scan` finds, batch by batch, from cursor 0 until the server says 0 again."""
    cursor, found = scan(*args, cursor=0, **options)
    yield found
    while cursor != 0:
        cursor, found = scan(*args, cursor=cursor, **options)
        yield found


async def async_batches(scan: Callable[..., Awaitable[Batch]], *args: Any, **options: Any) -> AsyncIterator[Any]:
    """What `scan` finds, batch by batch, for asyncio."""
    cursor, found = await scan(*args, cursor=0, **options)
    yield found
    while cursor != 0:
        cursor, found = await scan(*args, cursor=cursor, **options)
        yield found


class Iterators(Generic[Text]):
    """Iterators that ask for the next batch when the one before is used up.

    An element that is there all the time comes at least once; it may come twice.
    """

    scan: Any
    sscan: Any
    hscan: Any
    zscan: Any

    def scan_iter(
        self, match: PatternT | None = None, count: int | None = None, _type: str | None = None, **kwargs: Any
    ) -> Iterator[Text]:
        """Keys. match: a glob; count: about how many are asked for at once; _type: of this type only."""
        for found in batches(self.scan, match=match, count=count, _type=_type, **kwargs):
            yield from found

    def sscan_iter(self, name: KeyT, match: PatternT | None = None, count: int | None = None) -> Iterator[Text]:
        """Members of a set."""
        for found in batches(self.sscan, name, match=match, count=count):
            yield from found

    def hscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, no_values: bool | None = None
    ) -> Iterator[Any]:
        """Fields of a hash with their values, as tuples; the fields alone with `no_values`."""
        for found in batches(self.hscan, name, match=match, count=count, no_values=no_values):
            yield from found if no_values else found.items()

    def zscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, score_cast_func: ScoreCast = float
    ) -> Iterator[tuple[Text, Any]]:
        """Members of a sorted set with their scores."""
        for found in batches(self.zscan, name, match=match, count=count, score_cast_func=score_cast_func):
            yield from found


class AsyncIterators(Generic[Text]):
    """Iterators for asyncio that ask for the next batch when the one before is used up."""

    scan: Any
    sscan: Any
    hscan: Any
    zscan: Any

    async def scan_iter(
        self, match: PatternT | None = None, count: int | None = None, _type: str | None = None, **kwargs: Any
    ) -> AsyncIterator[Text]:
        """Keys. match: a glob; count: about how many are asked for at once; _type: of this type only."""
        async for found in async_batches(self.scan, match=match, count=count, _type=_type, **kwargs):
            for item in found:
                yield item

    async def sscan_iter(self, name: KeyT, match: PatternT | None = None, count: int | None = None) -> AsyncIterator[Text]:
        """Members of a set."""
        async for found in async_batches(self.sscan, name, match=match, count=count):
            for item in found:
                yield item

    async def hscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, no_values: bool | None = None
    ) -> AsyncIterator[Any]:
        """Fields of a hash with their values, as tuples; the fields alone with `no_values`."""
        async for found in async_batches(self.hscan, name, match=match, count=count, no_values=no_values):
            for item in found if no_values else found.items():
                yield item

    async def zscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, score_cast_func: ScoreCast = float
    ) -> AsyncIterator[tuple[Text, Any]]:
        """Members of a sorted set with their scores."""
        async for found in async_batches(self.zscan, name, match=match, count=count, score_cast_func=score_cast_func):
            for item in found:
                yield item
