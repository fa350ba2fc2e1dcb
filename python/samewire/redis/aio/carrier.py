"""A mux over one transport: what the transport receives becomes replies, and their absence is noticed."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol

from samewire._native import Mux, Pipe

from ..exceptions import ConnectionError, RedisError, TimeoutError
from ..observability import disconnected
from ..pipeline.watch_phase import TRIAL
from ..session.refusals import failure
from .peer_end import peer_end
from .transport import AbstractConnection

#: How finely time-outs are told: a caller waits at most this part of the time-out longer.
PRECISION = 8

#: Seconds after the server was heard in which it is taken for present: a caller's next command comes within a tenth of them.
PRESENT = 50e-6

#: Makes the error of a call, told whether its command may have run.
Failure = Callable[[bool], RedisError]


class Owner(Protocol):
    """Who uses a carrier."""

    def pushed(self, message: list[Any]) -> None:
        """Takes a push of RESP3."""

    def heard(self) -> None:
        """The server has sent something for the first time."""

    def lost(self, carrier: Carrier) -> None:
        """The carrier takes no more commands. Called once."""


class Carrier(asyncio.BufferedProtocol):
    """Carries a mux over the transport of a connection that is greeted.

    A reply that does not come within `timeout` seconds (None: whenever) ends the waiting of its caller, not the connection. If
    nothing at all came for so long, the owner is told that the connection is lost; callers whose time is not over go on waiting.
    """

    def __init__(self, owner: Owner, connection: AbstractConnection, timeout: float | None) -> None:
        self.owner = owner
        self.connection = connection
        self.loop = asyncio.get_running_loop()
        self.closed: asyncio.Future[None] = self.loop.create_future()
        encoder = connection.encoder
        self.mux = Mux(
            self.loop,
            encoding=encoder.encoding,
            errors=encoder.encoding_errors,
            decode_responses=encoder.decode_responses,
            reply_error=self._reply_error,
            on_push=owner.pushed,
            limits=connection.limits,
        )
        self.open = True
        self._retired = False
        connection.reset_should_reconnect()
        self.has_heard = False
        self._takes_multi = False
        self._timeout = timeout
        self._watch: asyncio.TimerHandle | None = None
        #: How many commands had been queued when: the older ones are as old at least.
        self._marks: deque[tuple[int, float]] = deque()
        self._heard_at = 0.0
        #: When the watch is to look, and whether it has put a look off.
        self._look_at = 0.0
        self._put_off = False
        self._idle_check: asyncio.TimerHandle | None = None
        self._wrote = False
        self._why: Failure | None = None
        self.transport = connection.detach()
        self.transport.set_protocol(self)
        self._peer_ended = peer_end(self.transport)
        #: How many commands had been queued when bytes were last written.
        self._written = 0
        self.mux.connected(self._write)
        if connection.health_check_interval:
            self._idle_check = self.loop.call_later(connection.health_check_interval, self._check_idle)

    # What the transport calls.

    def get_buffer(self, sizehint: int) -> memoryview:
        # asyncio's TLS reads into slices of it: a slice of a bytearray would be a copy.
        return memoryview(self.mux.get_buffer(sizehint))

    def buffer_updated(self, nbytes: int) -> None:
        self._heard_at = self.loop.time()
        if not self.has_heard:
            self.has_heard = True
            self.owner.heard()
        try:
            self.mux.buffer_updated(nbytes)
        except RedisError as error:
            self.close(self._unreadable(error), abort=True)
        if self._retired and not len(self.mux):
            self.transport.close()

    def pause_writing(self) -> None:
        self.mux.pause()

    def resume_writing(self) -> None:
        self.mux.resume()

    def connection_lost(self, error: Exception | None) -> None:
        self._stop()
        if self._watch is not None:
            self._watch.cancel()
        if self._why is None:
            disconnected(self.connection.address, error or ConnectionError("the server closed it"))
            text = f"{self.connection.address} closed the connection{f': {error}' if error else ''}"
            self._why = lambda may_have_run: failure(ConnectionError, text, may_have_run)
        self.mux.lost(self._why)
        self.mux.fail(self._why)
        # A caller that took the mux before and submits now must not wait without a limit.
        self.mux.connected(self._refuse)
        if not self.closed.done():
            self.closed.set_result(None)

    def _refuse(self, data: bytes) -> None:
        self.loop.call_soon(self._refuse_all)

    def _refuse_all(self) -> None:
        text = f"the connection to {self.connection.address} was closed before the command was sent"
        self.mux.lost(lambda _: failure(ConnectionError, text, False))
        self.mux.connected(self._refuse)

    # What owners call.

    def close(self, why: Failure, abort: bool = False) -> None:
        """Closes the transport; calls that wait raise what `why` returns."""
        self._why = self._why or why
        self._stop()
        if abort:
            self.transport.abort()
        else:
            self.transport.close()

    def retire(self) -> None:
        """Takes no more commands, and closes the transport when the replies that are due have come, or their time is over."""
        if self.open:
            self._retired = True
            self._stop()
            if not len(self.mux):
                self.transport.close()

    def _reply_error(self, text: str) -> Exception:
        error = self.connection.reply_error(text)
        if self.connection.should_reconnect():
            # Not at once: the mux is at work.
            self.loop.call_soon(self.retire)
        return error

    async def try_multi(self) -> None:
        """Finds out, once on each connection, whether the server takes MULTI: behind a refused one the commands of a transaction
        would run by themselves. Raises the refusal; nothing has run then."""
        if self._takes_multi:
            return
        pipe = Pipe()
        for name in TRIAL:
            pipe.append((name,))
        multi, discard = self.mux.submit_all(pipe)
        discard.add_done_callback(seen)
        try:
            await multi
        except RedisError as error:
            error.may_have_run = False
            raise
        finally:
            # The traceback of their error leads to this frame.
            del multi, discard
        self._takes_multi = True

    def give_back(self) -> bool:
        """Gives the transport back to the connection; False, and closes it, if replies are due."""
        if not self.open or len(self.mux) or self.mux.waiting_bytes or self.transport.is_closing():
            self.close(lambda may_have_run: failure(ConnectionError, "the connection was given back", may_have_run), abort=True)
            return False
        self._stop()
        if self._watch is not None:
            self._watch.cancel()
        self.connection.attach(self.transport)
        return True

    def _stop(self) -> None:
        """Takes no more commands."""
        if self.open:
            self.open = False
            if self._idle_check is not None:
                self._idle_check.cancel()
            self.owner.lost(self)

    def _write(self, data: bytes) -> None:
        mux = self.mux
        if mux.replied >= self._written and self._has_ended():
            # None of these commands can run, so that their callers may send them again on the next connection.
            text = f"{self.connection.address} had closed the connection before the command was written"
            mux.lost(lambda _: failure(ConnectionError, text, False))
            self._stop()
            self.transport.abort()
            return
        self._written = mux.submitted
        self.transport.write(data)
        self._wrote = True
        if self._watch is None and self._timeout:
            self._heard_at = self.loop.time()
            self._marks.append((self.mux.submitted, self._heard_at))
            self._look_later(self._heard_at)

    def _has_ended(self) -> bool:
        """Whether the server has closed a connection on which no reply is due, and the loop has not noticed."""
        ended = self._peer_ended
        return ended is not None and self.loop.time() - self._heard_at > PRESENT and bool(ended())

    def _look_later(self, now: float) -> None:
        step = (self._timeout or 0.0) / PRECISION
        self._look_at = now + step
        self._watch = self.loop.call_later(step, self._look)

    def _look(self) -> None:
        """Ends the waiting of those whose time is over, and the connection if nothing came for so long."""
        mux, marks, timeout = self.mux, self._marks, self._timeout or 0.0
        self._watch = None
        now = self.loop.time()
        # A process that was stopped, or a loop that was kept busy, reads first what came meanwhile: some loops run what is due
        # before they look at sockets, and all read a piece in each turn. Not twice in a row: a loop may always be late.
        self._put_off = not self._put_off and now - self._look_at > timeout / PRECISION
        if self._put_off:
            self._look_later(now)
            return
        late = 0
        while marks and marks[0][1] <= now - timeout:
            late, _ = marks.popleft()
        if late > mux.replied:
            if late >= mux.submitted:
                # What is queued is dropped, so that it cannot run.
                mux.fail(self._late)
            # The rest is written sooner or later, since others behind it have time left.
            mux.expire(late, lambda _: self._late(True))
            if self._heard_at <= now - timeout:
                self.retire()
            if self._retired and late >= mux.submitted:
                self.transport.abort()
        if not len(mux):
            marks.clear()
            return
        if not marks or marks[-1][0] < mux.submitted:
            marks.append((mux.submitted, now))
        self._look_later(now)

    def _late(self, may_have_run: bool) -> RedisError:
        text = f"no reply from {self.connection.address} within {self._timeout} seconds"
        return failure(TimeoutError, text, may_have_run)

    def _unreadable(self, error: RedisError) -> Failure:
        """What calls raise after something that is not RESP, or exceeds a limit: the first was to have it as its reply."""
        text = f"{self.connection.address}: {error.text}"
        kinds = itertools.chain([type(error)], itertools.repeat(ConnectionError))
        return lambda may_have_run: failure(next(kinds), text, may_have_run)

    def _check_idle(self) -> None:
        """Sends PING if nothing was sent lately: a dead connection is found out before somebody needs it."""
        if not self._wrote and not len(self.mux):
            self.mux.submit(("PING",)).add_done_callback(seen)
        self._wrote = False
        self._idle_check = self.loop.call_later(self.connection.health_check_interval, self._check_idle)


def seen(done: asyncio.Future[Any]) -> None:
    """Marks a failure as seen: whoever waited has its own."""
    if not done.cancelled():
        done.exception()
