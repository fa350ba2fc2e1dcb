"""Publish and subscribe in a cluster, for asyncio."""

from __future__ import annotations

import asyncio
import functools
from typing import Any

from ..cluster.pubsub import RETRY_SECONDS, ClusterPubSubSteps
from ..exceptions import ConnectionError
from ..steps import run_async
from .nodes import ClusterNode
from .pubsub import PubSub


class ShardPubSub(PubSub):
    """The shard channels on one node."""

    _one_by_one = True


class ClusterPubSub(ClusterPubSubSteps, PubSub):
    __doc__ = ClusterPubSubSteps.__doc__

    node: ClusterNode | None
    node_pubsub_mapping: dict[str, ShardPubSub]
    _shard_class = ShardPubSub

    #: The look for lost shard channels, and the move to another node, that are being made.
    _finding: asyncio.Task[None] | None = None
    _moving: asyncio.Task[None] | None = None

    def _begin(self) -> None:
        super()._begin()
        #: The task that waits for the next message of each node that has shard channels.
        self._reading: dict[str, asyncio.Task[dict[str, Any]]] = {}

    async def aclose(self) -> None:
        """Closes all connections: the servers then forget the subscriptions."""
        tasks = [*self._reading.values(), *(task for task in (self._finding, self._moving) if task is not None)]
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._reading = {}
        self._finding = self._moving = None
        self._moves = 0
        for pubsub in self.node_pubsub_mapping.values():
            await pubsub.aclose()
        self.node_pubsub_mapping = {}
        self._lost = {}
        await super().aclose()

    # --- channels and patterns ---

    async def connect(self) -> None:
        """Connects to a node for channels and patterns, unless that is done."""
        await run_async(self._choose(()))
        await self._moved(None)
        await super().connect()

    def _move(self, pause: float, seen: int) -> None:
        self._moving = asyncio.create_task(self._move_after(pause, seen))

    async def _move_after(self, pause: float, seen: int) -> None:
        """Chooses another node. It is connected to when it is used, and everything subscribed to again."""
        if pause > 0:
            await asyncio.sleep(pause)
        await self.cluster.nodes_manager.refresh(seen)
        self._settle_on(self._next_node())
        connection = self.connection_pool.get_available_connection()
        await connection.disconnect(nowait=True)
        connection.register_connect_callback(self.on_connect)
        self.connection = connection

    async def _moved(self, until: float | None) -> bool:
        moving = self._moving
        if moving is None:
            return True
        if not await done_within(moving, None if until is None else until - self._now()):
            return False
        if self._moving is moving:
            self._moving = None
        if moving.cancelled():
            raise ConnectionError("the subscriber was closed while it moved to another node")
        moving.result()
        return True

    # --- shard channels ---

    async def _shut(self, pubsub: ShardPubSub) -> None:
        await pubsub.aclose()

    async def get_sharded_message(
        self,
        ignore_subscribe_messages: bool = False,
        timeout: float | None = 0.0,
        target_node: ClusterNode | None = None,
    ) -> dict[str, Any] | None:
        """The next message of a shard channel, or None if there is none within `timeout` seconds; None waits without a limit.

        target_node: of this node alone.
        """
        until = None if timeout is None else self._now() + timeout
        ignore = ignore_subscribe_messages or self.ignore_subscribe_messages
        while True:
            if self._finding is None and self._lost and self._now() >= self._retry_at:
                self._finding = asyncio.create_task(self._find())
            finding = self._finding
            if finding is not None:
                # Nothing else changes what is subscribed to where meanwhile.
                if not await done_within(finding, None if until is None else until - self._now()):
                    return None
                if self._finding is finding:
                    self._finding = None
                if finding.cancelled():
                    raise ConnectionError("the subscriber was closed while it looked for its channels")
                finding.result()
            for name, pubsub in self.node_pubsub_mapping.items():
                if name not in self._reading:
                    self._reading[name] = asyncio.get_running_loop().create_task(_next(pubsub))
            left = RETRY_SECONDS if until is None else min(until - self._now(), RETRY_SECONDS)
            tasks = [task for name, task in self._reading.items() if target_node is None or name == target_node.name]
            # Not zero: what has come is read in a turn of the loop.
            if tasks:
                await asyncio.wait(tasks, timeout=max(left, 0.001), return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(max(left, 0.0))
            names = [name for name, task in self._reading.items() if task.done() and task in tasks]
            for name in self._in_turn(names):
                message = await run_async(self._taken_from(name, functools.partial(self._reading.pop, name), ignore))
                if message is not None:
                    found: dict[str, Any] = message
                    return found
            if not names and until is not None and self._now() >= until:
                return None

    async def _find(self) -> None:
        """Subscribes to what was lost, where a newer map says."""
        manager = self.cluster.nodes_manager
        await manager.refresh(manager.policy.round)
        await run_async(self._subscribe_lost(None))


async def done_within(task: asyncio.Task[None], seconds: float | None) -> bool:
    """Waits for a task, and does not end it; False if it is not done within so many seconds (None: no limit)."""
    await asyncio.wait((task,), timeout=None if seconds is None else max(0.0, seconds))
    return task.done()


async def _next(pubsub: PubSub) -> dict[str, Any]:
    """The next message of one node that no handler takes."""
    while True:
        message = await pubsub.get_message(timeout=None)
        if message is not None:
            return message
