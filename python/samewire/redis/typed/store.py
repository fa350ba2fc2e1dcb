"""Values of one type, each under a key of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from datetime import timedelta
from itertools import islice
from typing import TypeVar, overload

from . import swap
from .deletion import Deletion
from .names import Name
from .steps import OnAsyncClient, OnClient, run, run_async
from .store_steps import StoreSteps

T = TypeVar("T")
D = TypeVar("D")

#: Names that `items` gathers before it reads their values.
ITEMS = 1000
#: Keys that the server looks at in one call of a scan. Its own default, 10, makes round trips of most of the time.
SCANNED = 500


class Store(StoreSteps[T], OnClient):
    __doc__ = StoreSteps.__doc__

    @overload
    def get(self, name: Name, default: None = None) -> T | None: ...
    @overload
    def get(self, name: Name, default: D) -> T | D: ...
    def get(self, name: Name, default: object = None) -> object:
        """Returns the value, or `default` if there is none."""
        return run(self._client, self._get(name, default))

    def update(self, name: Name, change: Callable[[T | None], T | Deletion], *, ttl: float | timedelta | None = None) -> T | None:
        """Replaces a value by what `change` makes of it, and returns that; None if it was deleted. No other writer's value is lost.

        change: is given the value, or None if there is none; what it returns is stored, `samewire.redis.DELETE` deletes. It is
            called again whenever another writer came first, so it should do nothing else.
        ttl: as in `put`; without either the value keeps the time that it has left.

        Raises SamewireError `misuse`, and stores nothing, if `change` returns None: most often its `return` was forgotten.
        Raises WatchError if 1,000 attempts in a row are overtaken. On a ConnectionError with `may_have_run` the value may have
        been replaced.
        """
        return swap.update(self._client, self._swap(name, ttl), change)

    def scan(self, match: str = "*", *, count: int = SCANNED) -> Iterator[str]:
        """Returns an iterator over the names, in no order; values written or deleted meanwhile may be missed.

        match: a pattern of the server for names (`* ? [ ]`). count: how many keys the server looks at in each call. A name
        may come twice while the server resizes its table.
        """
        keys = self._client.scan_iter(match=self._names.pattern(match), count=count, _type="STRING")
        return self._names_of(keys)

    def items(self, match: str = "*", *, count: int = SCANNED) -> Iterator[tuple[str, T]]:
        """Returns an iterator over names and values, as `scan`."""
        names = self.scan(match, count=count)
        while chunk := list(islice(names, ITEMS)):
            yield from run(self._client, self._pairs(chunk))


class AsyncStore(StoreSteps[T], OnAsyncClient):
    """As `Store`, with an asyncio client; calls from many tasks go out together on its connection."""

    @overload
    async def get(self, name: Name, default: None = None) -> T | None: ...
    @overload
    async def get(self, name: Name, default: D) -> T | D: ...
    async def get(self, name: Name, default: object = None) -> object:
        """As `Store.get`."""
        return await run_async(self._client, self._get(name, default))

    async def update(
        self,
        name: Name,
        change: Callable[[T | None], T | Deletion | Awaitable[T | Deletion]],
        *,
        ttl: float | timedelta | None = None,
    ) -> T | None:
        """As `Store.update`. change: a function or a coroutine function."""
        return await swap.update_async(self._client, self._swap(name, ttl), change)

    async def scan(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[str]:
        """As `Store.scan`."""
        keys = self._client.scan_iter(match=self._names.pattern(match), count=count, _type="STRING")
        async for key in keys:
            for name in self._names_of((key,)):
                yield name

    async def items(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[tuple[str, T]]:
        """As `Store.items`."""
        chunk: list[str] = []
        async for name in self.scan(match, count=count):
            chunk.append(name)
            if len(chunk) == ITEMS:
                for pair in await run_async(self._client, self._pairs(chunk)):
                    yield pair
                chunk = []
        for pair in await run_async(self._client, self._pairs(chunk)):
            yield pair
