"""Methods on places that are written by hand."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from samewire.redis.commands.executes import Executes
from samewire.redis.commands.values import exclusive
from samewire.redis.exceptions import DataError
from samewire.redis.typing import EncodableT, FieldT, KeyT

_UNITS = ("m", "km", "mi", "ft")


def _unit(unit: str) -> str:
    if unit.lower() not in _UNITS:
        raise DataError(f"unit must be one of {', '.join(_UNITS)}, not {unit!r}")
    return unit


def _sorting(sort: str | None) -> list[str]:
    if not sort:
        return []
    if sort.upper() not in ("ASC", "DESC"):
        raise DataError(f"sort must be 'ASC' or 'DESC', not {sort!r}")
    return [sort.upper()]


def _limit(count: int | None, any: bool) -> list[Any]:
    """COUNT and ANY."""
    if count is None and any:
        raise DataError("any=True needs count")
    return [] if count is None else ["COUNT", count, *(("ANY",) if any else ())]


def _details(withdist: bool, withcoord: bool, withhash: bool) -> list[str]:
    flags = {"WITHDIST": withdist, "WITHCOORD": withcoord, "WITHHASH": withhash}
    return [word for word, wanted in flags.items() if wanted]


def geoadd(self: Executes, name: KeyT, values: Sequence[EncodableT], nx: bool = False, xx: bool = False, ch: bool = False) -> Any:
    """Adds places and returns their number, with `ch` of those that changed (GEOADD).

    values: longitude, latitude and name of each place in turn.
    """
    if nx and xx:
        raise exclusive("nx", "xx")
    if len(values) % 3:
        raise DataError(f"values must be longitude, latitude and name of each place: {len(values)} values are not triples")
    flags = {"NX": nx, "XX": xx, "CH": ch}
    return self.execute_command("GEOADD", name, *(word for word, wanted in flags.items() if wanted), *values)


def geodist(self: Executes, name: KeyT, place1: FieldT, place2: FieldT, unit: str | None = None) -> Any:
    """Returns the distance between two places, None if one is missing (GEODIST). unit: m, km, mi or ft."""
    return self.execute_command("GEODIST", name, place1, place2, *((_unit(unit),) if unit else ()))


def _radius(
    self: Executes, command: str, *pieces: Any, unit: str | None, sort: str | None, count: int | None, any: bool, **options: Any
) -> Any:
    """What GEORADIUS and its variants have in common."""
    store, store_dist = options.get("store"), options.get("store_dist")
    if store and store_dist:
        raise exclusive("store", "store_dist")
    sent = [command, *pieces, _unit(unit) if unit else "m"]
    sent += _details(options["withdist"], options["withcoord"], options["withhash"])
    sent += _limit(count, any)
    sent += _sorting(sort)
    if store:
        sent += ("STORE", store)
    if store_dist:
        sent += ("STOREDIST", store_dist)
    options |= {"store": store, "store_dist": store_dist}
    return self.execute_command(*sent, unit=unit, sort=sort, count=count, any=any, **options)


def georadius(
    self: Executes,
    name: KeyT,
    longitude: float,
    latitude: float,
    radius: float,
    unit: str | None = None,
    withdist: bool = False,
    withcoord: bool = False,
    withhash: bool = False,
    count: int | None = None,
    sort: str | None = None,
    store: KeyT | None = None,
    store_dist: KeyT | None = None,
    any: bool = False,
) -> Any:
    """Returns the places within a radius of a point, or stores them (GEORADIUS). GEOSEARCH is its successor.

    With any of `withdist`, `withhash` and `withcoord` each place is a list: its name, then the distance, the hash and the
    position as far as they are asked for, in this order.
    With `store` or `store_dist` the number of places.
    """
    details = {"withdist": withdist, "withcoord": withcoord, "withhash": withhash, "store": store, "store_dist": store_dist}
    return _radius(self, "GEORADIUS", name, longitude, latitude, radius, unit=unit, sort=sort, count=count, any=any, **details)


def georadius_ro(
    self: Executes,
    name: KeyT,
    longitude: float,
    latitude: float,
    radius: float,
    unit: str | None = None,
    withdist: bool = False,
    withcoord: bool = False,
    withhash: bool = False,
    count: int | None = None,
    sort: str | None = None,
    any: bool = False,
) -> Any:
    """Returns the places within a radius of a point (GEORADIUS_RO, which replicas run too).

    With any of `withdist`, `withhash` and `withcoord` each place is a list: its name, then the distance, the hash and the
    position as far as they are asked for, in this order.
    """
    details = {"withdist": withdist, "withcoord": withcoord, "withhash": withhash}
    return _radius(self, "GEORADIUS_RO", name, longitude, latitude, radius, unit=unit, sort=sort, count=count, any=any, **details)


def georadiusbymember(
    self: Executes,
    name: KeyT,
    member: FieldT,
    radius: float,
    unit: str | None = None,
    withdist: bool = False,
    withcoord: bool = False,
    withhash: bool = False,
    count: int | None = None,
    sort: str | None = None,
    store: KeyT | None = None,
    store_dist: KeyT | None = None,
    any: bool = False,
) -> Any:
    """Returns the places within a radius of a place, or stores them (GEORADIUSBYMEMBER). GEOSEARCH is its successor.

    With any of `withdist`, `withhash` and `withcoord` each place is a list: its name, then the distance, the hash and the
    position as far as they are asked for, in this order.
    With `store` or `store_dist` the number of places.
    """
    details = {"withdist": withdist, "withcoord": withcoord, "withhash": withhash, "store": store, "store_dist": store_dist}
    return _radius(self, "GEORADIUSBYMEMBER", name, member, radius, unit=unit, sort=sort, count=count, any=any, **details)


def georadiusbymember_ro(
    self: Executes,
    name: KeyT,
    member: FieldT,
    radius: float,
    unit: str | None = None,
    withdist: bool = False,
    withcoord: bool = False,
    withhash: bool = False,
    count: int | None = None,
    sort: str | None = None,
    any: bool = False,
) -> Any:
    """Returns the places within a radius of a place (GEORADIUSBYMEMBER_RO, which replicas run too).

    With any of `withdist`, `withhash` and `withcoord` each place is a list: its name, then the distance, the hash and the
    position as far as they are asked for, in this order.
    """
    details = {"withdist": withdist, "withcoord": withcoord, "withhash": withhash}
    return _radius(self, "GEORADIUSBYMEMBER_RO", name, member, radius, unit=unit, sort=sort, count=count, any=any, **details)


def _area(
    member: FieldT | None,
    longitude: float | None,
    latitude: float | None,
    unit: str,
    radius: float | None,
    width: float | None,
    height: float | None,
    polygon: Sequence[tuple[float, float]],
) -> list[Any]:
    """Where a search looks: centre and shape."""
    if unit is None:
        raise DataError("unit must be one of m, km, mi, ft, not None")
    at = longitude is not None or latitude is not None
    shapes = (radius is not None) + (width is not None or height is not None) + bool(polygon)
    if shapes != 1:
        raise DataError("give one shape: radius, width with height, or polygon")
    if polygon:
        if member is not None or at:
            raise DataError("polygon needs no centre: leave member, longitude and latitude out")
        return ["BYPOLYGON", len(polygon), *(part for corner in polygon for part in corner)]
    if (member is not None) == at or (longitude is None) != (latitude is None):
        raise DataError("give one centre: member, or longitude with latitude")
    centre = ["FROMLONLAT", longitude, latitude] if at else ["FROMMEMBER", member]
    if radius is not None:
        return [*centre, "BYRADIUS", radius, _unit(unit)]
    if width is None or height is None:
        raise DataError("give both width and height, or radius")
    return [*centre, "BYBOX", width, height, _unit(unit)]


def geosearch(
    self: Executes,
    name: KeyT,
    member: FieldT | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
    unit: str = "m",
    radius: float | None = None,
    width: float | None = None,
    height: float | None = None,
    sort: str | None = None,
    count: int | None = None,
    any: bool = False,
    withcoord: bool = False,
    withdist: bool = False,
    withhash: bool = False,
    *,
    polygon: Sequence[tuple[float, float]] = (),
) -> Any:
    """Returns the places within a radius or a box around a centre, or within a polygon (GEOSEARCH).

    With any of `withdist`, `withhash` and `withcoord` each place is a list: its name, then the distance, the hash and the
    position as far as they are asked for, in this order.

    polygon: longitude and latitude of each corner (Valkey 9).
    """
    pieces = _area(member, longitude, latitude, unit, radius, width, height, polygon)
    pieces += [*_sorting(sort), *_limit(count, any), *_details(withdist, withcoord, withhash)]
    details = {"withdist": withdist, "withcoord": withcoord, "withhash": withhash}
    return self.execute_command("GEOSEARCH", name, *pieces, store=None, store_dist=None, **details)


def geosearchstore(
    self: Executes,
    dest: KeyT,
    name: KeyT,
    member: FieldT | None = None,
    longitude: float | None = None,
    latitude: float | None = None,
    unit: str = "m",
    radius: float | None = None,
    width: float | None = None,
    height: float | None = None,
    sort: str | None = None,
    count: int | None = None,
    any: bool = False,
    storedist: bool = False,
    *,
    polygon: Sequence[tuple[float, float]] = (),
) -> Any:
    """Stores what `geosearch` finds as a sorted set, and returns the number of places (GEOSEARCHSTORE).

    storedist: with distances as scores.
    """
    pieces = _area(member, longitude, latitude, unit, radius, width, height, polygon)
    pieces += [*_sorting(sort), *_limit(count, any)]
    return self.execute_command("GEOSEARCHSTORE", dest, name, *pieces, *(("STOREDIST",) if storedist else ()))
