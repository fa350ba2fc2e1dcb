"""Publish and subscribe for asyncio. One subscriber is one task's, on a connection of its own; another task may subscribe.

After the connection was lost it is made again, and everything subscribed to again; messages of the time between are gone.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import warnings
from collections.abc import AsyncIterator, Callable
from typing import Any, Self

from ..encoder import Encoder
from ..exceptions import ConnectionError, TimeoutError
from ..reader import PushNotification
from ..retry import Failures
from ..subscriptions import (
    HEALTH_CHECK_MESSAGE,
    PUBLISH_MESSAGE_TYPES,
    UNSUBSCRIBE_MESSAGE_TYPES,
    Handler,
    Subscriptions,
    flat,
    subscriptions,
)
from .pool import ConnectionPool
from .stream import NOTHING
from .transport import AbstractConnection


class PubSub(Subscriptions):
    """A subscriber.

    ignore_subscribe_messages: drops the server's confirmations, which are messages otherwise.
    push_handler_func: called with each push of RESP3, messages among them, which `get_message` then does not return.
    """

    PUBLISH_MESSAGE_TYPES = PUBLISH_MESSAGE_TYPES
    UNSUBSCRIBE_MESSAGE_TYPES = UNSUBSCRIBE_MESSAGE_TYPES
    HEALTH_CHECK_MESSAGE = HEALTH_CHECK_MESSAGE

    def __init__(
        self,
        connection_pool: ConnectionPool[Any],
        shard_hint: object = None,
        ignore_subscribe_messages: bool = False,
        encoder: Encoder | None = None,
        push_handler_func: Callable[[Any], Any] | None = None,
        event_dispatcher: object = None,
    ) -> None:
        self.connection_pool = connection_pool
        self.shard_hint = shard_hint
        self.push_handler_func = push_handler_func
        self.connection: AbstractConnection | None = None
        # Only one task makes the connection again.
        self._lock = asyncio.Lock()
        #: The attempt to connect again that is being made, the back-off before the next one, and how many have failed since
        #: something was received.
        self._attempt: asyncio.Task[None] | None = None
        self._pause = 0.0
        self._failures = Failures()
        super().__init__(connection_pool.get_encoder() if encoder is None else encoder, ignore_subscribe_messages)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    def __del__(self) -> None:
        # The event loop keeps an open transport.
        with contextlib.suppress(Exception):
            if self.connection is not None:
                self.connection.dropped()
                self.connection_pool.take_back(self.connection)

    async def aclose(self) -> None:
        """Closes the connection: the server then forgets the subscriptions."""
        connection, self.connection = self.connection, None
        attempt, self._attempt = self._attempt, None
        if attempt is not None:
            attempt.cancel()
            await asyncio.wait((attempt,))
        if connection is not None:
            connection.deregister_connect_callback(self.on_connect)
            await connection.disconnect(nowait=True)
            await self.connection_pool.release(connection)
        self.forget()

    async def close(self) -> None:
        """The same as `aclose`, under redis-py's old name."""
        warnings.warn("close() is redis-py's old name: use aclose()", DeprecationWarning, stacklevel=2)
        await self.aclose()

    async def reset(self) -> None:
        """The same as `aclose`, under redis-py's old name."""
        warnings.warn("reset() is redis-py's old name: use aclose()", DeprecationWarning, stacklevel=2)
        await self.aclose()

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        return self.any

    async def on_connect(self, connection: AbstractConnection) -> None:
        """Subscribes again on a connection that was made anew."""
        self.health_check_response_counter = 0
        for kind, names in self.after_connect():
            await connection.send_command(f"{kind}subscribe".upper(), *names, check_health=False)

    async def connect(self) -> None:
        """Connects, unless that is done."""
        await self._connected()

    async def _connected(self) -> AbstractConnection:
        if self.connection is None:
            async with self._lock:
                if self.connection is None:
                    connection = await self.connection_pool.get_connection()
                    connection.register_connect_callback(self.on_connect)
                    self.connection = connection
        return self.connection

    async def _reconnect(self, connection: AbstractConnection) -> None:
        async with self._lock:
            if self.connection is not connection:
                # It is the pool's again, and maybe somebody else's.
                raise ConnectionError("the subscriber was closed")
            await connection.connect()

    # --- commands ---

    async def execute_command(self, *args: Any) -> None:
        """Sends a command. Its reply is a message like all others: nobody waits for it here."""
        connection = await self._connected()
        await self._execute(connection, lambda: connection.send_command(*args, check_health=not self.subscribed))

    async def _execute(self, connection: AbstractConnection, command: Callable[[], Any]) -> Any:
        """Awaits `command()`; after a lost connection again on a new one, which `on_connect` has subscribed."""
        if connection.should_reconnect():
            await connection.disconnect(nowait=True)
            await self._reconnect(connection)
        return await connection.retry.call_with_retry(command, lambda _: self._reconnect(connection))

    async def _subscribe(self, kind: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
        names = subscriptions(args, kwargs)
        await self.execute_command(f"{kind}subscribe".upper(), *names)
        # After the command: a connection that is made for it would subscribe twice.
        self.subscribing(kind, names)

    async def _unsubscribe(self, kind: str, args: tuple[Any, ...]) -> None:
        names = list(flat(args))
        self.unsubscribing(kind, names)
        await self.execute_command(f"{kind}unsubscribe".upper(), *names)

    async def subscribe(self, *args: Any, **kwargs: Handler | None) -> None:
        """Subscribes to channels. The messages of those given as keywords, or as Subscription, go to their handlers, which may
        be coroutine functions."""
        await self._subscribe("", args, kwargs)

    async def unsubscribe(self, *args: Any) -> None:
        """Ends the subscription of channels; of all without arguments."""
        await self._unsubscribe("", args)

    async def psubscribe(self, *args: Any, **kwargs: Handler | None) -> None:
        """Subscribes to patterns."""
        await self._subscribe("p", args, kwargs)

    async def punsubscribe(self, *args: Any) -> None:
        """Ends the subscription of patterns; of all without arguments."""
        await self._unsubscribe("p", args)

    async def ssubscribe(self, *args: Any, target_node: object = None, **kwargs: Handler | None) -> None:
        """Subscribes to shard channels."""
        await self._subscribe("s", args, kwargs)

    async def sunsubscribe(self, *args: Any, target_node: object = None) -> None:
        """Ends the subscription of shard channels; of all without arguments."""
        await self._unsubscribe("s", args)

    async def ping(self, message: str | None = None) -> None:
        """Sends PING. The reply is a message."""
        await self.execute_command(*(("PING",) if message is None else ("PING", message)))

    # --- messages ---

    async def parse_response(self, block: bool = True, timeout: float | None = 0) -> Any:
        """What the server sent next, as it is. Waits for ever if `block`, else at most `timeout` seconds; then None."""
        connection = self.connection
        if connection is None:
            raise RuntimeError("pubsub connection not set: did you forget to call subscribe() or psubscribe()?")
        response = await self._receive(connection, None if block or timeout is None else timeout)
        if connection.health_check_interval and self.health_reply(response):
            self.health_check_response_counter = 0
            return None
        return response

    async def _receive(self, connection: AbstractConnection, timeout: float | None) -> Any:
        """What the server sends next; None if nothing comes in time.

        A lost connection is made again, with attempts as `retry` says. They go on when the time of this call is over: the next
        call waits for them.
        """
        clock = asyncio.get_running_loop().time
        until = None if timeout is None else clock() + timeout
        retry = connection.retry
        while True:
            try:
                if connection.should_reconnect():
                    await connection.disconnect(nowait=True)
                if self._attempt is not None or not (connection.is_connected or connection.is_lost):
                    attempt = self._attempt = self._attempt or asyncio.create_task(self._connect_again(connection))
                    # Not cancelled with this call, nor when its time is over.
                    await asyncio.wait((attempt,), timeout=None if until is None else max(0.0, until - clock()))
                    if not attempt.done():
                        return None
                    if self._attempt is attempt:
                        self._attempt = None
                    if attempt.cancelled():
                        raise ConnectionError("the subscriber was closed while it connected")
                    attempt.result()
                response = await self._read(connection, until)
            except Exception as error:
                if self.connection is not connection and isinstance(error, ConnectionError | TimeoutError):
                    raise ConnectionError("the subscriber was closed: aclose() was called while this call waited") from None
                if not retry.supports(error):
                    raise
                await connection.disconnect(nowait=True, error=error)
                if not self._failures.count:
                    retry._backoff.reset()
                alike = self._failures.add(error)
                if retry.exhausted(alike):
                    self._failures = Failures()
                    raise
                self._pause = retry.seconds_before(alike, error)
                continue
            if response is not None:
                self._failures = Failures()
            return response

    async def _connect_again(self, connection: AbstractConnection) -> None:
        """Makes one attempt to connect, after its back-off."""
        pause, self._pause = self._pause, 0.0
        if pause > 0:
            await asyncio.sleep(pause)
        async with self._lock:
            if self.connection is not connection:
                # It is the pool's again, and maybe somebody else's.
                raise ConnectionError("the subscriber was closed while it connected")
            await connection.connect_once()

    async def _read(self, connection: AbstractConnection, until: float | None) -> Any:
        """The next message, None if none comes in time. With `health_check_interval` a server that is silent is asked."""
        clock = asyncio.get_running_loop().time
        while True:
            await self.check_health()
            left = None if until is None else max(0.0, until - clock())
            wait = left
            if connection.health_check_interval:
                due = max(0.0, connection.next_health_check - clock()) + 0.001
                wait = due if left is None else min(left, due)
            reply = await connection.reply_within(
                wait, self.encoder.decode_responses, disconnect_on_error=False, push_request=True
            )
            if reply is NOTHING:
                if until is not None and clock() >= until:
                    return None
            elif isinstance(reply, Exception):
                raise reply
            elif self.push_handler_func is not None and isinstance(reply, PushNotification):
                handled = self.push_handler_func(reply)
                if inspect.isawaitable(handled):
                    await handled
                return None
            else:
                return reply

    async def check_health(self) -> None:
        """Sends a health check if it is time for one. Its reply is not a message.

        Raises TimeoutError, and closes the connection, if the one before has not been answered.
        """
        connection = self.connection
        if connection is None:
            raise RuntimeError("pubsub connection not set: did you forget to call subscribe() or psubscribe()?")
        if connection.health_check_interval and asyncio.get_running_loop().time() > connection.next_health_check:
            if self.health_check_response_counter and not await connection.can_read():
                await connection.disconnect(nowait=True)
                raise TimeoutError(f"no reply from {connection.address} to a health check")
            await connection.send_command("PING", HEALTH_CHECK_MESSAGE, check_health=False)
            connection.healthy()
            self.health_check_response_counter += 1

    async def handle_message(self, response: Any, ignore_subscribe_messages: bool = False) -> dict[str, Any] | None:
        """What `parse_response` returned as a dictionary: type, pattern, channel, data. None if a handler took it."""
        if response is None:
            return None
        message, handler = self.message(response, ignore_subscribe_messages)
        if handler is not None and message is not None:
            handled = handler(message)
            if inspect.isawaitable(handled):
                await handled
            return None
        return message

    async def get_message(self, ignore_subscribe_messages: bool = False, timeout: float | None = 0.0) -> dict[str, Any] | None:
        """The next message, or None if there is none within `timeout` seconds; None waits for ever."""
        response = await self.parse_response(block=timeout is None, timeout=timeout)
        return None if response is None else await self.handle_message(response, ignore_subscribe_messages)

    async def listen(self) -> AsyncIterator[dict[str, Any]]:
        """Messages as they come, until nothing is subscribed any more or the subscriber is closed."""
        while self.subscribed:
            try:
                response = await self.parse_response(block=True)
            except ConnectionError:
                if self.connection is None:
                    return
                raise
            message = await self.handle_message(response)
            if message is not None:
                yield message

    async def run(
        self,
        *,
        exception_handler: Callable[[BaseException, Any], Any] | None = None,
        poll_timeout: float = 1.0,
        pubsub: Any = None,
    ) -> None:
        """Hands messages to their handlers until it is cancelled. All subscriptions must have handlers.

        exception_handler: called with an exception and the subscriber, and awaited; without it the exception ends the run.
        """
        self.all_have_handlers()
        await self.connect()
        source = self if pubsub is None else pubsub
        while True:
            try:
                await source.get_message(ignore_subscribe_messages=True, timeout=poll_timeout)
            except asyncio.CancelledError:
                raise
            except BaseException as error:
                if exception_handler is None:
                    raise
                handled = exception_handler(error, self)
                if inspect.isawaitable(handled):
                    await handled
            # Messages that are there already need no waiting: others get their turn all the same.
            await asyncio.sleep(0)
