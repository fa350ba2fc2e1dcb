"""Times, numbers, enums and containers of Python's library as values of pack; and readers of what comes back."""

from __future__ import annotations

import datetime
import decimal
import enum
import os
import re
import sys
import uuid
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import cache
from typing import Annotated, Any

from samewire import pack
from samewire._native import Value
from samewire.errors import SamewireError

_TIMES: dict[str, Any] = {
    "date": datetime.date,
    "time": datetime.time,
    "timestamp": datetime.datetime,
    "duration": datetime.timedelta,
}

#: Schemas of times that Java may have to the nanosecond: Python's class, and the type that has nanoseconds.
_FINER = {
    "time": ("time", "Annotated[int, pack.TIME]"),
    "timestamp": ("datetime", "Annotated[int, pack.TIMESTAMP]"),
    "duration": ("timedelta", "Annotated[int, pack.DURATION]"),
    "tuple<date, time>": ("datetime", "tuple[date, Annotated[int, pack.TIME]]"),
}


@cache
def _codec(kind: Any) -> pack.Codec[Any]:
    return pack.codec(kind)


def _exact(decode: Callable[[bytes], Any], name: str, finer: str) -> Callable[[bytes], Any]:
    """A reader of times that says what to do about those which Python's class of that name cannot hold."""

    def read(message: bytes) -> Any:
        try:
            return decode(message)
        except SamewireError as error:
            if error.code != "type_mismatch":
                raise
            text = (
                f"Python's {name} has microseconds and this value nanoseconds: "
                f"to_py({name}) leaves them out, to_py({finer}) keeps them"
            )
            raise SamewireError(error.code, text=text) from None

    return read


def _naive(message: tuple[datetime.date, datetime.time]) -> datetime.datetime:
    return datetime.datetime.combine(*message)


def _datetime(value: datetime.datetime) -> Value:
    if value.tzinfo is not None:
        return Value("timestamp", _codec(datetime.datetime).encode(value))
    return Value("tuple<date, time>", _codec(tuple[datetime.date, datetime.time]).encode((value.date(), value.time())))


def _packed(schema: str, kind: Any) -> Callable[[Any], Value]:
    return lambda value: Value(schema, _codec(kind).encode(value))


def _enum(member: enum.Enum) -> Value:
    codec = _codec(type(member))
    return Value(codec.schema.text, codec.encode(member))


def _number(value: Any) -> Any:
    return value.item()


def _array(values: Any) -> Any:
    """A numpy array that is not a plain row of a number's bytes: of several dimensions, strided, unsigned or of other kinds."""
    if values.ndim == 0:
        return values.item()
    if values.ndim > 1:
        return [_row(row) for row in values]
    return _row(values)


def _row(values: Any) -> Any:
    if values.ndim > 1:
        return [_row(row) for row in values]
    numpy = sys.modules["numpy"]
    wider = {"u1": "<i2", "u2": "<i4", "u4": "<i8", "f2": "<f4"}.get(values.dtype.str[1:])
    if wider is not None:
        return values.astype(wider)
    if values.dtype.kind in "bif" and values.dtype.itemsize <= 8:
        return numpy.ascontiguousarray(values, values.dtype.newbyteorder("<"))
    if values.dtype.kind in "uOSU":
        return values.tolist()
    raise TypeError(f"a numpy array of {values.dtype} cannot be passed to Java: convert it to numbers first")


_PACKED: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (datetime.datetime, _datetime),
    (datetime.date, _packed("date", datetime.date)),
    (datetime.time, _packed("time", datetime.time)),
    (datetime.timedelta, _packed("duration", datetime.timedelta)),
    (decimal.Decimal, _packed("decimal", decimal.Decimal)),
    (uuid.UUID, _packed("uuid", uuid.UUID)),
)


def conversion(kind: type) -> Callable[[Any], Any] | None:
    """How values of a class cross that is, or extends, one of the library's. None for other classes."""
    if kind is int:
        return _packed("bigint", Annotated[int, pack.BIGINT])
    if issubclass(kind, enum.Enum) and not issubclass(kind, int | str):
        return _enum
    for base, convert in _PACKED:
        if issubclass(kind, base):
            return convert
    if issubclass(kind, os.PathLike):
        return os.fspath
    for plain in (bool, int, float, str, bytes, bytearray):
        if issubclass(kind, plain):
            return plain
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        if issubclass(kind, numpy.ndarray):
            return _array
        if issubclass(kind, numpy.generic):
            return _number
    return _container(kind)


def _container(kind: type) -> Callable[[Any], Any] | None:
    if issubclass(kind, tuple):
        return None if hasattr(kind, "_fields") and getattr(kind, "__annotations__", None) else tuple
    if issubclass(kind, Mapping):
        return dict
    if issubclass(kind, Set):
        return set
    if issubclass(kind, list | deque | range) or (issubclass(kind, Collection) and issubclass(kind, Iterable)):
        return list
    return None


def decoder_of(schema: str, classes: Mapping[str, type]) -> Callable[[bytes], Any]:
    """What reads messages of a schema.

    classes: struct classes by name, for structs of these names.
    """
    if schema == "tuple<date, time>":
        read = _codec(tuple[datetime.date, datetime.time]).decode
        return _exact(lambda message: _naive(read(message)), *_FINER[schema])
    optional = schema.startswith("option<")
    inner = schema[len("option<") : -1] if optional else schema
    if inner == "tuple<date, time>":
        both = _codec(tuple[datetime.date, datetime.time] | None).decode
        return lambda message: None if (pair := both(message)) is None else _naive(pair)
    kind = _TIMES.get(inner)
    if kind is not None:
        decode = _codec(kind | None if optional else kind).decode
        return _exact(decode, *_FINER[inner]) if inner in _FINER else decode
    named = re.match(r"(list<)?struct (\w+)", schema)
    struct: Any = None if named is None else classes.get(named[2])
    if named is not None and struct is not None:  # of another version of the class
        return pack.codec(list[struct] if named[1] else struct).resolve(schema).decode
    return pack.codec(pack.types_of(schema)).decode
