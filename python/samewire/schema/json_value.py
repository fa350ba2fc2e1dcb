"""Converts decoded values to JSON, for people and tools.

Integers of any size are numbers. `decimal`, `uuid`, dates and times are texts (ISO 8601, an instant in UTC with `Z`, a duration
in seconds with `s`), bytes are base64, an enum is its symbol, a union's struct is in an object under its name, NaN and the
infinities are texts. A map is an object if its keys are texts, numbers, enums or the like, and keys are the texts of these.
"""

from __future__ import annotations

import array
import base64
import datetime
import math
from collections.abc import Callable
from decimal import Decimal
from typing import Any
from uuid import UUID

from samewire.pack import DurationNs, TimeNs, TimestampNs
from samewire.pack.native_type import Adapted, Enum, List, Map, NativeType, Option, Ref, Scalar, Set, Struct, Tuple, Union

_DAY = 86_400 * 10**9
_EPOCH = datetime.date(1970, 1, 1)
#: Places of a decimal that are written without an exponent.
_PLACES = 64


Conversion = Callable[[Any], Any]


def json_conversion(native: NativeType) -> Conversion:
    """Returns the conversion of a type's values for `json.dumps`, so that the type is inspected only once."""
    return _Conversions().of(native)


class _Conversions:
    """The conversions of a type's parts: one for each struct, which may be a part of itself."""

    def __init__(self) -> None:
        self._structs: dict[Struct, Conversion] = {}

    def of(self, native: NativeType) -> Conversion:
        match native:
            case Scalar(kind):
                return _SCALARS.get(kind, _same)
            case Enum():
                members = native.members
                return lambda value: next(symbol for symbol, member in members.items() if member is value)
            case Option(item):
                present = self.of(item)
                return lambda value: None if value is None else present(value)
            case List(item):
                element = self.of(item)
                return lambda value: [element(part) for part in value]
            case Set(item):
                element = self.of(item)
                return lambda value: [element(part) for part in in_order(value, element)]
            case Tuple(items):
                elements = [self.of(item) for item in items]
                return lambda value: [element(part) for element, part in zip(elements, value, strict=True)]
            case Map(key, inner):
                name, element = self.of(key), self.of(inner)
                return lambda value: {_key(name(k)): element(v) for k, v in value.items()}
            case Struct():
                return self._structs.get(native) or self._struct(native)
            case Union():
                names = {member.cls: (member.name, self.of(member)) for member in native.members}
                return lambda value: _member(value, *names[type(value)])
            case Ref(item):
                return self.of(item)
            case Adapted():
                raise AssertionError("a type made from a schema has no adapter")

    def _struct(self, native: Struct) -> Conversion:
        parts: list[tuple[str, str, Conversion]] = []

        def convert(value: Any) -> dict[str, Any]:
            return {name: part(getattr(value, attribute)) for name, attribute, part in parts}

        self._structs[native] = convert
        parts.extend((field.name, field.attribute, self.of(field.type)) for field in native.fields)
        return convert


def _member(value: Any, name: str, conversion: Conversion) -> dict[str, Any]:
    return {name: conversion(value)}


def in_order(values: Any, plain: Conversion) -> list[Any]:
    """Returns the elements of a set in an order that does not depend on hashes: that of their texts or numbers.

    plain: the `json_conversion` of the elements.
    """

    def place(value: Any) -> Any:
        made = plain(value)
        return made.encode("utf-16-be", "surrogatepass") if isinstance(made, str) else made

    return sorted(values, key=place)


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _same(value: Any) -> Any:
    return value


def _iso(value: Any) -> str:
    return str(value.isoformat())


def _base64(value: Any) -> str:
    return base64.b64encode(value).decode()


def _any(value: Any) -> Any:
    match value:
        case TimestampNs():
            return _timestamp(value)
        case TimeNs():
            return _time(value)
        case DurationNs():
            return _duration(value)
        case datetime.datetime():
            return value.astimezone(datetime.UTC).isoformat().replace("+00:00", "Z")
        case datetime.timedelta():
            return _duration((value.days * 86_400 + value.seconds) * 10**9 + value.microseconds * 1000)
        case datetime.date() | datetime.time():
            return _iso(value)
        case bytes():
            return _base64(value)
        case Decimal():
            return _decimal(value)
        case UUID():
            return str(value)
        case float():
            return _number(value)
        case list():
            return [_any(part) for part in value]
        case array.array():
            return [_number(part) for part in value]
        case dict():
            return {_key(k): _any(v) for k, v in value.items()}
    return value


def _number(value: float) -> float | str:
    return value if math.isfinite(value) else str(value)


def _decimal(value: Decimal) -> str:
    """Without an exponent, unless that would add very many zeros: the text that `infer` read it from."""
    exponent = value.as_tuple().exponent
    return f"{value:f}" if isinstance(exponent, int) and -_PLACES <= exponent <= 0 else str(value)


def _fraction(nanoseconds: int) -> str:
    return f".{nanoseconds:09d}".rstrip("0").rstrip(".")


def _time(nanoseconds: int) -> str:
    seconds, rest = divmod(nanoseconds, 10**9)
    return f"{seconds // 3600:02d}:{seconds // 60 % 60:02d}:{seconds % 60:02d}{_fraction(rest)}"


def _timestamp(nanoseconds: int) -> str:
    days, rest = divmod(nanoseconds, _DAY)
    return f"{(_EPOCH + datetime.timedelta(days)).isoformat()}T{_time(rest)}Z"


def _duration(nanoseconds: int) -> str:
    seconds, rest = divmod(abs(nanoseconds), 10**9)
    return f"{'-' if nanoseconds < 0 else ''}{seconds}{_fraction(rest)}s"


#: Of the scalars that JSON does not have, and of those that it lacks values of.
_SCALARS: dict[str, Conversion] = {
    "any": _any,
    "timestamp": _timestamp,
    "time": _time,
    "duration": _duration,
    "date": _iso,
    "bytes": _base64,
    "decimal": _decimal,
    "uuid": str,
    "f32": _number,
    "f64": _number,
}
