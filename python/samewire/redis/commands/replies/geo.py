"""Places: positions, distances and searches."""

from __future__ import annotations

from typing import Any


def _position(found: Any) -> tuple[float, float]:
    return float(found[0]), float(found[1])


def positions_tuples(reply: Any, **_: Any) -> list[tuple[float, float] | None]:
    """GEOPOS: `[(longitude, latitude), …]`, None for a member that is missing."""
    return [None if one is None else _position(one) for one in reply]


def positions(reply: Any, **_: Any) -> list[list[float] | None]:
    """GEOPOS: `[[longitude, latitude], …]`, None for a member that is missing."""
    return [None if one is None else list(_position(one)) for one in reply]


def search(reply: Any, **options: Any) -> Any:
    """GEOSEARCH and GEORADIUS: members; with distance, hash or coordinates a list for each, in this order.

    With STORE the number of members.
    """
    if "store" not in options or options["store"] or options.get("store_dist"):
        return reply
    casts = [cast for name, cast in (("withdist", float), ("withhash", int), ("withcoord", _position)) if options.get(name)]
    found = reply if isinstance(reply, list) else [reply]
    if not casts:
        return found
    return [[one[0], *(cast(part) for cast, part in zip(casts, one[1:], strict=False))] for one in found]
