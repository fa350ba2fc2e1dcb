"""Sends jobs to the nodes of a cluster, and sends again what may be. Blocking and asyncio callers share it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Generic, TypeVar

from ..exceptions import ConnectionError, RedisError, SlotNotCoveredError, TimeoutError
from ..session.retry import AbstractRetry
from ..steps import Operations, Steps
from .batch import Job, Rounds
from .node_choice import NodeChoice
from .nodes import NodeOfClient, NodeSteps
from .redirection import OWN_FAULT, Attempts, Map, Step

N = TypeVar("N", bound=NodeOfClient)

#: What a lost node has left: the error, how many commands were written, and the replies that came before.
Lost = tuple[Exception, int, Sequence[Any]]

#: What a command may fail with.
FAILURES = (RedisError, SlotNotCoveredError)


class CallSteps(NodeChoice[N], Operations, Generic[N]):
    """The sending side of a client of a cluster."""

    nodes_manager: NodeSteps[N, Any]
    retry: AbstractRetry
    reinitialize_steps: int

    # What each kind has of its own; what may wait is a step.

    #: The keywords of the nodes' clients.
    get_connection_kwargs: Callable[[], dict[str, Any]]
    #: Sends a command that takes a plan, and returns its reply.
    _executed: Callable[[tuple[Any, ...], dict[str, Any]], Steps[Any]]
    #: Sends one command and keeps its reply in the job. Raises the error that the command ends with.
    _call: Callable[[Job[N]], Any]
    #: The reply of one command from a node.
    _on: Callable[[N, Job[N]], Any]
    #: The replies of each node, in order, errors in their places, or what a lost one has left. All nodes are written to before
    #: one is waited for.
    _exchange: Callable[[Mapping[N, Sequence[Job[N]]]], Any]

    def _backoff(self, failures: int, error: Exception | None = None) -> float:
        return self.retry.seconds_before(failures, error)

    def _follow(self, step: Step[N], seen: int) -> Steps[None]:
        """Does what must be done before the next attempt. seen: the round of the map that the last one was made with.

        Raises the step's error.
        """
        if step.map is Map.LATER and self.reinitialize_steps:
            self.nodes_manager.refresh_later()
        if step.error is not None:
            # Nothing keeps the error that its traceback leads to.
            error, step.error = step.error, None
            try:
                raise error
            finally:
                del error
        if step.delay:
            yield self._sleep(step.delay)
        if step.map is Map.NOW:
            yield self.nodes_manager.refresh(seen)

    def _send_again(self, job: Job[N], node: N | None, error: Exception, seen: int) -> Steps[None]:
        """Sends a command again that failed, until its reply is in the job. Raises the error that the command ends with.

        node: where it failed; None if it was not known where it goes.
        """
        manager = self.nodes_manager
        try:
            while True:
                if node is not None:
                    self._note(node, error)
                step = job.after(error, node, manager.topology, self.retry.get_retries(), self._backoff)
                yield from self._follow(step, seen)
                seen = manager.policy.round
                node = None
                try:
                    node = job.place(manager.topology)
                    job.reply = yield self._on(node, job)
                    return
                except FAILURES as failed:
                    error = failed
        finally:
            # The error's traceback leads to this frame.
            del error

    def _run(self, jobs: Sequence[Job[N]]) -> Steps[None]:
        """Sends commands to all their nodes at once. Each job has its reply or error afterwards."""
        manager = self.nodes_manager
        rounds = Rounds(jobs, manager.topology, self.retry.get_retries(), self._backoff)
        while rounds.unfinished:
            seen = manager.policy.round
            groups = rounds.groups()
            exchanged: list[list[Any] | Lost] = yield self._exchange(groups)
            for (node, group), replies in zip(groups.items(), exchanged, strict=True):
                if isinstance(replies, tuple):
                    self._note(node, replies[0])
                    rounds.lost(group, node, *replies)
                else:
                    for reply in replies:
                        if isinstance(reply, Exception):
                            self._note(node, reply)
                    rounds.replied(group, node, replies)
            yield from self._follow(rounds.step, seen)

    def _note(self, node: N, error: Exception) -> None:
        """Notes a node that does not reply: other nodes are asked for the map before it."""
        if isinstance(error, ConnectionError | TimeoutError) and not isinstance(error, OWN_FAULT):
            self.nodes_manager.failed(node)

    def _attempts_at(self, repeatable: bool) -> Attempts[N]:
        """The attempts at something that is more than one job."""
        return Attempts(self.nodes_manager.topology, repeatable, self.retry.get_retries(), self._backoff)
