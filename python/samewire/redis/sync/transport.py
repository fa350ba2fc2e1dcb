"""Connections of blocking callers: TCP, TLS and unix sockets, each over a native `Link`.

A connection is one caller's at a time. What it is told while no caller waits for it (pushes of RESP3) goes to `on_push`.
"""

from __future__ import annotations

import contextlib
import os
import socket
import ssl
import threading
import time
import weakref
from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from typing import Any

from samewire._native import Link, Pipe

from ..exceptions import ConnectionError, DataError, RedisError, TimeoutError
from ..observability import disconnected
from ..pipeline.watch_phase import TRIAL
from ..reader import PushNotification
from ..rules.blocking import reply_within
from ..rules.conversion import converted
from ..session.apart import APART, MISSING, NO_SOCKET, Apart
from ..session.connecting import Broken, ConnectSteps, TcpSteps, TlsSteps, UnixSteps
from ..session.credentials import Credentials
from ..session.greenlets import waiter
from ..session.handshake import reason_of_end
from ..session.refusals import failure, named, reword, tls_failed
from ..session.retry import Retry
from ..session.stand_in import Spoken, StandIn, stands_in
from ..session.tls import usable_context, wrapped
from ..steps import Blocking

#: Connections of this process: a child that is forked lets go of them before it runs anything else.
_alive: weakref.WeakSet[AbstractConnection] = weakref.WeakSet()


class AbstractConnection(ConnectSteps, Apart, Blocking):
    """A connection that is made when it is first used, and again after it was lost."""

    _retry_class = Retry

    #: The pool that has lent it; None while it is idle, or no pool's.
    lent: object = None

    #: Called when the connection is closed or lost.
    on_disconnect: Callable[[], object] | None = None

    #: Whether the server has taken MULTI on this connection.
    _takes_multi = False

    #: Commands of the last call or run that failed that were written to their last byte.
    sent = 0
    #: The replies that came before the connection was lost.
    partial: Sequence[Any] = ()

    def __init__(self, *args: Any, **options: Any) -> None:
        self._sock: socket.socket | None = None
        self._link: Link | None = None
        #: The link and its socket, for the one who closes them. Taken together: of two threads that disconnect at once, neither
        #: must find the socket without its link, which a third may be using.
        self._held: tuple[Link, socket.socket] | None = None
        #: Guards the three. A handler of signals may disconnect, too.
        self._swap = threading.RLock()
        self._writing = threading.RLock()
        #: The process that made the socket: in a child, it is the parent's.
        self._socket_pid = os.getpid()
        self._should_reconnect = False
        #: Whether the connection is to be made anew, or to authenticate again, before it is used.
        self._renewing = False
        #: The thread that has changed what the connection is: its database, a transaction, its user.
        self._changed_by: int | None = None
        #: When the connect that is being made must be done; None for no bound of its own.
        self._connect_by: float | None = None
        #: Why there is no connection.
        self._closed = "it was never made"
        #: Seconds that the command which waits has, if they are not `socket_timeout`.
        self._within: float | None = None
        #: A socket that another thread was using when it was shut down.
        self._woken: socket.socket | None = None
        super().__init__(*args, **options)
        _alive.add(self)

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.disconnect()

    # --- making it, and letting it go ---

    @abstractmethod
    def _connect(self) -> socket.socket:
        """A connected socket."""

    @property
    def is_connected(self) -> bool:
        """Whether there is a socket."""
        return self._sock is not None

    def connect_within(self, seconds: float | None) -> None:
        """Connects without further attempts; socket, TLS and greeting take at most so many seconds in all."""
        self._connect_by = None if seconds is None else time.monotonic() + seconds
        try:
            self.connect_once()
        finally:
            self._connect_by = None
        if self._link is not None:
            self._link.set_timeout(self.socket_timeout)

    def _bounded(self, seconds: float | None) -> float | None:
        """A time-out of the connect that is being made, cut down to the time that is left for all of it."""
        if self._connect_by is None:
            return seconds
        left = max(0.001, self._connect_by - time.monotonic())
        return left if seconds is None else min(seconds, left)

    def _is_made(self) -> bool:
        return self._link is not None

    def _caller(self) -> int:
        return threading.get_ident()

    def _credentials(self) -> Credentials | None:
        return self.credentials()

    def _cut(self, error: BaseException | None = None) -> None:
        self.disconnect(error)

    def _take(self, opened: Any) -> Broken:
        uses: socket.socket = opened
        self._close_woken()
        self._spoken = None
        wait: Callable[[bool, float | None], int] | None = None
        if self.reads_apart and stands_in(opened):
            self._spoken = Spoken()
            stand_in = StandIn.of(self, opened, self._spoken)
            uses, wait = stand_in, stand_in.wait
        elif hasattr(opened, "setblocking"):
            wait = waiter(opened)
        else:
            raise DataError(NO_SOCKET.format(type(self).__name__, type(opened).__name__))
        self._socket_pid = os.getpid()
        link = Link(
            uses,
            encoding=self.encoder.encoding,
            errors=self.encoder.encoding_errors,
            decode_responses=self.encoder.decode_responses,
            reply_error=self.reply_error,
            on_push=self._pushed,
            timeout=self._bounded(self.socket_timeout),
            limits=self.limits,
            wait=wait,
        )
        # In this order: another thread that disconnects closes no descriptor of which a link is still being made. Its number
        # would soon be another connection's.
        with self._swap:
            self._held = link, opened
            self._link = link
            self._sock = opened
        return lambda: link.broken

    def _exchange(self, commands: Iterable[tuple[Any, ...]]) -> list[object]:
        pipe = Pipe()
        for command in commands:
            pipe.append(command)
        link = self._link
        if link is None:
            raise ConnectionError(f"the connection to {self._host_error()} was closed during its handshake")
        try:
            # Not by `run`: a health check's PING must not come before AUTH.
            return link.run(pipe)
        except BaseException as error:
            self._judge(link, error, "the greeting")
            if not isinstance(error, ConnectionError):
                raise
            try:
                raise reason_of_end(error, self.partial) from None
            finally:
                # The error's traceback leads to this frame.
                del error

    def disconnect(self, *args: Any, **kwargs: Any) -> None:
        """Closes the socket. In a child that was forked, only the child's copy of it."""
        with self._swap:
            held, self._held = self._held, None
            put, self._sock = self._sock, None
            self._link = None
        self._should_reconnect = self._renewing = self._takes_multi = False
        self._changed_by = None
        # A program may have put a socket there, which no link uses.
        link, sock = held or (None, put)
        if sock is None:
            return
        if self.on_disconnect is not None:
            self.on_disconnect()
        error = args[0] if args else kwargs.get("error")
        self._closed = "disconnect() was called" if error is None else f"it was lost: {error}"
        disconnected(self._host_error(), error)
        own = os.getpid() == self._socket_pid
        if own:
            with contextlib.suppress(OSError, TypeError):
                shut_down(sock)
        if link is not None and not let_go(link) and own:
            # Another thread waits in it, and is woken by the shutdown: the descriptor must stay its own until it returns. A
            # forked child has no such thread.
            self._woken = sock
            return
        # A thread that writes is woken by the shutdown, too.
        with self._writing, contextlib.suppress(OSError):
            sock.close()

    def abandon(self) -> None:
        """Lets go of a parent process's socket, which goes on being the parent's."""
        # A thread that the child does not have may hold them.
        self._swap = threading.RLock()
        self._writing = threading.RLock()
        self.disconnect()

    def mark_for_reconnect(self) -> None:
        super().mark_for_reconnect()
        self._renewing = True

    def changed(self) -> None:
        """Marks the connection: it is made anew before another thread gets it."""
        self._changed_by = threading.get_ident()
        self._renewing = True

    def reset_should_reconnect(self) -> None:
        super().reset_should_reconnect()
        self._renewing = self._re_auth_token is not None or self._changed_by is not None

    # --- commands ---

    def call(self, args: tuple[Any, ...], convert: Any = None, decode: bool | None = None) -> Any:
        """Sends a command and returns its reply. Raises an error reply; `may_have_run` of other errors tells what is known."""
        link = self._link or self._linked()
        if self.health_check_interval:
            link = self._checked()
        try:
            return link.call(args, convert, decode)
        except BaseException as error:
            self._judge(link, error, named(args), self._within is not None)
            raise

    def __init_subclass__(cls, **keywords: Any) -> None:
        # What a subclass sends or reads in its own way goes through it, at the price of redis-py's two steps.
        super().__init_subclass__(**keywords)
        own = any(getattr(cls, name) is not getattr(AbstractConnection, name) for name in APART)
        cls.reads_apart = cls.read_response is not AbstractConnection.read_response
        if own and cls.call is AbstractConnection.call:
            cls.call = cls.call_apart  # type: ignore[method-assign]

    def call_waiting(self, args: tuple[Any, ...], convert: Any, decode: bool | None, seconds: float | None) -> Any:
        """Calls a command that blocks on the server: `socket_timeout` counts from the end of that wait.

        seconds: how long the server may wait; None for no limit, which a `socket_timeout` that was asked for bounds.
        """
        link = self._link or self._linked()
        within = self._within = reply_within(seconds, self.socket_timeout)
        link.set_timeout(within)
        try:
            return self.call(args, convert, decode)
        finally:
            self._within = None
            if self._link is link:
                link.set_timeout(self.socket_timeout)

    def call_apart(self, args: tuple[Any, ...], convert: Any = None, decode: bool | None = None) -> Any:
        """Calls a command by `send_command` and `read_response`, which a subclass may override."""
        self.send_command(*args)
        reply = self.read_response(disable_decoding=True) if decode is False else self.read_response()
        if decode and not self.encoder.decode_responses:
            raise DataError("a connection with a read_response of its own decodes replies as its pool says, not per call")
        return converted(reply, convert, {})

    def run(self, pipe: Pipe) -> list[Any]:
        """Sends the commands of a pipe and returns their replies, errors as exceptions in their places."""
        link = self._checked()
        try:
            return link.run(pipe)
        except BaseException as error:
            self._judge(link, error, f"a pipeline of {len(pipe)} commands")
            raise

    def begin(self, pipe: Pipe) -> None:
        """Sends of the commands of a pipe what goes without waiting. `finish` must follow, or `disconnect`."""
        link = self._checked()
        try:
            link.begin(pipe)
        except BaseException as error:
            self._judge(link, error)
            raise
        # Until `finish` knows better.
        self.sent = Pipe.__len__(pipe)

    def finish(self) -> list[Any]:
        """Sends the rest of what was begun, and returns the replies, errors as exceptions in their places.

        Raises ConnectionError if the connection was closed meanwhile: what was begun may have run.
        """
        link = self._link
        if link is None:
            raise failure(ConnectionError, f"Not connected to {self._host_error()}: {self._closed}", True)
        try:
            return link.finish()
        except BaseException as error:
            self._judge(link, error)
            raise

    def try_multi(self) -> None:
        """Finds out, once on each connection, whether the server takes MULTI: behind a refused one the commands of a transaction
        would run by themselves. Raises the refusal; nothing has run then."""
        if self._takes_multi:
            return
        try:
            refused = self._exchange_multi()
        except RedisError as error:
            error.may_have_run = False
            raise
        if isinstance(refused, Exception):
            try:
                raise refused
            finally:
                # The error's traceback leads to this frame.
                del refused
        self._takes_multi = True

    def _exchange_multi(self) -> object:
        pipe = Pipe()
        for name in TRIAL:
            pipe.append((name,))
        return self.run(pipe)[0]

    def run_transaction(self, pipe: Pipe) -> tuple[list[tuple[int, Exception]], list[Any] | Exception | None]:
        """Sends the commands of a pipe between MULTI and EXEC; returns what `Link.run` does."""
        link = self._checked()
        try:
            return link.run(pipe, True)
        except BaseException as error:
            self._judge(link, error, f"a transaction of {len(pipe)} commands")
            raise

    def _checked(self) -> Link:
        """The link of a connection that is well. What is sent on it counts as its next sign of life."""
        if self.health_check_interval and self._link is not None:
            self.check_health()
            self.healthy()
        return self._link or self._linked()

    def _linked(self) -> Link:
        self.connect()
        link = self._link
        if link is None:
            raise failure(ConnectionError, f"The connection to {self._host_error()} was closed while it was made", False)
        return link

    def _judge(self, link: Link, error: BaseException, what: object = "a command", waiting: bool = False) -> None:
        """Disconnects after what has broken the link, and says whether the command may have run."""
        if not link.broken:
            return
        self.sent = link.sent
        self.partial = link.partial or ()
        if isinstance(error, RedisError):
            error.may_have_run = link.sent > 0
            why = ""
            if isinstance(error, TimeoutError):
                why = f": {what} had {self._within if waiting else self.socket_timeout} seconds"
            elif self._link is not link and isinstance(error, ConnectionError):
                why = f": {what} was waiting, and another thread closed the connection here ({self._closed})"
            reword(error, f"{error.args[0]}{why} ({self._host_error()})")
        if self._link is link:
            self.disconnect(error)
        else:
            self._close_woken()

    def _close_woken(self) -> None:
        """Closes the socket that another thread has shut down: the caller, who used it, uses it no more."""
        woken, self._woken = self._woken, None
        if woken is not None:
            with self._writing:
                woken.close()

    def _ping(self) -> Any:
        link = self._linked()
        try:
            return link.call(("PING",))
        except BaseException as error:
            self._judge(link, error, "a health check")
            raise

    def refresh(self) -> None:
        """Reads what came while the connection was idle: pushes. Connects anew if it was closed or holds a reply."""
        if self._should_reconnect or self._changed_by not in (None, threading.get_ident()):
            self.disconnect()
        link = self._link
        if link is None:
            self.connect()
            return
        self.hear()
        self.connect()
        self.re_auth()

    def hear(self) -> None:
        """Reads the pushes that came while the connection was idle. Disconnects if it was closed or holds a reply."""
        link = self._link
        try:
            while link is not None and link.readable():
                message = link.read(0, None, MISSING)
                if message is MISSING:
                    # Not the whole of it yet.
                    break
                if not isinstance(message, PushNotification):
                    self.disconnect()
                    break
                self._pushed(message)
        except (ConnectionError, TimeoutError, OSError) as error:
            self.disconnect(error)

    def _pushed(self, message: Any) -> None:
        if self.on_push is not None:
            self.on_push(message)

    # --- the rest of redis-py's surface ---

    def _get_socket(self) -> socket.socket | None:
        return self._sock

    def getpeername(self) -> Any:
        """The server's address as the socket has it; None without a socket."""
        sock = self._sock
        return sock.getpeername()[0] if sock is not None else None

    def extract_connection_details(self) -> str:
        """Both ends of the connection, for logs."""
        sock = self._sock
        if sock is None:
            return "not connected"
        with contextlib.suppress(OSError):
            return f"connected to {sock.getpeername()}, local socket {sock.getsockname()}"
        return "not connected"

    def set_re_auth_token(self, token: Any) -> None:
        """A token with which `re_auth` authenticates, before the connection is used again."""
        self._re_auth_token = token
        self._renewing = True

    def re_auth(self) -> None:
        """Authenticates with the token that was set, if there is one."""
        token, self._re_auth_token = self._re_auth_token, None
        self._renewing = self._should_reconnect or self._changed_by is not None
        if token is not None:
            try:
                self.call(("AUTH", token.try_get("oid"), token.get_value()))
            except RedisError as error:
                # Of the command that the connection is wanted for.
                error.may_have_run = False
                raise


class Connection(TcpSteps, AbstractConnection):
    __doc__ = TcpSteps.__doc__

    def _connect(self) -> socket.socket:
        failed: OSError | None = None
        for family, kind, number, _, address in socket.getaddrinfo(self.host, self.port, self.socket_type, socket.SOCK_STREAM):
            sock = socket.socket(family, kind, number)
            try:
                self._tune(sock)
                sock.settimeout(self._bounded(self.socket_connect_timeout))
                sock.connect(address)
                return sock
            except OSError as error:
                failed = error
                sock.close()
        raise failed or OSError(f"the name {self.host} has no address")


class SSLConnection(TlsSteps, Connection):
    __doc__ = TlsSteps.__doc__

    def _connect(self) -> socket.socket:
        address = f"{self.host}:{self.port}"
        context = usable_context(self.tls, address)
        sock = super()._connect()
        # The handshake is the server's first reply.
        seconds = self._bounded(self._handshake_timeout())
        try:
            # Of the whole handshake: a server may send it byte by byte.
            return wrapped(context, sock, self.tls.server_hostname or self.host, seconds)
        except OSError as error:
            sock.close()
            raise tls_failed(address, error, seconds) from error
        except BaseException:
            sock.close()
            raise


class UnixDomainSocketConnection(UnixSteps, AbstractConnection):
    __doc__ = UnixSteps.__doc__

    def _connect(self) -> socket.socket:
        sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            sock.settimeout(self._bounded(self.socket_connect_timeout))
            sock.connect(self.path)
        except OSError:
            sock.close()
            raise
        return sock


def shut_down(sock: socket.socket) -> None:
    """Ends a socket in both directions, also for a thread that waits in it."""
    if isinstance(sock, ssl.SSLSocket):
        # Its own `shutdown` forgets the encryption first: what another thread writes then goes out in the clear.
        socket.socket.shutdown(sock, socket.SHUT_RDWR)
    else:
        sock.shutdown(socket.SHUT_RDWR)


def let_go(link: Link) -> bool:
    """Breaks a link; False if another thread waits in it."""
    try:
        link.close()
    except RuntimeError:
        return False
    return True


def after_fork() -> None:
    """In a child: lets go of the parent's sockets."""
    for connection in list(_alive):
        connection.abandon()


os.register_at_fork(after_in_child=after_fork)
