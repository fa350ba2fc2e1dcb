"""The blocking client of a cluster. Threads may share one."""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Self

from .backoff import NoBackoff
from .batch import direct, plan
from .calls import Calls
from .client import Client
from .cluster_commands import ClusterOnlyCommands, callbacks, flattened
from .cluster_pipeline import ClusterPipelineCalls, ClusterTransactionCalls
from .cluster_pubsub import ClusterPubSub
from .clustering import Placing, startup_addresses
from .commands import Commands, PipelineCommands
from .commands.replies import response_callbacks
from .encoder import Encoder
from .exceptions import RedisClusterException, WatchError
from .lock import Lock
from .monitor import Monitor
from .nodes import ClusterNode, NodesManager
from .observability import observed, observers
from .placement import PRIMARIES
from .redirection import Attempts
from .retry import DEFAULT_RETRY_COUNT, Retry, default_retry
from .routing import may_repeat
from .scripts import Script
from .sharing import name_of as may_be_shared
from .topology import PRIMARY, REPLICA, LoadBalancingStrategy, balancing, node_name
from .transport import SSLConnection
from .typed import TypedValues
from .typing import Text

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
AbstractRedisCluster = Placing


class RedisCluster(Calls, ClusterOnlyCommands, Commands[Text], TypedValues):  # type: ignore[misc]
    """A client of a cluster, with redis-py's keywords.

    startup_nodes, or host and port, or url: where the cluster is looked for.
    retry, cluster_error_retry_attempts: attempts after a node was lost or the cluster was down. A command that may have run is
    sent again only if that is safe.
    load_balancing_strategy: spreads reads over the nodes of a shard; they may be older than what was written.
    read_from_replicas: the same over all of them in turn.
    require_full_coverage: the cluster must serve all slots when the client is made.
    dynamic_startup_nodes: asks any node for the map of slots, not only the startup nodes.
    reinitialize_steps: 0 does not ask for the map after redirections; each moves one slot.
    address_remap: maps (host, port) as the servers say it to where this client reaches it.
    connection_pool_class: the class of each node's pool.
    Other keywords are those of `Client`, for each node.
    """

    def __init__(
        self,
        host: str | None = None,
        port: int = 6379,
        startup_nodes: Iterable[ClusterNode] | None = None,
        cluster_error_retry_attempts: int = DEFAULT_RETRY_COUNT,
        retry: Retry | None = None,
        require_full_coverage: bool = True,
        reinitialize_steps: int = 5,
        read_from_replicas: bool = False,
        load_balancing_strategy: LoadBalancingStrategy | None = None,
        dynamic_startup_nodes: bool = True,
        url: str | None = None,
        address_remap: Callable[[tuple[str, int]], tuple[str, int]] | None = None,
        **kwargs: Any,
    ) -> None:
        addresses = startup_addresses(host, port, startup_nodes, url, kwargs, SSLConnection)
        self.retry = copy.deepcopy(retry) if retry is not None else default_retry()
        if retry is None:
            self.retry.update_retries(cluster_error_retry_attempts)
        self.load_balancing_strategy = balancing(read_from_replicas, load_balancing_strategy)
        self.read_from_replicas = read_from_replicas
        self.reinitialize_steps = reinitialize_steps
        self.encoder = Encoder(
            kwargs.get("encoding", "utf-8"), kwargs.get("encoding_errors", "strict"), kwargs.get("decode_responses", False)
        )
        if self.load_balancing_strategy is not None:
            # On every node: each may become a replica.
            kwargs["setup_commands"] = (*kwargs.get("setup_commands", ()), ("READONLY",))
        self._pool_class = kwargs.pop("connection_pool_class", None)
        self._options = kwargs
        self.response_callbacks: dict[str, Any] = response_callbacks(
            protocol=kwargs.get("protocol"), legacy_responses=kwargs.get("legacy_responses", True)
        )
        self.response_callbacks.update(callbacks(kwargs.get("legacy_responses", True)))
        self._decode: bool | None = None
        self.nodes_manager = NodesManager(
            [ClusterNode(*address) for address in addresses],
            self._client_of,
            require_full_coverage,
            dynamic_startup_nodes,
            address_remap,
        )
        self.nodes_manager.connection_kwargs = kwargs
        self.nodes_manager.initialize()

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A client for redis://[user:password@]host[:port], or rediss://… (TLS)."""
        return cls(url=url, **kwargs)

    def _client_of(self, node: ClusterNode) -> Client[Any]:
        # The cluster's client makes the attempts, and knows where.
        options = {"host": node.host, "port": node.port, "retry": Retry(NoBackoff(), 0), **self._options}
        if self._pool_class is None:
            return Client(**options)
        if options.pop("ssl", False):
            options["connection_class"] = SSLConnection
        return Client.from_pool(self._pool_class(**options))

    def decoding(self, decode: bool = True) -> Self:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = copy.copy(self)
        view._decode = decode
        return view

    def __repr__(self) -> str:
        nodes = ",".join(self.nodes_manager.nodes_cache)
        return f"<{type(self).__module__}.{type(self).__name__}({nodes})>"

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Closes the connections to all nodes."""
        self.nodes_manager.close()

    def disconnect_connection_pools(self) -> None:
        """Closes the connections to all nodes; they are made anew when they are next used."""
        for node in self.get_nodes():
            if node.redis_connection is not None:
                node.redis_connection.connection_pool.disconnect()

    def get_redis_connection(self, node: ClusterNode) -> Client[Any]:
        """The client for one node."""
        return self.nodes_manager.client(node)

    def get_connection_kwargs(self) -> dict[str, Any]:
        """The keywords of the nodes' clients."""
        return self._options

    def pipeline(self, transaction: bool | None = None, shard_hint: object = None) -> ClusterPipeline:
        """A pipeline: its commands go to all their nodes at once, or as a transaction to the one node of their slot."""
        if shard_hint:
            raise RedisClusterException("shard_hint is deprecated in cluster mode")
        return ClusterTransaction(self) if transaction else ClusterPipeline(self)

    def transaction(
        self,
        func: Callable[[ClusterPipeline], Any],
        *watches: Any,
        shard_hint: object = None,
        value_from_callable: bool = False,
        watch_delay: float | None = None,
    ) -> Any:
        """Calls `func` with a pipeline that watches keys, and executes what it queued; again while they are changed meanwhile.

        func: reads keys at once, calls `multi`, and queues commands.
        value_from_callable: returns what `func` returned, instead of the replies.
        watch_delay: seconds to wait before it is called again.
        """
        with self.pipeline(True, shard_hint) as pipe:
            while True:
                try:
                    if watches:
                        pipe.watch(*watches)
                    value = func(pipe)
                    replies = pipe.execute()
                    return value if value_from_callable else replies
                except WatchError:
                    if watch_delay:
                        time.sleep(watch_delay)

    def lock(
        self,
        name: str,
        timeout: float | None = None,
        sleep: float = 0.1,
        blocking: bool = True,
        blocking_timeout: float | None = None,
        lock_class: type[Lock] | None = None,
        thread_local: bool = True,
        raise_on_release_error: bool = True,
    ) -> Lock:
        """A lock that processes and machines share (`Lock`)."""
        return (lock_class or Lock)(
            self,
            name,
            timeout=timeout,
            sleep=sleep,
            blocking=blocking,
            blocking_timeout=blocking_timeout,
            thread_local=thread_local,
            raise_on_release_error=raise_on_release_error,
        )

    def monitor(self, target_node: ClusterNode | None = None) -> Monitor:
        """A connection that is sent every command that one node runs: the default node unless another is given."""
        node = target_node or self._group(self.DEFAULT_NODE, ("MONITOR",))[0]
        return Monitor(self.nodes_manager.pool(node))

    def pubsub(
        self, node: ClusterNode | None = None, host: str | None = None, port: int | None = None, **kwargs: Any
    ) -> ClusterPubSub:
        """A subscriber: its channels and patterns on one node, the given one or any, its shard channels on theirs."""
        return ClusterPubSub(self, node, host, port, **kwargs)

    def register_script(self, script: str | bytes) -> Script:
        """A Lua script that is called like a function, by its digest."""
        return Script(self, script)

    def mset_nonatomic(self, mapping: Mapping[Any, Any]) -> list[bool]:
        """Sets keys in any slots, and returns True for each slot. Those of different slots are not set at one moment."""
        command = plan(self, ("MSET", *flattened(mapping)), {})
        self._run(command.jobs)
        replies = [job.reply for job in command.jobs]
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        return replies

    def cluster_delslots(self, *slots: Any) -> list[bool]:  # type: ignore[override]
        """Takes slots from the nodes that serve them; returns True for each."""
        return [self.execute_command("CLUSTER DELSLOTS", slot) for slot in slots]

    def scan_iter(self, match: Any = None, count: int | None = None, _type: str | None = None, **kwargs: Any) -> Iterator[Any]:
        """The keys of all primaries, one node after another; of `target_nodes` if they are given.

        match: a glob; count: about how many are asked for at once; _type: of this type only.
        """
        targets = self._targets(kwargs.pop("target_nodes", PRIMARIES))
        for node in self._group(targets, ("SCAN",)) if isinstance(targets, str) else targets:
            cursor: Any = 0
            while True:
                page: Any = self.scan(cursor=cursor, match=match, count=count, _type=_type, target_nodes=node, **kwargs)
                yield from page[1]
                cursor = page[0][node.name]
                if not cursor:
                    break

    # --- commands ---

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command to the node of its keys, or to those that it is for, and returns its reply.

        A command of several slots is split if its reply can be put together again: MGET, MSET, DEL, UNLINK, EXISTS, TOUCH.

        target_nodes: a node, several, or the name of a group of nodes. More than one gives a dictionary by node, unless the
        replies have a sum.
        """
        if not observers:
            return self._execute(args, options)
        with observed(str(args[0]), 1, self.get_connection_kwargs()):
            return self._execute(args, options)

    def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if not options:
            job = direct(self, args)
            if job is not None:
                self._call(job)
                return job.reply
        may_be_shared(args)
        attempts: Attempts[ClusterNode] | None = None
        while True:
            seen = self.nodes_manager.policy.round
            command = plan(self, args, options)
            if len(command.jobs) == 1 and not command.grouped:
                self._call(command.jobs[0])
            else:
                self._run(command.jobs)
            reply = command.reply()
            if not isinstance(reply, Exception):
                return reply
            if not command.grouped:
                raise reply
            # A group may have other members by now.
            attempts = attempts or Attempts(
                self.nodes_manager.topology, may_repeat(args), self.retry.get_retries(), self._backoff
            )
            self._follow(attempts.after(reply, None), seen)


class ClusterPipeline(ClusterPipelineCalls, RedisCluster[Any]):  # type: ignore[misc]
    """Commands that are kept until `execute`. Each goes to the node of its keys, those of one node in order, together.

    It is no transaction: commands of other clients may run in between, and a redirected command runs after others.
    It is a client of the same nodes, as in redis-py: `lock`, `pubsub`, `register_script` and the like are there.
    """

    cluster_delslots = PipelineCommands.cluster_delslots  # type: ignore[assignment]


class ClusterTransaction(ClusterTransactionCalls, ClusterPipeline):  # type: ignore[misc]
    """Commands that are sent between MULTI and EXEC to the node of their slot: all keys are in one.

    After `watch` commands run at once, until `multi`; `execute` then raises WatchError if a watched key was changed, or if the
    slot has moved to another node.
    """
