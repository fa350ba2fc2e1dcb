"""Publish and subscribe in a cluster, for asyncio: channels on one node, shard channels each on the node of its slot.

When a node is lost or a slot moves, its channels are subscribed to elsewhere; messages of the time between are gone.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..cluster_pubsub import RETRY_SECONDS, chosen
from ..exceptions import ConnectionError, MovedError, SlotNotCoveredError, TimeoutError
from ..subscriptions import Handler, Subscription, flat, subscriptions
from .calls import Calls
from .nodes import ClusterNode
from .pubsub import PubSub
from .transport import AbstractConnection


class ShardPubSub(PubSub):
    """The shard channels on one node."""

    async def on_connect(self, connection: AbstractConnection) -> None:
        """Subscribes again, one by one: channels of one command must be in one slot."""
        self.health_check_response_counter = 0
        for kind, names in self.after_connect():
            for name in names:
                await connection.send_command(f"{kind}subscribe".upper(), name, check_health=False)


class ClusterPubSub(PubSub):
    """A subscriber in a cluster.

    node, or host and port: the node of its channels and patterns; without, the node of the first channel's slot, and another
    one when that is lost.

    `get_message` returns messages of channels and patterns, `get_sharded_message` those of shard channels.
    """

    def __init__(
        self,
        redis_cluster: Calls,
        node: ClusterNode | None = None,
        host: str | None = None,
        port: int | None = None,
        push_handler_func: Callable[[Any], Any] | None = None,
        event_dispatcher: object = None,
        **kwargs: Any,
    ) -> None:
        self.cluster = redis_cluster
        self.node: ClusterNode | None = chosen(redis_cluster, node, host, port)
        self._fixed = self.node is not None
        #: The subscriber on each node that has shard channels, and the task that waits for its next message.
        self.node_pubsub_mapping: dict[str, ShardPubSub] = {}
        self._reading: dict[str, asyncio.Task[dict[str, Any]]] = {}
        #: Shard channels that are subscribed to on no node at the moment, and when that is tried again.
        self._lost: dict[Any, Handler | None] = {}
        self._retry_at = 0.0
        self._turn = 0
        #: The look for those that is being made.
        self._finding: asyncio.Task[None] | None = None
        #: Nodes that were left since something was received, and the move to another one that is being made.
        self._moves = 0
        self._moving: asyncio.Task[None] | None = None
        pool: Any = None if self.node is None else redis_cluster.nodes_manager.pool(self.node)
        encoder = kwargs.pop("encoder", None) or redis_cluster.get_encoder()
        super().__init__(pool, encoder=encoder, push_handler_func=push_handler_func, **kwargs)

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

    def get_pubsub_node(self) -> ClusterNode | None:
        """The node of the channels and patterns; None before the first is subscribed to."""
        return self.node

    def get_redis_connection(self) -> Any:
        """The client of that node."""
        return None if self.node is None else self.cluster.nodes_manager.client(self.node)

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        return self.any or bool(self._lost or self.node_pubsub_mapping)

    # --- channels and patterns ---

    async def connect(self) -> None:
        """Connects to a node for channels and patterns, unless that is done."""
        await self._choose(())
        await self._moved(None)
        await super().connect()

    async def execute_command(self, *args: Any) -> None:
        """Sends a command to the node of the channels. Its reply is a message like all others."""
        await self._choose(args[1:])
        while True:
            try:
                await self._moved(None)
                await super().execute_command(*args)
                self._moves = 0
                return
            except (ConnectionError, TimeoutError) as error:
                await self._elsewhere(error)

    async def parse_response(self, block: bool = True, timeout: float | None = 0) -> Any:
        """What the server sent next, as it is. Waits for ever if `block`, else at most `timeout` seconds; then None.

        A lost node's place is taken by another one. What no time is left for is the next call's.
        """
        clock = asyncio.get_running_loop().time
        until = None if block or timeout is None else clock() + timeout
        while True:
            try:
                if not await self._moved(until):
                    return None
                response = await super().parse_response(block, None if until is None else max(0.0, until - clock()))
            except (ConnectionError, TimeoutError) as error:
                await self._elsewhere(error)
                continue
            if response is not None:
                self._moves = 0
            return response

    async def _choose(self, channels: tuple[Any, ...]) -> None:
        if self.node is None:
            await self.cluster.initialize()
            topology = self.cluster.nodes_manager.topology
            slot = self.cluster.keyslot(channels[0]) if channels else next(iter(topology.slots), 0)
            self._settle_on(topology.serving(slot, self.cluster.load_balancing_strategy))

    def _settle_on(self, node: ClusterNode) -> None:
        self.node = node
        self.connection_pool = self.cluster.nodes_manager.pool(node)

    async def _elsewhere(self, error: Exception) -> None:
        """Leaves a node that was lost, for another one, as the lost one's place is open. Raises the error if it was the last
        attempt."""
        if self._fixed or self.node is None:
            raise error
        manager, client = self.cluster.nodes_manager, self.cluster
        self._moves += 1
        if self._moves > 1 + client.retry.get_retries():
            self._moves = 0
            raise error
        pause = client._backoff(self._moves - 1) if self._moves > 1 else 0.0
        seen = manager.policy.round
        manager.failed(self.node)
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.deregister_connect_callback(self.on_connect)
            await connection.disconnect(nowait=True)
            await self.connection_pool.release(connection)
        self._moving = asyncio.create_task(self._move(pause, seen))

    async def _move(self, pause: float, seen: int) -> None:
        """Chooses another node. It is connected to when it is used, and everything subscribed to again."""
        if pause > 0:
            await asyncio.sleep(pause)
        manager = self.cluster.nodes_manager
        await manager.refresh(seen)
        now = asyncio.get_running_loop().time()
        self._settle_on(manager.policy.order(manager.topology.nodes.values(), now)[0])
        connection = self.connection_pool.get_available_connection()
        await connection.disconnect(nowait=True)
        connection.register_connect_callback(self.on_connect)
        self.connection = connection

    async def _moved(self, until: float | None) -> bool:
        """Waits for the move to another node if one is being made; False if there was no time for that."""
        moving = self._moving
        if moving is None:
            return True
        if not await done_within(moving, None if until is None else until - asyncio.get_running_loop().time()):
            return False
        if self._moving is moving:
            self._moving = None
        if moving.cancelled():
            raise ConnectionError("the subscriber was closed while it moved to another node")
        moving.result()
        return True

    # --- shard channels ---

    async def ssubscribe(self, *args: Any, target_node: Any = None, **kwargs: Handler | None) -> None:
        """Subscribes to shard channels, each on the node of its slot unless `target_node` says another."""
        await self.cluster.initialize()
        await self._subscribe_shards(subscriptions(args, kwargs), target_node)

    async def _subscribe_shards(self, names: Mapping[Any, Handler | None], target_node: ClusterNode | None = None) -> None:
        for name, handler in names.items():
            node = target_node or self.cluster.nodes_manager.topology.serving(self.cluster.keyslot(name))
            pubsub = self.node_pubsub_mapping.get(node.name)
            if pubsub is None:
                pool = self.cluster.nodes_manager.pool(node)
                pubsub = ShardPubSub(pool, encoder=self.encoder, push_handler_func=self.push_handler_func)
            await pubsub.ssubscribe(Subscription(name, handler))
            self.node_pubsub_mapping[node.name] = pubsub

    async def sunsubscribe(self, *args: Any, target_node: object = None) -> None:
        """Ends the subscription of shard channels; of all without arguments."""
        names = [self.normal(name) for name in flat(args)]
        if not names:
            self._lost = {}
            names = [name for pubsub in self.node_pubsub_mapping.values() for name in pubsub.shard_channels]
        for name in names:
            self._lost.pop(name, None)
            for pubsub in list(self.node_pubsub_mapping.values()):
                if name in pubsub.shard_channels and name not in pubsub.pending_unsubscribe_shard_channels:
                    await pubsub.sunsubscribe(name)

    async def get_sharded_message(
        self,
        ignore_subscribe_messages: bool = False,
        timeout: float | None = 0.0,
        target_node: ClusterNode | None = None,
    ) -> dict[str, Any] | None:
        """The next message of a shard channel, or None if there is none within `timeout` seconds; None waits for ever.

        target_node: of this node alone.
        """
        until = None if timeout is None else time.monotonic() + timeout
        ignore = ignore_subscribe_messages or self.ignore_subscribe_messages
        while True:
            if self._finding is None and self._lost and time.monotonic() >= self._retry_at:
                self._finding = asyncio.create_task(self._find())
            finding = self._finding
            if finding is not None:
                # Nothing else changes what is subscribed to where meanwhile.
                if not await done_within(finding, None if until is None else until - time.monotonic()):
                    return None
                if self._finding is finding:
                    self._finding = None
                if finding.cancelled():
                    raise ConnectionError("the subscriber was closed while it looked for its channels")
                finding.result()
            for name, pubsub in self.node_pubsub_mapping.items():
                if name not in self._reading:
                    self._reading[name] = asyncio.get_running_loop().create_task(_next(pubsub))
            left = RETRY_SECONDS if until is None else min(until - time.monotonic(), RETRY_SECONDS)
            tasks = [task for name, task in self._reading.items() if target_node is None or name == target_node.name]
            # Not zero: what has come is read in a turn of the loop.
            if tasks:
                await asyncio.wait(tasks, timeout=max(left, 0.001), return_when=asyncio.FIRST_COMPLETED)
            else:
                await asyncio.sleep(max(left, 0.0))
            # Each time from the next node on, so that a busy one does not keep the others' messages back.
            self._turn += 1
            names = [name for name, task in self._reading.items() if task.done() and task in tasks]
            for name in names[self._turn % max(len(names), 1) :] + names[: self._turn % max(len(names), 1)]:
                message = await self._taken(name, self._reading.pop(name), ignore)
                if message is not None:
                    return message
            if not names and until is not None and time.monotonic() >= until:
                return None

    async def _taken(self, name: str, task: asyncio.Task[dict[str, Any]], ignore: bool) -> dict[str, Any] | None:
        """The message that a task waited for, unless it is this object's own affair."""
        pubsub = self.node_pubsub_mapping[name]
        try:
            message = task.result()
        except MovedError as error:
            self.cluster.nodes_manager.topology.moved(error.slot_id, error.host, error.port)
            await self._lose(name, [each for each in pubsub.shard_channels if self.cluster.keyslot(each) == error.slot_id])
            return None
        except (ConnectionError, TimeoutError):
            node = self.cluster.nodes_manager.topology.nodes.get(name)
            if node is not None:
                self.cluster.nodes_manager.failed(node)
            await self._lose(name, pubsub.shard_channels)
            return None
        if message["type"] == "sunsubscribe":
            channel = message["channel"]
            if channel in pubsub.shard_channels:
                # Nobody has asked for that: the slot has moved.
                self.cluster.nodes_manager.refresh_later()
                await self._lose(name, [channel])
                return None
            await self._lose(name, [])
        return None if ignore and message["type"] in ("ssubscribe", "sunsubscribe") else message

    async def _lose(self, name: str, channels: Iterable[Any]) -> None:
        pubsub = self.node_pubsub_mapping[name]
        for channel in list(channels):
            self._lost[channel] = pubsub.shard_channels.pop(channel)
        if not pubsub.shard_channels:
            del self.node_pubsub_mapping[name]
            await pubsub.aclose()

    async def _find(self) -> None:
        """Subscribes to what was lost, where the newest map says."""
        manager = self.cluster.nodes_manager
        await manager.refresh(manager.policy.round)
        for channel, handler in list(self._lost.items()):
            if channel not in self._lost:
                continue
            try:
                await self._subscribe_shards({channel: handler})
            except (ConnectionError, TimeoutError, SlotNotCoveredError):
                continue
            if self._lost.pop(channel, self) is self:
                # Its subscription was ended meanwhile.
                await self.sunsubscribe(channel)
        self._retry_at = time.monotonic() + RETRY_SECONDS


async def done_within(task: asyncio.Task[None], seconds: float | None) -> bool:
    """Waits for a task, and does not end it; False if it is not done within so many seconds (None: for ever)."""
    await asyncio.wait((task,), timeout=None if seconds is None else max(0.0, seconds))
    return task.done()


async def _next(pubsub: PubSub) -> dict[str, Any]:
    """The next message of one node that no handler takes."""
    while True:
        message = await pubsub.get_message(timeout=None)
        if message is not None:
            return message
