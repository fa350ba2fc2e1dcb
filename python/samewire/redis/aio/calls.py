"""Sends jobs to the nodes of a cluster for asyncio callers, over one shared connection to each node."""

from __future__ import annotations

import asyncio
import copy
from collections.abc import Mapping, Sequence
from typing import Any

from ..cluster.batch import Job, direct, piped, without_asking
from ..cluster.calls import FAILURES, CallSteps
from ..exceptions import ConnectionError, TimeoutError
from ..observability import observed, observers
from ..rules.blocking import all_wait
from ..steps import Awaiting, run_async
from .lease import Lease
from .nodes import ClusterNode, NodesManager
from .retry import Retry


class Calls(CallSteps[ClusterNode], Awaiting):
    """The sending side of a client of a cluster."""

    nodes_manager: NodesManager
    retry: Retry

    async def initialize(self) -> Any:
        """Looks for the cluster unless that is done."""
        raise NotImplementedError

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command to the node of its keys, or to those that it is for, and returns its reply.

        A command of several slots is split if its reply can be put together again: MGET, MSET, DEL, UNLINK, EXISTS, TOUCH.

        target_nodes: a node, several, or the name of a group of nodes. More than one gives a dictionary by node, unless the
        replies have a sum.
        """
        if not observers:
            return await self._execute(args, options)
        with observed(str(args[0]), 1, self.get_connection_kwargs()):
            return await self._execute(args, options)

    async def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if not self.nodes_manager.topology.slots:
            await self.initialize()
        if not options:
            job = direct(self, args)
            if job is not None:
                await self._call(job)
                return job.reply
        return await run_async(self._executed(args, options))

    async def _call(self, job: Job[ClusterNode]) -> None:
        """Sends one command and keeps its reply in the job. Raises the error that the command ends with."""
        manager = self.nodes_manager
        seen = manager.policy.round
        node = None
        try:
            node = job.place(manager.topology)
            job.reply = await self._on(node, job)
        except FAILURES as error:
            await run_async(self._send_again(job, node, error, seen))

    async def _on(self, node: ClusterNode, job: Job[ClusterNode]) -> Any:
        client = node.redis_connection
        if client is None:
            client = self.nodes_manager.client(node)
        pool = client.connection_pool
        if job.waits:
            connection = await pool.get_connection()
            try:
                if job.asking:
                    await connection.exchange([("ASKING",)])
                return await client._call(connection, job.args, job.convert, job.decode, None)
            finally:
                await pool.release(connection)
        shared = pool.shared()
        mux = shared.mux
        if mux is None or mux.full:
            mux = await shared.ready()
        if not job.asking:
            return await mux.call(job.args, job.convert, job.decode)
        asking, reply = mux.submit_all(piped([job]))
        asking.add_done_callback(_retrieved)
        return await reply

    async def _exchange(self, groups: Mapping[ClusterNode, Sequence[Job[ClusterNode]]]) -> list[list[Any]]:
        return await asyncio.gather(*(self._batch(node, jobs) for node, jobs in groups.items()))

    async def _batch(self, node: ClusterNode, jobs: Sequence[Job[ClusterNode]]) -> list[Any]:
        """The replies of one node, errors in their places."""
        pool = self.nodes_manager.pool(node)
        pipe = piped(jobs)
        lease = None
        try:
            if any(job.waits for job in jobs):
                # They must not hold up the shared connection.
                lease = await Lease.take(pool, all_wait(pipe.all_arguments()))
                mux = lease.mux
            else:
                mux = await pool.shared().ready()
        except (ConnectionError, TimeoutError) as error:
            # Each is told by itself whether it may have run.
            return [copy.copy(error) for _ in jobs]
        try:
            replies = await asyncio.gather(*mux.submit_all(pipe), return_exceptions=True)
            return without_asking(jobs, replies)
        finally:
            if lease is not None:
                await asyncio.shield(lease.release())


def _retrieved(done: asyncio.Future[Any]) -> None:
    """ASKING is refused by servers that are no cluster; the command after it tells."""
    if not done.cancelled():
        done.exception()
