"""Commands of an asyncio caller that are sent together, as a transaction or not.

They go over the shared connection, next to each other. What watches keys has a connection of its own.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections.abc import Callable, Generator
from typing import Any, NoReturn, Self

from ..conversion import EMPTY_RESPONSE
from ..encoder import Encoder
from ..exceptions import ConnectionError, DataError, RedisError, ResponseError, TimeoutError
from ..observability import finished, observers, repeated, started
from ..queued import NO_VIEW, Queued, not_loading
from ..refusals import told_for
from ..retry import Failures
from ..routing import is_blocking
from ..sharing import check_queued, words_of
from ..waiting import all_wait
from ..watched import unwatched
from .callbacks import conversion
from .lease import Lease
from .pool import ConnectionPool
from .retry import PAUSED
from .shared import Shared
from .transport import AbstractConnection


# APPEND is a method of pipelines: what queues commands calls `Pipe.append`.
class PipelineCalls(Queued):
    """What a pipeline does in its own way; `client.Pipeline` is a client besides. One caller's, not to be shared by tasks.

    transaction: sends them between MULTI and EXEC, so that no other client's commands run between them.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed.
    """

    def __init__(
        self,
        connection_pool: ConnectionPool[Any],
        response_callbacks: dict[str, Any],
        transaction: bool = True,
        shard_hint: object = None,
        decode: bool | None = None,
        repeats: bool = False,
    ) -> None:
        self._repeats = repeats
        self.connection_pool = connection_pool
        self.shard_hint = shard_hint
        self.single_connection_client = False
        self.auto_close_connection_pool = False
        self._lease: Lease | None = None
        #: Whether a command waits on the server, so that it must not hold up the shared connection.
        self._waits = False
        self._begin(response_callbacks, transaction, decode, connection_pool.get_encoder())

    def __del__(self) -> None:
        """Does nothing: a client's warns of a connection of its own, which a pipeline does not have."""

    def _view(self) -> NoReturn:
        """Raises DataError: the client that makes a pipeline chooses."""
        raise DataError(NO_VIEW)

    def _execute_function(self) -> Callable[..., Any]:
        return EXECUTE

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
        return self.connection_pool.get_encoder()

    # --- queueing ---

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Queues a command and returns the pipeline; after `watch` returns a coroutine that sends it at once."""
        if self._runs_at_once(args[0]):
            return self.immediate_execute_command(*args, **options)
        return self.pipeline_execute_command(*args, **options)

    def pipeline_execute_command(self, *args: Any, **options: Any) -> Self:
        """Queues a command and returns the pipeline."""
        words = words_of(args)
        check_queued(words)
        if not self._waits and is_blocking(words):
            self._waits = True
        self._queue(args, options)
        return self

    async def watch(self, *names: Any) -> Any:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        return await self.execute_command("WATCH", *names)

    async def unwatch(self) -> Any:
        """Watches nothing any more."""
        return await self.execute_command("UNWATCH") if self.watching else True

    def select(self, index: int, **options: Any) -> Self:
        """Is refused: the connection is everybody's."""
        return self.pipeline_execute_command("SELECT", index)

    async def discard(self) -> None:
        """Sends DISCARD: at once while keys are watched, else with the commands."""
        await self.execute_command("DISCARD")

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
            try:
                if self._lease is None:
                    self._lease = await Lease.take(self.connection_pool)
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
        name = "MULTI" if self.is_transaction or self.explicit_transaction else "PIPELINE"
        tokens = started(name, len(self), self.connection_pool.connection_kwargs) if observers else []
        start = time.monotonic()
        failed: BaseException | None = None
        try:
            if self.scripts:
                await self._load_scripts()
            replies = self._answered(await self._attempts(), raise_on_error)
            if getattr(self.response_callbacks, "awaits", False):
                replies = [await reply if inspect.isawaitable(reply) else reply for reply in replies]
            return replies
        except BaseException as error:
            failed = error
            raise
        finally:
            await self.reset()
            finished(tokens, name, time.monotonic() - start, failed)
            # The error's traceback leads to this frame.
            del failed

    async def _attempts(self) -> list[Any]:
        transaction = self.is_transaction or self.explicit_transaction
        shared = self.connection_pool.shared()
        failures = Failures()
        while True:
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
        if self._lease is None and self._waits and not transaction:
            self._lease = await Lease.take(self.connection_pool, all_wait(self.all_arguments()))
        if shared.tracking is not None:
            self._forget_replies(shared)
        if self._lease is None:
            mux = await (shared.ready_for_transactions() if transaction else shared.ready())
            return await mux.run(self, transaction)
        if transaction and not self.watching:
            await self._lease.try_multi()
        try:
            return await self._lease.mux.run(self, transaction)
        finally:
            if shared.tracking is not None:
                # The invalidations come on the other connection, maybe later than the replies.
                self._forget_replies(shared)

    def _forget_replies(self, shared: Shared) -> None:
        """Drops kept replies of what the commands write."""
        if shared.tracking is not None:
            for words in self.all_arguments():
                shared.tracking.wrote(tuple(words))

    async def load_scripts(self) -> None:
        """Has the server know the scripts that the commands call."""
        await self._load_scripts()

    async def _load_scripts(self) -> None:
        scripts = list(self.scripts)
        known = await self._beside(("SCRIPT EXISTS", *[script.sha for script in scripts]))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                await self._beside(("SCRIPT LOAD", script.script))

    async def _beside(self, args: tuple[Any, ...]) -> Any:
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


#: What methods compare with: a pipeline whose `execute_command` is another is asked for each command.
EXECUTE = PipelineCalls.execute_command
