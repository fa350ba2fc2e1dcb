"""Values of one type, each under a key of its own."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from datetime import timedelta
from itertools import islice
from typing import Generic, TypeVar, overload

from . import swap
from .deletion import Deletion
from .names import Items, Name
from .steps import AsyncClient, Client, run, run_async
from .store_steps import StoreSteps

T = TypeVar("T")
D = TypeVar("D")

#: Names that `items` gathers before it reads their values.
ITEMS = 1000
#: Keys that the server looks at in one call of a scan. Its own default, 10, makes round trips of most of the time.
SCANNED = 500


class Store(Generic[T]):
    """Values of one type under keys with one prefix; made by `client.store`. Threads may share it, as they may its client.

    Names are texts or bytes; their keys are the prefix and the name. A value that was written with another schema is resolved;
    what cannot be read raises StoredValueError, which names the key and keeps the bytes. Connections fail as with any command.
    """

    def __init__(self, client: Client, steps: StoreSteps[T]) -> None:
        """Stores come from `client.store`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({self._steps})>"

    @overload
    def get(self, name: Name, default: None = None) -> T | None: ...
    @overload
    def get(self, name: Name, default: D) -> T | D: ...
    def get(self, name: Name, default: object = None) -> object:
        """Returns the value, or `default` if there is none."""
        return run(self._client, self._steps.get(name, default))

    def put(self, name: Name, value: T, *, ttl: float | timedelta | None = None, nx: bool = False, xx: bool = False) -> bool:
        """Writes a value and returns True. Raises SamewireError with a path for a value that is not of the type.

        ttl: seconds until the server drops it; None takes the store's; without either it stays.
        nx, xx: write only if there is no value yet, or only if there is one; returns whether it was written.
        """
        return run(self._client, self._steps.put(name, value, ttl, nx, xx))

    def delete(self, *names: Name) -> int:
        """Deletes values and returns how many there were."""
        return run(self._client, self._steps.delete(names))

    def exists(self, name: Name) -> bool:
        """Whether there is a value."""
        return run(self._client, self._steps.exists(name))

    def touch(self, name: Name, ttl: float | timedelta | None = None) -> bool:
        """Gives a value its time to live again and returns whether there is one.

        ttl: as in `put`; without either the value counts as just used, which matters where the server evicts.
        """
        return run(self._client, self._steps.touch(name, ttl))

    def put_many(self, items: Items[T], *, ttl: float | timedelta | None = None) -> int:
        """Writes many values, in chunks, and returns how many.

        Not atomic: if it raises, the values of earlier chunks, and perhaps some of the current one, are written. `items` may be
        an iterator; a chunk of it is encoded at a time.
        """
        return run(self._client, self._steps.put_many(items, ttl))

    def get_many(self, names: Iterable[Name]) -> list[T | None]:
        """Returns the values in the order of their names, None where there is none. Reads in chunks: not at one moment."""
        return run(self._client, self._steps.get_many(names))

    def update(self, name: Name, change: Callable[[T | None], T | Deletion], *, ttl: float | timedelta | None = None) -> T | None:
        """Replaces a value by what `change` makes of it, and returns that; None if it was deleted. No other writer's value is lost.

        change: is given the value, or None if there is none; what it returns is stored, `samewire.redis.DELETE` deletes. It is
            called again whenever another writer came first, so it should do nothing else.
        ttl: as in `put`; without either the value keeps the time that it has left.

        Raises SamewireError `misuse`, and stores nothing, if `change` returns None: most often its `return` was forgotten.
        Raises WatchError if 1,000 attempts in a row are overtaken. On a ConnectionError with `may_have_run` the value may have
        been replaced.
        """
        return swap.update(self._client, self._steps.swap(name, ttl), change)

    def scan(self, match: str = "*", *, count: int = SCANNED) -> Iterator[str]:
        """Returns an iterator over the names, in no order; values written or deleted meanwhile may be missed.

        match: a pattern of the server for names (`* ? [ ]`). count: how many keys the server looks at in each call. A name
        may come twice while the server resizes its table.
        """
        keys = self._client.scan_iter(match=self._steps.names.pattern(match), count=count, _type="STRING")
        return self._steps.names_of(keys)

    def items(self, match: str = "*", *, count: int = SCANNED) -> Iterator[tuple[str, T]]:
        """Returns an iterator over names and values, as `scan`."""
        names = self.scan(match, count=count)
        while chunk := list(islice(names, ITEMS)):
            yield from run(self._client, self._steps.pairs(chunk))


class AsyncStore(Generic[T]):
    """As `Store`, with an asyncio client; calls from many tasks go out together on its connection."""

    def __init__(self, client: AsyncClient, steps: StoreSteps[T]) -> None:
        """Stores come from `client.store`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    def __repr__(self) -> str:
        return f"<{type(self).__module__}.{type(self).__name__}({self._steps})>"

    @overload
    async def get(self, name: Name, default: None = None) -> T | None: ...
    @overload
    async def get(self, name: Name, default: D) -> T | D: ...
    async def get(self, name: Name, default: object = None) -> object:
        """As `Store.get`."""
        return await run_async(self._client, self._steps.get(name, default))

    async def put(
        self, name: Name, value: T, *, ttl: float | timedelta | None = None, nx: bool = False, xx: bool = False
    ) -> bool:
        """As `Store.put`."""
        return await run_async(self._client, self._steps.put(name, value, ttl, nx, xx))

    async def delete(self, *names: Name) -> int:
        """As `Store.delete`."""
        return await run_async(self._client, self._steps.delete(names))

    async def exists(self, name: Name) -> bool:
        """As `Store.exists`."""
        return await run_async(self._client, self._steps.exists(name))

    async def touch(self, name: Name, ttl: float | timedelta | None = None) -> bool:
        """As `Store.touch`."""
        return await run_async(self._client, self._steps.touch(name, ttl))

    async def put_many(self, items: Items[T], *, ttl: float | timedelta | None = None) -> int:
        """As `Store.put_many`. Other tasks run between the chunks."""
        return await run_async(self._client, self._steps.put_many(items, ttl))

    async def get_many(self, names: Iterable[Name]) -> list[T | None]:
        """As `Store.get_many`. Other tasks run between the chunks."""
        return await run_async(self._client, self._steps.get_many(names))

    async def update(
        self,
        name: Name,
        change: Callable[[T | None], T | Deletion | Awaitable[T | Deletion]],
        *,
        ttl: float | timedelta | None = None,
    ) -> T | None:
        """As `Store.update`. change: a function or a coroutine function."""
        return await swap.update_async(self._client, self._steps.swap(name, ttl), change)

    async def scan(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[str]:
        """As `Store.scan`."""
        keys = self._client.scan_iter(match=self._steps.names.pattern(match), count=count, _type="STRING")
        async for key in keys:
            for name in self._steps.names_of((key,)):
                yield name

    async def items(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[tuple[str, T]]:
        """As `Store.items`."""
        chunk: list[str] = []
        async for name in self.scan(match, count=count):
            chunk.append(name)
            if len(chunk) == ITEMS:
                for pair in await run_async(self._client, self._steps.pairs(chunk)):
                    yield pair
                chunk = []
        for pair in await run_async(self._client, self._steps.pairs(chunk)):
            yield pair
