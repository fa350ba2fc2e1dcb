"""What the blocking and the asyncio client of a cluster share: options, nodes, and commands that take several steps."""

from __future__ import annotations

import copy
import functools
from collections.abc import Callable, Iterable, Mapping
from typing import Any, Generic, Self, TypeVar

from ..client_steps import ClientSteps
from ..commands.replies import response_callbacks
from ..rules.own_connection import name_of as may_be_shared
from ..session.backoff import NoBackoff
from ..session.encoder import Encoder
from ..session.retry import DEFAULT_RETRY_COUNT, AbstractRetry
from ..steps import Steps, operation
from .batch import plan, told_of_all
from .calls import CallSteps
from .commands import ClusterOnlyCommands, callbacks, flattened
from .node_choice import startup_addresses
from .nodes import NodeOfClient
from .redirection import Attempts, Step
from .search_cursors import SearchCursors
from .topology import LoadBalancingStrategy, Node, balancing

N = TypeVar("N", bound=NodeOfClient)
C = TypeVar("C")
L = TypeVar("L")
S = TypeVar("S")
M = TypeVar("M")
P = TypeVar("P")


class ClusterSteps(ClusterOnlyCommands, CallSteps[N], ClientSteps[L, S], Generic[N, C, L, S, M, P]):
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

    # What it is made of.
    _client_class: Any
    _monitor_class: Callable[..., M]
    _subscriber_class: Callable[..., P]
    _manager_class: Any
    _node_class: Any
    _tls_class: Any
    _retry_class: Any
    _default_retry: Callable[[], Any]

    #: A step of each kind's own: looks for the cluster unless that is done.
    _ready: Callable[[], Any]
    #: Sends a command to the node of its keys, or to those that it is for.
    execute_command: Callable[..., Any]

    def __init__(
        self,
        host: str | None = None,
        port: int = 6379,
        startup_nodes: Iterable[N] | None = None,
        cluster_error_retry_attempts: int = DEFAULT_RETRY_COUNT,
        retry: AbstractRetry | None = None,
        require_full_coverage: bool = True,
        reinitialize_steps: int = 5,
        read_from_replicas: bool = False,
        load_balancing_strategy: LoadBalancingStrategy | None = None,
        dynamic_startup_nodes: bool = True,
        url: str | None = None,
        address_remap: Callable[[tuple[str, int]], tuple[str, int]] | None = None,
        **kwargs: Any,
    ) -> None:
        addresses = startup_addresses(host, int(port), startup_nodes, url, kwargs, self._tls_class)
        self.retry = copy.deepcopy(retry) if retry is not None else self._default_retry()
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
        #: Called with each connection, after the greeting.
        self._user_connect = kwargs.pop("redis_connect_func", None)
        own: Any = ClusterSteps.on_connect
        if self._user_connect is not None or getattr(type(self).on_connect, "__wrapped__", None) is not own:
            kwargs["redis_connect_func"] = self.on_connect
        self._pool_class = kwargs.pop("connection_pool_class", None)
        self.connection_kwargs = kwargs
        self.response_callbacks: dict[str, Any] = response_callbacks(
            protocol=kwargs.get("protocol"), legacy_responses=kwargs.get("legacy_responses", True)
        )
        self.response_callbacks.update(callbacks(kwargs.get("legacy_responses", True)))
        self._decode: bool | None = None
        self.cursors = SearchCursors()
        self.nodes_manager = self._manager_class(
            [self._node_class(*address) for address in addresses],
            # Not a method of this client: it would be kept by its nodes.
            functools.partial(self._client_of, kwargs, self._pool_class),
            require_full_coverage,
            dynamic_startup_nodes,
            address_remap,
        )
        self.nodes_manager.connection_kwargs = kwargs
        self._begin()

    def _begin(self) -> None:
        """A blocking client looks for the cluster when it is made."""

    @classmethod
    def from_url(cls, url: str, **kwargs: Any) -> Self:
        """A client for redis://[user:password@]host[:port], or rediss://… (TLS)."""
        return cls(url=url, **kwargs)

    @classmethod
    def _client_of(cls, connection_kwargs: Mapping[str, Any], pool_class: Any, node: Node) -> Any:
        # The cluster's client makes the attempts, and knows where.
        options = {"host": node.host, "port": node.port, "retry": cls._retry_class(NoBackoff(), 0), **connection_kwargs}
        if pool_class is None:
            return cls._client_class(**options)
        if options.pop("ssl", False):
            options["connection_class"] = cls._tls_class
        return cls._client_class.from_pool(pool_class(**options))

    @operation
    def on_connect(self, connection: Any) -> Steps[None]:
        """Greets a node, then calls the `redis_connect_func` that was given. A subclass may have its own."""
        yield connection.on_connect()
        if self._user_connect is not None:
            yield self._outcome(self._user_connect(connection))

    def decoding(self, decode: bool = True) -> Self:
        """This client, sharing its connections, with replies as str (True) or bytes (False)."""
        view = self._view()
        view._decode = decode
        return view

    def __repr__(self) -> str:
        nodes = ",".join(self.nodes_manager.nodes_cache)
        return f"<{type(self).__module__}.{type(self).__name__}({nodes})>"

    def get_connection_kwargs(self) -> dict[str, Any]:
        """The keywords of the nodes' clients."""
        return self.connection_kwargs

    def get_redis_connection(self, node: N) -> C:
        """The client for one node."""
        client: C = self.nodes_manager.client(node)
        return client

    def monitor(self, target_node: N | None = None) -> M:
        """A connection that is sent every command that one node runs: the default node unless another is given."""
        node = target_node or self._group(self.DEFAULT_NODE, ("MONITOR",))[0]
        return self._monitor_class(self.nodes_manager.pool(node))

    def pubsub(self, node: N | None = None, host: str | None = None, port: int | None = None, **kwargs: Any) -> P:
        """A subscriber: its channels and patterns on one node, the given one or any, its shard channels on theirs."""
        return self._subscriber_class(self, node, host, port, **kwargs)

    # --- commands ---

    def _executed(self, args: tuple[Any, ...], options: dict[str, Any]) -> Steps[Any]:
        """Sends a command that takes a plan, and returns its reply."""
        may_be_shared(args)
        attempts: Attempts[N] | None = None
        step: Step[N] | None = None
        while True:
            seen = self.nodes_manager.policy.round
            command = plan(self, args, options)
            if len(command.jobs) == 1 and not command.grouped:
                yield self._call(command.jobs[0])
            else:
                yield from self._run(command.jobs)
            reply = command.reply()
            if not isinstance(reply, Exception):
                return reply
            try:
                if not command.grouped:
                    raise reply
                # A group may have other members by now.
                attempts = attempts or self._attempts_at(self._may_repeat(args))
                step = attempts.after(reply, None)
                if step.error is not None:
                    step.error = told_of_all(step.error, [job.reply for job in command.jobs])
                yield from self._follow(step, seen)
            finally:
                # The error's traceback leads to this frame.
                step = None
                del reply, command

    @operation
    def mset_nonatomic(self, mapping: Mapping[Any, Any]) -> Steps[list[bool]]:
        """Sets keys in any slots, and returns True for each slot. Those of different slots are not set at one moment."""
        yield self._ready()
        command = plan(self, ("MSET", *flattened(mapping)), {})
        yield from self._run(command.jobs)
        replies = [job.reply for job in command.jobs]
        failed = next((reply for reply in replies if isinstance(reply, Exception)), None)
        if failed is not None:
            try:
                raise told_of_all(failed, replies)
            finally:
                # The error's traceback leads to this frame.
                del failed, replies, command
        return replies

    @operation
    def cluster_delslots(self, *slots: Any) -> Steps[list[bool]]:
        """Takes slots from the nodes that serve them; returns True for each."""
        replies = []
        for slot in slots:
            reply: bool = yield self.execute_command("CLUSTER DELSLOTS", slot)
            replies.append(reply)
        return replies

    def _chosen(self, target_nodes: Any, args: tuple[Any, ...]) -> list[N]:
        """The nodes that `target_nodes` says, for one command."""
        targets = self._targets(target_nodes)
        return self._group(targets, args) if isinstance(targets, str) else targets
