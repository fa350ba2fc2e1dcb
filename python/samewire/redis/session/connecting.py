"""How a connection is made, greeted and kept healthy. Blocking and asyncio connections share it."""

from __future__ import annotations

import contextlib
import socket
import time
import weakref
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..exceptions import ConnectionError, ReadOnlyError, RedisError, TimeoutError
from ..observability import connected
from ..rules.error_replies import error_of
from ..steps import Operations, Steps, operation
from .breaker import CircuitBreaker
from .driver_info import SENTINEL
from .handshake import handshake
from .options import DEFAULT_PORT, ConnectionOptions, keepalive_options
from .refusals import failure, not_connected, refusal, ungreeted
from .stand_in import Spoken
from .tls import TLS_KEYWORDS, TlsOptions

#: Whether a link or a transport is of no use any more.
Broken = Callable[[], bool]


class ConnectSteps(ConnectionOptions, Operations):
    """A connection that is made when it is first used, and again after it was lost."""

    #: Shared by the connections of a pool; None for none.
    breaker: CircuitBreaker | None = None

    #: The protocol that the server speaks; None before it was greeted.
    spoken: int | None = None

    #: Called with each push of RESP3 that comes between replies.
    on_push: Callable[[Any], object] | None = None

    #: Whether a subclass reads replies in its own way.
    reads_apart = False
    #: Writes the replies of what stands in for a socket or a transport; None with a real one.
    _spoken: Spoken | None = None

    #: The thread or the task that greets the server.
    _greeting: Any = None
    _should_reconnect = False

    def __init__(self, *args: Any, **options: Any) -> None:
        self._connect_callbacks: list[weakref.WeakMethod[Callable[[Any], Any]]] = []
        self._re_auth_token: Any = None
        super().__init__(*args, **options)

    # What each kind has of its own; what may wait is a step.

    #: Whether commands can be sent.
    _is_made: Callable[[], bool]
    #: The thread or the task that runs.
    _caller: Callable[[], Any]
    #: Connects a socket or a transport, which `_take` then uses.
    _connect: Callable[[], Any]
    _take: Callable[[Any], Broken]
    #: The credentials for the connection that is being made.
    _credentials: Callable[[], Any]
    #: Sends commands of the greeting and returns their replies, errors as exceptions in their places.
    _exchange: Callable[[Iterable[tuple[Any, ...]]], Any]
    #: The reply to PING.
    _ping: Callable[[], Any]
    #: Closes the connection without waiting for the other side. Takes the error that is why.
    _cut: Callable[..., Any]
    #: The server's address, for texts.
    _host_error: Callable[[], str]

    # --- making it ---

    def _error_message(self, error: BaseException) -> str:
        """The text of a connect that failed."""
        return refusal(self._host_error(), error)

    @operation
    def connect(self) -> Steps[None]:
        """Connects and greets the server, unless that is done. Attempts follow a failure as `retry` says."""
        if not self._is_made():
            yield self.retry.call_with_retry(self.connect_once, self._cut)

    @operation
    def connect_check_health(self, check_health: bool = True, retry_socket_connect: bool = True) -> Steps[None]:
        """Connects; the handshake shows that the server is well."""
        yield self.connect() if retry_socket_connect else self.connect_once()

    @operation
    def connect_once(self) -> Steps[None]:
        """Connects without further attempts. Raises TimeoutError or ConnectionError."""
        if self._is_made():
            return
        if self._greeting is not None and self._greeting == self._caller():
            # Its own handshake needs the connection, and made it anew without end.
            raise failure(ConnectionError, f"the connection to {self._host_error()} was closed during its handshake", False)
        start = time.monotonic()
        if self.breaker is not None:
            self.breaker.check(self._host_error(), start)
        try:
            yield from self._make(start)
        except RedisError as error:
            # What was sent was the greeting: whoever wants to send a command has not sent it.
            error.may_have_run = False
            raise
        if self.breaker is not None:
            self.breaker.succeeded()
        connected(self._host_error(), time.monotonic() - start)

    def _make(self, start: float) -> Steps[None]:
        """Connects and greets the server."""
        try:
            opened = yield self._connect()
        except OSError as error:
            self._unreached(start)
            raise not_connected(self._host_error(), error, self._error_message(error)) from error
        broken: Broken | None = None
        self._greeting = self._caller()
        try:
            broken = self._take(opened)
            if self.redis_connect_func is None:
                yield self.on_connect()
            else:
                yield self._outcome(self.redis_connect_func(self))
            self.healthy()
            self._connect_callbacks = [reference for reference in self._connect_callbacks if reference()]
            for reference in self._connect_callbacks:
                callback = reference()
                if callback is not None:
                    yield self._outcome(callback(self))
        except BaseException as error:
            if isinstance(error, RedisError):
                ungreeted(error, isinstance(self, TlsSteps))
                if broken is None or broken():
                    self._unreached(start)
                elif self.breaker is not None:
                    # It refuses this client.
                    self.breaker.succeeded()
            yield self._cut()
            if isinstance(error, OSError):
                # Another thread has closed the socket meanwhile.
                raise ConnectionError(f"the connection to {self._host_error()} was closed here during its handshake") from error
            raise
        finally:
            self._greeting = None

    def _unreached(self, start: float) -> None:
        """Tells the breaker that a connect that began at `start` has not reached the server."""
        if self.breaker is not None:
            self.breaker.failed(self._host_error(), start, time.monotonic())

    @operation
    def on_connect(self) -> Steps[None]:
        """Greets the server: protocol, credentials, names, database."""
        greeting = handshake(self, (yield self._credentials()))
        replies: Any = None
        try:
            while True:
                replies = yield self._exchange(greeting.send(replies))
        except StopIteration as done:
            self.handshake_metadata = done.value.metadata
            self.spoken = done.value.protocol
        except RedisError as error:
            # Its traceback leads to frames that keep the replies, of which it is one.
            error.__traceback__ = None
            raise
        finally:
            del replies

    @operation
    def on_connect_check_health(self, check_health: bool = True) -> Steps[None]:
        """Greets the server."""
        yield self.on_connect()

    def register_connect_callback(self, callback: Callable[[Any], Any]) -> None:
        """Calls a bound method after each connect; that of an asyncio connection may be a coroutine function. It is not
        kept alive."""
        reference = weakref.WeakMethod(callback)
        if reference not in self._connect_callbacks:
            self._connect_callbacks.append(reference)

    def deregister_connect_callback(self, callback: Callable[[Any], Any]) -> None:
        """Stops calling a method that was registered."""
        with contextlib.suppress(ValueError):
            self._connect_callbacks.remove(weakref.WeakMethod(callback))

    # --- its health ---

    def healthy(self) -> None:
        """Puts off the next health check."""
        if self.health_check_interval:
            self.next_health_check = self._now() + self.health_check_interval

    @operation
    def check_health(self) -> Steps[None]:
        """Sends PING if `health_check_interval` seconds have gone since the last sign of life.

        Connects anew if it fails, once: the handshake shows that the server is well, and `retry` is the caller's.
        """
        if not self.health_check_interval or self._greeting is not None or self._now() <= self.next_health_check:
            return
        if self._is_made():
            try:
                reply = yield self._ping()
                if reply not in (b"PONG", "PONG"):
                    raise ConnectionError(f"{self._host_error()} replied to PING with {reply!r}")
            except (ConnectionError, TimeoutError) as error:
                # It is the PING that may have run.
                error.may_have_run = False
                yield self._cut(error)
                if not self.retry.supports(error) or self.retry.exhausted(1):
                    raise
        yield self.connect_once()
        self.healthy()

    def mark_for_reconnect(self) -> None:
        """Marks the connection: it is made anew when it is next lent or returned."""
        self._should_reconnect = True

    def should_reconnect(self) -> bool:
        """Whether the connection is to be made anew."""
        return self._should_reconnect

    def reset_should_reconnect(self) -> None:
        """Keeps the connection after all."""
        self._should_reconnect = False

    def reply_error(self, text: str) -> Exception:
        """The exception of an error reply. READONLY ends the connection after its use: its server is not a master any more, and behind
        a fixed address (DNS, a proxy) a new connection leads to the new one."""
        stood_for = None if self._spoken is None else self._spoken.error(text)
        error = stood_for or error_of(text)
        if isinstance(error, ReadOnlyError):
            self.mark_for_reconnect()
        return error

    def get_protocol(self) -> int:
        """The protocol that was asked for; `spoken` is the one that the server speaks."""
        return self.protocol


class TcpSteps(ConnectSteps):
    """A connection by TCP."""

    def __init__(
        self,
        host: str = "localhost",
        port: str | int = DEFAULT_PORT,
        socket_keepalive: bool | None = True,
        socket_keepalive_options: Mapping[int, int | bytes] | object | None = SENTINEL,
        socket_type: int = 0,
        **options: Any,
    ) -> None:
        self.host = host
        self.port = int(port)
        self.socket_keepalive = socket_keepalive
        chosen: Any = keepalive_options() if socket_keepalive_options is SENTINEL else socket_keepalive_options
        self.socket_keepalive_options: Mapping[int, int | bytes] = chosen or {}
        self.socket_type = socket_type
        super().__init__(**options)

    def repr_pieces(self) -> list[tuple[str, Any]]:
        return [("host", self.host), ("port", self.port), *super().repr_pieces()]

    def _host_error(self) -> str:
        return f"{self.host}:{self.port}"

    def _tune(self, sock: socket.socket) -> None:
        """Sets the socket's options."""
        sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        if self.socket_keepalive:
            sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
            for option, value in self.socket_keepalive_options.items():
                sock.setsockopt(socket.IPPROTO_TCP, option, value)


class TlsSteps(TcpSteps):
    """A connection by TCP with TLS."""

    def __init__(self, **options: Any) -> None:
        self.tls = TlsOptions(**{name: options.pop(name) for name in TLS_KEYWORDS & options.keys()})
        super().__init__(**options)

    def __getattr__(self, name: str) -> Any:
        # The options of TLS are attributes of redis-py's connections.
        if name == "tls" or name.startswith("__"):
            raise AttributeError(name)
        return getattr(self.tls, name)

    def _handshake_timeout(self) -> float | None:
        """Seconds that the TLS handshake may take; the least bound that a caller has given."""
        times = [seconds for seconds in (self.socket_connect_timeout, self.socket_timeout) if seconds is not None]
        return min(times, default=None)


class UnixSteps(ConnectSteps):
    """A connection by a unix socket."""

    def __init__(self, path: str = "", **options: Any) -> None:
        self.path = path
        super().__init__(**options)

    def repr_pieces(self) -> list[tuple[str, Any]]:
        return [("path", self.path), *super().repr_pieces()]

    def _host_error(self) -> str:
        return self.path
