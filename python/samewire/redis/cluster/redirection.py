"""What is done about a command of a cluster that failed: where it goes next, after which wait, or that it may not be sent again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Generic, TypeVar

from ..exceptions import (
    AskError,
    AuthenticationError,
    AuthorizationError,
    BusyLoadingError,
    ClusterDownError,
    ClusterError,
    ConnectionError,
    MaxConnectionsError,
    MovedError,
    RedisError,
    SlotNotCoveredError,
    TimeoutError,
    TlsError,
    TryAgainError,
)
from ..session.retry import Failures
from .topology import Node, Topology

N = TypeVar("N", bound=Node)

#: Seconds to wait after so many failures of one kind, the last of which is given.
Backoff = Callable[[int, Exception], float]

#: MOVED, ASK and TRYAGAIN that one command follows; redis-py's `RedisClusterRequestTTL`.
REDIRECTIONS = 16

#: Seconds before a command is sent again whose keys are on two nodes: their slot is on its way.
TRY_AGAIN_SECONDS = 0.01

#: Errors for which the command did not run, and which a newer map may mend.
NOT_RUN = (ClusterDownError, BusyLoadingError, SlotNotCoveredError)

#: Connection errors that say nothing of the node's health.
OWN_FAULT = (AuthenticationError, AuthorizationError, MaxConnectionsError, TlsError)


class Map(Enum):
    """Whether the map of the cluster must be asked for."""

    GOOD = 0
    #: It is asked for, and no caller waits for it.
    LATER = 1
    #: The command cannot go on before.
    NOW = 2


@dataclass(slots=True)
class Step(Generic[N]):
    """What comes next for a command that failed.

    node: where it goes; None is where the map then says.
    asking: it needs ASKING before it.
    delay: seconds to wait before.
    error: what is raised, instead of all that.
    """

    map: Map = Map.GOOD
    node: N | None = None
    asking: bool = False
    delay: float = 0.0
    error: Exception | None = None


class Attempts(Generic[N]):
    """The attempts at one command.

    repeatable: whether it may be sent again although it may have run.
    retries: how often it is sent again because of a node that failed, or a cluster that is down.
    backoff: seconds to wait by the number of such failures, and the last of them.
    """

    __slots__ = ("_backoff", "_redirections", "_repeatable", "_retries", "_topology", "failures")

    def __init__(self, topology: Topology[N], repeatable: bool, retries: int, backoff: Backoff) -> None:
        self._topology = topology
        self._repeatable = repeatable
        self._retries = retries
        self._backoff = backoff
        self.failures = Failures()
        self._redirections = 0

    def after(self, error: Exception, node: Node | None) -> Step[N]:
        """What comes after an error of a node."""
        if isinstance(error, AskError | TryAgainError):
            self._redirections += 1
            if self._redirections > REDIRECTIONS:
                return Step(Map.LATER, error=_exhausted(error))
            if isinstance(error, TryAgainError):
                return Step(delay=TRY_AGAIN_SECONDS * self._redirections)
            # A server that does not know its own address leaves the host out.
            host = error.host or (node.host if node is not None else "")
            if not isinstance(error, MovedError):
                return Step(node=self._topology.node(host, error.port), asking=True)
            old = self._topology.moved(error.slot_id, host, error.port)
            return Step(Map.LATER if old else Map.GOOD, node=self._topology.serving(error.slot_id))
        if isinstance(error, NOT_RUN):
            return self._again(error)
        if isinstance(error, ConnectionError | TimeoutError) and not isinstance(error, OWN_FAULT):
            if error.may_have_run and not self._repeatable:
                return Step(Map.LATER, error=error)
            return self._again(error)
        return Step(error=error)

    def _again(self, error: Exception) -> Step[N]:
        alike = self.failures.add(error)
        if alike > self._retries:
            return Step(Map.LATER, error=error)
        # The first time no wait: only this node may have failed, and its replica may be in its place already.
        delay = self._backoff(alike - 1, error) if self.failures.count > 1 else getattr(error, "retry_in", 0.0)
        return Step(Map.NOW, delay=delay)


def _exhausted(error: RedisError) -> ClusterError:
    """The error of a command that was sent from node to node too often."""
    raised = ClusterError(f"TTL exhausted: the command was redirected {REDIRECTIONS} times, at last with: {error}")
    raised.__cause__ = error
    return raised


def unasked(error: Exception) -> Exception:
    """ASK as TRYAGAIN: a transaction cannot be asked of the node that imports its slot; it waits until the slot has moved."""
    if isinstance(error, AskError) and not isinstance(error, MovedError):
        return TryAgainError(*error.args)
    return error
