"""What a sentinel tells of the servers that it watches."""

from __future__ import annotations

import contextlib
from typing import Any, TypedDict

from .texts import pairs, text

#: What a sentinel knows of a master, a replica or another sentinel: its fields under the server's names, and `is_master` and the
#: like, which its flags say. A master has `quorum`, a replica `master-host`, a sentinel `voted-leader`, and so on. A field of a
#: newer server is there, too, as a text.
SentinelState = TypedDict(
    "SentinelState",
    {
        "name": str,
        "ip": str,
        "port": int,
        "runid": str,
        "flags": str | set[str],
        "link-pending-commands": str,
        "link-refcount": str,
        "last-ping-sent": int,
        "last-ok-ping-reply": int,
        "last-ping-reply": int,
        "s-down-time": int,
        "o-down-time": int,
        "down-after-milliseconds": int,
        "info-refresh": int,
        "role-reported": str,
        "role-reported-time": int,
        # Of a master.
        "config-epoch": int,
        "num-slaves": int,
        "num-other-sentinels": int,
        "quorum": int,
        "failover-timeout": int,
        "parallel-syncs": int,
        # Of a replica.
        "master-link-down-time": int,
        "master-link-status": str,
        "master-host": str,
        "master-port": int,
        "slave-priority": int,
        "slave-repl-offset": int,
        "replica-announced": str,
        # Of a sentinel.
        "last-hello-message": int,
        "voted-leader": str,
        "voted-leader-epoch": int,
        # What the flags say.
        "is_master": bool,
        "is_slave": bool,
        "is_sdown": bool,
        "is_odown": bool,
        "is_sentinel": bool,
        "is_disconnected": bool,
        "is_master_down": bool,
    },
    total=False,
)

_NUMBERS = frozenset(
    "can-failover-its-master config-epoch down-after-milliseconds failover-timeout info-refresh last-hello-message "
    "last-ok-ping-reply last-ping-reply last-ping-sent master-link-down-time master-port num-other-sentinels num-slaves "
    "o-down-time pending-commands parallel-syncs port quorum role-reported-time s-down-time slave-priority "
    "slave-repl-offset voted-leader-epoch".split()
)
_STATES = ("master", "slave", "s_down", "o_down", "sentinel", "disconnected", "master_down")
#: Names that redis-py spells otherwise.
_NAMES = {"s_down": "is_sdown", "o_down": "is_odown"}


def state(reply: Any, **_: Any) -> SentinelState:
    """The fields of one server, and `is_master` and the like. Flags are one text."""
    found: Any = {}
    for key, value in pairs(reply).items():
        name, said = text(key), text(value)
        if name in _NUMBERS:
            with contextlib.suppress(ValueError):
                said = int(said)
        found[name] = said
    flags = found["flags"].split(",")
    for one in _STATES:
        found[_NAMES.get(one, f"is_{one}")] = one in flags
    known: SentinelState = found
    return known


def state_sets(reply: Any, **_: Any) -> SentinelState:
    """The fields of one server, with flags as a set."""
    found = state(reply)
    flags = found["flags"]
    found["flags"] = set(flags.split(",")) if isinstance(flags, str) else flags
    return found


def by_name(reply: Any, **_: Any) -> dict[str, SentinelState]:
    """SENTINEL MASTERS: each by its name."""
    return {one["name"]: one for one in map(state, reply)}


def by_name_sets(reply: Any, **_: Any) -> dict[str, SentinelState]:
    """SENTINEL MASTERS: each by its name, with flags as sets."""
    return {one["name"]: one for one in map(state_sets, reply)}


def states(reply: Any, **_: Any) -> list[SentinelState]:
    """SENTINEL REPLICAS and SENTINELS."""
    return [state(one) for one in reply]


def states_sets(reply: Any, **_: Any) -> list[SentinelState]:
    """SENTINEL REPLICAS and SENTINELS, with flags as sets."""
    return [state_sets(one) for one in reply]


def address(reply: Any, **_: Any) -> tuple[Any, int] | None:
    """SENTINEL GET-MASTER-ADDR-BY-NAME: host and port, None if there is no such master."""
    return (reply[0], int(reply[1])) if reply else None


def reached(reply: Any, **_: Any) -> bool:
    """SENTINEL CKQUORUM: whether there are sentinels enough; the status says how many behind the OK."""
    return str(text(reply)).startswith("OK")
