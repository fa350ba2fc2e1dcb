"""What blocking and asyncio clients of a cluster share: their options, and which nodes a command goes to."""

from __future__ import annotations

import functools
import random
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Generic, Protocol, TypeVar

from ..exceptions import (
    ClusterDownError,
    ConnectionError,
    DataError,
    RedisClusterException,
    SlotNotCoveredError,
    TimeoutError,
)
from ..rules.conversion import NEVER_DECODE, OWN_OPTIONS
from ..rules.repeating import Repeating
from ..rules.routing import is_readonly
from ..rules.slots import key_slot
from ..session.encoder import Encoder
from ..session.options import parse_url
from ..session.retry import AbstractRetry
from .placement import ALL_NODES, DEFAULT_NODE, NODE_FLAGS, PRIMARIES, RANDOM, REPLICAS, group_of, slot_of
from .redirection import REDIRECTIONS
from .search_cursors import SearchCursors
from .topology import PRIMARY, REPLICA, LoadBalancingStrategy, Node, Topology, node_name

N = TypeVar("N", bound=Node)

NO_UNIX_SOCKET = "nodes of a cluster are reached by TCP: a unix socket leads to one server only"

#: Options of `execute_command` that are not the conversion's.
NOT_CONVERSIONS = OWN_OPTIONS | {"target_nodes"}

#: The callbacks' own `get` would make upper case of every name.
callback: Callable[[dict[Any, Any], Any], Any] = dict.get


class Manager(Protocol[N]):
    """The nodes of a cluster."""

    topology: Topology[N]
    default_node: N | None

    def replace_default_node(self, target_node: N | None = None) -> None: ...


def startup_addresses(
    host: str | None, port: int, startup_nodes: Iterable[N] | None, url: str | None, options: dict[str, Any], tls: Any
) -> list[tuple[str, int]]:
    """The addresses at which the cluster is looked for. Options of the URL are put into `options`, over what is there.

    Raises RedisClusterException if there is no address, or an option that a cluster cannot have.
    """
    if options.pop("db", 0):
        raise RedisClusterException("a cluster has only database 0: leave db out")
    if options.pop("path", None) or options.pop("unix_socket_path", None):
        raise RedisClusterException(NO_UNIX_SOCKET)
    found = [(node.host, node.port) for node in startup_nodes or ()]
    if url is not None:
        given = parse_url(url, "unix", tls)
        if given.get("connection_class") == "unix":
            raise RedisClusterException(NO_UNIX_SOCKET)
        if given.pop("db", 0):
            raise RedisClusterException("a cluster has only database 0: leave the database out of the URL")
        if given.pop("connection_class", None) is not None:
            given["ssl"] = True
        found.append((given.pop("host", "localhost"), given.pop("port", port)))
        options.update(given)
    elif host is not None:
        found.append((host, int(port)))
    if not found:
        raise RedisClusterException(
            "RedisCluster requires at least one node to discover the cluster: pass host and port, a url, or startup_nodes, as in"
            " RedisCluster(startup_nodes=[ClusterNode('localhost', 6379), ClusterNode('localhost', 6378)])"
        )
    return found


class NodeChoice(Repeating, Generic[N]):
    """Which nodes a command of a client goes to. Names and values are redis-py's."""

    PRIMARIES = PRIMARIES
    REPLICAS = REPLICAS
    ALL_NODES = ALL_NODES
    RANDOM = RANDOM
    DEFAULT_NODE = DEFAULT_NODE
    NODE_FLAGS = NODE_FLAGS

    #: MOVED, ASK and TRYAGAIN that one command follows.
    RedisClusterRequestTTL = REDIRECTIONS
    #: Errors after which a command is sent again if it has not run, or may run twice.
    ERRORS_ALLOW_RETRY = (ConnectionError, TimeoutError, ClusterDownError, SlotNotCoveredError)

    encoder: Encoder
    retry: AbstractRetry
    nodes_manager: Manager[N]
    response_callbacks: dict[str, Any]
    cursors: SearchCursors[N]
    load_balancing_strategy: LoadBalancingStrategy | None
    _decode: bool | None

    # --- nodes ---

    def get_nodes(self) -> list[N]:
        """All nodes."""
        return list(self.nodes_manager.topology.nodes.values())

    def get_primaries(self) -> list[N]:
        """The nodes that take writes."""
        return self.nodes_manager.topology.of_type(PRIMARY)

    def get_replicas(self) -> list[N]:
        """The nodes that follow a primary."""
        return self.nodes_manager.topology.of_type(REPLICA)

    def get_random_node(self) -> N:
        """Any node."""
        return random.choice(self.get_nodes())

    def get_random_primary_node(self) -> N:
        """Any primary."""
        return random.choice(self.get_primaries())

    def get_default_node(self) -> N | None:
        """The node for commands that have no key and belong to no group."""
        return self.nodes_manager.default_node

    def set_default_node(self, node: N | None) -> bool:
        """Makes a node of the cluster the default node; False if it is none."""
        if node is None or node.name not in self.nodes_manager.topology.nodes:
            return False
        self.nodes_manager.default_node = node
        return True

    def replace_default_node(self, target_node: N | None = None) -> None:
        """Makes another node the default node: a primary if there is another one."""
        self.nodes_manager.replace_default_node(target_node)

    def get_node(self, host: str | None = None, port: int | None = None, node_name: str | None = None) -> N | None:
        """The node at an address, or of a name; None if the cluster has none."""
        return self.nodes_manager.topology.nodes.get(node_name or name_at(host, port))

    def get_node_from_key(self, key: Any, replica: bool = False) -> N | None:
        """The primary that serves a key, or its first replica; None if it has no replica."""
        shard = self.nodes_manager.topology.shard(self.keyslot(key))
        return shard[0] if not replica else shard[1] if len(shard) > 1 else None

    # --- slots ---

    def keyslot(self, key: Any) -> int:
        """The slot of a key."""
        return key_slot(self._bytes(key))

    def determine_slot(self, *args: Any) -> int | None:
        """The slot of a command; None if it has no key.

        Raises RedisClusterException if its keys are in different slots, or if it should have a key.
        """
        slot = slot_of(args, self._bytes)
        if slot is None:
            group_of(args)
        return slot

    def _bytes(self, key: Any) -> Any:
        """A key as it is hashed."""
        return key if type(key) is bytes else self.encoder.encode(key)

    def _strategy(self, args: Sequence[Any]) -> LoadBalancingStrategy | None:
        """How a command is spread over the nodes of its shard; None for the primary."""
        strategy = self.load_balancing_strategy
        return strategy if strategy is not None and is_readonly(args) else None

    # --- groups of nodes ---

    def _targets(self, target_nodes: Any) -> str | list[N]:
        """What `target_nodes` says: the name of a group, or nodes."""
        if isinstance(target_nodes, str):
            if target_nodes not in NODE_FLAGS:
                raise TypeError(f"target_nodes is {target_nodes!r}: expected one of {', '.join(sorted(NODE_FLAGS))}, or nodes")
            return target_nodes
        if isinstance(target_nodes, Node):
            return [target_nodes]  # type: ignore[list-item]
        if isinstance(target_nodes, Mapping):
            return list(target_nodes.values())
        if isinstance(target_nodes, list | tuple):
            return list(target_nodes)
        raise TypeError(
            f"target_nodes is of type {type(target_nodes).__name__}: expected one of {', '.join(sorted(NODE_FLAGS))}, a ClusterNode,"
            " or a list or dict of them"
        )

    def _group(self, group: str, args: Sequence[Any]) -> list[N]:
        """The nodes of a group, for one command.

        Raises RedisClusterException if there are none.
        """
        if group == DEFAULT_NODE:
            default = self.nodes_manager.default_node
            nodes = [] if default is None else [default]
        elif group == RANDOM:
            spread = self.load_balancing_strategy is not None and is_readonly(args)
            among = self.get_nodes() if spread else self.get_primaries()
            nodes = [random.choice(among)] if among else []
        else:
            nodes = {PRIMARIES: self.get_primaries, REPLICAS: self.get_replicas, ALL_NODES: self.get_nodes}[group]()
        if not nodes:
            raise RedisClusterException(f"{args[0]}: the cluster has no node of the group that it is for")
        return nodes

    # --- replies ---

    def _conversion(self, args: Sequence[Any], options: Mapping[str, Any]) -> tuple[Any, bool | None]:
        """How the reply of a command is converted, and whether it is decoded."""
        convert = callback(self.response_callbacks, args[0])
        if convert is None and isinstance(args[0], str) and not args[0].isupper():
            convert = callback(self.response_callbacks, args[0].upper())
        if not options:
            return convert, self._decode
        chosen = {name: value for name, value in options.items() if name not in NOT_CONVERSIONS}
        if chosen:
            # A constant is for calls without options.
            convert = functools.partial(convert, **chosen) if callable(convert) else None
        return convert, False if NEVER_DECODE in options else self._decode

    def set_response_callback(self, command: str, callback: Callable[..., Any]) -> None:
        """Converts the replies of a command by `callback(reply, **options)`."""
        self.response_callbacks[command] = callback

    # --- options ---

    def get_encoder(self) -> Encoder:
        """The encoder of arguments and replies."""
        if self._decode is None:
            return self.encoder
        return Encoder(self.encoder.encoding, self.encoder.encoding_errors, self._decode)

    def get_retry(self) -> AbstractRetry:
        """The attempts after a failure."""
        return self.retry

    def set_retry(self, retry: Any) -> None:
        """Sets the attempts after a failure."""
        self.retry = retry

    @property
    def cluster_response_callbacks(self) -> dict[str, Any]:
        """The conversions of replies by name."""
        return self.response_callbacks

    def load_external_module(self, funcname: str, func: Callable[..., Any]) -> None:
        """Adds a module's commands under a name."""
        setattr(self, funcname, func)


def name_at(host: str | None, port: int | None) -> str:
    """The name of the node at an address."""
    if host is None or port is None:
        raise DataError("a node is named by node_name, or by host and port")
    return node_name("127.0.0.1" if host == "localhost" else host, port)
