"""Sends jobs to the nodes of a cluster, and sends again what may be, for asyncio callers: one shared connection to each node."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from typing import Any

from ..batch import Job, Rounds, piped, without_asking
from ..clustering import Placing
from ..exceptions import ConnectionError, RedisError, SlotNotCoveredError, TimeoutError
from ..redirection import OWN_FAULT, Map, Step
from ..routing import is_blocking
from .nodes import ClusterNode, NodesManager
from .retry import Retry


class Calls(Placing[ClusterNode]):
    """The sending side of a client of a cluster."""

    nodes_manager: NodesManager
    retry: Retry
    reinitialize_steps: int

    async def initialize(self) -> Any:
        """Looks for the cluster unless that is done."""
        raise NotImplementedError

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command and returns its reply."""
        raise NotImplementedError

    def _backoff(self, failures: int, error: Exception | None = None) -> float:
        return self.retry.seconds_before(failures, error)

    async def _follow(self, step: Step[ClusterNode], seen: int) -> None:
        """Does what must be done before the next attempt. seen: the round of the map that the last one was made with.

        Raises the step's error.
        """
        if step.map is Map.LATER and self.reinitialize_steps:
            self.nodes_manager.refresh_later()
        if step.error is not None:
            raise step.error
        if step.delay:
            await asyncio.sleep(step.delay)
        if step.map is Map.NOW:
            await self.nodes_manager.refresh(seen)

    async def _call(self, job: Job[ClusterNode]) -> None:
        """Sends one command and keeps its reply in the job. Raises the error that the command ends with."""
        manager = self.nodes_manager
        while True:
            seen = manager.policy.round
            node = None
            try:
                node = job.place(manager.topology)
                job.reply = await self._on(node, job)
                return
            except (RedisError, SlotNotCoveredError) as error:
                if node is not None:
                    self._note(node, error)
                step = job.after(error, node, manager.topology, self.retry.get_retries(), self._backoff)
                if step.error is error:
                    step.error = None
                    await self._follow(step, seen)
                    raise
                await self._follow(step, seen)

    async def _on(self, node: ClusterNode, job: Job[ClusterNode]) -> Any:
        client = self.nodes_manager.client(node)
        pool = client.connection_pool
        if is_blocking(job.args):
            connection = await pool.get_connection()
            try:
                if job.asking:
                    await connection.exchange([("ASKING",)])
                return await client._call(connection, job.args, job.convert, job.decode, None)
            finally:
                await pool.release(connection)
        shared = pool.shared()
        mux = shared.mux or await shared.ready()
        if not job.asking:
            return await mux.call(job.args, job.convert, job.decode)
        asking, reply = mux.submit_all(piped([job]))
        asking.add_done_callback(_retrieved)
        return await reply

    async def _run(self, jobs: Sequence[Job[ClusterNode]]) -> None:
        """Sends commands to all their nodes at once. Each job has its reply or error afterwards."""
        manager = self.nodes_manager
        rounds = Rounds(jobs, manager.topology, self.retry.get_retries(), self._backoff)
        while rounds.waiting:
            seen = manager.policy.round
            groups = rounds.groups()
            batches = await asyncio.gather(*(self._batch(node, group) for node, group in groups.items()))
            for (node, group), replies in zip(groups.items(), batches, strict=True):
                for reply in replies:
                    if isinstance(reply, Exception):
                        self._note(node, reply)
                rounds.replied(group, node, replies)
            await self._follow(rounds.step, seen)

    async def _batch(self, node: ClusterNode, jobs: list[Job[ClusterNode]]) -> list[Any]:
        """The replies of one node, errors in their places."""
        shared = self.nodes_manager.pool(node).shared()
        try:
            mux = shared.mux or await shared.ready()
        except (ConnectionError, TimeoutError) as error:
            return [error] * len(jobs)
        replies = await asyncio.gather(*mux.submit_all(piped(jobs)), return_exceptions=True)
        return without_asking(jobs, replies)

    def _note(self, node: ClusterNode, error: Exception) -> None:
        """Has other nodes asked for the map before one that does not reply."""
        if isinstance(error, ConnectionError | TimeoutError) and not isinstance(error, OWN_FAULT):
            self.nodes_manager.failed(node)


def _retrieved(done: asyncio.Future[Any]) -> None:
    """ASKING is refused by servers that are no cluster; the command after it tells."""
    if not done.cancelled():
        done.exception()
