"""Converts between the vectors' notation (spec/vectors/README.md) and Python values of a native type."""

from __future__ import annotations

import array
import datetime
import struct
import uuid
from decimal import Context, Decimal
from typing import Any, Final

from samewire.pack import DurationNs, TimeNs, TimestampNs
from samewire.pack.native_type import (
    Enum,
    List,
    Map,
    NativeType,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Union,
)

EPOCH: Final = datetime.date(1970, 1, 1).toordinal()
INTEGERS: Final = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "time", "timestamp", "duration")
#: Numeric lists inside an `any`: their name and `array`'s letter.
ARRAYS: Final = {
    "i8s": "b",
    "i16s": "h",
    "i32s": "i",
    "i64s": "q",
    "u16s": "H",
    "u32s": "I",
    "u64s": "Q",
    "f32s": "f",
    "f64s": "d",
}
LARGE: Final = 10**4000
WIDE: Final = Context(prec=20_000, Emin=-(10**10), Emax=10**10)


def big(text: str) -> int:
    """A decimal string of any length, which `int` alone refuses over 4,300 digits."""
    return int(Decimal(text)) if len(text) > 4000 else int(text)


def big_text(value: int) -> str:
    """The inverse of `big`."""
    return str(value) if abs(value) < LARGE else format(Decimal(value), "f")


def float_of(bits: str) -> float:
    """A number from its bits in hexadecimal."""
    number: float = struct.unpack(">f" if len(bits) == 8 else ">d", bytes.fromhex(bits))[0]
    return number


def bits_of(number: float, kind: str) -> str:
    """The bits in hexadecimal; all NaNs are one."""
    if number != number:
        return "7fc00000" if kind == "f32" else "7ff8000000000000"
    return struct.pack(">f" if kind == "f32" else ">d", number).hex()


def decimal_of(text: str) -> Decimal:
    """A number from `unscaled/scale`."""
    unscaled, scale = text.split("/")
    return Decimal(unscaled).scaleb(-int(scale), WIDE)


def decimal_text(number: Decimal) -> str:
    """The inverse of `decimal_of`."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    whole = "".join(map(str, digits)).lstrip("0") or "0"
    return f"{'-' if sign and whole != '0' else ''}{whole}/{-exponent}"


class Values:
    """Native values of one message; shared structs by their number."""

    def __init__(self) -> None:
        self.shared: dict[int, Any] = {}

    def of(self, notation: Any, native: NativeType) -> Any:
        """The value of a notation."""
        match native:
            case Scalar(kind):
                return any_of(notation) if kind == "any" else scalar_of(notation, kind)
            case Enum():
                return native.members[notation]
            case Option(item):
                return None if notation is None else self.of(notation, item)
            case List(item):
                return [self.of(part, item) for part in notation]
            case Set(item):
                return {self.of(part, item) for part in notation}
            case Map(key, value):
                return {self.of(k, key): self.of(v, value) for k, v in notation}
            case Tuple(items):
                return tuple(self.of(part, item) for part, item in zip(notation, items, strict=True))
            case Struct():
                fields = {f.attribute: self.of(notation[f.name], f.type) for f in native.fields}
                return native.cls(**fields)
            case Union():
                ((name, inner),) = notation.items()
                return self.of(inner, next(member for member in native.members if member.name == name))
            case Ref(item):
                if "value" in notation:
                    self.shared[notation["ref"]] = self.of(notation["value"], item)
                return self.shared[notation["ref"]]


def scalar_of(notation: Any, kind: str) -> Any:
    """The value of a scalar's notation."""
    if kind in INTEGERS:
        return big(notation)
    match kind:
        case "f32" | "f64":
            return float_of(notation)
        case "decimal":
            return decimal_of(notation)
        case "bytes":
            return bytes.fromhex(notation)
        case "uuid":
            return uuid.UUID(notation)
        case "date":
            return datetime.date.fromordinal(EPOCH + int(notation))
    return notation


def any_of(notation: Any) -> Any:
    """The value of the notation of an `any`."""
    if not isinstance(notation, dict):
        return notation
    ((tag, inner),) = notation.items()
    match tag:
        case "int" | "bigint":
            return big(inner)
        case "list":
            return [any_of(part) for part in inner]
        case "map":
            return {any_of(k): any_of(v) for k, v in inner}
        case "time":
            return TimeNs(inner)
        case "timestamp":
            return TimestampNs(inner)
        case "duration":
            return DurationNs(inner)
    if tag in ARRAYS:
        return array.array(ARRAYS[tag], [scalar_of(part, tag[:-1]) for part in inner])
    return scalar_of(inner, tag)


class Notations:
    """The notation of one message's values; shared structs are numbered as they end."""

    def __init__(self) -> None:
        self.numbers: dict[int, int] = {}

    def of(self, value: Any, native: NativeType) -> Any:
        """The notation of a value."""
        match native:
            case Scalar(kind):
                return any_text(value) if kind == "any" else scalar_text(value, kind)
            case Enum():
                return next(symbol for symbol, member in native.members.items() if member is value)
            case Option(item):
                return None if value is None else self.of(value, item)
            case List(item):
                return [self.of(part, item) for part in value]
            case Set(item):
                return sorted((self.of(part, item) for part in value), key=key_order(item))
            case Map(key, inner):
                return [[self.of(k, key), self.of(v, inner)] for k, v in value.items()]
            case Tuple(items):
                return [self.of(part, item) for part, item in zip(value, items, strict=True)]
            case Struct():
                return {f.name: self.of(getattr(value, f.attribute), f.type) for f in native.fields}
            case Union():
                member = next(member for member in native.members if type(value) is member.cls)
                return {member.name: self.of(value, member)}
            case Ref(item):
                if id(value) in self.numbers:
                    return {"ref": self.numbers[id(value)]}
                inner_notation = self.of(value, item)
                number = self.numbers[id(value)] = len(self.numbers)
                return {"ref": number, "value": inner_notation}


def key_order(native: NativeType) -> Any:
    """Sort key of notations in the order of set keys (section 8)."""
    if isinstance(native, Scalar) and native.kind in (*INTEGERS, "date"):
        return int
    if isinstance(native, Scalar) and native.kind == "bool":
        return bool
    return lambda text: text.encode("utf-16-be")


def nanoseconds(value: Any) -> str:
    """A time in any of its classes, as nanoseconds."""
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, datetime.datetime):
        value = value - datetime.datetime(1970, 1, 1, tzinfo=datetime.UTC)
    if isinstance(value, datetime.time):
        value = datetime.datetime.combine(datetime.date.min, value) - datetime.datetime.min
    assert isinstance(value, datetime.timedelta)
    return str(((value.days * 86_400 + value.seconds) * 1_000_000 + value.microseconds) * 1000)


def scalar_text(value: Any, kind: str) -> Any:
    """The notation of a scalar."""
    match kind:
        case "time" | "timestamp" | "duration":
            return nanoseconds(value)
        case "f32" | "f64":
            return bits_of(value, kind)
        case "decimal":
            return decimal_text(value)
        case "bytes":
            return bytes(value).hex()
        case "uuid":
            return str(value)
        case "date":
            return str(value.toordinal() - EPOCH)
    return big_text(value) if kind in INTEGERS else value


def any_text(value: Any) -> Any:
    """The notation of an `any`."""
    if value is None or isinstance(value, bool):
        return value
    match value:
        case TimestampNs() | datetime.datetime():
            return {"timestamp": nanoseconds(value)}
        case TimeNs() | datetime.time():
            return {"time": nanoseconds(value)}
        case DurationNs() | datetime.timedelta():
            return {"duration": nanoseconds(value)}
        case datetime.date():
            return {"date": scalar_text(value, "date")}
        case int():
            return {"int" if -(2**63) <= value < 2**63 else "bigint": big_text(value)}
        case float():
            return {"f64": bits_of(value, "f64")}
        case str():
            return {"string": value}
        case bytes():
            return {"bytes": value.hex()}
        case list():
            return {"list": [any_text(part) for part in value]}
        case dict():
            return {"map": [[any_text(k), any_text(v)] for k, v in value.items()]}
        case Decimal():
            return {"decimal": decimal_text(value)}
        case uuid.UUID():
            return {"uuid": str(value)}
        case array.array():
            name = next(name for name, letter in ARRAYS.items() if letter == value.typecode)
            return {name: [scalar_text(part, name[:-1]) for part in value]}
    raise AssertionError(f"{value!r} came out of an any")
