"""Pipelines of a cluster for asyncio callers: commands go to all their nodes at once, and replies come in order."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any, Self

from ..cluster_queue import ClusterQueue, TransactionQueue, answered, no_transaction
from ..exceptions import (
    AskError,
    ConnectionError,
    MovedError,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
    TryAgainError,
    WatchError,
)
from ..observability import observed
from ..redirection import Attempts, unasked
from .calls import Calls
from .client import Pipeline
from .nodes import ClusterNode


class ClusterPipeline(ClusterQueue):
    """Commands that are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is no transaction: commands of other clients may run in between, and a redirected command runs after others.
    """

    def __init__(self, client: Calls) -> None:
        self._client = client
        super().__init__(client)

    def __await__(self) -> Generator[Any, None, Self]:
        return self._ready().__await__()

    async def _ready(self) -> Self:
        return self

    async def __aenter__(self) -> Self:
        await self._client.initialize()
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.reset()

    async def reset(self) -> None:
        """Forgets the commands."""
        self._forget()

    async def aclose(self) -> None:
        """Forgets the commands."""
        await self.reset()

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
        """Sends the commands and returns their replies in order; the pipeline is empty then.

        raise_on_error: raises the first error; False leaves errors as exceptions in their places. The other commands have run
        in both cases.
        """
        try:
            await self._client.initialize()
            if self.scripts:
                await self.load_scripts()
            plans = self._planned()
            with observed("PIPELINE", len(plans), self._client.nodes_manager.connection_kwargs):
                await self._client._run([job for command in plans for job in command.jobs])
            return answered(plans, raise_on_error)
        finally:
            await self.reset()

    async def load_scripts(self) -> None:
        """Has the primaries know the scripts that the commands call."""
        scripts = list(self.scripts)
        known = await self._client.execute_command("SCRIPT EXISTS", *(script.sha for script in scripts))
        for script, exists in zip(scripts, known, strict=True):
            if not exists:
                await self._client.execute_command("SCRIPT LOAD", script.script)

    async def watch(self, *names: Any) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("watch")

    async def unwatch(self) -> Any:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("unwatch")

    def multi(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("multi")

    async def discard(self) -> None:
        """Raises RedisClusterException: this needs a transaction."""
        raise no_transaction("discard")


class ClusterTransaction(TransactionQueue, ClusterPipeline):  # type: ignore[misc]
    """Commands that are sent between MULTI and EXEC to the node of their slot: all keys are in one.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed, or if the
    slot has moved to another node.
    """

    #: The node's pipeline that keys are watched on; None while none are.
    _pipe: Pipeline | None = None

    async def reset(self) -> None:
        """Forgets the commands and what is watched."""
        pipe, self._pipe = self._pipe, None
        if pipe is not None:
            await pipe.reset()
        self._forget()

    async def watch(self, *names: Any) -> Any:
        """Has `execute` fail if one of these keys is changed before it."""
        self._may_watch()
        await self._client.initialize()
        return await self.execute_command("WATCH", *names)

    async def unwatch(self) -> Any:
        """Watches nothing any more."""
        return await self.execute_command("UNWATCH") if self.watching else True

    multi = TransactionQueue.multi

    async def discard(self) -> None:
        """Forgets the commands and what is watched."""
        await self.reset()

    async def immediate_execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command at once, on the connection that keys are watched on.

        Raises WatchError if the slot has moved since: nothing is watched any more then.
        """
        watched = self._pipe
        if watched is not None:
            try:
                return await watched.immediate_execute_command(*args, **options)
            except (MovedError, AskError) as error:
                await self.reset()
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
                reply = await pipe.immediate_execute_command(*args, **options)
            except (RedisError, SlotNotCoveredError) as error:
                await self._again(attempts, error, node, seen)
                continue
            self._pipe, self.watching = pipe, pipe.watching
            return reply

    async def execute(self, raise_on_error: bool = True) -> list[Any]:
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
            await client.initialize()
            if self.scripts:
                await self.load_scripts()
            while True:
                seen = client.nodes_manager.policy.round
                node = None
                try:
                    node = client.nodes_manager.topology.serving(self._slot())
                    return await self._send(self._pipe or self._pipe_of(node), raise_on_error)
                except (RedisError, SlotNotCoveredError) as error:
                    if self._pipe is not None:
                        if isinstance(error, AskError | TryAgainError):
                            raise WatchError("The slot moved while keys were watched: nothing has run") from error
                        raise
                    await self._again(attempts, error, node, seen)
        finally:
            await self.reset()

    async def _send(self, pipe: Pipeline, raise_on_error: bool) -> list[Any]:
        if not pipe.explicit_transaction:
            pipe.multi()
        for command in self.command_stack:
            pipe.execute_command(*command.args, **command.options)
        return await pipe.execute(raise_on_error)

    def _pipe_of(self, node: ClusterNode) -> Pipeline:
        pool = self._client.nodes_manager.pool(node)
        return Pipeline(pool, self._client.response_callbacks, True, None, self._client._decode)

    def _attempts(self) -> Attempts[ClusterNode]:
        client = self._client
        topology = client.nodes_manager.topology
        return Attempts(topology, self._repeatable(), client.retry.get_retries(), client._backoff)

    async def _again(self, attempts: Attempts[ClusterNode], error: Exception, node: ClusterNode | None, seen: int) -> None:
        """Waits until another attempt may be made after an error; raises it if none may."""
        client = self._client
        if node is not None and isinstance(error, ConnectionError | TimeoutError):
            client._note(node, error)
        await client._follow(attempts.after(unasked(error), node), seen)
