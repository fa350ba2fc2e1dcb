"""The nodes of a cluster with their connections, for asyncio callers: finds them, and asks for the map of slots again."""

from __future__ import annotations

import asyncio
import logging
import random
from collections.abc import Callable, Iterable
from typing import Any

from ..exceptions import RedisClusterException, RedisError, ResponseError
from ..nodes import ASK_SECONDS, resolved
from ..topology import PRIMARY, REPLICA, LoadBalancingStrategy, Node, Refresh, Topology, balancing
from .client import Client
from .pool import ConnectionPool

log = logging.getLogger("samewire.redis")


class ClusterNode(Node):
    """A node of a cluster. `redis_connection` is a client for it alone; None until it is used."""

    def __init__(
        self, host: str, port: int | str, server_type: str | None = None, redis_connection: Client[Any] | None = None
    ) -> None:
        super().__init__(resolved(host), int(port), server_type)
        self.redis_connection = redis_connection

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command to this node, whatever the map of slots says."""
        if self.redis_connection is None:
            raise RedisClusterException(f"{self.name} is not a node of a client yet: take it from a RedisCluster")
        return await self.redis_connection.execute_command(*args, **options)

    async def disconnect(self) -> None:
        """Closes the connections to this node; they are made anew when they are next used."""
        if self.redis_connection is not None:
            await self.redis_connection.connection_pool.disconnect()


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
        self._asking: asyncio.Task[None] | None = None
        self._closing: set[asyncio.Task[None]] = set()
        self._failure: Exception | None = None

    @property
    def nodes_cache(self) -> dict[str, ClusterNode]:
        """The nodes by name."""
        return self.topology.nodes

    @property
    def slots_cache(self) -> dict[int, list[ClusterNode]]:
        """The primary and the replicas by slot."""
        return self.topology.slots

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
            node.redis_connection = self._client_of(node)
        return node.redis_connection

    def pool(self, node: ClusterNode) -> ConnectionPool[Any]:
        """The connections to a node."""
        return self.client(node).connection_pool

    # --- the map ---

    async def initialize(self) -> None:
        """Asks for the map unless it is there.

        Raises RedisClusterException if no node replies, or if slots are not covered and must be.
        """
        if self.topology.slots:
            return
        await self.refresh(self.policy.round)
        if not self.topology.slots:
            why = self._failure
            raise RedisClusterException(
                "Redis Cluster cannot be connected. Please provide at least one reachable node:"
                f" {why or 'those that replied serve no slots'}"
            ) from why
        if self._require_full_coverage and not self.topology.covered:
            found = len(self.topology.slots)
            self.topology.slots = {}
            raise RedisClusterException(f"All slots are not covered after query all startup_nodes. {found} of 16384 covered...")

    async def refresh(self, seen: int) -> None:
        """Waits for a map newer than round `seen`. Of many callers one asks; a failure leaves the map as it is."""
        if self.policy.round == seen:
            # A caller that is cancelled gives up its own waiting only.
            await asyncio.shield(self.refresh_later())

    def refresh_later(self) -> asyncio.Task[None]:
        """Has the map asked for, unless that is going on: no caller waits."""
        loop = asyncio.get_running_loop()
        if self._asking is None or self._asking.done() or self._asking.get_loop() is not loop:
            self._asking = loop.create_task(self._ask(), name="samewire-topology")
        return self._asking

    def failed(self, node: ClusterNode) -> None:
        """A node did not reply: others are asked before it, and another takes its place as default node."""
        self.policy.failed(node.name, asyncio.get_running_loop().time())
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

    async def _ask(self) -> None:
        now = asyncio.get_running_loop().time
        try:
            await asyncio.sleep(self.policy.delay(now()))
            self._failure = await self._read_map()
        except Exception as error:
            # Whatever it is: the callers that wait go on with the map that they have.
            self._failure = error
            log.warning("the map of the cluster cannot be read: %s", error)
        finally:
            self.policy.ended(now())

    async def _read_map(self) -> Exception | None:
        """Takes the map of the first node that knows all slots, or else of the last that replied. Returns an error if none did."""
        failure: Exception | None = None
        read = False
        known = list(self.topology.nodes.values()) if self._dynamic_startup_nodes else []
        startup = [node for node in self.startup_nodes.values() if node not in known]
        now = asyncio.get_running_loop().time
        for node in self.policy.order(known, now()) + self.policy.order(startup, now()):
            try:
                gone = self.topology.update(await self._slots_of(node), node.host)
            except (RedisError, RedisClusterException) as error:
                failure = error
                self.policy.failed(node.name, now())
                continue
            read = True
            for old in gone:
                self._retire(old)
            if self.topology.covered:
                break
        for node in self.topology.nodes.values():
            # It connects when it is first used.
            self.client(node)
        if read and (self.default_node is None or self.default_node.name not in self.topology.nodes):
            self.default_node = None
            self.replace_default_node()
        return None if read else failure

    def _retire(self, node: ClusterNode) -> None:
        """Closes the connections to a node that is no longer part of the cluster."""
        task = asyncio.get_running_loop().create_task(node.disconnect())
        self._closing.add(task)
        task.add_done_callback(self._closing.discard)

    async def _slots_of(self, node: ClusterNode) -> Any:
        """What a node says of the slots, on a connection of its own: callers' may be stalled."""
        pool = self.pool(node)
        options = dict(pool.connection_kwargs)
        for name in ("socket_timeout", "socket_connect_timeout"):
            options[name] = min(options.get(name) or ASK_SECONDS, ASK_SECONDS)
        connection = pool.connection_class(**options)
        try:
            await connection.connect_once()
            (reply,) = await connection.exchange([("CLUSTER SLOTS",)], False)
        finally:
            await connection.disconnect(nowait=True)
        if isinstance(reply, ResponseError):
            raise RedisClusterException(f"Cluster mode is not enabled on {node.name}: {reply}") from reply
        if isinstance(reply, Exception):
            raise reply
        return reply

    async def aclose(self) -> None:
        """Closes the connections to all nodes."""
        if self._asking is not None and self._asking.get_loop() is asyncio.get_running_loop():
            self._asking.cancel()
        nodes = {**self.startup_nodes, **self.topology.nodes}.values()
        await asyncio.gather(*(node.redis_connection.aclose() for node in nodes if node.redis_connection is not None))
