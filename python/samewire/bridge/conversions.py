"""Converts times, numbers, enums and containers of the standard library to values of pack, and back."""

from __future__ import annotations

import datetime
import decimal
import enum
import os
import re
import uuid
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Set
from functools import cache
from typing import Annotated, Any

from samewire import pack
from samewire._native import Value

from .numpy_values import of_missing, of_numpy, of_pandas
from .times import packed_date, packed_datetime, packed_time, packed_timedelta, time_decoder


@cache
def _codec(kind: Any) -> pack.Codec[Any]:
    return pack.codec(kind, check=False)


def _packed(schema: str, kind: Any) -> Callable[[Any], Value]:
    return lambda value: Value(schema, _codec(kind).encode(value))


def _enum(member: enum.Enum) -> Value:
    codec = _codec(type(member))
    return Value(codec.schema.text, codec.encode(member))


_PACKED: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (datetime.datetime, packed_datetime),
    (datetime.date, packed_date),
    (datetime.time, packed_time),
    (datetime.timedelta, packed_timedelta),
    (decimal.Decimal, _packed("decimal", decimal.Decimal)),
    (uuid.UUID, _packed("uuid", uuid.UUID)),
)

#: Classes that have subclasses, enums among them, and what makes a plain value of an instance, even if it overrides
#: methods.
_PLAIN: tuple[tuple[type, Callable[[Any], Any]], ...] = (
    (int, int.__int__),
    (float, float.__float__),
    (str, str.__str__),
    (bytes, lambda value: bytes.join(b"", [value])),
    (bytearray, bytearray),
)

#: Classes of values: an enum that extends one of them crosses as its value, and any other as the enum of that name.
_VALUES = tuple(base for base, _ in (*_PACKED, *_PLAIN))


def conversion(kind: type) -> Callable[[Any], Any] | None:
    """The conversion for a class of the standard library, or a subclass of one. None for other classes."""
    if kind is int:
        return _packed("bigint", Annotated[int, pack.BIGINT])
    if issubclass(kind, enum.Enum) and not issubclass(kind, _VALUES):
        return _enum
    for base, convert in _PACKED:
        if issubclass(kind, base):
            return of_missing(kind) or convert
    if issubclass(kind, os.PathLike):
        return os.fspath
    for base, plain in _PLAIN:
        if issubclass(kind, base):
            return plain
    return of_numpy(kind) or of_pandas(kind) or _container(kind)


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
    """The decoder for messages of a schema.

    classes: struct classes by name, for structs of these names.
    """
    times = time_decoder(schema)
    if times is not None:
        return times
    named = re.match(r"(list<)?struct (\w+)", schema)
    struct: Any = None if named is None else classes.get(named[2])
    if named is not None and struct is not None:  # of another version of the class
        return pack.codec(list[struct] if named[1] else struct).resolve(schema).decode
    return pack.codec(pack.types_of(schema)).decode
