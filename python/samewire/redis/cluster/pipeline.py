"""Pipelines of a cluster: commands go to all their nodes at once, and replies come in order. Blocking and asyncio share it."""

from __future__ import annotations

from typing import Any

from ..exceptions import AskError, MovedError, TryAgainError, WatchError
from ..observability import observed
from ..steps import Steps, operation
from .calls import FAILURES, CallSteps
from .queue import ClusterQueue, TransactionQueue, answered, no_transaction
from .redirection import Attempts, unasked


class ClusterPipelineSteps(ClusterQueue):
    """Commands that are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is not a transaction: commands of other clients may run in between, and a redirected command runs after others.
    """

    def __init__(self, client: CallSteps[Any]) -> None:
        self._client: Any = client
        super().__init__(client)

    @operation
    def reset(self) -> Steps[None]:
        """Forgets the commands."""
        self._forget()
        yield from ()

    @operation
    def execute(self, raise_on_error: bool = True) -> Steps[list[Any]]:
        """Sends the commands and returns their replies in order; the pipeline is empty then.

        raise_on_error: raises the first error; False leaves errors as exceptions in their places. The other commands have run
        in both cases.
        """
        client = self._client
        try:
            yield client._ready()
            if self.scripts:
                yield self.load_scripts()
            plans = self._planned()
            with observed("PIPELINE", len(plans), client.nodes_manager.connection_kwargs):
                yield from client._run([job for command in plans for job in command.jobs])
            return answered(plans, raise_on_error)
        finally:
            # The traceback of an error among the replies leads to this frame.
            plans = []
            yield self.reset()

    @operation
    def load_scripts(self) -> Steps[None]:
        """Loads the scripts that the commands call and a primary does not know."""
        scripts = list(self.scripts)
        known = yield self._client.execute_command("SCRIPT EXISTS", *(script.sha for script in scripts))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                yield self._client.execute_command("SCRIPT LOAD", script.script)

    @operation
    def watch(self, *names: Any) -> Steps[Any]:
        """Raises RedisClusterException: this needs a transaction."""
        yield from ()
        raise no_transaction("watch")

    @operation
    def unwatch(self) -> Steps[Any]:
        """Raises RedisClusterException: this needs a transaction."""
        yield from ()
        raise no_transaction("unwatch")

    def multi(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("multi")

    @operation
    def discard(self) -> Steps[None]:
        """Raises RedisClusterException: this needs a transaction."""
        yield from ()
        raise no_transaction("discard")


class ClusterTransactionSteps(TransactionQueue, ClusterPipelineSteps):  # type: ignore[misc]
    """Commands that are sent between MULTI and EXEC to the node of their slot: all keys are in one.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed, or if the
    slot has moved to another node.
    """

    #: The class of a node's pipeline, and the one that keys are watched on; None while none are.
    _pipeline_class: Any
    _pipe: Any = None

    @operation
    def reset(self) -> Steps[None]:
        """Forgets the commands and what is watched."""
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            yield pipe.reset()
        self._forget()

    @operation
    def watch(self, *names: Any) -> Steps[Any]:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        yield self._client._ready()
        return (yield self.execute_command("WATCH", *names))

    @operation
    def unwatch(self) -> Steps[Any]:
        """Watches nothing any more."""
        return (yield self.execute_command("UNWATCH")) if self.watching else True

    multi = TransactionQueue.multi

    @operation
    def discard(self) -> Steps[None]:
        """Forgets the commands and what is watched."""
        yield self.reset()

    @operation
    def immediate_execute_command(self, *args: Any, **options: Any) -> Steps[Any]:
        """Sends a command at once, on the connection that keys are watched on.

        Raises WatchError if the slot has moved since: nothing is watched any more then.
        """
        watched = self._pipe
        if watched is not None:
            try:
                return (yield watched.immediate_execute_command(*args, **options))
            except (MovedError, AskError) as error:
                yield self.reset()
                raise WatchError("The slot moved while keys were watched: begin again with watch()") from error
            finally:
                self.watching = watched.watching
        attempts = self._attempts()
        while True:
            seen = self._client.nodes_manager.policy.round
            node = None
            try:
                node = self._client.nodes_manager.topology.serving(self._slot())
                reply = yield from self._begun(node, args, options)
            except FAILURES as error:
                yield from self._again(attempts, error, node, seen)
                continue
            return reply

    def _begun(self, node: Any, args: tuple[Any, ...], options: dict[str, Any]) -> Steps[Any]:
        """The reply of the first command that runs at once, on a connection that is kept for what follows."""
        pipe = self._pipe_of(node)
        try:
            reply = yield pipe.immediate_execute_command(*args, **options)
        except BaseException:
            # Refused, or cancelled.
            yield pipe.reset()
            raise
        self._pipe, self.watching = pipe, pipe.watching
        return reply

    @operation
    def execute(self, raise_on_error: bool = True) -> Steps[list[Any]]:
        """Sends the transaction and returns its replies; the pipeline is empty then.

        raise_on_error: raises the first error; False leaves errors as exceptions in their places.

        Raises WatchError if a watched key was changed or its slot has moved: nothing has run then. Raises ConnectionError or
        TimeoutError, whose `may_have_run` tells whether it may have run.
        """
        if not self.command_stack and not self.watching:
            return []
        attempts = self._attempts()
        try:
            yield self._client._ready()
            if self.scripts:
                yield self.load_scripts()
            while True:
                seen = self._client.nodes_manager.policy.round
                node = None
                try:
                    node = self._client.nodes_manager.topology.serving(self._slot())
                    return (yield from self._send(self._pipe or self._pipe_of(node), raise_on_error))
                except FAILURES as error:
                    if self._pipe is not None:
                        if isinstance(error, AskError | TryAgainError):
                            raise WatchError("The slot moved while keys were watched: nothing has run") from error
                        raise
                    yield from self._again(attempts, error, node, seen)
        finally:
            yield self.reset()

    def _send(self, pipe: Any, raise_on_error: bool) -> Steps[list[Any]]:
        if not pipe.explicit_transaction:
            pipe.multi()
        for command in self.command_stack:
            pipe.execute_command(*command.args, **command.options)
        replies: list[Any] = yield pipe.execute(raise_on_error)
        return replies

    def _pipe_of(self, node: Any) -> Any:
        pool = self._client.nodes_manager.pool(node)
        return self._pipeline_class(
            pool, self._client.response_callbacks, True, None, self._client._decode, self._client._repeats
        )

    def _attempts(self) -> Attempts[Any]:
        attempts: Attempts[Any] = self._client._attempts_at(self._repeatable())
        return attempts

    def _again(self, attempts: Attempts[Any], error: Exception, node: Any, seen: int) -> Steps[None]:
        """Waits until another attempt may be made after an error; raises it if none may."""
        try:
            if node is not None:
                self._client._note(node, error)
            yield from self._client._follow(attempts.after(unasked(error), node), seen)
        finally:
            # The error's traceback leads to this frame.
            del error
