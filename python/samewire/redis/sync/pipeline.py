"""Commands that are sent together, as a transaction or not.

A pipeline is a native `Pipe`: commands are encoded as they are called, and their replies are read while it is still written,
so that no number of commands can make client and server wait for each other.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import Any, NoReturn, Self

from samewire._native import Pipe

from ..exceptions import ConnectionError, RedisError, TimeoutError
from ..observability import repeated
from ..pipeline.queued import not_loading
from ..pipeline.steps import PipelineSteps
from ..pipeline.watch_phase import unwatched
from .execution import Execution
from .transport import AbstractConnection


class PipelineCalls(PipelineSteps, Execution):
    __doc__ = PipelineSteps.__doc__

    connection: AbstractConnection | None = None
    _single_connection_client = False

    @property
    def transaction(self) -> bool:
        """Whether the commands go between MULTI and EXEC."""
        return self.is_transaction

    @transaction.setter
    def transaction(self, whether: bool) -> None:
        self.is_transaction = whether

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
        with self._observed():
            try:
                if self._lacks_scripts():
                    self.load_scripts()
                return self._answered(self._attempts(), raise_on_error)
            finally:
                self.reset()

    def _attempts(self) -> list[Any]:
        connection = self._connected()
        send = self._run_transaction if self._commits else self._run
        self._drop_cached(self.connection_pool.kept_replies)

        def fail(error: RedisError, failures: int) -> None:
            repeated("PIPELINE", failures, error)
            connection.disconnect(error)
            if self.watching:
                raise unwatched(error) from error

        def attempt() -> list[Any]:
            # Its attempts are these: not a row of them within each.
            if not connection.is_connected:
                connection.connect_once()
            return send(connection)

        replies: list[Any] = connection.retry.call_with_retry(attempt, fail, self._is_safe, with_failure_count=True)
        return replies

    def _run(self, connection: AbstractConnection) -> list[Any]:
        return not_loading(connection.run(self))

    def _try_multi(self, connection: AbstractConnection) -> None:
        if not self.watching and not self._foreign:
            connection.retry.call_with_retry(connection.try_multi, connection.disconnect)

    def _run_transaction(self, connection: AbstractConnection) -> list[Any]:
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

    def _beside(self, *args: Any) -> Any:
        return self.immediate_execute_command(*args)
