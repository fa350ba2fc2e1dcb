"""A stream of values of one type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from typing import TypeVar

from .entry import Entry
from .steps import OnAsyncClient, OnClient, run, run_async
from .stream_steps import StreamSteps

T = TypeVar("T")

#: Seconds that one XREAD of `follow` waits, and the entries that it takes at once.
WAIT, BATCH = 1.0, 256


class TypedStream(StreamSteps[T], OnClient):
    __doc__ = StreamSteps.__doc__

    def follow(self, after: str | None = None) -> Iterator[Entry[T]]:
        """Returns an iterator without end over the entries behind an id, waiting for new ones; by default only new ones.

        It misses none that is added after the first `next`, unless the stream is trimmed faster than it reads.
        """
        last = run(self._client, self._last()) if after is None else after
        while True:
            for entry in self.read(last, count=BATCH, timeout=WAIT):
                last = entry.id
                yield entry


class AsyncTypedStream(StreamSteps[T], OnAsyncClient):
    """As `TypedStream`, with an asyncio client. A call that waits holds up no other task's commands."""

    async def follow(self, after: str | None = None) -> AsyncIterator[Entry[T]]:
        """As `TypedStream.follow`."""
        last = await run_async(self._client, self._last()) if after is None else after
        while True:
            for entry in await self.read(last, count=BATCH, timeout=WAIT):
                last = entry.id
                yield entry
