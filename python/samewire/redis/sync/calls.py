"""Sends jobs to the nodes of a cluster for blocking callers, on connections of each node's pool."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from ..cluster.batch import Job, direct, piped, without_asking
from ..cluster.calls import FAILURES, CallSteps, Lost
from ..exceptions import RedisError
from ..observability import observed, observers
from ..rules.conversion import converted
from ..session.retry import Retry
from ..steps import Blocking, run
from .client import Client
from .nodes import ClusterNode, NodesManager
from .transport import AbstractConnection


class Batch:
    """The commands for one node, on a connection of its pool."""

    def __init__(self, client: Client[Any], jobs: Sequence[Job[ClusterNode]]) -> None:
        self._client = client
        self._pool = client.connection_pool
        self._jobs = jobs
        self._pipe = piped(jobs)
        self._connection: AbstractConnection | None = None
        self._begun = False
        self._lost: Lost | None = None

    def begin(self) -> None:
        """Sends what goes without waiting."""
        if self._client.connection is not None:
            return
        self._try(lambda connection: connection.begin(self._pipe))
        self._begun = True

    def finish(self) -> list[Any] | Lost:
        """Sends the rest, and returns the replies."""
        if self._client.connection is not None:
            return [self._alone(job) for job in self._jobs]
        if self._lost is None:
            begun, self._begun = self._begun, False
            replies = self._try(lambda connection: connection.finish() if begun else connection.run(self._pipe))
            if self._lost is None:
                return without_asking(self._jobs, replies)
        return self._lost

    def release(self) -> None:
        """Gives the connection back; one that was not waited for is closed: what is on its way belongs to nobody."""
        if self._connection is not None:
            if self._begun:
                self._connection.disconnect()
            self._pool.release(self._connection)

    def _alone(self, job: Job[ClusterNode]) -> Any:
        try:
            with self._client.single_connection_lock:
                return on_its_own(self._client.connection, job)
        except RedisError as error:
            return error

    def _try(self, use: Callable[[AbstractConnection], Any]) -> Any:
        try:
            if self._connection is None:
                self._connection = self._pool.get_connection()
                self._connection.sent, self._connection.partial = 0, ()
            return use(self._connection)
        except RedisError as error:
            self._begun = False
            connection = self._connection
            sent, partial = (0, ()) if connection is None else (connection.sent, connection.partial)
            # ASKING takes a place of its own before its command: whose job each place is.
            places = [index for index, job in enumerate(self._jobs) for _ in range(1 + job.asking)]
            replied = places[len(partial)] if len(partial) < len(places) else len(self._jobs)
            self._lost = error, places[sent - 1] + 1 if sent else 0, without_asking(self._jobs[:replied], partial)[:replied]
            return None


def on_its_own(connection: Any, job: Job[ClusterNode]) -> Any:
    """The reply of one command on the connection that a program has given a node's client: redis-py uses it, too."""
    reply = None
    for command in [("ASKING",), job.args] if job.asking else [job.args]:
        connection.send_command(*command)
        reply = connection.read_response(disable_decoding=True) if job.decode is False else connection.read_response()
    return converted(reply, job.convert, {})


class Calls(CallSteps[ClusterNode], Blocking):
    """The sending side of a client of a cluster."""

    nodes_manager: NodesManager
    retry: Retry

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
        return run(self._executed(args, options))

    def _call(self, job: Job[ClusterNode]) -> None:
        """Sends one command and keeps its reply in the job. Raises the error that the command ends with."""
        manager = self.nodes_manager
        seen = manager.policy.round
        node = None
        try:
            node = job.place(manager.topology)
            job.reply = self._on(node, job)
        except FAILURES as error:
            run(self._send_again(job, node, error, seen))

    def _on(self, node: ClusterNode, job: Job[ClusterNode]) -> Any:
        client = node.redis_connection
        if client is None:
            client = self.nodes_manager.client(node)
        if client.connection is not None:
            with client.single_connection_lock:
                return on_its_own(client.connection, job)
        pool = client.connection_pool
        connection = pool.get_connection()
        try:
            if not job.asking:
                return connection.call(job.args, job.convert, job.decode)
            reply = connection.run(piped([job]))[1]
        finally:
            pool.release(connection)
        if isinstance(reply, Exception):
            try:
                raise reply
            finally:
                # The error's traceback leads to this frame.
                del reply
        return reply

    def _exchange(self, groups: Mapping[ClusterNode, Sequence[Job[ClusterNode]]]) -> list[list[Any] | Lost]:
        batches = [Batch(self.nodes_manager.client(node), jobs) for node, jobs in groups.items()]
        try:
            if len(batches) > 1:
                for batch in batches:
                    batch.begin()
            return [batch.finish() for batch in batches]
        finally:
            for batch in batches:
                batch.release()
