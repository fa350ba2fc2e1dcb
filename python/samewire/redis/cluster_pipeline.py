"""Pipelines of a cluster for blocking callers: commands go to all their nodes at once, and replies come in order."""

from __future__ import annotations

import contextlib
from typing import Any, NoReturn, Self

from .calls import Calls
from .client import Pipeline
from .cluster_queue import ClusterQueue, TransactionQueue, answered, no_transaction
from .exceptions import (
    AskError,
    ConnectionError,
    DataError,
    MovedError,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
    TryAgainError,
    WatchError,
)
from .nodes import ClusterNode
from .observability import observed
from .queued import NO_VIEW
from .redirection import Attempts, unasked


class ClusterPipelineCalls(ClusterQueue):
    """What a pipeline does in its own way; `cluster.ClusterPipeline` is a client besides.

    Commands are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is no transaction: commands of other clients may run in between, and a redirected command runs after others.
    """

    def __init__(self, client: Calls) -> None:
        # It has the nodes, options and conversions of its client.
        vars(self).update(vars(client))
        self._client = client
        super().__init__(client)

    def decoding(self, decode: bool = True) -> NoReturn:
        """Raises DataError: the client that makes a pipeline chooses."""
        raise DataError(NO_VIEW)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.reset()

    def reset(self) -> None:
        """Forgets the commands."""
        self._forget()

    def close(self) -> None:
        """Forgets the commands."""
        self.reset()

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the commands and returns their replies in order; the pipeline is empty then.

        raise_on_error: raises the first error; False leaves errors as exceptions in their places. The other commands have run
        in both cases.
        """
        try:
            if self.scripts:
                self.load_scripts()
            plans = self._planned()
            with observed("PIPELINE", len(plans), self._client.nodes_manager.connection_kwargs):
                self._client._run([job for command in plans for job in command.jobs])
            return answered(plans, raise_on_error)
        finally:
            self.reset()

    def load_scripts(self) -> None:
        """Has the primaries know the scripts that the commands call."""
        scripts = list(self.scripts)
        known = self._client.execute_command("SCRIPT EXISTS", *(script.sha for script in scripts))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                self._client.execute_command("SCRIPT LOAD", script.script)

    def watch(self, *names: Any) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("watch")

    def unwatch(self) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("unwatch")

    def multi(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("multi")

    def discard(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("discard")


class ClusterTransactionCalls(TransactionQueue, ClusterPipelineCalls):  # type: ignore[misc]
    """What a transaction does in its own way: its commands are sent between MULTI and EXEC to the node of their slot: all keys are in one.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed, or if the
    slot has moved to another node.
    """

    #: The node's pipeline that keys are watched on; None while none are.
    _pipe: Pipeline | None = None

    def __del__(self) -> None:
        with contextlib.suppress(Exception):
            self.reset()

    def reset(self) -> None:
        """Forgets the commands and what is watched."""
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            pipe.reset()
        self._forget()

    def watch(self, *names: Any) -> Any:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        return self.execute_command("WATCH", *names)

    def unwatch(self) -> Any:
        """Watches nothing any more."""
        return self.execute_command("UNWATCH") if self.watching else True

    multi = TransactionQueue.multi

    def discard(self) -> None:
        """Forgets the commands and what is watched."""
        self.reset()

    def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command at once, on the connection that keys are watched on.

        Raises WatchError if the slot has moved since: nothing is watched any more then.
        """
        watched = self._pipe
        if watched is not None:
            try:
                return watched.immediate_execute_command(*args, **options)
            except (MovedError, AskError) as error:
                self.reset()
                raise WatchError("The slot moved while keys were watched: begin again with watch()") from error
            finally:
                self.watching = watched.watching
        client = self._client
        attempts = self._attempts()
        while True:
            seen = client.nodes_manager.policy.round
            node = None
            try:
                node = client.nodes_manager.topology.serving(self._slot())
                pipe = self._pipe_of(node)
                reply = pipe.immediate_execute_command(*args, **options)
            except (RedisError, SlotNotCoveredError) as error:
                self._again(attempts, error, node, seen)
                continue
            self._pipe, self.watching = pipe, pipe.watching
            return reply

    def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the transaction and returns its replies; the pipeline is empty then.

        raise_on_error: raises the first error; False leaves errors as exceptions in their places.

        Raises WatchError if a watched key was changed or its slot has moved: nothing has run then. Raises ConnectionError or
        TimeoutError, whose `may_have_run` tells whether it may have run.
        """
        if not self.command_stack and not self.watching:
            return []
        client = self._client
        attempts = self._attempts()
        try:
            if self.scripts:
                self.load_scripts()
            while True:
                seen = client.nodes_manager.policy.round
                node = None
                try:
                    node = client.nodes_manager.topology.serving(self._slot())
                    return self._send(self._pipe or self._pipe_of(node), raise_on_error)
                except (RedisError, SlotNotCoveredError) as error:
                    if self._pipe is not None:
                        if isinstance(error, AskError | TryAgainError):
                            raise WatchError("The slot moved while keys were watched: nothing has run") from error
                        raise
                    self._again(attempts, error, node, seen)
        finally:
            self.reset()

    def _send(self, pipe: Pipeline, raise_on_error: bool) -> list[Any]:
        if not pipe.explicit_transaction:
            pipe.multi()
        for command in self.command_stack:
            pipe.execute_command(*command.args, **command.options)
        return pipe.execute(raise_on_error)

    def _pipe_of(self, node: ClusterNode) -> Pipeline:
        pool = self._client.nodes_manager.pool(node)
        return Pipeline(pool, self._client.response_callbacks, True, None, self._client._decode)

    def _attempts(self) -> Attempts[ClusterNode]:
        client = self._client
        topology = client.nodes_manager.topology
        return Attempts(topology, self._repeatable(), client.retry.get_retries(), client._backoff)

    def _again(self, attempts: Attempts[ClusterNode], error: Exception, node: ClusterNode | None, seen: int) -> None:
        """Waits until another attempt may be made after an error; raises it if none may."""
        client = self._client
        if node is not None and isinstance(error, ConnectionError | TimeoutError):
            client._note(node, error)
        client._follow(attempts.after(unasked(error), node), seen)
