"""A channel of pub/sub whose messages are values of one type."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Iterator
from types import TracebackType
from typing import Any, Generic, Self, TypeVar

from ..exceptions import TimeoutError
from ..steps import Operations, operation
from .names import Name, argument, shown
from .steps import OnAsyncClient, OnClient, Steps, integer, run, run_async
from .values import Values

T = TypeVar("T")

#: Seconds that a server has to confirm a subscription.
CONFIRMATION = 10.0
#: What says that a subscription stands, and what carries a value; with the letter of shards.
CONFIRMATIONS, MESSAGES = ("subscribe", "ssubscribe"), ("message", "smessage")
#: Seconds that an iterator waits at once.
WAIT = 1.0


class ChannelSteps(Operations, Generic[T]):
    """A channel whose messages are values of one type; made by `client.typed_channel`."""

    def __init__(self, client: Any, values: Values[T], name: Name, sharded: bool) -> None:
        """Made by `client.typed_channel`. client: its replies are bytes."""
        self._client = client
        self._values = values
        self._sharded = sharded
        self._name = name if isinstance(name, bytes) else argument(name)
        self._where = shown(name)

    @operation
    def publish(self, value: T) -> Steps[int]:
        """Sends a value to all subscribers and returns how many there were (on a cluster: on one node)."""
        data = self._values.encode(value)
        yield from self._values.ready()
        return (yield from integer("SPUBLISH" if self._sharded else "PUBLISH", self._name, data))


class Messages(Generic[T]):
    """What is received of a channel."""

    def __init__(self, channel: ChannelSteps[T]) -> None:
        """Made by the channel's `subscribe`."""
        self._client = channel._client
        self._channel = channel
        self._pubsub: Any = channel._client.pubsub()
        #: What subscribes, and what returns the next message.
        self._subscribe, self._message = self._pubsub.subscribe, self._pubsub.get_message
        if channel._sharded:
            self._subscribe = self._pubsub.ssubscribe
            self._message = getattr(self._pubsub, "get_sharded_message", self._message)

    def _value(self, message: dict[str, Any]) -> Steps[T]:
        return self._channel._values.decode(self._channel._where, message["data"])

    def _late(self, until: float) -> None:
        """Raises TimeoutError if a subscription that is not confirmed should be."""
        if time.monotonic() > until:
            raise TimeoutError(f"{self._channel._where}: the subscription was not confirmed in {CONFIRMATION:.0f} s")


class Subscription(Messages[T]):
    """The messages of a channel from now on: a context manager, and an iterator that waits for each.

    A message that cannot be read raises StoredValueError; the next call goes on with the next message. Messages that are
    published while a lost connection is made again are not received: that is how pub/sub is.
    """

    def __init__(self, channel: ChannelSteps[T]) -> None:
        """Made by `TypedChannel.subscribe`."""
        super().__init__(channel)
        try:
            self._subscribe(channel._name)
            until = time.monotonic() + CONFIRMATION
            while not _confirmed(self._message(timeout=CONFIRMATION)):
                self._late(until)
        except BaseException:
            self.close()
            raise

    def get(self, timeout: float | None = None) -> T | None:
        """Returns the next message, or None if none came in so many seconds. None waits without end."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = WAIT if until is None else max(until - time.monotonic(), 0.0)
            message = self._message(ignore_subscribe_messages=True, timeout=left)
            if message is not None and message["type"] in MESSAGES:
                return run(self._client, self._value(message))
            if until is not None and time.monotonic() >= until:
                return None

    def close(self) -> None:
        """Ends the subscription."""
        self._pubsub.close()

    def __iter__(self) -> Iterator[T]:
        return self

    def __next__(self) -> T:
        value: Any = self.get()
        return value  # type: ignore[no-any-return]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        self.close()


class AsyncSubscription(Messages[T]):
    """As `Subscription`, with an asyncio client: `async with`, `async for`. It begins when the block is entered."""

    async def get(self, timeout: float | None = None) -> T | None:
        """As `Subscription.get`."""
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            left = WAIT if until is None else max(until - time.monotonic(), 0.0)
            message = await self._message(ignore_subscribe_messages=True, timeout=left)
            if message is not None and message["type"] in MESSAGES:
                return await run_async(self._client, self._value(message))
            if until is not None and time.monotonic() >= until:
                return None

    async def close(self) -> None:
        """Ends the subscription."""
        await self._pubsub.aclose()

    def __aiter__(self) -> AsyncIterator[T]:
        return self

    async def __anext__(self) -> T:
        value: Any = await self.get()
        return value  # type: ignore[no-any-return]

    async def __aenter__(self) -> Self:
        try:
            await self._subscribe(self._channel._name)
            until = time.monotonic() + CONFIRMATION
            while not _confirmed(await self._message(timeout=CONFIRMATION)):
                self._late(until)
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        await self.close()


def _confirmed(message: Any) -> bool:
    return message is not None and message["type"] in CONFIRMATIONS


class TypedChannel(ChannelSteps[T], OnClient):
    __doc__ = ChannelSteps.__doc__

    def subscribe(self) -> Subscription[T]:
        """Returns a subscription, which the server has confirmed: every later message is received."""
        return Subscription(self)


class AsyncTypedChannel(ChannelSteps[T], OnAsyncClient):
    """As `TypedChannel`, with an asyncio client."""

    def subscribe(self) -> AsyncSubscription[T]:
        """Returns a subscription for `async with`; once the block is entered, every message is received."""
        return AsyncSubscription(self)
