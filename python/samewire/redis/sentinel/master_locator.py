"""What sentinels tell of a service, and what a client makes of it. Without I/O: sync and asyncio share it."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from typing import Any

from ..exceptions import ConnectionError, ReadOnlyError
from ..rules.error_replies import error_of

Address = tuple[str, int]

#: The channel on which sentinels publish that a service has another master.
SWITCHED = "+switch-master"

#: Seconds without a message after which a sentinel is asked whether it is there.
LISTEN_SECONDS = 10.0

#: Seconds for which the address that a master has left is not believed: the other sentinels learn of the switch within two.
LEFT_SECONDS = 30.0


def switch_of(message: Any, service: str) -> tuple[Address, Address] | None:
    """The old and the new address of a service's master that a sentinel's message tells; None if it tells something else."""
    if not isinstance(message, list) or len(message) != 3 or message[0] not in (b"message", "message"):
        return None
    data = message[2].decode("utf-8", "replace") if isinstance(message[2], bytes) else str(message[2])
    words = data.split(" ")
    if len(words) != 5 or words[0] != service or not (words[2].isdecimal() and words[4].isdecimal()):
        return None
    return (words[1], int(words[2])), (words[3], int(words[4]))


def pause_before(failures: int) -> float:
    """Seconds before a sentinel is listened to again that was lost so many times in a row."""
    return float(min(10.0, 0.05 * 2.0 ** min(failures, 10)))


class MasterAddress:
    """Where a service's master is, by what sentinels say of it.

    They learn of a switch one after the other: what one of them has published counts more than the others' replies.
    """

    def __init__(self) -> None:
        self.current: Address | None = None
        self._left: Address | None = None
        self._left_at = 0.0

    def found(self, address: Address, now: float) -> Address:
        """The address to use where a sentinel replies with this one."""
        if address == self._left and self.current is not None and now - self._left_at < LEFT_SECONDS:
            return self.current
        return address

    def switched(self, old: Address, new: Address, now: float) -> bool:
        """A sentinel has published a switch. Whether that was not known."""
        if self.current == new:
            return False
        self.current, self._left, self._left_at = new, old, now
        return True


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


def address_of(sentinel: Any) -> str:
    """The address of a sentinel's client; of a program's own object that stands for one, how it shows itself."""
    pool = getattr(sentinel, "connection_pool", None)
    if pool is None:
        return repr(sentinel)
    options = pool.connection_kwargs
    return f"{options.get('host')}:{options.get('port')}"


def listened_to(pool: Any) -> list[Any]:
    """The sentinels of a pool that can be listened to: clients, not objects of a program that stand for them."""
    return [each for each in getattr(pool.sentinel_manager, "sentinels", ()) if hasattr(each, "connection_pool")]


def sought(pool: Any) -> str:
    """What a connection is to lead to whose address no sentinel has told yet."""
    asked = ", ".join(map(address_of, getattr(pool.sentinel_manager, "sentinels", ())))
    return f"the {'master' if pool.is_master else 'replicas'} of {pool.service_name!r} (sentinels {asked})"


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
