"""Sends jobs to the nodes of a cluster, and sends again what may be, for blocking callers."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Any

from .batch import Job, Rounds, piped, without_asking
from .clustering import Placing
from .exceptions import ConnectionError, RedisError, SlotNotCoveredError, TimeoutError
from .nodes import ClusterNode, NodesManager
from .redirection import OWN_FAULT, Map, Step
from .retry import Retry

#: What a node's reply is when it never came: the error, and how many commands were written.
Lost = tuple[Exception, int]


class Calls(Placing[ClusterNode]):
    """The sending side of a client of a cluster."""

    nodes_manager: NodesManager
    retry: Retry
    reinitialize_steps: int

    def execute_command(self, *args: Any, **options: Any) -> Any:
        """Sends a command and returns its reply."""
        raise NotImplementedError

    def _backoff(self, failures: int) -> float:
        return self.retry._backoff.compute(failures)

    def _follow(self, step: Step[ClusterNode], seen: int) -> None:
        """Does what must be done before the next attempt. seen: the round of the map that the last one was made with.

        Raises the step's error.
        """
        if step.map is Map.LATER and self.reinitialize_steps:
            self.nodes_manager.refresh_later()
        if step.error is not None:
            raise step.error
        if step.delay:
            time.sleep(step.delay)
        if step.map is Map.NOW:
            self.nodes_manager.refresh(seen)

    def _call(self, job: Job[ClusterNode]) -> None:
        """Sends one command and keeps its reply in the job. Raises the error that the command ends with."""
        manager = self.nodes_manager
        while True:
            seen = manager.policy.round
            node = None
            try:
                node = job.place(manager.topology)
                job.reply = self._on(node, job)
                return
            except (RedisError, SlotNotCoveredError) as error:
                if node is not None:
                    self._note(node, error)
                step = job.after(error, node, manager.topology, self.retry.get_retries(), self._backoff)
                if step.error is error:
                    step.error = None
                    self._follow(step, seen)
                    raise
                self._follow(step, seen)

    def _on(self, node: ClusterNode, job: Job[ClusterNode]) -> Any:
        pool = self.nodes_manager.pool(node)
        connection = pool.get_connection()
        try:
            if not job.asking:
                return connection.call(job.args, job.convert, job.decode)
            reply = connection.run(piped([job]))[1]
        finally:
            pool.release(connection)
        if isinstance(reply, Exception):
            raise reply
        return reply

    def _run(self, jobs: Sequence[Job[ClusterNode]]) -> None:
        """Sends commands to all their nodes at once. Each job has its reply or error afterwards."""
        manager = self.nodes_manager
        rounds = Rounds(jobs, manager.topology, self.retry.get_retries(), self._backoff)
        while rounds.waiting:
            seen = manager.policy.round
            groups = rounds.groups()
            for (node, group), replies in zip(groups.items(), self._exchange(groups), strict=True):
                if isinstance(replies, tuple):
                    self._note(node, replies[0])
                    rounds.lost(group, node, *replies)
                else:
                    rounds.replied(group, node, replies)
            self._follow(rounds.step, seen)

    def _exchange(self, groups: dict[ClusterNode, list[Job[ClusterNode]]]) -> list[list[Any] | Lost]:
        """The replies of each node, in order. The nodes work at the same time."""
        if not groups:
            return []
        first, *others = groups.items()
        pending = [self.nodes_manager.threads().submit(self._batch, *other) for other in others]
        return [self._batch(*first), *(one.result() for one in pending)]

    def _batch(self, node: ClusterNode, jobs: list[Job[ClusterNode]]) -> list[Any] | Lost:
        pool = self.nodes_manager.pool(node)
        try:
            connection = pool.get_connection()
        except RedisError as error:
            return error, 0
        link = connection._link
        try:
            replies = connection.run(piped(jobs))
        except RedisError as error:
            sent = link.sent if link is not None else 0
            # ASKING takes a place of its own before its command.
            return error, sent - sum(job.asking for job in jobs[:sent])
        finally:
            pool.release(connection)
        return without_asking(jobs, replies)

    def _note(self, node: ClusterNode, error: Exception) -> None:
        """Has other nodes asked for the map before one that does not reply."""
        if isinstance(error, ConnectionError | TimeoutError) and not isinstance(error, OWN_FAULT):
            self.nodes_manager.failed(node)
