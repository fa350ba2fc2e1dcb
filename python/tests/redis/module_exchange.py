"""A server that writes down what clients send, and replies what another server replied to the same calls."""

from __future__ import annotations

import socket
import threading
from collections.abc import Callable
from io import BufferedIOBase
from typing import Any

#: Sent when a connection is made; each client has its own.
GREETING = {b"HELLO", b"CLIENT", b"SELECT"}

HELLO = {
    2: b"*4\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:2\r\n",
    3: b"%2\r\n$6\r\nserver\r\n$5\r\nredis\r\n$5\r\nproto\r\n:3\r\n",
}


def read_command(stream: BufferedIOBase) -> list[bytes]:
    """The words of a command; none at the end of the stream."""
    line = stream.readline()
    words = []
    for _ in range(int(line[1:] or b"0")):
        words.append(stream.read(int(stream.readline()[1:])))
        stream.read(2)
    return words


def read_reply(stream: BufferedIOBase) -> bytes:
    """The bytes of one reply."""
    line = stream.readline()
    kind, count = line[:1], line[1:]
    if kind in b"$=!":
        return line + (stream.read(int(count) + 2) if int(count) >= 0 else b"")
    if kind in b"*~>%|":
        return line + b"".join(read_reply(stream) for _ in range(int(count) * (2 if kind in b"%|" else 1)))
    return line


class Exchange:
    """Listens on a port of its own, as a server of one protocol.

    answer: the bytes of the reply to a command.
    """

    def __init__(self, protocol: int, answer: Callable[[list[bytes]], bytes]) -> None:
        self.protocol = protocol
        self.commands: list[list[bytes]] = []
        self._answer = answer
        self._listener = socket.create_server(("127.0.0.1", 0))
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, daemon=True).start()

    def close(self) -> None:
        """Takes no more connections."""
        self._listener.close()

    def _accept(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            threading.Thread(target=self._serve, args=(connection,), daemon=True).start()

    def _serve(self, connection: socket.socket) -> None:
        with connection, connection.makefile("rwb") as stream:
            while words := read_command(stream):
                name = words[0].upper()
                if name == b"HELLO":
                    reply = HELLO[self.protocol]
                elif name in GREETING or name == b"MULTI":
                    reply = b"+OK\r\n"
                else:
                    self.commands.append(words)
                    reply = self._answer(words)
                stream.write(reply)
                stream.flush()


def forward(address: tuple[str, int], protocol: int) -> Callable[[list[bytes]], bytes]:
    """Asks a server."""
    stream = socket.create_connection(address).makefile("rwb")

    def ask(words: list[bytes]) -> bytes:
        stream.write(b"*%d\r\n" % len(words) + b"".join(b"$%d\r\n%b\r\n" % (len(word), word) for word in words))
        stream.flush()
        return read_reply(stream)

    ask([b"HELLO", b"%d" % protocol])
    ask([b"FLUSHALL"])
    return ask


def replay(exchanges: list[dict[str, Any]]) -> Callable[[list[bytes]], bytes]:
    """Replies in the order of a recording."""
    left = iter(exchanges)

    def answer(_: list[bytes]) -> bytes:
        found = next(left, None)
        return b"-ERR the recording is at its end\r\n" if found is None else found["reply"].encode("latin-1")

    return answer
