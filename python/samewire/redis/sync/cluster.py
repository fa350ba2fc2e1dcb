"""The blocking client of a cluster. Threads may share one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from ..cluster.client import ClusterSteps
from ..cluster.node_choice import NodeChoice
from ..cluster.placement import PRIMARIES
from ..cluster.topology import PRIMARY, REPLICA, LoadBalancingStrategy, node_name
from ..commands import Commands, PipelineCommands
from ..exceptions import RedisClusterException
from ..lock import Lock
from ..modules.commands import ModuleCommands
from ..pubsub.monitor import Monitor
from ..scripts import Script
from ..session.retry import Retry, default_retry
from ..steps import Blocking, Closing
from ..typed import TypedValues
from ..typing import Text
from .calls import Calls
from .client import Client
from .cluster_pipeline import ClusterPipelineCalls, ClusterTransactionCalls
from .cluster_pubsub import ClusterPubSub
from .nodes import ClusterNode, NodesManager
from .transport import SSLConnection

__all__ = [
    "PRIMARY",
    "REPLICA",
    "AbstractRedisCluster",
    "ClusterNode",
    "ClusterPipeline",
    "ClusterPubSub",
    "LoadBalancingStrategy",
    "NodesManager",
    "RedisCluster",
    "get_node_name",
]

# redis-py's names.
get_node_name = node_name
AbstractRedisCluster = NodeChoice


class RedisCluster(  # type: ignore[misc]
    Calls,
    ClusterSteps[ClusterNode, Client[Any], Lock, Script, Monitor, ClusterPubSub],
    Commands[Text],
    ModuleCommands,
    TypedValues,
    Closing,
    Blocking,
):
    __doc__ = ClusterSteps.__doc__

    __module__ = "samewire.redis.cluster"

    _client_class, _retry_class, _tls_class, _lock_class = Client, Retry, SSLConnection, Lock
    _manager_class, _node_class = NodesManager, ClusterNode
    _script_class, _monitor_class, _subscriber_class = Script, Monitor, ClusterPubSub
    _default_retry = staticmethod(default_retry)

    if TYPE_CHECKING:
        # What these return is not what a client of one server returns.
        def cluster_slots(self, target_nodes: Any = None) -> dict[tuple[int, int], dict[str, Any]]: ...  # type: ignore[override]
        def cluster_shards(self, target_nodes: Any = None) -> list[dict[str, Any]]: ...  # type: ignore[override]
        def cluster_myshardid(self, target_nodes: Any = None) -> str: ...  # type: ignore[override]

    def _begin(self) -> None:
        self.nodes_manager.initialize()

    def _ready(self) -> None:
        """Does nothing: it was looked for when the client was made."""

    def close(self) -> None:
        """Closes the connections to all nodes.

        That of a view (`decoding`, `repeating`) does so if its client and the other views are closed or dropped.
        """
        if self._leaves():
            self.nodes_manager.close()

    def disconnect_connection_pools(self) -> None:
        """Closes the connections to all nodes; they are made anew when they are next used."""
        for node in self.get_nodes():
            if node.redis_connection is not None:
                node.redis_connection.connection_pool.disconnect()

    def pipeline(self, transaction: bool | None = None, shard_hint: object = None) -> ClusterPipeline:
        """A pipeline: its commands go to all their nodes at once, or as a transaction to the one node of their slot."""
        if shard_hint:
            raise RedisClusterException("shard_hint is deprecated in cluster mode")
        return ClusterTransaction(self) if transaction else ClusterPipeline(self)

    def scan_iter(self, match: Any = None, count: int | None = None, _type: str | None = None, **kwargs: Any) -> Iterator[Any]:
        """The keys of all primaries, one node after another; of `target_nodes` if they are given.

        match: a glob; count: about how many are asked for at once; _type: of this type only.
        """
        for node in self._chosen(kwargs.pop("target_nodes", PRIMARIES), ("SCAN",)):
            cursor: Any = 0
            while True:
                page: Any = self.scan(cursor=cursor, match=match, count=count, _type=_type, target_nodes=node, **kwargs)
                yield from page[1]
                cursor = page[0][node.name]
                if not cursor:
                    break


class ClusterPipeline(ClusterPipelineCalls, RedisCluster[Any]):  # type: ignore[misc]
    """Commands that are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is not a transaction: commands of other clients may run in between, and a redirected command runs after others.
    It is a client of the same nodes, as in redis-py: `lock`, `pubsub`, `register_script` and the like are there.
    """

    __module__ = "samewire.redis.cluster"

    cluster_delslots = PipelineCommands.cluster_delslots  # type: ignore[assignment]


class ClusterTransaction(ClusterTransactionCalls, ClusterPipeline):  # type: ignore[misc]
    """Commands that are sent between MULTI and EXEC to the node of their slot: all keys are in one.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed, or if the
    slot has moved to another node.
    """

    __module__ = "samewire.redis.cluster"
