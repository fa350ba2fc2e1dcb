"""Connections of programs that put an object in the place of a socket, as fakeredis does: what its `sendall` is given is
answered by replies that the connection's own `read_response` returns.

The native layer reads bytes. So each reply is written as RESP again, which costs time and no more: such connections are for
tests.
"""

from __future__ import annotations

import socket
import ssl
from typing import Any

from samewire._native import Reader

from ..exceptions import ConnectionError, InvalidResponse, TimeoutError

#: Begins the text of an error reply that stands for an exception; its place in `Spoken.errors` follows.
MARK = "SAMEWIRE-ERROR "


def stands_in(sock: object) -> bool:
    """Whether an object is not a socket, and can be written to like one."""
    return not isinstance(sock, socket.socket) and not hasattr(sock, "setblocking") and hasattr(sock, "sendall")


class Spoken:
    """Writes replies that are objects as RESP3, and keeps the exceptions among them, whose texts lack their first word."""

    def __init__(self) -> None:
        self._errors: dict[int, Exception] = {}
        self._made = 0

    def reply(self, reply: Any) -> bytes:
        """The bytes of a reply."""
        if reply is None:
            return b"_\r\n"
        if isinstance(reply, bool):
            return b"#t\r\n" if reply else b"#f\r\n"
        if isinstance(reply, int):
            return b":%d\r\n" % reply if -(2**63) <= reply < 2**63 else b"(%d\r\n" % reply
        if isinstance(reply, float):
            return f",{reply!r}\r\n".encode()
        if isinstance(reply, str | bytes):
            data = reply.encode() if isinstance(reply, str) else reply
            return b"$%d\r\n%s\r\n" % (len(data), data)
        if isinstance(reply, Exception):
            self._made += 1
            self._errors[self._made] = reply
            return f"-{MARK}{self._made}\r\n".encode()
        if isinstance(reply, dict):
            parts = [self.reply(each) for pair in reply.items() for each in pair]
            return b"%%%d\r\n" % len(reply) + b"".join(parts)
        kind = b"~" if isinstance(reply, set | frozenset) else b"*"
        return kind + b"%d\r\n" % len(reply) + b"".join(map(self.reply, reply))

    def error(self, text: str) -> Exception | None:
        """The exception that an error reply stands for; None if it is a server's."""
        return self._errors.pop(int(text[len(MARK) :]), None) if text.startswith(MARK) else None


class Commands:
    """Counts the commands in bytes as they are written: each is answered."""

    def __init__(self) -> None:
        self._reader = Reader(InvalidResponse, InvalidResponse)

    def in_bytes(self, data: bytes) -> int:
        """How many end in these bytes."""
        self._reader.feed(data)
        ended = 0
        while self._reader.gets() is not False:
            ended += 1
        return ended


class StandIn(ssl.SSLSocket):
    """What a `Link` has in the place of the socket: it uses the methods of an SSLSocket, not its descriptor."""

    _connection: Any
    _object: Any

    @classmethod
    def of(cls, connection: Any, sock: Any, spoken: Spoken) -> StandIn:
        """The stand-in of an object that `connection._connect` returned."""
        made = cls.__new__(cls)
        made._connection, made._object, made._spoken = connection, sock, spoken
        made._commands = Commands()
        made._due = 0
        made._left = b""
        return made

    _spoken: Spoken
    _commands: Commands
    #: Replies that were asked for and not read, and bytes of the last one.
    _due: int
    _left: bytes

    def __repr__(self) -> str:
        return f"<{type(self).__name__} of {self._object!r}>"

    def __del__(self) -> None:
        """Does nothing: there is no descriptor."""

    def setblocking(self, flag: bool) -> None:
        """Does nothing."""

    def fileno(self) -> int:
        """-1: there is none."""
        return -1

    def pending(self) -> int:
        """Bytes that can be read; 1 if a reply is due."""
        return len(self._left) or min(self._due, 1)

    def send(self, data: Any, flags: int = 0) -> int:
        """Hands commands over; their replies can be read then."""
        self._object.sendall(data)
        self._due += self._commands.in_bytes(data)
        return len(data)

    def recv(self, buflen: int = 65536, flags: int = 0) -> bytes:
        """Bytes of the next reply that is due. Raises SSLWantReadError if none is."""
        if not self._left:
            if not self._due:
                raise ssl.SSLWantReadError
            self._due -= 1
            self._left = self._spoken.reply(asked(self._connection))
        data, self._left = self._left[:buflen], self._left[buflen:]
        return data

    def wait(self, write: bool, timeout: float | None) -> int:
        """What a `Link` waits by: `recv` waits itself."""
        return 5 if write else 1


def asked(connection: Any) -> Any:
    """The next reply by the connection's own method, an error reply as an exception."""
    try:
        return connection.read_response(disable_decoding=True, disconnect_on_error=False)
    except Exception as error:
        return told(error)


async def asked_by(connection: Any) -> Any:
    """The next reply by the asyncio connection's own method, an error reply as an exception."""
    try:
        return await connection.read_response(disable_decoding=True, disconnect_on_error=False)
    except Exception as error:
        return told(error)


def told(error: Exception) -> Exception:
    """An error reply; raises what is none."""
    try:
        if type(error) in (ConnectionError, TimeoutError) or isinstance(error, OSError):
            raise error
        return error
    finally:
        # The error's traceback leads to this frame.
        del error
