"""The asyncio client of a cluster: coroutines share one connection to each node."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Generator, Iterable
from typing import TYPE_CHECKING, Any, Self

from ..cluster.client import ClusterSteps
from ..cluster.placement import PRIMARIES
from ..cluster.topology import PRIMARY, REPLICA, LoadBalancingStrategy
from ..commands import AsyncCommands
from ..exceptions import DataError, RedisClusterException
from ..modules.commands import AsyncModuleCommands
from ..scripts import AsyncScript
from ..session.retry import DEFAULT_RETRY_COUNT
from ..steps import Awaiting
from ..typed import AsyncTypedValues
from ..typing import Text
from .calls import Calls
from .client import Client
from .cluster_pipeline import ClusterPipeline, ClusterTransaction
from .cluster_pubsub import ClusterPubSub
from .coroutines import OF_CLIENTS, OF_CLUSTERS, with_coroutine_functions
from .lock import Lock
from .monitor import Monitor
from .nodes import ClusterNode, NodesManager
from .retry import Retry, default_retry
from .transport import SSLConnection

__all__ = [
    "PRIMARY",
    "REPLICA",
    "ClusterNode",
    "ClusterPipeline",
    "ClusterPubSub",
    "LoadBalancingStrategy",
    "NodesManager",
    "RedisCluster",
]


@with_coroutine_functions(*OF_CLIENTS, *OF_CLUSTERS)
class RedisCluster(  # type: ignore[misc]
    Calls,
    ClusterSteps[ClusterNode, Client[Any], Lock, AsyncScript, Monitor, ClusterPubSub],
    AsyncCommands[Text],
    AsyncModuleCommands,
    AsyncTypedValues,
    Awaiting,
):
    """A client of a cluster, with redis-py's keywords. It looks for the cluster when it is first used, or awaited.

    The keywords are those of the blocking `samewire.redis.cluster.RedisCluster`.
    """

    _client_class, _retry_class, _tls_class, _lock_class = Client, Retry, SSLConnection, Lock
    _manager_class, _node_class = NodesManager, ClusterNode
    _script_class, _monitor_class, _subscriber_class = AsyncScript, Monitor, ClusterPubSub
    _default_retry = staticmethod(default_retry)

    if TYPE_CHECKING:
        # What these return is not what a client of one server returns.
        async def cluster_slots(self, target_nodes: Any = None) -> dict[tuple[int, int], dict[str, Any]]: ...  # type: ignore[override]
        async def cluster_shards(self, target_nodes: Any = None) -> list[dict[str, Any]]: ...  # type: ignore[override]
        async def cluster_myshardid(self, target_nodes: Any = None) -> str: ...  # type: ignore[override]

    # In redis-py's order, which is not that of the blocking client.
    def __init__(
        self,
        host: str | None = None,
        port: str | int = 6379,
        startup_nodes: Iterable[ClusterNode] | None = None,
        require_full_coverage: bool = True,
        read_from_replicas: bool = False,
        load_balancing_strategy: LoadBalancingStrategy | None = None,
        dynamic_startup_nodes: bool = True,
        reinitialize_steps: int = 5,
        cluster_error_retry_attempts: int = DEFAULT_RETRY_COUNT,
        retry: Retry | None = None,
        url: str | None = None,
        address_remap: Callable[[tuple[str, int]], tuple[str, int]] | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(
            host,
            int(port),
            startup_nodes,
            cluster_error_retry_attempts,
            retry,
            require_full_coverage,
            reinitialize_steps,
            read_from_replicas,
            load_balancing_strategy,
            dynamic_startup_nodes,
            url,
            address_remap,
            **kwargs,
        )

    # --- opening and closing ---

    def __await__(self) -> Generator[Any, None, Self]:
        return self.initialize().__await__()

    async def initialize(self) -> Self:
        """Looks for the cluster unless that is done. Raises RedisClusterException if there is none."""
        await self.nodes_manager.initialize()
        return self

    async def _ready(self) -> None:
        await self.initialize()

    async def __aenter__(self) -> Self:
        return await self.initialize()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections to all nodes.

        That of a view (`decoding`, `repeating`) does so if its client and the other views are closed or dropped.
        """
        if self._leaves():
            await self.nodes_manager.aclose()

    async def close(self) -> None:
        """Calls `aclose`."""
        await self.aclose()

    def set_default_node(self, node: ClusterNode | None) -> bool:
        """Makes a node of the cluster the default node. Raises DataError if it is none."""
        if not super().set_default_node(node):
            raise DataError("this node is not one of the cluster: take it from get_nodes()")
        return True

    def pipeline(self, transaction: bool | None = None, shard_hint: object = None) -> ClusterPipeline:
        """A pipeline: its commands go to all their nodes at once, or as a transaction to the one node of their slot."""
        if shard_hint:
            raise RedisClusterException("shard_hint is deprecated in cluster mode")
        return ClusterTransaction(self) if transaction else ClusterPipeline(self)

    async def scan_iter(
        self, match: Any = None, count: int | None = None, _type: str | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        """The keys of all primaries, one node after another; of `target_nodes` if they are given.

        match: a glob; count: about how many are asked for at once; _type: of this type only.
        """
        await self.initialize()
        for node in self._chosen(kwargs.pop("target_nodes", PRIMARIES), ("SCAN",)):
            cursor: Any = 0
            while True:
                page: Any = await self.scan(cursor=cursor, match=match, count=count, _type=_type, target_nodes=node, **kwargs)
                for key in page[1]:
                    yield key
                cursor = page[0][node.name]
                if not cursor:
                    break
