"""Lists, hashes, sets of keys, and sorting."""

from __future__ import annotations

from typing import Any

from .texts import named, pairs


def popped_tuple(reply: Any, **_: Any) -> tuple[Any, ...] | None:
    """What a blocking pop returns: key and value; None after the time-out."""
    return tuple(reply) if reply else None


def popped_list(reply: Any, **_: Any) -> Any:
    """What a blocking pop returns: key and value; None after the time-out."""
    return reply or None


def scanned(reply: Any, **_: Any) -> tuple[int, Any]:
    """The cursor and what was found."""
    cursor, found = reply
    return int(cursor), found


def scanned_fields(reply: Any, *, no_values: Any = False, **_: Any) -> tuple[int, Any]:
    """The cursor and a dict; with NOVALUES a list of fields."""
    cursor, found = reply
    return int(cursor), (found or []) if no_values else pairs(found)


def random_fields_flat(reply: Any, *, withvalues: Any = False, **_: Any) -> Any:
    """HRANDFIELD: `[field, value, …]`"""
    if reply and withvalues and isinstance(reply[0], list):
        return [one for entry in reply for one in entry]
    return reply


def random_fields(reply: Any, *, withvalues: Any = False, **_: Any) -> Any:
    """HRANDFIELD: `[[field, value], …]`"""
    if reply and withvalues and not isinstance(reply[0], list):
        turns = iter(reply)
        return [[field, value] for field, value in zip(turns, turns, strict=False)]
    return reply


def sorted_groups(reply: Any, *, groups: Any = None, **_: Any) -> Any:
    """SORT: with `groups` a tuple for each element, of as many values as there are GET patterns."""
    if not reply or not groups:
        return reply
    turns = iter(reply)
    return list(zip(*[turns] * groups, strict=False))


def common(reply: Any, **_: Any) -> Any:
    """LCS: text and length as they are, IDX as a dict."""
    return named(reply) if isinstance(reply, (dict, list)) else reply


def common_flat(reply: Any, **_: Any) -> Any:
    """LCS: text and length as they are, IDX as names and values in turn."""
    return [one for entry in reply.items() for one in entry] if isinstance(reply, dict) else reply


def assigned(reply: Any, *, get: Any = False, **_: Any) -> Any:
    """SET: True, None if the condition did not hold, with GET the value that was there."""
    return True if not get and reply in (b"OK", "OK") else reply
