"""Commands of an asyncio caller that are sent together, as a transaction or not.

They go over the shared connection, next to each other. What watches keys has a connection of its own.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Generator
from typing import Any, Self

from ..exceptions import ConnectionError, RedisError, ResponseError, TimeoutError
from ..observability import repeated
from ..pipeline.queued import not_loading
from ..pipeline.steps import PipelineSteps
from ..pipeline.watch_phase import unwatched
from ..rules.blocking import all_wait
from ..rules.conversion import EMPTY_RESPONSE
from ..rules.own_connection import check_queued, words_of
from ..rules.routing import is_blocking
from ..session.encoder import Encoder
from ..session.refusals import told_for
from ..session.retry import Failures
from .callbacks import conversion
from .lease import Lease
from .retry import PAUSED
from .shared import Shared
from .transport import AbstractConnection


class PipelineCalls(PipelineSteps):
    __doc__ = PipelineSteps.__doc__

    single_connection_client = False
    _lease: Lease | None = None
    #: Whether a command waits on the server, so that it must not hold up the shared connection.
    _waits = False

    def __del__(self) -> None:
        """Does nothing: a client's warns of a connection of its own, which a pipeline does not have."""

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.reset()

    def __await__(self) -> Generator[Any, None, Self]:
        return _itself(self).__await__()

    @property
    def connection(self) -> AbstractConnection | None:
        """The connection that keys are watched on; None if none are."""
        return None if self._lease is None else self._lease.connection

    async def reset(self) -> None:
        """Forgets the commands and what is watched, and gives the connection back."""
        lease, self._lease = self._lease, None
        watching = self.watching
        self._forget()
        self._waits = False
        if lease is not None:
            await asyncio.shield(_give_back(lease, watching))

    async def aclose(self, close_connection_pool: bool | None = None) -> None:
        """Forgets the commands and gives the connection back. The pool stays open."""
        await self.reset()

    def get_encoder(self) -> Encoder:
        """The encoder of arguments and replies."""
        encoder: Encoder = self.connection_pool.get_encoder()
        return encoder

    # --- queueing ---

    def pipeline_execute_command(self, *args: Any, **options: Any) -> Self:
        """Queues a command and returns the pipeline."""
        words = words_of(args)
        check_queued(words)
        if not self._waits and is_blocking(words):
            self._waits = True
        return super().pipeline_execute_command(*args, **options)

    def select(self, index: int, **options: Any) -> Self:
        """Is refused: the connection is everybody's."""
        return self.pipeline_execute_command("SELECT", index)

    # --- at once ---

    async def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command at once, on the connection that keys are watched on.

        Raises WatchError if that connection was lost: what was watched on it is watched no more.
        """
        convert, decode = conversion(self.response_callbacks, args, options, self._decode)
        if self._encodes is not None:
            args = self._encodes.encoded(args)
        try:
            reply = await self._at_once(args, convert, decode)
        except ResponseError:
            if EMPTY_RESPONSE in options:
                return options[EMPTY_RESPONSE]
            raise
        self._note(args[0])
        return await reply if inspect.isawaitable(reply) else reply

    async def _at_once(self, args: tuple[Any, ...], convert: Any, decode: bool | None) -> Any:
        failures = Failures()
        while True:
            if self._lease is None:
                # It has attempts of its own: not a row of them within each.
                self._lease = await self._taken(failures)
            try:
                if args[0] == "WATCH" and not self.watching:
                    # Before keys are watched: what tries MULTI forgets them.
                    await self._lease.try_multi()
                return await self._lease.mux.submit(args, convert, decode)
            except (ConnectionError, TimeoutError) as error:
                await self._drop_lease()
                safe = not error.may_have_run or self._may_repeat(args)
                if self.watching:
                    await self.reset()
                    raise (unwatched(error) if safe else error) from None
                await self._judge(error, failures, safe)

    async def _judge(self, error: RedisError, failures: Failures, safe: bool) -> None:
        """Returns when another attempt may be made after an error; raises it if none may."""
        retry = self.connection_pool.shared().retry
        try:
            alike = failures.add(error)
            if not safe or not retry.supports(error) or retry.exhausted(alike):
                raise told_for(error, f"a pipeline of {len(self)} commands")
            repeated("PIPELINE", failures.count, error)
            if isinstance(error, PAUSED):
                await retry.pause(alike, error)
        finally:
            # The error's traceback leads to this frame.
            del error

    async def _taken(self, failures: Failures, waits: float | None = 0.0) -> Lease:
        try:
            return await Lease.take(self.connection_pool, waits)
        except (ConnectionError, TimeoutError) as error:
            failures.note(error)
            raise

    async def _drop_lease(self) -> None:
        lease, self._lease = self._lease, None
        if lease is not None:
            await lease.release()

    # --- together ---

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the commands and returns their replies in order; the pipeline is empty then.

        raise_on_error: raises the first error reply; False leaves errors as exceptions in their places.

        Raises WatchError if a watched key was changed: nothing has run then. Raises ConnectionError or TimeoutError, whose
        `may_have_run` tells whether commands may have run.
        """
        if not len(self) and not self.watching:
            return []
        with self._observed():
            try:
                if self._lacks_scripts():
                    await self.load_scripts()
                replies = self._answered(await self._attempts(), raise_on_error)
                if getattr(self.response_callbacks, "awaits", False):
                    replies = [await self._outcome(reply) for reply in replies]
                return replies
            finally:
                await self.reset()

    async def _attempts(self) -> list[Any]:
        transaction = self._commits
        shared = self.connection_pool.shared()
        failures = Failures()
        while True:
            if self._lease is None and self._waits and not transaction:
                # As above.
                self._lease = await self._taken(failures, all_wait(self.all_arguments()))
            try:
                replies = await self._send(shared, transaction)
                try:
                    return self._committed(*replies) if transaction else not_loading(replies)
                finally:
                    # The traceback of an error among them leads to this frame.
                    del replies
            except (ConnectionError, TimeoutError) as error:
                await self._drop_lease()
                if self.watching:
                    raise (error if error.may_have_run else unwatched(error)) from None
                await self._judge(error, failures, self._is_safe(error))

    async def _send(self, shared: Shared, transaction: bool) -> Any:
        self._drop_cached(shared.kept_replies)
        if self._lease is None:
            mux = await (shared.ready_for_transactions() if transaction else shared.ready())
            return await mux.run(self, transaction)
        if transaction and not self.watching:
            await self._lease.try_multi()
        try:
            return await self._lease.mux.run(self, transaction)
        finally:
            # The invalidations come on the other connection, maybe later than the replies.
            self._drop_cached(shared.kept_replies)

    async def _beside(self, *args: Any) -> Any:
        """Sends a command that can be sent at any time, and that may be repeated."""
        if self._lease is not None:
            return await self._at_once(args, None, None)
        failures = Failures()
        while True:
            try:
                return await (await self.connection_pool.shared().ready()).submit(args)
            except (ConnectionError, TimeoutError) as error:
                await self._judge(error, failures, True)


async def _itself(pipeline: Any) -> Any:
    return pipeline


async def _give_back(lease: Lease, watching: bool) -> None:
    if watching and lease.open:
        try:
            await lease.mux.submit(("UNWATCH",))
        except RedisError:
            # Without the connection nothing is watched.
            lease.connection.mark_for_reconnect()
    await lease.release()
