"""Publish and subscribe in a cluster, for blocking callers."""

from __future__ import annotations

import contextlib
import functools
import select
from typing import Any

from ..cluster.pubsub import LOST, RETRY_SECONDS, ClusterPubSubSteps
from ..steps import run
from .nodes import ClusterNode
from .pubsub import PubSub

#: What stands for a node of which nothing can be read now.
NOTHING = object()


class ShardPubSub(PubSub):
    """The shard channels on one node."""

    _one_by_one = True


class ClusterPubSub(ClusterPubSubSteps, PubSub):
    __doc__ = ClusterPubSubSteps.__doc__

    node: ClusterNode | None
    node_pubsub_mapping: dict[str, ShardPubSub]
    _shard_class = ShardPubSub

    #: Whether a newer map than that of round `_seen` is waited for.
    _finding = False
    _seen = 0
    #: When another node may be chosen, and by a map newer than which round; None while it stays where it is.
    _move_at = 0.0
    _moving: int | None = None

    def reset(self) -> None:
        """Closes all connections: the servers then forget the subscriptions."""
        for pubsub in self.node_pubsub_mapping.values():
            pubsub.reset()
        self.node_pubsub_mapping = {}
        self._lost = {}
        self._moves, self._moving = 0, None
        super().reset()

    def disconnect(self) -> None:
        """Closes the connections; they are made anew, and everything subscribed to again, when they are next used."""
        for pubsub in (self, *self.node_pubsub_mapping.values()):
            if pubsub.connection is not None:
                pubsub.connection.disconnect()

    # --- channels and patterns ---

    def _move(self, pause: float, seen: int) -> None:
        self._move_at = self._now() + pause
        self._moving = seen

    def _moved(self, until: float | None) -> bool:
        """Chooses another node if the last was left. It is connected to when it is used, and everything subscribed to again."""
        if self._moving is None:
            return True
        now = self._now()
        if now < self._move_at:
            self._sleep(self._move_at - now if until is None else max(0.0, min(until, self._move_at) - now))
            if until is not None and until <= self._move_at:
                return False
        if not self.cluster.nodes_manager.refresh_until(self._moving, until) or self._moving is None:
            return False
        self._moving = None
        self._settle_on(self._next_node())
        self._take()
        return True

    # --- shard channels ---

    def _connect_shard(self, pubsub: ShardPubSub, until: float) -> None:
        try:
            pubsub._connected_until(pubsub._take(), until)
        except LOST:
            pubsub.reset()
            raise

    def _shut(self, pubsub: ShardPubSub) -> None:
        pubsub.reset()

    def get_sharded_message(
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
            if self._lost and self._now() >= self._retry_at:
                self._find(until)
            for name in self._in_turn(list(self.node_pubsub_mapping) if target_node is None else [target_node.name]):
                message = self._from(name, ignore)
                if message is not None:
                    return message
            left = None if until is None else until - self._now()
            if left is not None and left <= 0:
                return None
            self._wait(RETRY_SECONDS if left is None else min(left, RETRY_SECONDS))

    def _from(self, name: str, ignore: bool) -> dict[str, Any] | None:
        """A message of one node, if one is there."""
        while name in self.node_pubsub_mapping:
            message = run(self._taken_from(name, functools.partial(self._ready_message, name), ignore))
            if message is NOTHING:
                break
            if message is not None:
                found: dict[str, Any] = message
                return found
        return None

    def _ready_message(self, name: str) -> Any:
        pubsub = self.node_pubsub_mapping[name]
        if pubsub.connection is None or not pubsub.connection.can_read(0):
            return NOTHING
        return pubsub.get_message(timeout=0)

    def _find(self, until: float | None) -> None:
        """Subscribes to what was lost, where a newer map says, as far as the time suffices."""
        manager = self.cluster.nodes_manager
        if not self._finding:
            self._finding, self._seen = True, manager.policy.round
        if manager.refresh_until(self._seen, until):
            self._finding = False
            run(self._subscribe_lost(until))

    def _wait(self, seconds: float) -> None:
        """Waits until something may be read from a node."""
        poll = select.poll()
        for pubsub in self.node_pubsub_mapping.values():
            sock = pubsub.connection._sock if pubsub.connection is not None else None
            if sock is not None:
                with contextlib.suppress(OSError, ValueError):
                    poll.register(sock, select.POLLIN)
        poll.poll(seconds * 1000)
