"""What pipelines do besides sending: how commands are queued, watch keys, and find their scripts. Blocking and asyncio share it."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractContextManager, nullcontext
from typing import Any, NoReturn, Self

from ..exceptions import DataError
from ..observability import observed, observers
from ..steps import Operations, Steps, operation
from .queued import NO_VIEW, Queued

#: Around what nobody observes.
UNOBSERVED = nullcontext()


class PipelineSteps(Queued, Operations):
    """Commands that wait for `execute`. One caller's, not to be shared by threads or tasks.

    transaction: sends them between MULTI and EXEC, so that no other client's commands run between them.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed.
    """

    # What each kind has of its own; what may wait is a step.

    #: Forgets the commands and what is watched, and gives the connection back.
    reset: Callable[[], Any]
    #: Sends a command at once. Raises WatchError if the connection is lost while keys are watched.
    immediate_execute_command: Callable[..., Any]
    #: Sends a command that may be sent at any time, and more than once.
    _beside: Callable[..., Any]
    #: The replies of the commands that wait, from the first attempt that succeeds.
    _attempts: Callable[[], Any]

    def __init__(
        self,
        connection_pool: Any,
        response_callbacks: dict[str, Any],
        transaction: bool = True,
        shard_hint: object = None,
        decode: bool | None = None,
        repeats: bool = False,
    ) -> None:
        self._repeats = repeats
        self.connection_pool = connection_pool
        self.shard_hint = shard_hint
        self.auto_close_connection_pool = False
        self._begin(response_callbacks, transaction, decode, connection_pool.get_encoder())

    def _view(self) -> NoReturn:
        """Raises DataError: the client that makes a pipeline chooses."""
        raise DataError(NO_VIEW)

    def _execute_function(self) -> Callable[..., Any]:
        return EXECUTE

    @property
    def _commits(self) -> bool:
        """Whether the commands go between MULTI and EXEC."""
        return self.is_transaction or self.explicit_transaction

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Queues a command and returns the pipeline; after `watch` sends it at once and returns its reply, or a coroutine."""
        if self._runs_at_once(args[0]):
            return self.immediate_execute_command(*args, **options)
        return self.pipeline_execute_command(*args, **options)

    def pipeline_execute_command(self, *args: Any, **options: Any) -> Self:
        """Queues a command and returns the pipeline."""
        self._queue(args, options)
        return self

    @operation
    def watch(self, *names: Any) -> Steps[Any]:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        return (yield self.execute_command("WATCH", *names))

    @operation
    def unwatch(self) -> Steps[Any]:
        """Watches nothing any more."""
        return (yield self.execute_command("UNWATCH")) if self.watching else True

    @operation
    def discard(self) -> Steps[None]:
        """Sends DISCARD: at once while keys are watched, else with the commands."""
        yield self.execute_command("DISCARD")

    # `execute` is direct in each kind: as an operation it takes 8 % more for a pipeline of few commands.

    def _observed(self) -> AbstractContextManager[None]:
        """Tells the observers, if there are any, of what is done in a `with` block."""
        if not observers:
            return UNOBSERVED
        return observed("MULTI" if self._commits else "PIPELINE", len(self), self.connection_pool.connection_kwargs)

    def _drop_cached(self, kept: Any) -> None:
        """Drops the kept replies of keys that the commands may change. kept: None without client-side caching."""
        if kept is not None:
            for words in self.all_arguments():
                kept.wrote(tuple(words))

    @operation
    def load_scripts(self) -> Steps[None]:
        """Loads the scripts that the commands call and the server does not know."""
        scripts = list(self.scripts)
        known = yield self._beside("SCRIPT EXISTS", *(script.sha for script in scripts))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                yield self._beside("SCRIPT LOAD", script.script)


#: What methods compare with: a pipeline whose `execute_command` is another is asked for each command.
EXECUTE = PipelineSteps.execute_command
