"""A scripted gateway: it opens channels properly, and answers calls with any bytes."""

from __future__ import annotations

import queue
import socket
import ssl
import tempfile
import threading
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from spec.oracle.bridge.cursor import Cursor
from spec.oracle.bridge.encode import encode
from spec.oracle.bridge.messages import Site, read, write

TOKEN = bytes(range(32))
SECRET = bytes(range(16))

Message = dict[str, Any]


def frame(message: bytes) -> bytes:
    """A message with its length before it."""
    return len(message).to_bytes(4, "little") + message


def receive(connection: socket.socket, size: int) -> bytes:
    """So many bytes. Raises EOFError if the peer has gone."""
    data = b""
    while len(data) < size:
        try:
            part = connection.recv(size - len(data))
        except ConnectionError:
            part = b""
        if not part:
            raise EOFError
        data += part
    return data


def next_message(connection: socket.socket) -> bytes:
    """The next message. Raises EOFError if the peer has gone."""
    return receive(connection, int.from_bytes(receive(connection, 4), "little"))


def welcome(channel: int, **given: Any) -> bytes:
    """The message that takes a channel."""
    plain: dict[str, Any] = {"session": SECRET.hex(), "channel": str(channel), "language": "script", "process": "1", "takes": []}
    return write({"welcome": plain | {"records": [], "frame_bytes": "67108864", "ring": False} | given}, Site())


def described(number: int) -> bytes:
    """The reply to a question for a class of that number."""
    info = {"number": str(number), "name": f"C{number}", "form": 0, "superclass": "", "supertypes": [], "functional": ""}
    value = {"class": info | {"inner": [], "members": []}}
    return write({"first return": {"kind": "class", "value": value}}, Site())


def is_describe(message: bytes) -> int | None:
    """The class number that a first call asks for, if it asks for one."""
    if message[:1] != b"\x11":
        return None
    cursor = Cursor(message)
    cursor.pos = 1
    cursor.varint()
    if cursor.data[cursor.pos] != 7:
        return None
    return int(read(Cursor(message), Site())["first call"]["arguments"][0].get("i64", 1))


class ScriptedGateway:
    """Listens on a unix socket, or with a context on a port of TLS. Each call gets what `answer` makes of it: bytes of a stream,
    frames or not; None ends the channel.

    `control`: messages that came on control channels. `calls`: calls that came on others, `replies`: replies, `released`:
    releases.
    """

    def __init__(self, answer: Callable[[bytes], bytes | None], tls: ssl.SSLContext | None = None) -> None:
        self.answer = answer
        self.welcome: Callable[[int], bytes] = lambda channel: frame(welcome(channel))
        self.ends_after_answer = False
        #: The reply to a question for a class of that number.
        self.describe: Callable[[int], bytes] = described
        self.control: queue.Queue[bytes] = queue.Queue()
        self.calls: queue.Queue[bytes] = queue.Queue()
        self.replies: queue.Queue[bytes] = queue.Queue()
        self.released: queue.Queue[bytes] = queue.Queue()
        self.controls: queue.Queue[socket.socket] = queue.Queue()
        self.callbacks: queue.Queue[socket.socket] = queue.Queue()
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "s"
        self._tls = tls
        if tls is None:
            self._listener = socket.socket(socket.AF_UNIX)
            self._listener.bind(str(self.path))
        else:
            self._listener = socket.socket()
            self._listener.bind(("127.0.0.1", 0))
        self._listener.listen(64)
        self._open: set[socket.socket] = set()
        threading.Thread(target=self._accept, daemon=True).start()

    @property
    def address(self) -> str:
        return f"unix:{self.path}"

    @property
    def port(self) -> int:
        return int(self._listener.getsockname()[1])

    def _accept(self) -> None:
        channel = 0
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            self._open.add(connection)
            threading.Thread(target=self._serve, args=(connection, channel), daemon=True).start()
            channel += 1

    def _serve(self, connection: socket.socket, channel: int) -> None:
        with suppress(OSError, EOFError):
            if self._tls is not None:
                plain, connection = connection, self._tls.wrap_socket(connection, server_side=True)
                self._open.discard(plain)
                self._open.add(connection)
            hello = read(Cursor(next_message(connection)), Site())["hello"]
            connection.sendall(self.welcome(channel))
            if hello["role"] == 0:
                self.controls.put(connection)
                while True:
                    self.control.put(next_message(connection))
            if hello["role"] == 2:
                self.callbacks.put(connection)
                self._open.discard(connection)
                return
            while self._call(connection):
                pass
        with suppress(OSError):
            connection.shutdown(socket.SHUT_RDWR)
        connection.close()
        self._open.discard(connection)

    def _call(self, connection: socket.socket) -> bool:
        message = next_message(connection)
        number = is_describe(message)
        if number is not None:
            connection.sendall(frame(self.describe(number)))
            return True
        if message[0] in (0x10, 0x11, 0x12):
            self.calls.put(message)
            reply = self.answer(message)
            if reply is None:
                return False
            connection.sendall(reply)
            return not self.ends_after_answer
        if message[0] == 0x30:
            self.released.put(message)
        else:
            # The reply to a call that was an answer: the call which it answered returns.
            self.replies.put(message)
            connection.sendall(returned("void", b""))
        return True

    def said(self, timeout: float = 60) -> Message:
        """The next message of a control channel that is not a release. Raises queue.Empty."""
        while True:
            message = read(Cursor(self.control.get(timeout=timeout)), Site())
            if "release" not in message:
                return message

    def stop_listening(self) -> None:
        """Takes no connection any more; those that are there stay."""
        with suppress(OSError):
            # A thread that waits in `accept` keeps a socket open that is only closed.
            self._listener.shutdown(socket.SHUT_RDWR)
        self._listener.close()

    def close(self) -> None:
        self._listener.close()
        for connection in list(self._open):
            with suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)
            connection.close()
        self._folder.cleanup()

    def __enter__(self) -> ScriptedGateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def returned(kind: str, value: bytes) -> bytes:
    """A frame of a first return."""
    return frame(b"\x22" + encode({"string": kind}, "string") + value)
