"""The nodes of a cluster with their connections: finds them, and asks for the map of slots again. Blocking and asyncio share it."""

from __future__ import annotations

import logging
import random
import socket
import threading
from collections.abc import Callable, Iterable
from typing import Any, ClassVar, Generic, TypeVar

from ..exceptions import RedisClusterException, RedisError, ResponseError
from ..steps import Operations, Steps
from .node_choice import name_at
from .topology import PRIMARY, REPLICA, LoadBalancingStrategy, Node, Refresh, Topology, balancing

log = logging.getLogger("samewire.redis")

#: Seconds that one node may take to tell the map: then the next is asked. Callers' own time-outs may be longer.
ASK_SECONDS = 1.0


class NodeOfClient(Node):
    """A node of a cluster. `redis_connection` is a client for it alone; None until it is used."""

    def __init__(self, host: str, port: int | str, server_type: str | None = None, redis_connection: Any = None) -> None:
        super().__init__(resolved(host), int(port), server_type)
        self.redis_connection = redis_connection


N = TypeVar("N", bound=NodeOfClient)
C = TypeVar("C")


class NodeSteps(Operations, Generic[N, C]):
    """Nodes and slots of a cluster. Its classes see to it that of many callers one asks for the map.

    client_of: makes the client for a node.
    """

    #: The class of the nodes.
    _node_class: ClassVar[type[Any]]

    def __init__(
        self,
        startup_nodes: Iterable[N],
        client_of: Callable[[N], C],
        require_full_coverage: bool,
        dynamic_startup_nodes: bool,
        address_remap: Callable[[tuple[str, int]], tuple[str, int]] | None,
    ) -> None:
        self.startup_nodes = {node.name: node for node in startup_nodes}
        self.topology: Topology[N] = Topology(self._node_class, address_remap)
        self.policy = Refresh()
        self.default_node: N | None = None
        #: The keywords of the nodes' clients.
        self.connection_kwargs: dict[str, Any] = {}
        self._client_of = client_of
        self._require_full_coverage = require_full_coverage
        self._dynamic_startup_nodes = dynamic_startup_nodes
        self._failure: Exception | None = None
        self._lock = threading.Lock()
        self._begin()

    # What each kind has of its own; what may wait is a step.

    #: Nobody asks for the map yet.
    _begin: Callable[[], None]
    #: Waits for a map newer than that of a round. Of many callers one asks; a failure leaves the map as it is.
    refresh: Callable[[int], Any]
    #: Starts a refresh of the map, unless one is under way. Returns at once.
    refresh_later: Callable[[], Any]
    #: Closes the connections to a node that is no longer part of the cluster.
    _retire: Callable[[N], None]
    #: The reply to a command on a connection that need not be connected, its texts as bytes.
    _reply_on: Callable[[Any, tuple[Any, ...]], Any]

    @property
    def nodes_cache(self) -> dict[str, N]:
        """The nodes by name."""
        return self.topology.nodes

    @property
    def slots_cache(self) -> dict[int, list[N]]:
        """The primary and the replicas by slot."""
        return self.topology.slots

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> N | None:
        """The node at an address, or of a name; None if the cluster has none."""
        return self.topology.nodes.get(node_name or name_at(host, port))

    def get_nodes_by_server_type(self, server_type: str) -> list[N]:
        """The primaries, or the replicas."""
        return self.topology.of_type(server_type)

    def get_node_from_slot(
        self,
        slot: int,
        read_from_replicas: bool = False,
        load_balancing_strategy: LoadBalancingStrategy | None = None,
        server_type: str | None = None,
    ) -> N:
        """The node for a command on a slot. Raises SlotNotCoveredError."""
        if server_type == REPLICA:
            load_balancing_strategy = LoadBalancingStrategy.RANDOM_REPLICA
        elif server_type == PRIMARY:
            read_from_replicas, load_balancing_strategy = False, None
        return self.topology.serving(slot, balancing(read_from_replicas, load_balancing_strategy))

    def client(self, node: N) -> C:
        """The client for a node."""
        if node.redis_connection is None:
            with self._lock:
                if node.redis_connection is None:
                    node.redis_connection = self._client_of(node)
        client: C = node.redis_connection
        return client

    def pool(self, node: N) -> Any:
        """The connections to a node."""
        client: Any = self.client(node)
        return client.connection_pool

    def failed(self, node: N) -> None:
        """A node did not reply: others are asked before it, and another takes its place as default node."""
        self.policy.failed(node.name, self._now())
        if node == self.default_node:
            self.replace_default_node()

    def replace_default_node(self, target_node: N | None = None) -> None:
        """Makes another node the default: a primary if there is another one."""
        others = [node for node in self.topology.nodes.values() if node != self.default_node]
        primaries = [node for node in others if node.server_type == PRIMARY]
        if target_node is not None:
            self.default_node = target_node
        elif others:
            self.default_node = random.choice(primaries or others)

    # --- the map ---

    def _must_serve(self) -> None:
        """Raises RedisClusterException if no node replied, or if slots are not covered and must be."""
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

    def _ask(self) -> Steps[None]:
        """Asks for the map, after the time that must be between two questions."""
        try:
            yield self._sleep(self.policy.delay(self._now()))
            self._failure = yield from self._read_map()
        except Exception as error:
            # Whatever it is: the callers that wait go on with the map that they have.
            self._failure = error
            log.warning("the map of the cluster cannot be read: %s", error)
        finally:
            self._asked()

    def _asked(self) -> None:
        """The question is over, with or without a map."""
        self.policy.ended(self._now())

    def _read_map(self) -> Steps[Exception | None]:
        """Takes the map of the first node that knows all slots, or else of the last that replied. Returns an error if none did."""
        failure: Exception | None = None
        read = False
        known = list(self.topology.nodes.values()) if self._dynamic_startup_nodes else []
        startup = [node for node in self.startup_nodes.values() if node not in known]
        for node in self.policy.order(known, self._now()) + self.policy.order(startup, self._now()):
            try:
                reply = yield from self._slots_of(node)
                gone = self.topology.update(reply, node.host)
            except (RedisError, RedisClusterException) as error:
                failure = error
                self.policy.failed(node.name, self._now())
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

    def _slots_of(self, node: N) -> Steps[Any]:
        """What a node says of the slots, on a connection of its own: those of callers may all be in use, or stalled."""
        pool = self.pool(node)
        options = dict(pool.connection_kwargs)
        for name in ("socket_timeout", "socket_connect_timeout"):
            options[name] = min(options.get(name) or ASK_SECONDS, ASK_SECONDS)
        connection = pool.connection_class(**options)
        try:
            return (yield self._reply_on(connection, ("CLUSTER SLOTS",)))
        except ResponseError as error:
            raise RedisClusterException(f"Cluster mode is not enabled on {node.name}: {error}") from error
        finally:
            yield connection.disconnect(nowait=True)


def resolved(host: str) -> str:
    """The address of `localhost`, any other host as it is: servers tell addresses, and names must be equal to theirs."""
    return socket.gethostbyname(host) if host == "localhost" else host
