"""Publish and subscribe for blocking callers."""

from __future__ import annotations

import contextlib
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from typing import Any

from ..exceptions import ConnectionError, PubSubError, TimeoutError
from ..pubsub.steps import PubSubSteps
from ..pubsub.subscriptions import Handler
from ..reader import PushNotification
from ..steps import Blocking, Closing, run
from .transport import AbstractConnection

#: Seconds that an attempt to connect has at least, whatever the time of the call that makes it.
LEAST_CONNECT = 1.0


class PubSub(PubSubSteps, Closing, Blocking):
    __doc__ = PubSubSteps.__doc__

    connection: AbstractConnection | None

    def _begin(self) -> None:
        self.subscribed_event = threading.Event()
        self._lock = threading.RLock()
        self._reading = False

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.reset()

    def reset(self) -> None:
        """Closes the connection: the server then forgets the subscriptions."""
        # First, so that a thread that listens ends.
        self.subscribed_event.clear()
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.disconnect()
            connection.deregister_connect_callback(self.on_connect)
            if self._reading:
                # Another thread reads from it, and finds out that it is closed: nobody else may have it meanwhile.
                self.connection_pool.discard(connection)
            else:
                self.connection_pool.release(connection)
        self.forget()

    def close(self) -> None:
        """Closes the connection."""
        self.reset()

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        return self.subscribed_event.is_set()

    def subscribing(self, kind: str, names: Mapping[Any, Handler | None]) -> None:
        """Notes what was asked for."""
        super().subscribing(kind, names)
        if not self.subscribed:
            self.subscribed_event.set()
            self.health_check_response_counter = 0

    # --- commands ---

    def execute_command(self, *args: Any) -> None:
        """Sends a command. Its reply is a message like all others: no caller waits for it here."""
        if self.connection is None:
            self.connection = self.connection_pool.get_connection()
            if self.connection_pool.kept_replies is not None:
                # What was read through it is forgotten: nobody would hear of its invalidations.
                self.connection.disconnect()
            self.connection.register_connect_callback(self.on_connect)
        connection = self.connection
        if not self.subscribed:
            self.clean_health_check_responses()
        with self._lock:
            self._execute(connection, connection.send_command, *args, check_health=not self.subscribed)

    def _take(self) -> AbstractConnection:
        """Takes a connection that is not connected yet: everything is subscribed to when it is."""
        connection: AbstractConnection = self.connection_pool.lend()
        self.connection = connection
        connection.register_connect_callback(self.on_connect)
        return connection

    def clean_health_check_responses(self) -> None:
        """Reads the replies of health checks that nobody has read."""
        connection = self.connection
        attempts = 10
        while connection is not None and self.health_check_response_counter > 0 and attempts > 0:
            attempts -= 1
            if self._execute(connection, connection.can_read, timeout=connection.socket_timeout):
                response = self._execute(connection, connection.read_response)
                if not self.is_health_check_response(response):
                    raise PubSubError(
                        f"before anything is subscribed to, only replies to health checks can come, not {response!r}"
                    )
                self.health_check_response_counter -= 1

    def _execute(self, connection: AbstractConnection, command: Callable[..., Any], *args: Any, **kwargs: Any) -> Any:
        """Calls `command`; after a lost connection again on a new one, which `on_connect` has subscribed."""
        if connection.should_reconnect():
            self._reconnect(connection)
        return connection.retry.call_with_retry(
            lambda: command(*args, **kwargs),
            lambda _: self._reconnect(connection),
            # Not if it was closed meanwhile.
            lambda _: self.connection is connection,
        )

    def _reconnect(self, connection: AbstractConnection) -> None:
        connection.disconnect()
        connection.connect()

    # --- messages ---

    def _unmade(self, connection: AbstractConnection) -> bool:
        return not connection.is_connected

    def _cut(self, connection: AbstractConnection, error: BaseException | None = None) -> None:
        # A class with redis-py's methods alone takes no keyword.
        connection.disconnect(*(() if error is None else (error,)))

    def _readable(self, connection: AbstractConnection) -> bool:
        return bool(connection.can_read(0))

    def _closed(self) -> None:
        """Nothing: another thread has closed the subscriber."""

    def _connected_until(self, connection: AbstractConnection, until: float | None) -> bool:
        """Makes one attempt to connect, after its back-off; False if the time is over before that."""
        now = time.monotonic()
        if until is not None and now < self._attempt_at and until <= self._attempt_at:
            time.sleep(max(0.0, until - now))
            return False
        if now < self._attempt_at:
            time.sleep(self._attempt_at - now)
        if self.connection is not connection:
            raise ConnectionError("the subscriber was closed by another thread while it connected")
        within = getattr(connection, "connect_within", None)
        if within is None:
            # A class with redis-py's methods alone.
            connection.connect()
        else:
            # A caller who only looks for messages, without waiting, must come to a connection, too.
            within(None if until is None else max(LEAST_CONNECT, until - time.monotonic()))
        return True

    def _read(self, connection: AbstractConnection, until: float | None) -> Any:
        """The next message, None if none comes in time. With `health_check_interval` a server that is silent is asked."""
        # Before it looks whether the subscriber was closed: who closes it looks at this afterwards.
        self._reading = True
        try:
            while True:
                if self.connection is not connection:
                    raise ConnectionError("the subscriber was closed")
                if connection.health_check_interval:
                    self.check_health()
                wait = self._patience(connection, until)
                try:
                    if wait is not None and connection.reads_apart and not connection.can_read(wait):
                        # A read_response of the program's own may know no time.
                        raise TimeoutError
                    response = connection.read_response(
                        timeout=wait,
                        disconnect_on_error=False,
                        push_request=True,
                        decode=self.encoder.decode_responses,
                    )
                    break
                except TimeoutError:
                    if not connection.is_connected:
                        raise
                    if until is not None and time.monotonic() >= until:
                        return None
        finally:
            self._reading = False
        kept = self.connection_pool.kept_replies
        if kept is not None and isinstance(response, PushNotification) and kept.invalidated(response):
            return None
        if self.push_handler_func is not None and isinstance(response, PushNotification):
            return self.push_handler_func(response)
        return response

    def parse_response(self, block: bool = True, timeout: float | None = 0) -> Any:
        """What the server sent next, as it is. Waits without a limit if `block`, else at most `timeout` seconds; then None."""
        connection = self._own_connection()
        until = None if block or timeout is None else time.monotonic() + timeout
        if self._unmade(connection) or connection.should_reconnect():
            return self._taken(connection, run(self._receive(connection, until)))
        try:
            response = self._read(connection, until)
        except Exception as error:
            response = run(self._receive(connection, until, error))
        return self._taken(connection, response)

    def message(self, response: Any, ignore_subscribe_messages: bool = False) -> tuple[dict[str, Any] | None, Handler | None]:
        """What came, and the handler that it goes to."""
        found = super().message(response, ignore_subscribe_messages)
        if not self.any:
            self.subscribed_event.clear()
        return found

    def handle_message(self, response: Any, ignore_subscribe_messages: bool = False) -> dict[str, Any] | None:
        """What `parse_response` returned as a dictionary: type, pattern, channel, data. None if a handler took it."""
        if response is None:
            return None
        message, handler = self.message(response, ignore_subscribe_messages)
        if handler is None or message is None:
            return message
        handler(message)
        return None

    def get_message(self, ignore_subscribe_messages: bool = False, timeout: float | None = 0.0) -> dict[str, Any] | None:
        """The next message, or None if there is none within `timeout` seconds; None waits without a limit."""
        if not self.subscribed:
            start = time.monotonic()
            if not self.subscribed_event.wait(timeout):
                return None
            if timeout is not None:
                timeout = max(0.0, timeout - (time.monotonic() - start))
        response = self.parse_response(block=timeout is None, timeout=timeout)
        return None if response is None else self.handle_message(response, ignore_subscribe_messages)

    get_sharded_message = get_message

    def listen(self) -> Iterator[dict[str, Any]]:
        """Messages as they come, until nothing is subscribed any more."""
        while self.subscribed and self.connection is not None:
            message = self.handle_message(self.parse_response(block=True))
            if message is not None:
                yield message

    def run_in_thread(
        self,
        sleep_time: float = 0.0,
        daemon: bool = False,
        exception_handler: Callable[[BaseException, Any, Any], Any] | None = None,
        pubsub: Any = None,
        sharded_pubsub: bool = False,
    ) -> PubSubWorkerThread:
        """Starts a thread that hands messages to their handlers, and returns it. All subscriptions must have handlers."""
        self.all_have_handlers()
        thread = PubSubWorkerThread(self if pubsub is None else pubsub, sleep_time, daemon, exception_handler, sharded_pubsub)
        thread.start()
        return thread


class PubSubWorkerThread(threading.Thread):
    """Hands a subscriber's messages to their handlers until `stop`; closes the subscriber then."""

    def __init__(
        self,
        pubsub: Any,
        sleep_time: float,
        daemon: bool = False,
        exception_handler: Callable[[BaseException, Any, Any], Any] | None = None,
        sharded_pubsub: bool = False,
    ) -> None:
        super().__init__(daemon=daemon)
        self.pubsub = pubsub
        self.sleep_time = sleep_time
        self.exception_handler = exception_handler
        self.sharded_pubsub = sharded_pubsub
        self._running = threading.Event()

    def run(self) -> None:
        """Waits at most `sleep_time` seconds for each message."""
        if self._running.is_set():
            return
        self._running.set()
        next_message = self.pubsub.get_sharded_message if self.sharded_pubsub else self.pubsub.get_message
        while self._running.is_set():
            try:
                next_message(ignore_subscribe_messages=True, timeout=self.sleep_time)
            except BaseException as error:
                if self.exception_handler is None:
                    raise
                self.exception_handler(error, self.pubsub, self)
        self.pubsub.close()

    def stop(self) -> None:
        """Ends the thread after the message that it waits for."""
        self._running.clear()
