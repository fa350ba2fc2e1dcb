"""Publish and subscribe for asyncio. Another task than the one that receives may subscribe."""

from __future__ import annotations

import asyncio
import contextlib
import warnings
from collections.abc import AsyncIterator, Callable
from typing import Any

from ..exceptions import ConnectionError
from ..pubsub.steps import PubSubSteps
from ..reader import PushNotification
from ..steps import AsyncClosing, Awaiting, run_async
from .stream import NOTHING
from .transport import AbstractConnection


class PubSub(PubSubSteps, AsyncClosing, Awaiting):
    __doc__ = PubSubSteps.__doc__

    connection: AbstractConnection | None

    def _begin(self) -> None:
        # Only one task makes the connection again.
        self._lock = asyncio.Lock()
        #: The attempt to connect again that is being made.
        self._attempt: asyncio.Task[None] | None = None

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
        """Calls `aclose`. Deprecated: it is redis-py's old name."""
        warnings.warn("close() is redis-py's old name: use aclose()", DeprecationWarning, stacklevel=2)
        await self.aclose()

    async def reset(self) -> None:
        """Calls `aclose`. Deprecated: it is redis-py's old name."""
        warnings.warn("reset() is redis-py's old name: use aclose()", DeprecationWarning, stacklevel=2)
        await self.aclose()

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        return self.any

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
        """Sends a command. Its reply is a message like all others: no caller waits for it here."""
        connection = await self._connected()
        await self._execute(connection, lambda: connection.send_command(*args, check_health=not self.subscribed))

    async def _execute(self, connection: AbstractConnection, command: Callable[[], Any]) -> Any:
        """Awaits `command()`; after a lost connection again on a new one, which `on_connect` has subscribed."""
        if connection.should_reconnect():
            await connection.disconnect(nowait=True)
            await self._reconnect(connection)
        return await connection.retry.call_with_retry(command, lambda _: self._reconnect(connection))

    # --- messages ---

    def _now(self) -> float:
        # Asked for with each message: that of all asyncio classes imports first.
        return asyncio.get_running_loop().time()

    def _unmade(self, connection: AbstractConnection) -> bool:
        return self._attempt is not None or not (connection.is_connected or connection.is_lost)

    async def _cut(self, connection: AbstractConnection, error: BaseException | None = None) -> None:
        await connection.disconnect(nowait=True, error=error)

    async def _readable(self, connection: AbstractConnection) -> bool:
        return await connection.can_read()

    def _closed(self) -> None:
        raise ConnectionError("the subscriber was closed: aclose() was called while this call waited") from None

    async def parse_response(self, block: bool = True, timeout: float | None = 0) -> Any:
        """What the server sent next, as it is. Waits without a limit if `block`, else at most `timeout` seconds; then None."""
        connection = self._own_connection()
        until = None if block or timeout is None else self._now() + timeout
        if self._unmade(connection) or connection.should_reconnect():
            return self._taken(connection, await run_async(self._receive(connection, until)))
        try:
            response = await self._read(connection, until)
        except Exception as error:
            response = await run_async(self._receive(connection, until, error))
        return self._taken(connection, response)

    async def _connected_until(self, connection: AbstractConnection, until: float | None) -> bool:
        """Waits for an attempt to connect, which goes on when the time of this call is over: the next call waits for it."""
        attempt = self._attempt = self._attempt or asyncio.create_task(self._connect_again(connection))
        # Not cancelled with this call, nor when its time is over.
        await asyncio.wait((attempt,), timeout=None if until is None else max(0.0, until - self._now()))
        if not attempt.done():
            return False
        if self._attempt is attempt:
            self._attempt = None
        if attempt.cancelled():
            raise ConnectionError("the subscriber was closed while it connected")
        try:
            attempt.result()
        finally:
            # The traceback of its error leads to this frame.
            del attempt
        return True

    async def _connect_again(self, connection: AbstractConnection) -> None:
        """Makes one attempt to connect, after its back-off."""
        pause, self._attempt_at = self._attempt_at - self._now(), 0.0
        if pause > 0:
            await asyncio.sleep(pause)
        async with self._lock:
            if self.connection is not connection:
                # It is the pool's again, and maybe somebody else's.
                raise ConnectionError("the subscriber was closed while it connected")
            await connection.connect_once()

    async def _read(self, connection: AbstractConnection, until: float | None) -> Any:
        """The next message, None if none comes in time. With `health_check_interval` a server that is silent is asked."""
        while True:
            if connection.health_check_interval:
                await self.check_health()
            wait = self._patience(connection, until)
            reply = await connection.reply_within(
                wait, self.encoder.decode_responses, disconnect_on_error=False, push_request=True
            )
            if reply is NOTHING:
                if until is not None and self._now() >= until:
                    return None
            elif isinstance(reply, Exception):
                try:
                    raise reply
                finally:
                    # The error's traceback leads to this frame.
                    del reply
            elif self.push_handler_func is not None and isinstance(reply, PushNotification):
                await self._outcome(self.push_handler_func(reply))
                return None
            else:
                return reply

    async def handle_message(self, response: Any, ignore_subscribe_messages: bool = False) -> dict[str, Any] | None:
        """What `parse_response` returned as a dictionary: type, pattern, channel, data. None if a handler took it."""
        if response is None:
            return None
        message, handler = self.message(response, ignore_subscribe_messages)
        if handler is None or message is None:
            return message
        await self._outcome(handler(message))
        return None

    async def get_message(self, ignore_subscribe_messages: bool = False, timeout: float | None = 0.0) -> dict[str, Any] | None:
        """The next message, or None if there is none within `timeout` seconds; None waits without a limit."""
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
                await self._outcome(exception_handler(error, self))
            # Messages that are there already need no waiting: others get their turn all the same.
            await asyncio.sleep(0)
