"""`Client.cluster([...])` and `Client.sentinel([...], service)`, which on an instance are the commands CLUSTER and SENTINEL."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from .cluster.topology import Node
from .exceptions import DataError

#: An address: "host:port", "host", (host, port) or a node.
AddressT: TypeAlias = "str | tuple[str, int] | Node"

CLUSTER_PORT = 6379
SENTINEL_PORT = 26379


#: What loads the modules of clusters and sentinels, by name and whether they are for asyncio. The packages set it: those modules
#: import the clients whose methods are here.
_LOADERS: dict[tuple[str, bool], Callable[[], Any]] = {}


def loads(name: str, asynchronous: bool, load: Callable[[], Any]) -> None:
    """Sets what loads the module `cluster` or `sentinel`."""
    _LOADERS[name, asynchronous] = load


class Factory:
    """A method of a class that makes a client, and of its instances that sends a command.

    asynchronous: whether the clients are for asyncio.
    command: the method of instances.
    """

    def __init__(self, asynchronous: bool, command: Callable[..., Any]) -> None:
        self._asynchronous = asynchronous
        self._command = command

    def __get__(self, instance: object, owner: type) -> Callable[..., Any]:
        return partial(self.make, owner) if instance is None else partial(self._command, instance)

    def make(self, client: Any, /, *args: Any, **kwargs: Any) -> Any:
        """Makes a client. client: the class that it is asked of."""
        raise NotImplementedError


class ClusterFactory(Factory):
    """Makes clients of clusters."""

    def make(self, client: Any, /, nodes: Iterable[AddressT], **kwargs: Any) -> Any:
        """A `RedisCluster` for the cluster that is found at one of these nodes. kwargs: its keywords."""
        cluster = _LOADERS["cluster", self._asynchronous]()
        startup_nodes = [cluster.ClusterNode(*address) for address in addresses(nodes, CLUSTER_PORT)]
        return cluster.RedisCluster(startup_nodes=startup_nodes, **kwargs)


class SentinelFactory(Factory):
    """Makes clients of services that sentinels watch."""

    def make(self, client: Any, /, nodes: Iterable[AddressT], service: str, *, replica: bool = False, **kwargs: Any) -> Any:
        """A client of the master of a service that these sentinels watch, or of its replicas in turn.

        kwargs: keywords of `Sentinel`, and of the connections.
        """
        sentinel = _LOADERS["sentinel", self._asynchronous]().Sentinel(addresses(nodes, SENTINEL_PORT), **kwargs)
        return (sentinel.slave_for if replica else sentinel.master_for)(service, redis_class=client)


def addresses(nodes: Iterable[AddressT], port: int) -> list[tuple[str, int]]:
    """The hosts and ports of addresses, `port` where one has none."""
    if isinstance(nodes, str | bytes):
        raise DataError(f"expected a list of addresses, got {nodes!r}: pass [{nodes!r}]")
    found = []
    for node in nodes:
        if isinstance(node, str):
            host, colon, digits = node.rpartition(":")
            if colon and not digits.isdecimal():
                raise DataError(f"expected an address like 'host:6379', got {node!r}")
            found.append((host.strip("[]"), int(digits)) if colon else (node, port))
        elif isinstance(node, tuple | list):
            found.append((node[0], int(node[1])))
        else:
            found.append((node.host, node.port))
    return found
