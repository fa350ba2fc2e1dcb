"""The nodes of a cluster for asyncio callers: coroutines that need a newer map wait for one task that asks for it."""

from __future__ import annotations

import asyncio
from typing import Any

from ..cluster.nodes import NodeOfClient, NodeSteps
from ..exceptions import RedisClusterException
from ..steps import Awaiting, run_async
from .client import Client
from .joint import Abandoned, joint
from .shared import closed


class ClusterNode(NodeOfClient):
    """A node of a cluster. `redis_connection` is a client for it alone; None until it is used."""

    redis_connection: Client[Any] | None

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command to this node, whatever the map of slots says."""
        if self.redis_connection is None:
            raise RedisClusterException(f"{self.name} is not a node of a client yet: take it from a RedisCluster")
        return await self.redis_connection.execute_command(*args, **options)

    async def disconnect(self) -> None:
        """Closes the connections to this node; they are made anew when they are next used."""
        if self.redis_connection is not None:
            await self.redis_connection.connection_pool.disconnect()


class NodesManager(NodeSteps[ClusterNode, Client[Any]], Awaiting):
    """Nodes and slots of a cluster."""

    _node_class = ClusterNode

    def _begin(self) -> None:
        self._asking: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()

    async def initialize(self) -> None:
        """Asks for the map unless it is there.

        Raises RedisClusterException if no node replies, or if slots are not covered and must be.
        """
        if self.topology.slots:
            return
        await self.refresh(self.policy.round)
        try:
            self._must_serve()
        except RedisClusterException:
            # The next caller looks again.
            self.topology.slots = {}
            raise

    async def refresh(self, seen: int) -> None:
        """Waits for a map newer than round `seen`. Of many callers one asks; a failure leaves the map as it is."""
        if self.policy.round == seen:
            try:
                await joint(self.refresh_later())
            except Abandoned:
                raise closed(False) from None

    def refresh_later(self) -> asyncio.Task[None]:
        """Starts a refresh of the map, unless one is under way. Returns at once."""
        loop = asyncio.get_running_loop()
        if self._asking is None or self._asking.done() or self._asking.get_loop() is not loop:
            self._asking = loop.create_task(run_async(self._ask()), name="samewire-topology")
        return self._asking

    def _retire(self, node: ClusterNode) -> None:
        task = asyncio.get_running_loop().create_task(node.disconnect())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _reply_on(self, connection: Any, command: tuple[Any, ...]) -> Any:
        await connection.connect_once()
        (reply,) = await connection.exchange([command], False)
        if isinstance(reply, Exception):
            try:
                raise reply
            finally:
                # The error's traceback leads to this frame.
                del reply
        return reply

    async def aclose(self) -> None:
        """Closes the connections to all nodes."""
        if self._asking is not None and self._asking.get_loop() is asyncio.get_running_loop():
            self._asking.cancel()
        nodes = {**self.startup_nodes, **self.topology.nodes}.values()
        await asyncio.gather(*(node.redis_connection.aclose() for node in nodes if node.redis_connection is not None))
