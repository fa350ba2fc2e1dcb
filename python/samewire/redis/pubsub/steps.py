"""Publish and subscribe. One subscriber is one caller's, on a connection of its own. Blocking and asyncio subscribers share it.

After the connection was lost it is made again, and everything subscribed to again; messages of the time between are gone.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..exceptions import ConnectionError, RedisError, TimeoutError
from ..session.encoder import Encoder
from ..session.retry import Failures
from ..steps import Operations, Steps, operation
from .subscriptions import (
    HEALTH_CHECK_MESSAGE,
    PUBLISH_MESSAGE_TYPES,
    UNSUBSCRIBE_MESSAGE_TYPES,
    Handler,
    Subscriptions,
    flat,
    subscriptions,
)


class PubSubSteps(Subscriptions, Operations):
    """A subscriber.

    ignore_subscribe_messages: drops the server's confirmations, which are messages otherwise.
    push_handler_func: called with each push of RESP3. What it returns takes the push's place; an asyncio subscriber's
        `get_message` does not return the push then.
    """

    PUBLISH_MESSAGE_TYPES = PUBLISH_MESSAGE_TYPES
    UNSUBSCRIBE_MESSAGE_TYPES = UNSUBSCRIBE_MESSAGE_TYPES
    HEALTH_CHECK_MESSAGE = HEALTH_CHECK_MESSAGE

    def __init__(
        self,
        connection_pool: Any,
        shard_hint: object = None,
        ignore_subscribe_messages: bool = False,
        encoder: Encoder | None = None,
        push_handler_func: Callable[[Any], Any] | None = None,
        event_dispatcher: object = None,
    ) -> None:
        self.connection_pool = connection_pool
        self.shard_hint = shard_hint
        self.push_handler_func = push_handler_func
        self.connection: Any = None
        #: Attempts to connect that failed since something was received, and when the next one may be made.
        self._failures = Failures()
        self._attempt_at = 0.0
        self._begin()
        super().__init__(connection_pool.get_encoder() if encoder is None else encoder, ignore_subscribe_messages)

    #: Whether each channel is subscribed to by a command of its own: those of one command must be in one slot.
    _one_by_one = False

    # What each kind has of its own; what may wait is a step.

    #: Makes what it needs before it is subscribed to anything.
    _begin: Callable[[], None]
    #: Sends a command. Its reply is a message like all others: no caller waits for it.
    execute_command: Callable[..., Any]
    #: What the server sent next, as it is.
    parse_response: Callable[..., Any]
    #: Whether the connection must be made before it is read from.
    _unmade: Callable[[Any], bool]
    #: Makes an attempt to connect; False if there is no time for it.
    _connected_until: Callable[[Any, float | None], Any]
    #: The next message; None if none comes until then.
    _read: Callable[[Any, float | None], Any]
    #: Whether something can be read without waiting.
    _readable: Callable[[Any], Any]
    #: Closes a connection. Takes the error that is why.
    _cut: Callable[..., Any]
    #: What a call gets that waited while the subscriber was closed.
    _closed: Callable[[], None]

    @operation
    def on_connect(self, connection: Any) -> Steps[None]:
        """Subscribes again on a connection that was made anew."""
        self.health_check_response_counter = 0
        for kind, names in self.after_connect():
            # Not by `execute_command`: its attempts would begin within the one that is being made.
            for some in [[name] for name in names] if self._one_by_one else [list(names)]:
                yield connection.send_command(f"{kind}subscribe".upper(), *some, check_health=False)

    # --- commands ---

    def _subscribe(self, kind: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Steps[None]:
        names = subscriptions(args, kwargs)
        yield self.execute_command(f"{kind}subscribe".upper(), *names)
        # After the command: a connection that is made for it would subscribe twice.
        self.subscribing(kind, names)

    def _unsubscribe(self, kind: str, args: tuple[Any, ...]) -> Steps[None]:
        names = list(flat(args))
        self.unsubscribing(kind, names)
        yield self.execute_command(f"{kind}unsubscribe".upper(), *names)

    @operation
    def subscribe(self, /, *args: Any, **kwargs: Handler | None) -> Steps[None]:
        """Subscribes to channels. The messages of those given as keywords, or as Subscription, go to their handlers; those of
        an asyncio subscriber may be coroutine functions."""
        yield from self._subscribe("", args, kwargs)

    @operation
    def unsubscribe(self, *args: Any) -> Steps[None]:
        """Ends the subscription of channels; of all without arguments."""
        yield from self._unsubscribe("", args)

    @operation
    def psubscribe(self, /, *args: Any, **kwargs: Handler | None) -> Steps[None]:
        """Subscribes to patterns."""
        yield from self._subscribe("p", args, kwargs)

    @operation
    def punsubscribe(self, *args: Any) -> Steps[None]:
        """Ends the subscription of patterns; of all without arguments."""
        yield from self._unsubscribe("p", args)

    @operation
    def ssubscribe(self, /, *args: Any, target_node: Any = None, **kwargs: Handler | None) -> Steps[None]:
        """Subscribes to shard channels."""
        yield from self._subscribe("s", args, kwargs)

    @operation
    def sunsubscribe(self, *args: Any, target_node: Any = None) -> Steps[None]:
        """Ends the subscription of shard channels; of all without arguments."""
        yield from self._unsubscribe("s", args)

    @operation
    def ping(self, message: str | None = None) -> Steps[None]:
        """Sends PING. The reply is a message."""
        yield self.execute_command(*(("PING",) if message is None else ("PING", message)))

    # --- messages ---

    def _own_connection(self) -> Any:
        if self.connection is None:
            raise RuntimeError("pubsub connection not set: did you forget to call subscribe() or psubscribe()?")
        return self.connection

    def _taken(self, connection: Any, response: Any) -> Any:
        """What was received; None for the reply to a health check."""
        if response is not None and self._failures.count:
            self._failures = Failures()
        if connection.health_check_interval and self.is_health_check_response(response):
            self.health_check_response_counter = max(0, self.health_check_response_counter - 1)
            return None
        return response

    def _receive(self, connection: Any, until: float | None, failed: Exception | None = None) -> Steps[Any]:
        """What the server sends next; None if nothing comes until then. failed: the error of a read, if one was made.

        A lost connection is made again, with attempts as `retry` says. Those for which no time is left are the next call's.
        """
        try:
            while True:
                if failed is not None:
                    if self.connection is not connection and isinstance(failed, ConnectionError | TimeoutError):
                        return self._closed()
                    yield from self._lose(connection, failed)
                try:
                    if connection.should_reconnect():
                        yield self._cut(connection)
                    if self._unmade(connection) and not (yield self._connected_until(connection, until)):
                        return None
                    return (yield self._read(connection, until))
                except Exception as error:
                    failed = error
        finally:
            # The error's traceback leads to this frame.
            del failed

    def _lose(self, connection: Any, error: Exception) -> Steps[None]:
        """Closes a connection that was lost, and says when it may be made again. Raises the error if that is not to be."""
        retry = connection.retry
        try:
            if self.connection is not connection or self._interrupted(connection, error) or not retry.supports(error):
                raise error
            yield self._cut(connection, error)
            if not self._failures.count:
                retry._backoff.reset()
            alike = self._failures.add(error)
            if retry.exhausted(alike):
                self._failures = Failures()
                self._attempt_at = 0.0
                raise error
            self._attempt_at = self._now() + retry.seconds_before(alike, error)
        finally:
            # The error's traceback leads to this frame.
            del error

    def _interrupted(self, connection: Any, error: Exception) -> bool:
        """Whether the program itself raised an error meanwhile, in a handler of signals or of pushes: nothing is lost then."""
        return not (isinstance(error, RedisError) or self._unmade(connection) or connection.reads_apart)

    def _patience(self, connection: Any, until: float | None) -> float | None:
        """Seconds to wait for a message, at most until a health check is due."""
        left = None if until is None else max(0.0, until - self._now())
        if not connection.health_check_interval:
            return left
        due: float = max(0.0, connection.next_health_check - self._now()) + 0.001
        return due if left is None else min(left, due)

    def is_health_check_response(self, response: Any) -> bool:
        """Whether a reply is that of a health check."""
        return self.health_reply(response)

    @operation
    def check_health(self) -> Steps[None]:
        """Sends a health check if it is time for one. Its reply is not a message.

        Raises TimeoutError, and closes the connection, if the one before has not been answered.
        """
        connection = self._own_connection()
        if connection.health_check_interval and self._now() > connection.next_health_check:
            if self.health_check_response_counter and not (yield self._readable(connection)):
                yield self._cut(connection)
                raise TimeoutError(f"no reply from {connection._host_error()} to a health check")
            yield connection.send_command("PING", self.HEALTH_CHECK_MESSAGE, check_health=False)
            connection.healthy()
            self.health_check_response_counter += 1
