"""What a sentinel tells of the servers that it watches."""

from __future__ import annotations

import contextlib
from typing import Any

from .texts import pairs, text

_NUMBERS = frozenset(
    "can-failover-its-master config-epoch down-after-milliseconds failover-timeout info-refresh last-hello-message "
    "last-ok-ping-reply last-ping-reply last-ping-sent master-link-down-time master-port num-other-sentinels num-slaves "
    "o-down-time pending-commands parallel-syncs port quorum role-reported-time s-down-time slave-priority "
    "slave-repl-offset voted-leader-epoch".split()
)
_STATES = ("master", "slave", "s_down", "o_down", "sentinel", "disconnected", "master_down")
#: Names that redis-py spells otherwise.
_NAMES = {"s_down": "is_sdown", "o_down": "is_odown"}


def state(reply: Any, **_: Any) -> dict[str, Any]:
    """The fields of one server, and `is_master` and the like. Flags are one text."""
    found: dict[str, Any] = {}
    for key, value in pairs(reply).items():
        name, said = text(key), text(value)
        if name in _NUMBERS:
            with contextlib.suppress(ValueError):
                said = int(said)
        found[name] = said
    flags = found["flags"].split(",")
    for one in _STATES:
        found[_NAMES.get(one, f"is_{one}")] = one in flags
    return found


def state_sets(reply: Any, **_: Any) -> dict[str, Any]:
    """The fields of one server, with flags as a set."""
    found = state(reply)
    found["flags"] = set(found["flags"].split(","))
    return found


def by_name(reply: Any, **_: Any) -> dict[str, dict[str, Any]]:
    """SENTINEL MASTERS: each by its name."""
    return {one["name"]: one for one in map(state, reply)}


def by_name_sets(reply: Any, **_: Any) -> dict[str, dict[str, Any]]:
    """SENTINEL MASTERS: each by its name, with flags as sets."""
    return {one["name"]: one for one in map(state_sets, reply)}


def states(reply: Any, **_: Any) -> list[dict[str, Any]]:
    """SENTINEL REPLICAS and SENTINELS."""
    return [state(one) for one in reply]


def states_sets(reply: Any, **_: Any) -> list[dict[str, Any]]:
    """SENTINEL REPLICAS and SENTINELS, with flags as sets."""
    return [state_sets(one) for one in reply]


def address(reply: Any, **_: Any) -> tuple[Any, int] | None:
    """SENTINEL GET-MASTER-ADDR-BY-NAME: host and port, None if there is no such master."""
    return (reply[0], int(reply[1])) if reply else None


def reached(reply: Any, **_: Any) -> bool:
    """SENTINEL CKQUORUM: whether there are sentinels enough; the status says how many behind the OK."""
    return str(text(reply)).startswith("OK")
