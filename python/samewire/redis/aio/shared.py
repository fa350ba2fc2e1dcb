"""One connection that all callers of an event loop share: what they ask for within one turn of the loop is written at once, and
replies go to the callers in the order of their commands.

It connects when it is first used, and again after it was lost: one attempt at a time for all callers, with a back-off between
attempts.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import functools
import logging
import warnings
from collections.abc import Callable
from threading import get_ident
from typing import Any

from samewire._native import Mux

from ..caching.cache import CacheInterface
from ..caching.kept_replies import KeptReplies
from ..exceptions import CircuitOpenError, ConnectionError, RedisError
from ..session.refusals import failure
from .carrier import Carrier, seen
from .joint import Abandoned, joint
from .retry import Retry
from .transport import AbstractConnection

logger = logging.getLogger(__name__)


class Running:
    """Where an event loop runs.

    `asyncio.get_running_loop()` asks the system for the process' number on CPython 3.11: 0.35 of the 2.6 microseconds that a
    call takes altogether. asyncio's own loops tell their thread; None while they do not run.
    """

    __slots__ = ("_loop", "_thread")

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._thread = get_ident()

    @property
    def _thread_id(self) -> int | None:
        """The thread in which the loop runs; None while it does not."""
        return self._thread if self._loop.is_running() else None


class Shared:
    """The shared connection of one event loop.

    mux: takes commands; None while there is no connection.
    kept_replies: which replies are kept; None without client-side caching.
    """

    def __init__(
        self, loop: asyncio.AbstractEventLoop, make: Callable[[], AbstractConnection], cache: CacheInterface | None = None
    ) -> None:
        self.loop = loop
        #: `_thread_id` is this thread's if the loop is running in it.
        self.runs: Any = loop if hasattr(loop, "_thread_id") else Running(loop)
        self.mux: Mux | None = None
        self.kept_replies = None if cache is None else KeptReplies(cache)
        self.connection = make()
        if self.kept_replies is not None:
            self.connection.setup_commands += (("CLIENT", "TRACKING", "ON"),)
        self.retry: Retry = self.connection.retry
        self._carrier: Carrier | None = None
        #: Connections that are silent, with callers whose time is not over.
        self._silent: set[Carrier] = set()
        #: The last attempt. One that is cancelled before it begins runs none of its code: that it is over, it tells itself.
        self._connecting: asyncio.Task[None] | None = None
        #: The last attempt that a disconnect has cancelled.
        self._ending: asyncio.Task[None] | None = None
        self._failures = 0
        self._failed_at = 0.0
        #: The newest token of a provider; None if the connection was made after it.
        self._token: Any = None

    async def ready(self) -> Mux:
        """The mux, as soon as it takes commands.

        Raises ConnectionError, TimeoutError or what the handshake raises if connecting fails; another call tries again.
        """
        while True:
            if self.mux is None:
                await self._connected()
            mux = self.mux
            if mux is None:
                raise failure(ConnectionError, f"{self.connection.address} closed the connection it had accepted", False)
            if not mux.full:
                return mux
            # If it is given up meanwhile, the next one has room.
            await mux.room()

    async def ready_for_transactions(self) -> Mux:
        """Returns the shared mux once the server has accepted MULTI on it. Raises the error if the server refuses."""
        while True:
            mux = await self.ready()
            carrier = self._carrier
            if carrier is not None and carrier.mux is mux:
                await carrier.try_multi()
                return mux

    async def _connected(self) -> None:
        """Waits for the attempt that is being made, or makes one."""
        while True:
            connecting = self._connecting
            if connecting is None or connecting.done():
                connecting = self._connecting = self.loop.create_task(self._connect())
                connecting.add_done_callback(seen)
            late = connecting is self._ending
            try:
                return await joint(connecting)
            except RedisError as error:
                if self._connecting is connecting:
                    self._connecting = None
                # Each caller raises an exception of its own: a traceback grows wherever it is raised.
                raise copy.copy(error) from None
            except Abandoned:
                # What comes after a disconnect is not a concern of it: one counts as one failure of a call.
                if not late:
                    raise closed(False) from None
            finally:
                # The traceback of its error leads to this frame.
                del connecting

    async def _connect(self) -> None:
        if self._failures:
            wait = self._failed_at + self.retry.seconds_before(self._failures) - self.loop.time()
            if wait > 0:
                await asyncio.sleep(wait)
        # One that comes from now on may be newer than what the handshake sends.
        self._token = None
        try:
            await self.connection.connect_once()
            carrier = Carrier(self, self.connection, self.connection.socket_timeout)
        except RedisError as error:
            if not isinstance(error, CircuitOpenError):
                self._failed()
            error.may_have_run = False
            raise
        self._carrier = carrier
        self.mux = carrier.mux
        if self._token is not None:
            self._re_auth(self._token)

    def _failed(self) -> None:
        self._failures += 1
        self._failed_at = self.loop.time()

    def pushed(self, message: list[Any]) -> None:
        """Takes a push of RESP3."""
        if self.kept_replies is None or not self.kept_replies.invalidated(message):
            logger.debug("a push that nobody asked for: %r", message)

    def heard(self) -> None:
        """Ends a row of failures: a server that accepts and closes is one."""
        self._failures = 0

    def lost(self, carrier: Carrier) -> None:
        """Forgets a connection that was lost."""
        if not carrier.has_heard:
            self._failed()
        self._carrier = None
        self.mux = None
        self._silent.add(carrier)
        carrier.closed.add_done_callback(lambda _: self._silent.discard(carrier))
        # A connection that is silent is no better than one that was closed: its invalidations do not come.
        if self.kept_replies is not None:
            self.kept_replies.disconnected()

    def re_auth(self, token: Any) -> None:
        """Authenticates with a new token, between the commands of callers. A connection whose token is refused is left."""
        if not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._re_auth, token)

    def _re_auth(self, token: Any) -> None:
        self._token = token
        mux = self.mux
        if mux is None:
            # The next connection asks the provider.
            return
        done = mux.submit(("AUTH", token.try_get("oid"), token.get_value()))
        done.add_done_callback(functools.partial(self._re_authenticated, self._carrier))

    def _re_authenticated(self, carrier: Carrier | None, done: asyncio.Future[Any]) -> None:
        if done.cancelled() or done.exception() is None:
            return
        logger.warning("%s refuses the new credentials: %s", self.connection.address, done.exception())
        if carrier is not None:
            carrier.retire()

    def leave(self) -> None:
        """Takes no more commands on the connection, and closes it after the replies that are due. The next call connects anew."""
        if self.loop.is_closed():
            return
        if asyncio.get_running_loop() is self.loop:
            self._retire()
        else:
            self.loop.call_soon_threadsafe(self._retire)

    def _retire(self) -> None:
        if self._carrier is not None:
            self._carrier.retire()

    async def disconnect(self) -> None:
        """Closes the connection; calls that wait raise ConnectionError. It is made anew when it is next used."""
        if self.loop.is_closed():
            return
        if asyncio.get_running_loop() is not self.loop:
            self.loop.call_soon_threadsafe(self._close)
            return
        carrier = self._carrier
        self._close()
        if carrier is not None:
            with contextlib.suppress(asyncio.TimeoutError):
                async with asyncio.timeout(self.connection.socket_connect_timeout):
                    await asyncio.shield(carrier.closed)

    def dropped(self) -> None:
        """Closes the connection of a client that was not closed, and warns."""
        connecting = self._connecting is not None and not self._connecting.done()
        if (self._carrier is not None or connecting) and not self.loop.is_closed():
            self.loop.call_soon_threadsafe(self._close)
            warnings.warn(f"a client of {self.connection.address} was not closed", ResourceWarning, source=self, stacklevel=2)

    def _close(self) -> None:
        if self._connecting is not None:
            self._ending = self._connecting
            self._connecting.cancel()
        if self._carrier is not None:
            self._carrier.close(closed)
        for carrier in tuple(self._silent):
            carrier.close(closed, abort=True)


def closed(may_have_run: bool) -> RedisError:
    """The error of a call that waits while its client is closed."""
    return failure(ConnectionError, "the client was closed while the call was waiting", may_have_run)
