"""What sentinels tell of a service, and what a client makes of it. Without I/O: sync and asyncio share it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from .exceptions import ConnectionError, ReadOnlyError
from .replies import error_of

Address = tuple[str, int]


class MasterNotFoundError(ConnectionError):
    """No sentinel knows a master of the service that is up."""


class SlaveNotFoundError(ConnectionError):
    """No sentinel knows a replica of the service that is up, nor its master."""


ReplicaNotFoundError = SlaveNotFoundError


def alive(replicas: Sequence[Mapping[str, Any]]) -> list[Address]:
    """The addresses of the replicas that are not thought to be down."""
    return [(one["ip"], one["port"]) for one in replicas if not one["is_odown"] and not one["is_sdown"]]


def usable(state: Mapping[str, Any], min_other_sentinels: int) -> bool:
    """Whether a sentinel says that a master is up, and knows enough other sentinels to be believed."""
    up = state["is_master"] and not state["is_sdown"] and not state["is_odown"]
    return bool(up and state["num-other-sentinels"] >= min_other_sentinels)


class Turns:
    """Goes round the replicas, from a random one on."""

    def __init__(self) -> None:
        self._next: int | None = None

    def of(self, replicas: Sequence[Address]) -> list[Address]:
        """The replicas in the order in which they are tried; the next call begins with the next one."""
        if not replicas:
            return []
        first = random.randrange(len(replicas)) if self._next is None else self._next % len(replicas)
        self._next = first + 1
        return [*replicas[first:], *replicas[:first]]


def demoted(text: str, is_master: bool) -> Exception:
    """The error of an error reply. That of a write to a master that has become a replica says that the connection is at fault:
    the write did not run, and goes to the new master on a new connection."""
    error = error_of(text)
    if not is_master or not isinstance(error, ReadOnlyError):
        return error
    raised = ConnectionError("The previous master is now a slave")
    raised.may_have_run = False
    return raised


def not_master(role: object) -> str | None:
    """Why a server is not to be used as a master by what it replied to ROLE; None if it is one, or may not tell."""
    if not isinstance(role, list) or not role:
        return None
    name = role[0].decode() if isinstance(role[0], bytes) else role[0]
    return None if name == "master" else f"the sentinels' master says that it is a {name}"
