"""Streams: entries, groups and consumers."""

from __future__ import annotations

from typing import Any

from .texts import all_named, named, pairs

_PENDING = ("message_id", "consumer", "time_since_delivered", "times_delivered")


def entries(reply: Any, **options: Any) -> Any:
    """`[(id, fields), …]`; `(None, None)` for an entry that is gone.

    With CLAIM, entries also have the idle time and the number of deliveries.
    """
    if reply is None:
        return None
    more = "claim_min_idle_time" in options
    try:
        if not more:
            # Without a call for each entry: this is most of what reading a stream costs.
            return [(number, dict(zip(rest := iter(fields), rest, strict=False))) for number, fields in reply]
    except (TypeError, ValueError):
        pass
    return [(None, None) if one is None else (one[0], pairs(one[1]), *(one[2:] if more else ())) for one in reply]


def _read(reply: Any) -> Any:
    """Streams and their entries as the wire has them."""
    return (reply.items() if isinstance(reply, dict) else reply) if reply else ()


def read_lists(reply: Any, **options: Any) -> list[Any]:
    """`[[stream, entries], …]`"""
    return [[stream, entries(found, **options)] for stream, found in _read(reply)]


def read_nested(reply: Any, **options: Any) -> dict[Any, Any]:
    """`{stream: [entries]}`"""
    return {stream: [entries(found, **options)] for stream, found in _read(reply)}


def read(reply: Any, **options: Any) -> dict[Any, Any]:
    """`{stream: entries}`"""
    return {stream: entries(found, **options) for stream, found in _read(reply)}


def claimed(reply: Any, *, parse_justid: Any = False, **_: Any) -> Any:
    """XCLAIM: entries, with JUSTID their ids."""
    return reply if parse_justid else entries(reply)


def auto_claimed(reply: Any, *, parse_justid: Any = False, **_: Any) -> Any:
    """XAUTOCLAIM: `[next id, entries, ids of deleted entries]`, with JUSTID the ids alone."""
    return reply[1] if parse_justid else [reply[0], entries(reply[1]), *reply[2:]]


def pending(reply: Any, *, parse_detail: Any = False, **_: Any) -> Any:
    """XPENDING: a summary as a dict; in its extended form a dict for each entry."""
    if parse_detail:
        return [dict(zip(_PENDING, one, strict=False)) for one in reply]
    consumers = [{"name": name, "pending": int(count)} for name, count in reply[3] or ()]
    return {"pending": reply[0], "min": reply[1], "max": reply[2], "consumers": consumers}


def _entry(found: Any) -> Any:
    """The first or last entry of a stream, None if it has none."""
    return found if found is None or found[0] is None else (found[0], pairs(found[1]))


def _group(found: Any) -> dict[Any, Any]:
    """A group of XINFO STREAM FULL. RESP3's consumers stay as they are."""
    group = named(found)
    if isinstance(found, list) and group["consumers"]:
        group["consumers"] = all_named(group["consumers"])
    return group


def stream_info(reply: Any, *, full: Any = False, **_: Any) -> dict[Any, Any]:
    """XINFO STREAM."""
    info = named(reply)
    if full:
        info["entries"] = {number: pairs(fields) for number, fields in info["entries"]}
        info["groups"] = [_group(one) for one in info["groups"]]
    else:
        info["first-entry"] = _entry(info.get("first-entry"))
        info["last-entry"] = _entry(info["last-entry"])
    return info
