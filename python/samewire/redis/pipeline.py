"""Commands that are sent together, as a transaction or not.

A pipeline is a native `Pipe`: commands are encoded as they are called, and their replies are read while it is still written,
so that no number of commands can make client and server wait for each other.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable
from typing import Any, NoReturn, Self

from samewire._native import Pipe

from .exceptions import ConnectionError, DataError, RedisError, TimeoutError
from .execution import Execution
from .observability import finished, observers, repeated, started
from .pool import ConnectionPool
from .queued import NO_VIEW, Queued, not_loading
from .transport import AbstractConnection
from .watched import unwatched


class PipelineCalls(Execution, Queued):
    """What a pipeline does in its own way; `client.Pipeline` is a client besides. One caller's, not to be shared by threads.

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
        self.connection: AbstractConnection | None = None
        self.transaction = transaction
        self.shard_hint = shard_hint
        self.auto_close_connection_pool = False
        self._single_connection_client = False
        self._begin(response_callbacks, transaction, decode, connection_pool.get_encoder())

    def _view(self) -> NoReturn:
        """Raises DataError: the client that makes a pipeline chooses."""
        raise DataError(NO_VIEW)

    def _execute_function(self) -> Callable[..., Any]:
        return EXECUTE

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.reset()

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.reset()

    def reset(self) -> None:
        """Forgets the commands and what is watched, and gives the connection back."""
        connection = self.connection
        if self.watching and connection is not None:
            try:
                if connection.is_connected:
                    connection.call(("UNWATCH",))
            except (ConnectionError, TimeoutError):
                # Without the connection nothing is watched.
                connection.disconnect()
        self._forget()
        if connection is not None:
            self.connection = None
            self.connection_pool.release(connection)

    def close(self) -> None:
        """Forgets the commands and gives the connection back."""
        self.reset()

    # --- queueing ---

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Queues a command and returns the pipeline; after `watch` sends it at once and returns its reply."""
        if self._runs_at_once(args[0]):
            return self.immediate_execute_command(*args, **options)
        return self.pipeline_execute_command(*args, **options)

    def pipeline_execute_command(self, *args: Any, **options: Any) -> Self:
        """Queues a command and returns the pipeline."""
        self._queue(args, options)
        return self

    def watch(self, *names: Any) -> Any:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        return self.execute_command("WATCH", *names)

    def unwatch(self) -> Any:
        """Watches nothing any more."""
        return (self.watching and self.execute_command("UNWATCH")) or True

    def discard(self) -> None:
        """Sends DISCARD."""
        self.execute_command("DISCARD")

    # --- at once ---

    def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command at once. If the connection is lost while keys are watched, raises WatchError."""
        connection = self._connected()
        try:
            if args[0] == "WATCH":
                # Before keys are watched: what tries MULTI forgets them.
                self._try_multi(connection)
            reply = self._call(connection, args, options)
        except (ConnectionError, TimeoutError) as error:
            self._lost(connection, args, error)
        self._note(args[0])
        return reply

    def _repeat(self, connection: AbstractConnection, args: tuple[Any, ...], call: Callable[[], Any], error: Exception) -> Any:
        if self.watching:
            # What was watched on the lost connection is watched no more: the caller begins again.
            try:
                raise error
            finally:
                # The error's traceback leads to this frame.
                del error
        return super()._repeat(connection, args, call, error)

    def parse_response(self, connection: AbstractConnection, command_name: str, **options: Any) -> Any:
        """Reads the reply of a command that was sent, and converts it."""
        reply = super().parse_response(connection, command_name, **options)
        self._note(command_name)
        return reply

    _own_parse_response = parse_response

    def _connected(self) -> AbstractConnection:
        if self.connection is None:
            self.connection = self.connection_pool.get_connection()
        return self.connection

    def _lost(self, connection: AbstractConnection, args: tuple[Any, ...], error: RedisError) -> NoReturn:
        """Raises what a lost connection means to the caller: a WatchError, unless the command may have changed something."""
        try:
            connection.disconnect(error)
            if self.watching:
                # The server has forgotten what was watched, whatever became of this command.
                self.reset()
                if not error.may_have_run or self._may_repeat(args):
                    raise unwatched(error) from error
            raise error
        finally:
            # The error's traceback leads to this frame.
            del error

    # --- together ---

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the commands and returns their replies in order; the pipeline is empty then.

        raise_on_error: raises the first error reply; False leaves errors as exceptions in their places.

        Raises WatchError if a watched key was changed: nothing has run then. Raises ConnectionError or TimeoutError, whose
        `may_have_run` tells whether commands may have run.
        """
        if not len(self) and not self.watching:
            return []
        together = not (self.transaction or self.explicit_transaction)
        name = "PIPELINE" if together else "MULTI"
        tokens = started(name, len(self), self.connection_pool.connection_kwargs) if observers else []
        start = time.monotonic()
        failed: BaseException | None = None
        try:
            connection = self._connected()
            if self.scripts:
                self.load_scripts()
            self._drop_cached()
            return self._answered(self._attempts(connection, self._together if together else self._transaction), raise_on_error)
        except BaseException as error:
            failed = error
            raise
        finally:
            self.reset()
            finished(tokens, name, time.monotonic() - start, failed)
            # The error's traceback leads to this frame.
            del failed

    def _drop_cached(self) -> None:
        """Drops the kept replies of keys that the commands may change."""
        tracking = self.connection_pool.tracking
        if tracking is not None:
            for words in self.all_arguments():
                tracking.wrote(tuple(words))

    def _attempts(self, connection: AbstractConnection, send: Any) -> list[Any]:
        def fail(error: RedisError, failures: int) -> None:
            repeated("PIPELINE", failures, error)
            connection.disconnect(error)
            if self.watching:
                raise unwatched(error) from error

        def attempt() -> list[Any]:
            # Its attempts are these: not a row of them within each.
            if not connection.is_connected:
                connection.connect_once()
            replies: list[Any] = send(connection)
            return replies

        replies: list[Any] = connection.retry.call_with_retry(attempt, fail, self._is_safe, with_failure_count=True)
        return replies

    def _together(self, connection: AbstractConnection) -> list[Any]:
        return not_loading(connection.run(self))

    def _try_multi(self, connection: AbstractConnection) -> None:
        if not self.watching and not self._foreign:
            connection.retry.call_with_retry(connection.try_multi, connection.disconnect)

    def _transaction(self, connection: AbstractConnection) -> list[Any]:
        if not self.watching:
            connection.try_multi()
        try:
            refused, replies = connection.run_transaction(self)
        except RedisError as error:
            if error.may_have_run and connection.sent < Pipe.__len__(self) + 2:
                # EXEC was not written: the server has dropped what was queued.
                error.may_have_run = False
            raise
        try:
            return self._committed(refused, replies)
        finally:
            # The traceback of an error among them leads to this frame.
            del refused, replies

    def load_scripts(self) -> None:
        """Has the server know the scripts that the commands call."""
        scripts = list(self.scripts)
        known = self.immediate_execute_command("SCRIPT EXISTS", *(script.sha for script in scripts))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                self.immediate_execute_command("SCRIPT LOAD", script.script)


#: What methods compare with: a pipeline whose `execute_command` is another is asked for each command.
EXECUTE = PipelineCalls.execute_command
