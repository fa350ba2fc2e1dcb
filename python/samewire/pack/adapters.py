"""Writes classes without a schema as types with one: those of the standard library, and containers of such."""

from __future__ import annotations

import datetime
import decimal
import sys
import typing
import uuid
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, Final, Literal, SupportsIndex, TypeVar

from samewire.errors import SamewireError

from .markers import As

One = Callable[[Any], Any]
Made = TypeVar("Made", set[Any], dict[Any, Any])


def standard(cls: Any) -> As | None:
    """Returns the adapter of a standard library class without a type on the wire: paths and IP addresses are text."""
    if not isinstance(cls, type):
        return None
    pathlib = sys.modules.get("pathlib")
    if cls.__module__ == "ipaddress" or (pathlib is not None and issubclass(cls, pathlib.PurePath)):
        return As(str, str, cls)
    return None


def each(one: One, made: Callable[[Iterable[Any]], Any]) -> One:
    """Returns a function that converts each value of a container by `one`, and collects the results in another."""
    return lambda values: made([one(value) for value in values])


def one_of(values: tuple[Any, ...], cls: type) -> One:
    """Returns a function that returns a value of `cls` if it is one of these, and refuses others.

    Values of other classes pass: the type that they are written as refuses them."""
    known = frozenset(values)
    listed = ", ".join(repr(value) for value in values)

    def check(value: Any) -> Any:
        if isinstance(value, cls) and value not in known:
            raise SamewireError("type_mismatch", text=f"expected one of {listed:.200}, got {value!r:.60}")
        return value

    return check


def one_of_union(kinds: Collection[Any]) -> One:
    """Returns a function that returns a value of one of these types, of which some are Literals, and refuses others.

    Types that are no Literal are compared as an `any` keeps them: a tuple is a list there. What a container holds is not."""
    literals = [kind for kind in kinds if typing.get_origin(kind) is Literal]
    values = [value for kind in literals for value in typing.get_args(kind)]
    others = [kind for kind in kinds if typing.get_origin(kind) is not Literal]
    known = frozenset((_sort(value), value) for value in values)
    sorts = frozenset(sort for kind in others for sort in _sorts(kind))
    listed = ", ".join([*map(repr, values), *(getattr(kind, "__name__", None) or repr(kind) for kind in others)])

    def check(value: Any) -> Any:
        sort = _sort(value)
        if sort in sorts or object in sorts or (sort in _LITERAL and (sort, value) in known):
            return value
        raise SamewireError("type_mismatch", text=f"expected one of {listed:.200}, got {value!r:.60}")

    return check


def unless_null(one: One) -> One:
    """Returns a function that converts each value by `one` but None, which it returns."""
    return lambda value: value if value is None else one(value)


#: Classes that a Literal's values have.
_LITERAL: Final = frozenset((str, int, bool, bytes, type(None)))
#: What an `any` tells apart, a subclass before its base. What is none of these is a list to it.
_SORTS: Final = (
    (bool, bool),
    (int, int),
    (float, float),
    (str, str),
    ((bytes, bytearray, memoryview), bytes),
    (decimal.Decimal, decimal.Decimal),
    (uuid.UUID, uuid.UUID),
    (datetime.datetime, datetime.datetime),
    (datetime.date, datetime.date),
    (datetime.time, datetime.time),
    (datetime.timedelta, datetime.timedelta),
    (type(None), type(None)),
    (Mapping, dict),
    (SupportsIndex, int),
)


def _sort(value: Any) -> type:
    return next((sort for classes, sort in _SORTS if isinstance(value, classes)), list)


def _sorts(kind: Any) -> tuple[type, ...]:
    """What values of a type are to an `any`; `object` for each of them."""
    if kind is float:
        return (float, int)
    cls = typing.get_origin(kind) or kind
    if kind is Any or not isinstance(cls, type):
        return (object,) if cls is not None else (type(None),)
    return (next((sort for classes, sort in _SORTS if issubclass(cls, classes)), object if cls is object else list),)


def distinct(one: One) -> One:
    """Returns a function that converts each element of a set by `one`, and refuses two equal results."""

    def make(values: Collection[Any]) -> set[Any]:
        return _as_many({one(value) for value in values}, values)

    return make


def entries(key: One | None, value: One | None) -> One:
    """Returns a function that converts a mapping's keys and values by two others; None leaves them unchanged.

    It refuses two equal resulting keys.
    """

    def make(mapping: Mapping[Any, Any]) -> dict[Any, Any]:
        return _as_many({key(k) if key else k: value(v) if value else v for k, v in mapping.items()}, mapping)

    return make


def _as_many(made: Made, given: Collection[Any]) -> Made:
    if len(made) != len(given):
        raise SamewireError(
            "type_mismatch", text=f"an adapter made {len(made)} different keys of {len(given)}: one would be lost"
        )
    return made
