"""The replies of one connection, for one caller at a time: what subscribers, monitors, blocking commands and watched
transactions use."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from samewire._native import Reader
from samewire.limits import Limits

from ..exceptions import ConnectionError, InvalidResponse


class _Nothing:
    """The class of NOTHING."""

    def __repr__(self) -> str:
        return "NOTHING"


#: What `Stream.read` returns when no reply came in time.
NOTHING: Final = _Nothing()


class Stream(asyncio.Protocol):
    """Receives bytes and makes replies of them when they are asked for.

    `high` bytes that nobody asks for stop the transport from reading: a subscriber that does not keep up is held by the
    server's limits, not by this process's memory.
    """

    def __init__(
        self,
        loop: asyncio.AbstractEventLoop,
        encoding: str,
        errors: str,
        limits: Limits | None,
        reply_error: Callable[[str], Exception],
    ) -> None:
        self.loop = loop
        self.transport: asyncio.Transport | None = None
        self.closed = loop.create_future()
        self._reader = Reader(InvalidResponse, reply_error, encoding, errors, NOTHING, limits=limits)
        self._high = (limits or Limits()).buffered_bytes
        self._arrival: asyncio.Future[None] | None = None
        self._room: asyncio.Future[None] | None = None
        self._paused = False

    # What the transport calls.

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport  # type: ignore[assignment]

    def data_received(self, data: bytes) -> None:
        self._reader.feed(data)
        if self._arrival is not None:
            _wake(self._arrival)
        elif self._reader.len() > self._high and self.transport is not None:
            self._paused = True
            self.transport.pause_reading()

    def connection_lost(self, error: Exception | None) -> None:
        self.transport = None
        for waiting in (self.closed, self._arrival, self._room):
            if waiting is not None:
                _wake(waiting)

    def pause_writing(self) -> None:
        self._room = self.loop.create_future()

    def resume_writing(self) -> None:
        if self._room is not None:
            _wake(self._room)
            self._room = None

    # What a connection calls.

    def write(self, data: bytes) -> None:
        """Queues bytes. Raises ConnectionError if the connection is closed."""
        if self.transport is None or self.transport.is_closing():
            raise lost(may_have_run=False)
        self.transport.write(data)

    async def drain(self) -> None:
        """Returns when the transport takes more bytes."""
        while self._room is not None and self.transport is not None:
            await asyncio.shield(self._room)

    def take(self, decode: bool) -> Any:
        """The next reply if it is complete, else NOTHING. An error reply is returned, not raised."""
        reply = self._reader.gets(decode)
        if reply is NOTHING and self._paused and self.transport is not None:
            self._paused = False
            self.transport.resume_reading()
        return reply

    async def read(self, decode: bool, timeout: float | None) -> Any:
        """The next reply; NOTHING if it does not come within `timeout` seconds.

        Raises ConnectionError if the connection is closed, InvalidResponse if what came is not RESP.
        """
        reply = self.take(decode)
        if reply is not NOTHING:
            return reply
        if timeout is not None and timeout <= 0:
            # The first turn makes the loop look at the socket, the second runs what it found.
            for _ in range(2):
                await asyncio.sleep(0)
            reply = self.take(decode)
            if reply is NOTHING and self.transport is None:
                raise lost()
            return reply
        deadline = None if timeout is None else self.loop.time() + timeout
        while reply is NOTHING:
            if self.transport is None:
                raise lost()
            if not await self._arrive(deadline):
                return self.take(decode)
            reply = self.take(decode)
        return reply

    def is_readable(self) -> bool:
        """Whether bytes are there that no reply was made of yet, or the connection is closed."""
        return self.transport is None or self._reader.has_data()

    async def _arrive(self, deadline: float | None) -> bool:
        """Waits until bytes come or the connection is closed; False if the deadline comes first."""
        arrival = self._arrival = self.loop.create_future()
        timer = None if deadline is None else self.loop.call_at(deadline, _wake, arrival)
        try:
            await arrival
        finally:
            self._arrival = None
            if timer is not None:
                timer.cancel()
        return deadline is None or self.loop.time() < deadline


def _wake(waiting: asyncio.Future[None]) -> None:
    if not waiting.done():
        waiting.set_result(None)


def lost(text: str = "the server closed the connection", may_have_run: bool | None = None) -> ConnectionError:
    """The error of a lost connection."""
    error = ConnectionError(text)
    error.may_have_run = may_have_run
    return error
