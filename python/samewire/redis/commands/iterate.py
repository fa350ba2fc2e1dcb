"""Iterators over keys and over the elements of one key: SCAN and its kin."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Any, Generic

from samewire.redis.typing import KeyT, PatternT, ScoreCast, Text


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
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = self.scan(cursor=cursor, match=match, count=count, _type=_type, **kwargs)
            yield from found

    def sscan_iter(self, name: KeyT, match: PatternT | None = None, count: int | None = None) -> Iterator[Text]:
        """Members of a set."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = self.sscan(name, cursor=cursor, match=match, count=count)
            yield from found

    def hscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, no_values: bool | None = None
    ) -> Iterator[Any]:
        """Fields of a hash with their values, as tuples; the fields alone with `no_values`."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = self.hscan(name, cursor=cursor, match=match, count=count, no_values=no_values)
            yield from found if no_values else found.items()

    def zscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, score_cast_func: ScoreCast = float
    ) -> Iterator[tuple[Text, Any]]:
        """Members of a sorted set with their scores."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = self.zscan(name, cursor=cursor, match=match, count=count, score_cast_func=score_cast_func)
            yield from found


class AsyncIterators(Generic[Text]):
    """The same for asyncio."""

    scan: Any
    sscan: Any
    hscan: Any
    zscan: Any

    async def scan_iter(
        self, match: PatternT | None = None, count: int | None = None, _type: str | None = None, **kwargs: Any
    ) -> AsyncIterator[Text]:
        """Keys. match: a glob; count: about how many are asked for at once; _type: of this type only."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = await self.scan(cursor=cursor, match=match, count=count, _type=_type, **kwargs)
            for item in found:
                yield item

    async def sscan_iter(self, name: KeyT, match: PatternT | None = None, count: int | None = None) -> AsyncIterator[Text]:
        """Members of a set."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = await self.sscan(name, cursor=cursor, match=match, count=count)
            for item in found:
                yield item

    async def hscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, no_values: bool | None = None
    ) -> AsyncIterator[Any]:
        """Fields of a hash with their values, as tuples; the fields alone with `no_values`."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = await self.hscan(name, cursor=cursor, match=match, count=count, no_values=no_values)
            for item in found if no_values else found.items():
                yield item

    async def zscan_iter(
        self, name: KeyT, match: PatternT | None = None, count: int | None = None, score_cast_func: ScoreCast = float
    ) -> AsyncIterator[tuple[Text, Any]]:
        """Members of a sorted set with their scores."""
        cursor: Any = "0"
        while cursor != 0:
            cursor, found = await self.zscan(name, cursor=cursor, match=match, count=count, score_cast_func=score_cast_func)
            for item in found:
                yield item
