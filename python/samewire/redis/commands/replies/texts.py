"""Texts, numbers, pairs and sets, from replies of either protocol.

Every conversion of this package takes what RESP2 and what RESP3 send for its command, so that a client need not know which
protocol a connection ended up with. Texts come as bytes or, with `decode_responses`, as str.
"""

from __future__ import annotations

import datetime
from typing import Any


def text(reply: Any, **_: Any) -> Any:
    """A text as str. What is no UTF-8 is replaced; anything but bytes stays as it is."""
    return reply.decode("utf-8", "replace") if isinstance(reply, bytes) else reply


def texts(reply: Any, **_: Any) -> list[Any]:
    """A list of texts as str."""
    return [text(one) for one in reply]


def number(reply: Any, **_: Any) -> Any:
    """A double: a text under RESP2. None stays None."""
    return reply if reply is None or type(reply) is float else float(reply)


def numbers(reply: Any, **_: Any) -> list[Any]:
    """A list of doubles and None."""
    return [number(one) for one in reply]


def pairs(reply: Any, **_: Any) -> Any:
    """A dict of a map, which RESP2 sends as a list of keys and values in turn. None is an empty dict."""
    if isinstance(reply, dict):
        return reply
    if reply is None:
        return {}
    turns = iter(reply)
    return dict(zip(turns, turns, strict=False))


def named(reply: Any, **_: Any) -> dict[Any, Any]:
    """A map whose keys are names: as str."""
    return {text(key): value for key, value in pairs(reply).items()}


def all_named(reply: Any, **_: Any) -> list[dict[Any, Any]]:
    """A list of maps whose keys are names."""
    return [named(one) for one in reply]


def flat(reply: Any) -> Any:
    """The keys and values of a map in turn, as RESP2 sends it."""
    return [one for entry in reply.items() for one in entry] if isinstance(reply, dict) else reply


def members(reply: Any, **_: Any) -> set[Any]:
    """A set, which RESP2 sends as a list."""
    return reply if isinstance(reply, set) else set(reply or ())


def listed(reply: Any, **_: Any) -> Any:
    """A set as a list, which RESP2 sends."""
    return list(reply) if isinstance(reply, set) else reply


def done(_reply: Any, **_: Any) -> bool:
    """True, whatever the status says."""
    return True


def truths(reply: Any, **_: Any) -> list[bool]:
    """A list of integers as whether each is not zero."""
    return [bool(one) for one in reply]


def moment(reply: Any, **_: Any) -> datetime.datetime | None:
    """A time of UNIX as a local datetime. None if it is zero."""
    return datetime.datetime.fromtimestamp(int(reply)) if reply else None


def seconds_and_micros(reply: Any, **_: Any) -> tuple[int, int]:
    """The reply of TIME: seconds and microseconds."""
    return int(reply[0]), int(reply[1])
