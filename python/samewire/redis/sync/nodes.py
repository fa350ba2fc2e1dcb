"""The nodes of a cluster for blocking callers: threads that need a newer map wait for the one that asks for it."""

from __future__ import annotations

import contextlib
import os
import threading
import weakref
from typing import Any

from ..cluster.nodes import NodeOfClient, NodeSteps
from ..steps import Blocking, run
from .client import Client

_alive: weakref.WeakSet[NodesManager] = weakref.WeakSet()


class ClusterNode(NodeOfClient):
    """A node of a cluster. `redis_connection` is a client for it alone; None until it is used."""

    redis_connection: Client[Any] | None


class NodesManager(NodeSteps[ClusterNode, Client[Any]], Blocking):
    """Nodes and slots of a cluster."""

    _node_class = ClusterNode

    def _begin(self) -> None:
        self.after_fork()
        _alive.add(self)

    def after_fork(self) -> None:
        """Nobody asks for the map in a child process that was forked."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._asking = False
        self._failure = None

    def initialize(self) -> None:
        """Asks for the map now.

        Raises RedisClusterException if no node replies, or if slots are not covered and must be.
        """
        self.refresh(self.policy.round)
        self._must_serve()

    def refresh(self, seen: int) -> None:
        """Waits for a map newer than round `seen`. Of many callers one asks; a failure leaves the map as it is."""
        with self._changed:
            while self._asking and self.policy.round == seen:
                self._changed.wait()
            if self.policy.round != seen:
                return
            self._asking = True
        run(self._ask())

    def refresh_until(self, seen: int, until: float | None) -> bool:
        """Waits for a newer map until `until` (`time.monotonic`; None: no limit). The refresh outlives a timeout.

        Returns whether a caller has asked since round `seen`.
        """
        if until is None:
            self.refresh(seen)
            return True
        if self.policy.round == seen:
            self.refresh_later()
        with self._changed:
            while self.policy.round == seen:
                left = until - self._now()
                if left <= 0 or not self._asking:
                    return False
                self._changed.wait(left)
        return True

    def refresh_later(self) -> None:
        """Starts a refresh of the map on a thread of its own, unless one is under way. Returns at once."""
        with self._changed:
            if self._asking:
                return
            self._asking = True
        threading.Thread(target=lambda: run(self._ask()), name="samewire-topology", daemon=True).start()

    def _asked(self) -> None:
        with self._changed:
            super()._asked()
            self._asking = False
            self._changed.notify_all()

    def _retire(self, node: ClusterNode) -> None:
        # A thread may use one of them: it is closed with the pool, when nobody has that any more.
        if node.redis_connection is not None:
            node.redis_connection.connection_pool.disconnect(inuse_connections=False)

    def _reply_on(self, connection: Any, command: tuple[Any, ...]) -> Any:
        return connection.call(command, None, False)

    def close(self) -> None:
        """Closes the connections to all nodes."""
        for node in {**self.startup_nodes, **self.topology.nodes}.values():
            if node.redis_connection is not None:
                with contextlib.suppress(OSError):
                    node.redis_connection.close()


def after_fork() -> None:
    """In a child: the thread that asked for the map is the parent's."""
    for manager in list(_alive):
        manager.after_fork()


os.register_at_fork(after_in_child=after_fork)
