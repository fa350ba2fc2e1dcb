"""Publish and subscribe in a cluster: channels on one node, shard channels each on the node of its slot. Blocking and asyncio
subscribers share it.

When a node is lost or a slot moves, its channels are subscribed to elsewhere; messages of the time between are gone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from ..exceptions import ConnectionError, DataError, MovedError, RedisClusterException, SlotNotCoveredError, TimeoutError
from ..pubsub.steps import PubSubSteps
from ..pubsub.subscriptions import Handler, Subscription, flat, subscriptions
from ..steps import Steps, operation
from .topology import Node

#: Seconds between two looks at what could not be subscribed to.
RETRY_SECONDS = 0.1

#: The errors of a node that was lost.
LOST = (ConnectionError, TimeoutError)


class ClusterPubSubSteps(PubSubSteps):
    """A subscriber in a cluster.

    node, or host and port: the node of its channels and patterns; without, the node of the first channel's slot, and another
    one when that is lost.

    `get_message` returns messages of channels and patterns, `get_sharded_message` those of shard channels.
    """

    #: The class of the subscriber on each node that has shard channels.
    _shard_class: Callable[..., Any]

    def __init__(
        self,
        redis_cluster: Any,
        node: Any = None,
        host: str | None = None,
        port: int | None = None,
        push_handler_func: Callable[[Any], Any] | None = None,
        event_dispatcher: object = None,
        **kwargs: Any,
    ) -> None:
        self.cluster = redis_cluster
        self.node = chosen(redis_cluster, node, host, port)
        self._fixed = self.node is not None
        self.node_pubsub_mapping: dict[str, Any] = {}
        #: Shard channels that are subscribed to on no node at the moment, and when that is tried again.
        self._lost: dict[Any, Handler | None] = {}
        self._retry_at = 0.0
        self._turn = 0
        #: Nodes that were left since something was received.
        self._moves = 0
        pool = None if self.node is None else redis_cluster.nodes_manager.pool(self.node)
        encoder = kwargs.pop("encoder", None) or redis_cluster.get_encoder()
        super().__init__(pool, encoder=encoder, push_handler_func=push_handler_func, **kwargs)

    # What each kind has of its own; what may wait is a step.

    #: Has another node chosen after so many seconds, by a newer map than that of a round.
    _move: Callable[[float, int], None]
    #: Waits until another node is chosen, if one is to be; False if there is no time for that.
    _moved: Callable[[float | None], Any]
    #: Connects the new subscriber of a node within a time.
    _connect_shard: Callable[[Any, float], Any]
    #: Closes the subscriber of a node.
    _shut: Callable[[Any], Any]

    def get_pubsub_node(self) -> Any:
        """The node of the channels and patterns; None before the first is subscribed to."""
        return self.node

    def get_redis_connection(self) -> Any:
        """The client of that node."""
        return None if self.node is None else self.cluster.nodes_manager.client(self.node)

    @property
    def subscribed(self) -> bool:
        """Whether it is subscribed to anything."""
        on_its_node: bool = super().subscribed  # type: ignore[misc]
        return on_its_node or bool(self._lost or self.node_pubsub_mapping)

    # --- channels and patterns ---

    def _choose(self, channels: tuple[Any, ...]) -> Steps[None]:
        """Chooses a node for channels and patterns, unless that is done."""
        if self.node is None:
            yield self.cluster._ready()
            topology = self.cluster.nodes_manager.topology
            slot = self.cluster.keyslot(channels[0]) if channels else next(iter(topology.slots), 0)
            self._settle_on(topology.serving(slot, self.cluster.load_balancing_strategy))

    def _settle_on(self, node: Any) -> None:
        self.node = node
        self.connection_pool = self.cluster.nodes_manager.pool(node)

    def _next_node(self) -> Any:
        """The node that is asked first by the newest map."""
        manager = self.cluster.nodes_manager
        return manager.policy.order(manager.topology.nodes.values(), self._now())[0]

    @operation
    def execute_command(self, *args: Any) -> Steps[None]:
        """Sends a command to the node of the channels. Its reply is a message like all others."""
        yield from self._choose(args[1:])
        while True:
            try:
                if (yield self._moved(None)):
                    yield super().execute_command(*args)
                self._moves = 0
                return
            except LOST as error:
                yield from self._elsewhere(error)

    @operation
    def parse_response(self, block: bool = True, timeout: float | None = 0) -> Steps[Any]:
        """What the server sent next, as it is. Waits without a limit if `block`, else at most `timeout` seconds; then None.

        A lost node's place is taken by another one. What no time is left for is the next call's.
        """
        until = None if block or timeout is None else self._now() + timeout
        while True:
            try:
                if not (yield self._moved(until)):
                    return None
                left = None if until is None else max(0.0, until - self._now())
                response = yield super().parse_response(block, left)
            except LOST as error:
                yield from self._elsewhere(error)
                continue
            if response is not None:
                self._moves = 0
            return response

    def _elsewhere(self, error: Exception) -> Steps[None]:
        """Leaves a node that was lost, for another one, as the lost one's place is open. Raises the error if it was the last
        attempt."""
        manager, client = self.cluster.nodes_manager, self.cluster
        try:
            if self._fixed or self.node is None:
                raise error
            self._moves += 1
            if self._moves > 1 + client.retry.get_retries():
                self._moves = 0
                raise error
        finally:
            # The error's traceback leads to this frame.
            del error
        pause = client._backoff(self._moves - 1) if self._moves > 1 else 0.0
        seen = manager.policy.round
        manager.failed(self.node)
        connection, self.connection = self.connection, None
        if connection is not None:
            connection.deregister_connect_callback(self.on_connect)
            yield self._cut(connection)
            yield self.connection_pool.release(connection)
        self._move(pause, seen)

    # --- shard channels ---

    @operation
    def ssubscribe(self, /, *args: Any, target_node: Any = None, **kwargs: Handler | None) -> Steps[None]:
        """Subscribes to shard channels, each on the node of its slot unless `target_node` says another."""
        yield self.cluster._ready()
        yield from self._subscribe_shards(subscriptions(args, kwargs), target_node)

    def _subscribe_shards(
        self, names: Mapping[Any, Handler | None], target_node: Any = None, until: float | None = None
    ) -> Steps[None]:
        for name, handler in names.items():
            node = target_node or self.cluster.nodes_manager.topology.serving(self.cluster.keyslot(name))
            pubsub = self.node_pubsub_mapping.get(node.name)
            if pubsub is None:
                pool = self.cluster.nodes_manager.pool(node)
                pubsub = self._shard_class(pool, encoder=self.encoder, push_handler_func=self.push_handler_func)
                if until is not None:
                    yield self._connect_shard(pubsub, until)
            yield pubsub.ssubscribe(Subscription(name, handler))
            self.node_pubsub_mapping[node.name] = pubsub

    @operation
    def sunsubscribe(self, *args: Any, target_node: Any = None) -> Steps[None]:
        """Ends the subscription of shard channels; of all without arguments."""
        names = [self.normal(name) for name in flat(args)]
        if not names:
            self._lost = {}
            names = [name for pubsub in self.node_pubsub_mapping.values() for name in pubsub.shard_channels]
        for name in names:
            self._lost.pop(name, None)
            for pubsub in list(self.node_pubsub_mapping.values()):
                if name in pubsub.shard_channels and name not in pubsub.pending_unsubscribe_shard_channels:
                    yield pubsub.sunsubscribe(name)

    def _in_turn(self, names: list[str]) -> list[str]:
        """Nodes, each time from the next one on, so that a busy one does not keep the others' messages back."""
        self._turn += 1
        first = self._turn % max(len(names), 1)
        return names[first:] + names[:first]

    def _taken_from(self, name: str, take: Callable[[], Any], ignore: bool) -> Steps[Any]:
        """What `take`, a step, returns of one node, unless it is this object's own affair: then None."""
        manager = self.cluster.nodes_manager
        pubsub = self.node_pubsub_mapping[name]
        try:
            message = yield take()
        except MovedError as error:
            manager.topology.moved(error.slot_id, error.host, error.port)
            yield from self._lose_shards(
                name, [each for each in pubsub.shard_channels if self.cluster.keyslot(each) == error.slot_id]
            )
            return None
        except LOST:
            node = manager.topology.nodes.get(name)
            if node is not None:
                manager.failed(node)
            yield from self._lose_shards(name, pubsub.shard_channels)
            return None
        kind = message["type"] if isinstance(message, dict) else None
        if kind == "sunsubscribe":
            channel = message["channel"]
            if channel in pubsub.shard_channels:
                # Nobody has asked for that: the slot has moved.
                manager.refresh_later()
                yield from self._lose_shards(name, [channel])
                return None
            yield from self._lose_shards(name, [])
        return None if ignore and kind in ("ssubscribe", "sunsubscribe") else message

    def _lose_shards(self, name: str, channels: Iterable[Any]) -> Steps[None]:
        """Shard channels of a node must be found again; the last one's subscriber is closed."""
        pubsub = self.node_pubsub_mapping[name]
        for channel in list(channels):
            self._lost[channel] = pubsub.shard_channels.pop(channel)
        if not pubsub.shard_channels:
            del self.node_pubsub_mapping[name]
            yield self._shut(pubsub)

    def _subscribe_lost(self, until: float | None) -> Steps[None]:
        """Subscribes to what was lost, where the newest map says, as far as the time suffices."""
        for channel, handler in list(self._lost.items()):
            if channel not in self._lost:
                continue
            try:
                yield from self._subscribe_shards({channel: handler}, until=until)
            except (*LOST, SlotNotCoveredError):
                pass
            else:
                if self._lost.pop(channel, self) is self:
                    # Its subscription was ended meanwhile.
                    yield self.sunsubscribe(channel)
            if until is not None and self._now() >= until:
                break
        self._retry_at = self._now() + RETRY_SECONDS


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
