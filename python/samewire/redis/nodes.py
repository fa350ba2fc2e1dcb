"""The nodes of a cluster with their connections, for blocking callers: finds them, and asks for the map of slots again."""

from __future__ import annotations

import contextlib
import logging
import os
import random
import socket
import threading
import time
import weakref
from collections.abc import Callable, Iterable
from typing import Any

from .client import Client
from .clustering import name_at
from .exceptions import RedisClusterException, RedisError, ResponseError
from .pool import ConnectionPool
from .topology import PRIMARY, REPLICA, LoadBalancingStrategy, Node, Refresh, Topology, balancing

log = logging.getLogger("samewire.redis")

#: Seconds that one node may take to tell the map: then the next is asked. Callers' own time-outs may be longer.
ASK_SECONDS = 1.0

_alive: weakref.WeakSet[NodesManager] = weakref.WeakSet()


class ClusterNode(Node):
    """A node of a cluster. `redis_connection` is a client for it alone; None until it is used."""

    def __init__(self, host: str, port: int, server_type: str | None = None, redis_connection: Client[Any] | None = None) -> None:
        super().__init__(resolved(host), port, server_type)
        self.redis_connection = redis_connection


class NodesManager:
    """Nodes and slots of a cluster.

    client_of: makes the client for a node.
    """

    def __init__(
        self,
        startup_nodes: Iterable[ClusterNode],
        client_of: Callable[[ClusterNode], Client[Any]],
        require_full_coverage: bool,
        dynamic_startup_nodes: bool,
        address_remap: Callable[[tuple[str, int]], tuple[str, int]] | None,
    ) -> None:
        self.startup_nodes = {node.name: node for node in startup_nodes}
        self.topology: Topology[ClusterNode] = Topology(ClusterNode, address_remap)
        self.policy = Refresh()
        self.default_node: ClusterNode | None = None
        #: The keywords of the nodes' clients.
        self.connection_kwargs: dict[str, Any] = {}
        self._client_of = client_of
        self._require_full_coverage = require_full_coverage
        self._dynamic_startup_nodes = dynamic_startup_nodes
        self.after_fork()
        _alive.add(self)

    def after_fork(self) -> None:
        """Nobody asks for the map in a child process that was forked."""
        self._lock = threading.Lock()
        self._changed = threading.Condition(self._lock)
        self._asking = False
        self._failure: Exception | None = None

    @property
    def nodes_cache(self) -> dict[str, ClusterNode]:
        """The nodes by name."""
        return self.topology.nodes

    @property
    def slots_cache(self) -> dict[int, list[ClusterNode]]:
        """The primary and the replicas by slot."""
        return self.topology.slots

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> ClusterNode | None:
        """The node at an address, or of a name; None if the cluster has none."""
        return self.topology.nodes.get(node_name or name_at(host, port))

    def get_nodes_by_server_type(self, server_type: str) -> list[ClusterNode]:
        """The primaries, or the replicas."""
        return self.topology.of_type(server_type)

    def get_node_from_slot(
        self,
        slot: int,
        read_from_replicas: bool = False,
        load_balancing_strategy: LoadBalancingStrategy | None = None,
        server_type: str | None = None,
    ) -> ClusterNode:
        """The node for a command on a slot. Raises SlotNotCoveredError."""
        if server_type == REPLICA:
            load_balancing_strategy = LoadBalancingStrategy.RANDOM_REPLICA
        elif server_type == PRIMARY:
            read_from_replicas, load_balancing_strategy = False, None
        return self.topology.serving(slot, balancing(read_from_replicas, load_balancing_strategy))

    def client(self, node: ClusterNode) -> Client[Any]:
        """The client for a node."""
        if node.redis_connection is None:
            with self._lock:
                if node.redis_connection is None:
                    node.redis_connection = self._client_of(node)
        return node.redis_connection

    def pool(self, node: ClusterNode) -> ConnectionPool[Any]:
        """The connections to a node."""
        return self.client(node).connection_pool

    # --- the map ---

    def initialize(self) -> None:
        """Asks for the map now.

        Raises RedisClusterException if no node replies, or if slots are not covered and must be.
        """
        self.refresh(self.policy.round)
        if not self.topology.slots:
            why = self._failure
            raise RedisClusterException(
                "Redis Cluster cannot be connected. Please provide at least one reachable node:"
                f" {why or 'those that replied serve no slots'}"
            ) from why
        if self._require_full_coverage and not self.topology.covered:
            raise RedisClusterException(
                f"All slots are not covered after query all startup_nodes. {len(self.topology.slots)} of 16384 covered..."
            )

    def refresh(self, seen: int) -> None:
        """Waits for a map newer than round `seen`. Of many callers one asks; a failure leaves the map as it is."""
        with self._changed:
            while self._asking and self.policy.round == seen:
                self._changed.wait()
            if self.policy.round != seen:
                return
            self._asking = True
        self._ask()

    def refresh_until(self, seen: int, until: float | None) -> bool:
        """The same, at most until then (`time.monotonic`; None: for ever); a caller whose time is over does not end the question.

        Returns whether somebody has asked since round `seen`.
        """
        if until is None:
            self.refresh(seen)
            return True
        if self.policy.round == seen:
            self.refresh_later()
        with self._changed:
            while self.policy.round == seen:
                left = until - time.monotonic()
                if left <= 0 or not self._asking:
                    return False
                self._changed.wait(left)
        return True

    def refresh_later(self) -> None:
        """Has the map asked for, unless that is going on, by a thread of its own: no caller waits."""
        with self._changed:
            if self._asking:
                return
            self._asking = True
        threading.Thread(target=self._ask, name="samewire-topology", daemon=True).start()

    def failed(self, node: ClusterNode) -> None:
        """A node did not reply: others are asked before it, and another takes its place as default node."""
        self.policy.failed(node.name, time.monotonic())
        if node == self.default_node:
            self.replace_default_node()

    def replace_default_node(self, target_node: ClusterNode | None = None) -> None:
        """Makes another node the default: a primary if there is another one."""
        others = [node for node in self.topology.nodes.values() if node != self.default_node]
        primaries = [node for node in others if node.server_type == PRIMARY]
        if target_node is not None:
            self.default_node = target_node
        elif others:
            self.default_node = random.choice(primaries or others)

    def _ask(self) -> None:
        try:
            time.sleep(self.policy.delay(time.monotonic()))
            self._failure = self._read_map()
        except Exception as error:
            # Whatever it is: the callers that wait go on with the map that they have.
            self._failure = error
            log.warning("the map of the cluster cannot be read: %s", error)
        finally:
            with self._changed:
                self.policy.ended(time.monotonic())
                self._asking = False
                self._changed.notify_all()

    def _read_map(self) -> Exception | None:
        """Takes the map of the first node that knows all slots, or else of the last that replied. Returns an error if none did."""
        failure: Exception | None = None
        read = False
        known = list(self.topology.nodes.values()) if self._dynamic_startup_nodes else []
        startup = [node for node in self.startup_nodes.values() if node not in known]
        now = time.monotonic()
        for node in self.policy.order(known, now) + self.policy.order(startup, now):
            try:
                self.topology.update(self._slots_of(node), node.host)
            except (RedisError, RedisClusterException) as error:
                failure = error
                self.policy.failed(node.name, time.monotonic())
                continue
            read = True
            if self.topology.covered:
                break
        for node in self.topology.nodes.values():
            # It connects when it is first used.
            self.client(node)
        if read and (self.default_node is None or self.default_node.name not in self.topology.nodes):
            self.default_node = None
            self.replace_default_node()
        return None if read else failure

    def _slots_of(self, node: ClusterNode) -> Any:
        """What a node says of the slots, on a connection of its own: those of callers may all be in use, or stalled."""
        pool = self.pool(node)
        options = dict(pool.connection_kwargs)
        for name in ("socket_timeout", "socket_connect_timeout"):
            options[name] = min(options.get(name) or ASK_SECONDS, ASK_SECONDS)
        connection = pool.connection_class(**options)
        try:
            return connection.call(("CLUSTER SLOTS",), None, False)
        except ResponseError as error:
            raise RedisClusterException(f"Cluster mode is not enabled on {node.name}: {error}") from error
        finally:
            connection.disconnect()

    def close(self) -> None:
        """Closes the connections to all nodes."""
        for node in {**self.startup_nodes, **self.topology.nodes}.values():
            if node.redis_connection is not None:
                with contextlib.suppress(OSError):
                    node.redis_connection.close()


def resolved(host: str) -> str:
    """The address of `localhost`, any other host as it is: servers tell addresses, and names must be equal to theirs."""
    return socket.gethostbyname(host) if host == "localhost" else host


def after_fork() -> None:
    """In a child: the thread that asked for the map is the parent's."""
    for manager in list(_alive):
        manager.after_fork()


os.register_at_fork(after_in_child=after_fork)
