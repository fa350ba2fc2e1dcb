"""A stream of values of one type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import Generic, TypeVar

from .entry import Entry
from .steps import AsyncClient, Client, integer, run, run_async
from .stream_steps import StreamSteps

T = TypeVar("T")

#: Seconds that one XREAD of `follow` waits, and the entries that it takes at once.
WAIT, BATCH = 1.0, 256


class TypedStream(Generic[T]):
    """A stream of values of one type; made by `client.typed_stream`.

    Entries are read as `Entry` objects with `id` and `value`. `value` raises StoredValueError if it cannot be read, so that
    the other entries of a batch are not lost.
    """

    def __init__(self, client: Client, steps: StreamSteps[T]) -> None:
        """Made by `client.typed_stream`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    def add(self, value: T, *, entry_id: str = "*", maxlen: int | None = None, exact: bool = False) -> str:
        """Appends a value and returns its id.

        maxlen: older entries beyond so many are dropped, whole blocks of them unless `exact`.
        """
        return run(self._client, self._steps.add(value, entry_id, maxlen, exact))

    def range(self, start: str = "-", stop: str = "+", *, count: int | None = None, reverse: bool = False) -> list[Entry[T]]:
        """Returns the entries from one id to another, both included; `reverse` from the last to the first."""
        return run(self._client, self._steps.range(start, stop, count, reverse))

    def read(self, after: str = "0", *, count: int | None = None, timeout: float | None = None) -> list[Entry[T]]:
        """Returns the entries behind an id.

        after: "$" for entries that come while the call waits. timeout: seconds to wait if there are none; 0 without end.
        """
        return run(self._client, self._steps.read(after, count, timeout))

    def follow(self, after: str | None = None) -> Iterator[Entry[T]]:
        """Returns an iterator without end over the entries behind an id, waiting for new ones; by default only new ones.

        It misses none that is added after the first `next`, unless the stream is trimmed faster than it reads.
        """
        last = run(self._client, self._steps.last()) if after is None else after
        while True:
            for entry in run(self._client, self._steps.read(last, BATCH, WAIT)):
                last = entry.id
                yield entry

    def length(self) -> int:
        """Returns the number of entries."""
        return run(self._client, integer("XLEN", self._steps.key))

    def delete(self, *ids: str) -> int:
        """Deletes entries and returns how many there were."""
        return run(self._client, integer("XDEL", self._steps.key, *ids)) if ids else 0

    def create_group(self, group: str, start: str = "$") -> bool:
        """Creates a group of consumers, and the stream if there is none. Returns False if the group is there already.

        start: the id behind which the group reads; "$" new entries only, "0" all.
        """
        return run(self._client, self._steps.create_group(group, start))

    def read_group(
        self,
        group: str,
        consumer: str,
        *,
        count: int | None = None,
        timeout: float | None = None,
        pending: bool = False,
    ) -> list[Entry[T]]:
        """Returns entries that no consumer of the group has been given yet; they are pending until `ack`.

        timeout: seconds to wait if there are none; 0 without end. pending: this consumer's pending entries instead.
        """
        return run(self._client, self._steps.read_group(group, consumer, count, timeout, pending))

    def ack(self, group: str, *ids: str) -> int:
        """Says that entries are done; returns how many were pending."""
        return run(self._client, integer("XACK", self._steps.key, group, *ids)) if ids else 0

    def claim(self, group: str, consumer: str, *, idle: float, count: int = 100) -> list[Entry[T]]:
        """Takes over entries that have been pending for `idle` seconds, and returns about `count` of them."""
        return run(self._client, self._steps.claim(group, consumer, idle, count))


class AsyncTypedStream(Generic[T]):
    """As `TypedStream`, with an asyncio client. A call that waits holds up no other task's commands."""

    def __init__(self, client: AsyncClient, steps: StreamSteps[T]) -> None:
        """Made by `client.typed_stream`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    async def add(self, value: T, *, entry_id: str = "*", maxlen: int | None = None, exact: bool = False) -> str:
        """As `TypedStream.add`."""
        return await run_async(self._client, self._steps.add(value, entry_id, maxlen, exact))

    async def range(
        self, start: str = "-", stop: str = "+", *, count: int | None = None, reverse: bool = False
    ) -> list[Entry[T]]:
        """As `TypedStream.range`."""
        return await run_async(self._client, self._steps.range(start, stop, count, reverse))

    async def read(self, after: str = "0", *, count: int | None = None, timeout: float | None = None) -> list[Entry[T]]:
        """As `TypedStream.read`."""
        return await run_async(self._client, self._steps.read(after, count, timeout))

    async def follow(self, after: str | None = None) -> AsyncIterator[Entry[T]]:
        """As `TypedStream.follow`."""
        last = await run_async(self._client, self._steps.last()) if after is None else after
        while True:
            for entry in await run_async(self._client, self._steps.read(last, BATCH, WAIT)):
                last = entry.id
                yield entry

    async def length(self) -> int:
        """As `TypedStream.length`."""
        return await run_async(self._client, integer("XLEN", self._steps.key))

    async def delete(self, *ids: str) -> int:
        """As `TypedStream.delete`."""
        return await run_async(self._client, integer("XDEL", self._steps.key, *ids)) if ids else 0

    async def create_group(self, group: str, start: str = "$") -> bool:
        """As `TypedStream.create_group`."""
        return await run_async(self._client, self._steps.create_group(group, start))

    async def read_group(
        self,
        group: str,
        consumer: str,
        *,
        count: int | None = None,
        timeout: float | None = None,
        pending: bool = False,
    ) -> list[Entry[T]]:
        """As `TypedStream.read_group`."""
        return await run_async(self._client, self._steps.read_group(group, consumer, count, timeout, pending))

    async def ack(self, group: str, *ids: str) -> int:
        """As `TypedStream.ack`."""
        return await run_async(self._client, integer("XACK", self._steps.key, group, *ids)) if ids else 0

    async def claim(self, group: str, consumer: str, *, idle: float, count: int = 100) -> list[Entry[T]]:
        """As `TypedStream.claim`."""
        return await run_async(self._client, self._steps.claim(group, consumer, idle, count))
