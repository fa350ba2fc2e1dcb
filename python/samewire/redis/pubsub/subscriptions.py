"""What a subscriber is subscribed to, and what becomes of what the server pushes. No I/O: blocking and asyncio share it.

Names are kept as the subscriber's messages have them: bytes, or str if replies are decoded.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from ..exceptions import InvalidResponse, PubSubError
from ..session.encoder import Encoder

Name = str | bytes | memoryview
Handler = Callable[[dict[str, Any]], Any]

PUBLISH_MESSAGE_TYPES = ("message", "pmessage", "smessage")
UNSUBSCRIBE_MESSAGE_TYPES = ("unsubscribe", "punsubscribe", "sunsubscribe")

#: The position of the channel's name in each kind of message; the data come behind it.
PLACES = {"pmessage": 2} | dict.fromkeys(
    ("message", "smessage", "subscribe", "psubscribe", "ssubscribe", *UNSUBSCRIBE_MESSAGE_TYPES), 1
)

#: What a health check sends: a server echoes it.
HEALTH_CHECK_MESSAGE = "samewire-health-check"


@dataclass(frozen=True, slots=True)
class Subscription:
    """A channel or pattern with the callable that its messages go to, for names that are no keyword."""

    name: Name
    handler: Handler | None = None


def subscriptions(args: tuple[Any, ...], kwargs: Mapping[str, Handler | None]) -> dict[Any, Handler | None]:
    """The names of a call's arguments (texts, lists of them, Subscriptions, keywords) with their handlers."""
    found: dict[Any, Handler | None] = {}
    for argument in flat(args):
        if isinstance(argument, Subscription):
            found[argument.name] = argument.handler
        else:
            found[argument] = None
    return {**found, **kwargs}


def flat(args: tuple[Any, ...]) -> Iterator[Any]:
    """The names of a call: each by itself, or in a list in front."""
    for argument in args:
        if isinstance(argument, str | bytes | bytearray | memoryview | Subscription) or not isinstance(argument, Iterable):
            yield argument
        else:
            yield from argument


class Subscriptions:
    """Channels, patterns and shard channels with their handlers, and those whose end was asked for."""

    def __init__(self, encoder: Encoder, ignore_subscribe_messages: bool) -> None:
        self.encoder = encoder
        self.ignore_subscribe_messages = ignore_subscribe_messages
        self.health_check_response_counter = 0
        self.forget()

    def forget(self) -> None:
        """Is subscribed to nothing."""
        self.health_check_response_counter = 0
        self.channels: dict[Any, Handler | None] = {}
        self.patterns: dict[Any, Handler | None] = {}
        self.shard_channels: dict[Any, Handler | None] = {}
        self.pending_unsubscribe_channels: set[Any] = set()
        self.pending_unsubscribe_patterns: set[Any] = set()
        self.pending_unsubscribe_shard_channels: set[Any] = set()

    @property
    def any(self) -> bool:
        """Whether it is subscribed to anything."""
        return bool(self.channels or self.patterns or self.shard_channels)

    def of(self, kind: str) -> tuple[dict[Any, Handler | None], set[Any]]:
        """What is subscribed of a kind, and what is to end: "" for channels, "p" for patterns, "s" for shard channels."""
        if kind == "p":
            return self.patterns, self.pending_unsubscribe_patterns
        if kind == "s":
            return self.shard_channels, self.pending_unsubscribe_shard_channels
        return self.channels, self.pending_unsubscribe_channels

    def normal(self, name: Any) -> Any:
        """A name as messages have it."""
        encoded = self.encoder.encode(name)
        return self.encoder.decode(bytes(encoded))

    def subscribing(self, kind: str, names: Mapping[Any, Handler | None]) -> None:
        """Notes what was asked for."""
        active, ending = self.of(kind)
        for name, handler in names.items():
            name = self.normal(name)
            active[name] = handler
            ending.discard(name)

    def unsubscribing(self, kind: str, names: Iterable[Any]) -> None:
        """Notes what is to end: everything of the kind if there are no names."""
        active, ending = self.of(kind)
        ending.update([self.normal(name) for name in names] or active)

    def after_connect(self) -> list[tuple[str, dict[Any, Handler | None]]]:
        """On a new connection: the kinds and names to subscribe to again. What was to end is not among them."""
        again = []
        for kind in ("", "p", "s"):
            active, ending = self.of(kind)
            for name in ending:
                active.pop(name, None)
            ending.clear()
            if active:
                again.append((kind, dict(active)))
        return again

    def health_reply(self, response: Any) -> bool:
        """Whether a reply is that of a health check."""
        expected = self.encoder.decode(HEALTH_CHECK_MESSAGE.encode())
        pong = self.encoder.decode(b"pong")
        return response in (expected, [pong, expected])

    def message(self, response: Any, ignore_subscribe_messages: bool = False) -> tuple[dict[str, Any] | None, Handler | None]:
        """What came, as redis-py's dictionary, and the handler that it goes to.

        (None, None) for what is ignored; a message with a handler is the handler's, and not returned to the caller.
        """
        if not isinstance(response, list):
            # The reply to PING on a connection that is not subscribed, or with RESP3.
            response = [b"pong", response if response not in (b"PONG", "PONG") else type(response)()]
        said = response[0] if response else None
        kind = said.decode("utf-8", "replace") if isinstance(said, bytes) else said
        message: dict[str, Any] = {"type": kind, "pattern": None, "channel": None, "data": response[-1] if response else None}
        at = PLACES.get(kind) if isinstance(kind, str) else None
        if at is not None:
            # Another kind of push is handed on as it is.
            named = response[1 : at + 1]
            if len(response) <= at + 1 or not all(isinstance(name, str | bytes | None) for name in named):
                raise InvalidResponse(f"{response!r}: expected {at + 2} elements, with names after the first")
        elif not response:
            raise InvalidResponse("an empty push: expected a kind and what belongs to it")
        if kind == "pmessage":
            message["pattern"], message["channel"] = response[1:3]
        elif kind != "pong" and len(response) > 1:
            message["channel"] = response[1]
        if kind in PUBLISH_MESSAGE_TYPES:
            active = self.of(kind.removesuffix("message"))[0]
            return message, active.get(message["pattern"] if kind == "pmessage" else message["channel"])
        if kind in UNSUBSCRIBE_MESSAGE_TYPES:
            active, ending = self.of(kind.removesuffix("unsubscribe"))
            if message["channel"] in ending:
                ending.remove(message["channel"])
                active.pop(message["channel"], None)
        if kind != "pong" and (ignore_subscribe_messages or self.ignore_subscribe_messages):
            return None, None
        return message, None

    def all_have_handlers(self) -> None:
        """Raises PubSubError for a name whose messages would go nowhere."""
        kinds = (("Channel", self.channels), ("Pattern", self.patterns), ("Shard Channel", self.shard_channels))
        for what, active in kinds:
            for name, handler in active.items():
                if handler is None:
                    raise PubSubError(f"{what}: '{name}' has no handler registered")
