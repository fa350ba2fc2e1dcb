"""The transport of a connection that a program has connected in its own way, as fakeredis does: commands go to the `writelines`
of its `_writer`, and replies are those of its `read_response`."""

from __future__ import annotations

import asyncio
from typing import Any

from ..session.stand_in import Commands, Spoken, asked_by
from .stream import Stream


class StandInTransport(asyncio.Transport):
    """Stands for a transport. It reads for a mux alone: what has the connection for itself calls `read_response`."""

    def __init__(self, connection: Any, stream: Stream, spoken: Spoken) -> None:
        super().__init__()
        self._connection = connection
        self._writer = connection._writer
        self._stream = stream
        self._spoken = spoken
        self._commands = Commands()
        self._protocol: asyncio.BaseProtocol = stream
        self._due = 0
        self._reading: asyncio.Task[None] | None = None
        self._closing = False

    def set_protocol(self, protocol: asyncio.BaseProtocol) -> None:
        """Sets who is told of replies."""
        self._protocol = protocol
        self._due = 0
        if isinstance(protocol, Stream):
            self._stream = protocol

    def get_protocol(self) -> asyncio.BaseProtocol:
        """Who is told of replies."""
        return self._protocol

    def write(self, data: Any) -> None:
        """Hands commands over."""
        if self._closing:
            return
        try:
            self._writer.writelines([bytes(data)])
        except Exception as error:
            self._end(error)
            return
        if isinstance(self._protocol, asyncio.BufferedProtocol):
            self._due += self._commands.in_bytes(data)
            if self._due and self._reading is None:
                self._reading = self._stream.loop.create_task(self._read())

    async def _read(self) -> None:
        try:
            while self._due:
                reply = await asked_by(self._connection)
                self._due -= 1
                self._feed(self._spoken.reply(reply))
        except Exception as error:
            self._end(error)
        finally:
            self._reading = None

    def _feed(self, data: bytes) -> None:
        protocol: Any = self._protocol
        while data and not self._closing:
            room = protocol.get_buffer(len(data))
            some = min(len(room), len(data))
            room[:some] = data[:some]
            data = data[some:]
            protocol.buffer_updated(some)

    def _end(self, error: Exception | None) -> None:
        if self._closing:
            return
        self._closing = True
        if self._reading is not None and self._reading is not asyncio.current_task():
            self._reading.cancel()
        self._writer.close()
        for protocol in {self._protocol, self._stream}:
            self._stream.loop.call_soon(protocol.connection_lost, error)

    def close(self) -> None:
        """Ends the connection."""
        self._end(None)

    def abort(self) -> None:
        """Ends the connection as `close` does: nothing is buffered here."""
        self._end(None)

    def is_closing(self) -> bool:
        """Whether it has ended."""
        return self._closing

    def pause_reading(self) -> None:
        """Does nothing: replies come as they are asked for."""

    def resume_reading(self) -> None:
        """Does nothing."""
