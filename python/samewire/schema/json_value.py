"""Decoded values as JSON's: for people and for tools, not to be read back.

Integers of any size are numbers. `decimal`, `uuid`, dates and times are texts (ISO 8601, an instant in UTC with `Z`, a duration
in seconds with `s`), bytes are base64, an enum is its symbol, a union's struct is in an object under its name, NaN and the
infinities are texts. A map is an object if its keys are texts, numbers, enums or the like, and keys are the texts of these.
"""

from __future__ import annotations

import array
import base64
import datetime
import math
from decimal import Decimal
from typing import Any
from uuid import UUID

from samewire.pack import DurationNs, TimeNs, TimestampNs
from samewire.pack.native_type import Enum, List, Map, NativeType, Option, Ref, Scalar, Set, Struct, Tuple, Union

_DAY = 86_400 * 10**9
_EPOCH = datetime.date(1970, 1, 1)


def json_value(value: Any, native: NativeType) -> Any:
    """Returns what `json.dumps` takes, for a value of a native type."""
    match native:
        case Scalar(kind):
            return _any(value) if kind == "any" else _scalar(value, kind)
        case Enum():
            return next(symbol for symbol, member in native.members.items() if member is value)
        case Option(item):
            return None if value is None else json_value(value, item)
        case List(item) | Set(item):
            return [json_value(part, item) for part in value]
        case Tuple(items):
            return [json_value(part, item) for part, item in zip(value, items, strict=True)]
        case Map(key, inner):
            return {_key(json_value(k, key)): json_value(v, inner) for k, v in value.items()}
        case Struct():
            return {field.name: json_value(getattr(value, field.attribute), field.type) for field in native.fields}
        case Union():
            member = next(member for member in native.members if type(value) is member.cls)
            return {member.name: json_value(value, member)}
        case Ref(item):
            return json_value(value, item)


def _key(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)


def _scalar(value: Any, kind: str) -> Any:
    match kind:
        case "timestamp":
            return _timestamp(value)
        case "time":
            return _time(value)
        case "duration":
            return _duration(value)
        case "date":
            return value.isoformat()
        case "bytes":
            return base64.b64encode(value).decode()
        case "decimal" | "uuid":
            return str(value)
        case "f32" | "f64":
            return _number(value)
    return value


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
            return value.isoformat()
        case bytes():
            return base64.b64encode(value).decode()
        case Decimal() | UUID():
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
