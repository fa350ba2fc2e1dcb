"""The asyncio client of a cluster: coroutines share one connection to each node."""

from __future__ import annotations

import asyncio
import copy
import inspect
from collections.abc import AsyncIterator, Callable, Generator, Iterable, Mapping
from typing import Any, Self

from ..backoff import NoBackoff
from ..batch import direct, plan
from ..cluster_commands import ClusterOnlyCommands, callbacks, flattened
from ..clustering import startup_addresses
from ..commands import AsyncCommands
from ..commands.replies import response_callbacks
from ..encoder import Encoder
from ..exceptions import DataError, RedisClusterException, WatchError
from ..observability import observed, observers
from ..placement import PRIMARIES
from ..redirection import Attempts
from ..retry import DEFAULT_RETRY_COUNT
from ..routing import may_repeat
from ..scripts import AsyncScript
from ..sharing import name_of as may_be_shared
from ..topology import PRIMARY, REPLICA, LoadBalancingStrategy, balancing
from ..typed import AsyncTypedValues
from ..typing import Text
from .calls import Calls
from .client import Client
from .cluster_pipeline import ClusterPipeline, ClusterTransaction
from .cluster_pubsub import ClusterPubSub
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


class RedisCluster(Calls, ClusterOnlyCommands, AsyncCommands[Text], AsyncTypedValues):  # type: ignore[misc]
    """A client of a cluster, with redis-py's keywords. It looks for the cluster when it is first used, or awaited.

    The keywords are those of the blocking `samewire.redis.cluster.RedisCluster`.
    """

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
        addresses = startup_addresses(host, int(port), startup_nodes, url, kwargs, SSLConnection)
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
        self.connection_kwargs = kwargs
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

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A client for redis://[user:password@]host[:port], or rediss://… (TLS)."""
        return cls(url=url, **kwargs)

    def _client_of(self, node: ClusterNode) -> Client[Any]:
        # The cluster's client makes the attempts, and knows where.
        return Client(host=node.host, port=node.port, retry=Retry(NoBackoff(), 0), **self.connection_kwargs)

    def decoding(self, decode: bool = True) -> Self:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = copy.copy(self)
        view._decode = decode
        return view

    def __repr__(self) -> str:
        nodes = ",".join(self.nodes_manager.nodes_cache)
        return f"<{type(self).__module__}.{type(self).__name__}({nodes})>"

    # --- opening and closing ---

    def __await__(self) -> Generator[Any, None, Self]:
        return self.initialize().__await__()

    async def initialize(self) -> Self:
        """Looks for the cluster unless that is done. Raises RedisClusterException if there is none."""
        await self.nodes_manager.initialize()
        return self

    async def __aenter__(self) -> Self:
        return await self.initialize()

    async def __aexit__(self, *_: object) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Closes the connections to all nodes."""
        await self.nodes_manager.aclose()

    async def close(self) -> None:
        """The same as `aclose`."""
        await self.aclose()

    def set_default_node(self, node: ClusterNode | None) -> bool:
        """Makes a node of the cluster the default node. Raises DataError if it is none."""
        if not super().set_default_node(node):
            raise DataError("this node is not one of the cluster: take it from get_nodes()")
        return True

    def get_redis_connection(self, node: ClusterNode) -> Client[Any]:
        """The client for one node."""
        return self.nodes_manager.client(node)

    def get_connection_kwargs(self) -> dict[str, Any]:
        """The keywords of the nodes' clients."""
        return self.connection_kwargs

    def pipeline(self, transaction: bool | None = None, shard_hint: object = None) -> ClusterPipeline:
        """A pipeline: its commands go to all their nodes at once, or as a transaction to the one node of their slot."""
        if shard_hint:
            raise RedisClusterException("shard_hint is deprecated in cluster mode")
        return ClusterTransaction(self) if transaction else ClusterPipeline(self)

    async def transaction(
        self,
        func: Callable[[ClusterPipeline], Any],
        *watches: Any,
        shard_hint: object = None,
        value_from_callable: bool = False,
        watch_delay: float | None = None,
    ) -> Any:
        """Calls `func` with a pipeline that watches keys, and executes what it queued; again while they are changed meanwhile.

        func: reads keys at once, calls `multi`, and queues commands; a coroutine function, or none if it reads nothing.
        value_from_callable: returns what `func` returned, instead of the replies.
        watch_delay: seconds to wait before it is called again.
        """
        async with self.pipeline(True, shard_hint) as pipe:
            while True:
                try:
                    if watches:
                        await pipe.watch(*watches)
                    value = func(pipe)
                    if inspect.isawaitable(value):
                        value = await value
                    replies = await pipe.execute()
                    return value if value_from_callable else replies
                except WatchError:
                    if watch_delay:
                        await asyncio.sleep(watch_delay)

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

    def register_script(self, script: str | bytes) -> AsyncScript:
        """A Lua script that is called like a function, by its digest."""
        return AsyncScript(self, script)

    async def mset_nonatomic(self, mapping: Mapping[Any, Any]) -> list[bool]:
        """Sets keys in any slots, and returns True for each slot. Those of different slots are not set at one moment."""
        await self.initialize()
        command = plan(self, ("MSET", *flattened(mapping)), {})
        await self._run(command.jobs)
        replies = [job.reply for job in command.jobs]
        for reply in replies:
            if isinstance(reply, Exception):
                raise reply
        return replies

    async def cluster_delslots(self, *slots: Any) -> list[bool]:  # type: ignore[override]
        """Takes slots from the nodes that serve them; returns True for each."""
        return [await self.execute_command("CLUSTER DELSLOTS", slot) for slot in slots]

    async def scan_iter(
        self, match: Any = None, count: int | None = None, _type: str | None = None, **kwargs: Any
    ) -> AsyncIterator[Any]:
        """The keys of all primaries, one node after another; of `target_nodes` if they are given.

        match: a glob; count: about how many are asked for at once; _type: of this type only.
        """
        await self.initialize()
        targets = self._targets(kwargs.pop("target_nodes", PRIMARIES))
        for node in self._group(targets, ("SCAN",)) if isinstance(targets, str) else targets:
            cursor: Any = 0
            while True:
                page: Any = await self.scan(cursor=cursor, match=match, count=count, _type=_type, target_nodes=node, **kwargs)
                for key in page[1]:
                    yield key
                cursor = page[0][node.name]
                if not cursor:
                    break

    # --- commands ---

    async def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command to the node of its keys, or to those that it is for, and returns its reply.

        A command of several slots is split if its reply can be put together again: MGET, MSET, DEL, UNLINK, EXISTS, TOUCH.

        target_nodes: a node, several, or the name of a group of nodes. More than one gives a dictionary by node, unless the
        replies have a sum.
        """
        if not observers:
            return await self._execute(args, options)
        with observed(str(args[0]), 1, self.get_connection_kwargs()):
            return await self._execute(args, options)

    async def _execute(self, args: tuple[Any, ...], options: dict[str, Any]) -> Any:
        if not self.nodes_manager.topology.slots:
            await self.initialize()
        if not options:
            job = direct(self, args)
            if job is not None:
                await self._call(job)
                return job.reply
        may_be_shared(args)
        attempts: Attempts[ClusterNode] | None = None
        while True:
            seen = self.nodes_manager.policy.round
            command = plan(self, args, options)
            if len(command.jobs) == 1 and not command.grouped:
                await self._call(command.jobs[0])
            else:
                await self._run(command.jobs)
            reply = command.reply()
            if not isinstance(reply, Exception):
                return reply
            if not command.grouped:
                raise reply
            # A group may have other members by now.
            attempts = attempts or Attempts(
                self.nodes_manager.topology, may_repeat(args), self.retry.get_retries(), self._backoff
            )
            await self._follow(attempts.after(reply, None), seen)
