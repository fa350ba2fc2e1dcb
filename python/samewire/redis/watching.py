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
    raised = ConnectionError("the master has become a replica: nothing has run, and the new master is asked")
    raised.may_have_run = False
    return raised


def no_master(service: str, errors: Sequence[str]) -> MasterNotFoundError:
    """The error of a service whose master no sentinel knows. errors: why sentinels did not reply."""
    return MasterNotFoundError("; ".join((f"no sentinel knows a master of {service!r} that is up", *errors)))


def no_replica(service: str) -> SlaveNotFoundError:
    """The error of a service of which no server can be reached."""
    return SlaveNotFoundError(f"no replica of {service!r} can be reached, nor its master")


def shown(one: object, pool: Any, address: tuple[object, object] | None = None) -> str:
    """The `repr` of a pool of a service, or of a connection to the server at `address`."""
    role = "master" if pool.is_master else "replicas"
    at = f" at {address[0]}:{address[1]}" if address and address[0] else ""
    return f"<{type(one).__module__}.{type(one).__name__} of {pool.service_name!r}, {role}{at}>"


def not_master(role: object) -> str | None:
    """Why a server is not to be used as a master by what it replied to ROLE; None if it is one, or may not tell."""
    if not isinstance(role, list) or not role:
        return None
    name = role[0].decode() if isinstance(role[0], bytes) else role[0]
    return None if name == "master" else f"the sentinels' master says that it is a {name}"
