"""Publish and subscribe in a cluster, for blocking callers: channels on one node, shard channels each on the node of its slot.

When a node is lost or a slot moves, its channels are subscribed to elsewhere; messages of the time between are gone.
"""

from __future__ import annotations

import contextlib
import select
import time
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from .calls import Calls
from .exceptions import ConnectionError, DataError, MovedError, RedisClusterException, SlotNotCoveredError, TimeoutError
from .nodes import ClusterNode
from .pubsub import PubSub
from .subscriptions import Handler, Subscription, flat, subscriptions
from .topology import Node
from .transport import AbstractConnection

#: Seconds between two looks at what could not be subscribed to.
RETRY_SECONDS = 0.1


class ShardPubSub(PubSub):
    """The shard channels on one node."""

    def on_connect(self, connection: AbstractConnection) -> None:
        """Subscribes again, one by one: channels of one command must be in one slot."""
        self.health_check_response_counter = 0
        for kind, names in self.after_connect():
            for name in names:
                self.execute_command(f"{kind}subscribe".upper(), name)


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
        #: The subscriber on each node that has shard channels.
        self.node_pubsub_mapping: dict[str, ShardPubSub] = {}
        #: Shard channels that are subscribed to on no node at the moment, and when that is tried again.
        self._lost: dict[Any, Handler | None] = {}
        self._retry_at = 0.0
        #: Whether a newer map than that of round `_seen` is waited for.
        self._finding = False
        self._seen = 0
        self._turn = 0
        #: Nodes that were left since something was received, when the next may be chosen, and by a map newer than which round;
        #: None while it stays where it is.
        self._moves = 0
        self._move_at = 0.0
        self._moving: int | None = None
        pool: Any = None if self.node is None else redis_cluster.nodes_manager.pool(self.node)
        encoder = kwargs.pop("encoder", None) or redis_cluster.get_encoder()
        super().__init__(pool, encoder=encoder, push_handler_func=push_handler_func, **kwargs)

    def reset(self) -> None:
        """Closes all connections: the servers then forget the subscriptions."""
        for pubsub in self.node_pubsub_mapping.values():
            pubsub.reset()
        self.node_pubsub_mapping = {}
        self._lost = {}
        self._moves, self._moving = 0, None
        super().reset()

    def get_pubsub_node(self) -> ClusterNode | None:
        """The node of the channels and patterns; None before the first is subscribed to."""
        return self.node

    def get_redis_connection(self) -> Any:
        """The client of that node."""
        return None if self.node is None else self.cluster.nodes_manager.client(self.node)

    def disconnect(self) -> None:
        """Closes the connections; they are made anew, and everything subscribed to again, when they are next used."""
        for pubsub in (self, *self.node_pubsub_mapping.values()):
            if pubsub.connection is not None:
                pubsub.connection.disconnect()

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        return super().subscribed or bool(self._lost or self.node_pubsub_mapping)

    # --- channels and patterns ---

    def execute_command(self, *args: Any) -> None:
        """Sends a command to the node of the channels. Its reply is a message like all others."""
        if self.node is None:
            topology = self.cluster.nodes_manager.topology
            strategy = self.cluster.load_balancing_strategy
            slot = self.cluster.keyslot(args[1]) if len(args) > 1 else next(iter(topology.slots), 0)
            self._settle_on(topology.serving(slot, strategy))
        while True:
            try:
                if self._moved(None):
                    super().execute_command(*args)
                self._moves = 0
                return
            except (ConnectionError, TimeoutError) as error:
                self._elsewhere(error)

    def parse_response(self, block: bool = True, timeout: float | None = 0) -> Any:
        """What the server sent next, as it is. Waits for ever if `block`, else at most `timeout` seconds; then None.

        A lost node's place is taken by another one. What no time is left for is the next call's.
        """
        until = None if block or timeout is None else time.monotonic() + timeout
        while True:
            try:
                if not self._moved(until):
                    return None
                left = None if until is None else max(0.0, until - time.monotonic())
                response = super().parse_response(block, left)
            except (ConnectionError, TimeoutError) as error:
                self._elsewhere(error)
                continue
            if response is not None:
                self._moves = 0
            return response

    def _settle_on(self, node: ClusterNode) -> None:
        self.node = node
        self.connection_pool = self.cluster.nodes_manager.pool(node)

    def _elsewhere(self, error: Exception) -> None:
        """Leaves a node that was lost, for another one, as the lost one's place is open. Raises the error if it was the last
        attempt."""
        if self._fixed or self.node is None:
            raise error
        manager, client = self.cluster.nodes_manager, self.cluster
        self._moves += 1
        if self._moves > 1 + client.retry.get_retries():
            self._moves = 0
            raise error
        if self._moves > 1:
            self._move_at = time.monotonic() + client._backoff(self._moves - 1)
        self._moving = manager.policy.round
        manager.failed(self.node)
        self._leave()

    def _moved(self, until: float | None) -> bool:
        """Chooses another node if the last was left; False if there was no time for that. It is connected to when it is used,
        and everything subscribed to again."""
        if self._moving is None:
            return True
        manager = self.cluster.nodes_manager
        now = time.monotonic()
        if now < self._move_at:
            time.sleep(self._move_at - now if until is None else max(0.0, min(until, self._move_at) - now))
            if until is not None and until <= self._move_at:
                return False
        if not manager.refresh_until(self._moving, until) or self._moving is None:
            return False
        self._moving = None
        self._settle_on(manager.policy.order(manager.topology.nodes.values(), time.monotonic())[0])
        self._take()
        return True

    def _leave(self) -> None:
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.disconnect()
            connection.deregister_connect_callback(self.on_connect)
            self.connection_pool.release(connection)

    # --- shard channels ---

    def ssubscribe(self, *args: Any, target_node: Any = None, **kwargs: Handler | None) -> None:
        """Subscribes to shard channels, each on the node of its slot unless `target_node` says another."""
        self._subscribe_shards(subscriptions(args, kwargs), target_node)

    def _subscribe_shards(
        self, names: Mapping[Any, Handler | None], target_node: ClusterNode | None = None, until: float | None = None
    ) -> None:
        for name, handler in names.items():
            node = target_node or self.cluster.nodes_manager.topology.serving(self.cluster.keyslot(name))
            pubsub = self.node_pubsub_mapping.get(node.name)
            if pubsub is None:
                pool = self.cluster.nodes_manager.pool(node)
                pubsub = ShardPubSub(pool, encoder=self.encoder, push_handler_func=self.push_handler_func)
                if until is not None:
                    try:
                        pubsub._connected_until(pubsub._take(), until)
                    except (ConnectionError, TimeoutError):
                        pubsub.reset()
                        raise
            pubsub.ssubscribe(Subscription(name, handler))
            self.node_pubsub_mapping[node.name] = pubsub

    def sunsubscribe(self, *args: Any, target_node: object = None) -> None:
        """Ends the subscription of shard channels; of all without arguments."""
        names = [self.normal(name) for name in flat(args)]
        if not names:
            self._lost = {}
            names = [name for pubsub in self.node_pubsub_mapping.values() for name in pubsub.shard_channels]
        for name in names:
            self._lost.pop(name, None)
            for pubsub in self.node_pubsub_mapping.values():
                if name in pubsub.shard_channels and name not in pubsub.pending_unsubscribe_shard_channels:
                    pubsub.sunsubscribe(name)

    def get_sharded_message(
        self,
        ignore_subscribe_messages: bool = False,
        timeout: float | None = 0.0,
        target_node: ClusterNode | None = None,
    ) -> dict[str, Any] | None:
        """The next message of a shard channel, or None if there is none within `timeout` seconds; None waits for ever.

        target_node: of this node alone.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            if self._lost and time.monotonic() >= self._retry_at:
                self._find(until)
            names = list(self.node_pubsub_mapping) if target_node is None else [target_node.name]
            # Each time from the next node on, so that a busy one does not keep the others' messages back.
            self._turn += 1
            for name in names[self._turn % max(len(names), 1) :] + names[: self._turn % max(len(names), 1)]:
                message = self._from(name, ignore_subscribe_messages or self.ignore_subscribe_messages)
                if message is not None:
                    return message
            left = None if until is None else until - time.monotonic()
            if left is not None and left <= 0:
                return None
            self._wait(RETRY_SECONDS if left is None else min(left, RETRY_SECONDS))

    def _from(self, name: str, ignore_subscribe_messages: bool) -> dict[str, Any] | None:
        """A message of one node, if one is there."""
        pubsub = self.node_pubsub_mapping.get(name)
        while pubsub is not None and pubsub.connection is not None:
            try:
                if not pubsub.connection.can_read(0):
                    return None
                message = pubsub.get_message(timeout=0)
            except MovedError as error:
                self.cluster.nodes_manager.topology.moved(error.slot_id, error.host, error.port)
                moved = [each for each in pubsub.shard_channels if self.cluster.keyslot(each) == error.slot_id]
                self._lose(name, pubsub, moved)
                continue
            except (ConnectionError, TimeoutError):
                self._fail(name, pubsub)
                return None
            if message is None:
                continue
            if message["type"] == "sunsubscribe":
                channel = message["channel"]
                if channel in pubsub.shard_channels:
                    # Nobody has asked for that: the slot has moved.
                    self._lose(name, pubsub, [channel])
                    self.cluster.nodes_manager.refresh_later()
                    continue
                self._drop_if_empty(name, pubsub)
            if not (ignore_subscribe_messages and message["type"] in ("ssubscribe", "sunsubscribe")):
                return message
        return None

    def _lose(self, name: str, pubsub: ShardPubSub, channels: Iterable[Any]) -> None:
        for channel in list(channels):
            self._lost[channel] = pubsub.shard_channels.pop(channel)
        self._drop_if_empty(name, pubsub)

    def _drop_if_empty(self, name: str, pubsub: ShardPubSub) -> None:
        if not pubsub.shard_channels:
            self.node_pubsub_mapping.pop(name, None)
            pubsub.reset()

    def _fail(self, name: str, pubsub: ShardPubSub) -> None:
        """A node was lost: its channels must be found again."""
        manager = self.cluster.nodes_manager
        node = manager.topology.nodes.get(name)
        if node is not None:
            manager.failed(node)
        self._lose(name, pubsub, pubsub.shard_channels)

    def _find(self, until: float | None) -> None:
        """Subscribes to what was lost, where the newest map says, as far as the time suffices."""
        manager = self.cluster.nodes_manager
        if not self._finding:
            self._finding, self._seen = True, manager.policy.round
        if not manager.refresh_until(self._seen, until):
            return
        self._finding = False
        for channel, handler in list(self._lost.items()):
            try:
                self._subscribe_shards({channel: handler}, until=until)
            except (ConnectionError, TimeoutError, SlotNotCoveredError):
                pass
            else:
                self._lost.pop(channel, None)
            if until is not None and time.monotonic() >= until:
                break
        self._retry_at = time.monotonic() + RETRY_SECONDS

    def _wait(self, seconds: float) -> None:
        """Waits until something may be read from a node."""
        poll = select.poll()
        for pubsub in self.node_pubsub_mapping.values():
            sock = pubsub.connection._sock if pubsub.connection is not None else None
            if sock is not None:
                with contextlib.suppress(OSError, ValueError):
                    poll.register(sock, select.POLLIN)
        poll.poll(seconds * 1000)


def chosen(cluster: Any, node: Node | None, host: str | None, port: int | None) -> Any:
    """The node that a caller names; None if it names none.

    Raises RedisClusterException if the cluster has no such node.
    """
    if node is None and host is None and port is None:
        return None
    if node is None and (host is None or port is None):
        raise DataError(f"host={host}, port={port}: a node is named by both")
    found = cluster.get_node(host, port, None if node is None else node.name)
    if found is None:
        raise RedisClusterException(f"{f'{host}:{port}' if node is None else node.name} is not a node of the cluster")
    return found
