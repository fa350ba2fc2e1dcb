"""Types of the program's as types that have a schema: those that every program has, and whole containers of them."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

from samewire.errors import SamewireError

from .markers import As

One = Callable[[Any], Any]
Made = TypeVar("Made", set[Any], dict[Any, Any])


def standard(cls: Any) -> As | None:
    """Returns how a class of the standard library that has no type of its own on the wire is written: paths and IP addresses
    as text."""
    if not isinstance(cls, type):
        return None
    pathlib = sys.modules.get("pathlib")
    if cls.__module__ == "ipaddress" or (pathlib is not None and issubclass(cls, pathlib.PurePath)):
        return As(str, str, cls)
    return None


def each(one: One, made: Callable[[Iterable[Any]], Any]) -> One:
    """Returns a function that makes a container of what `one` makes of each value of another."""
    return lambda values: made([one(value) for value in values])


def one_of(values: tuple[Any, ...], cls: type) -> One:
    """Returns a function that gives back a value of `cls` that is one of these, and refuses another. What is none of `cls` is for
    the type that it is written as to refuse."""
    known = frozenset(values)
    listed = ", ".join(repr(value) for value in values)

    def check(value: Any) -> Any:
        if isinstance(value, cls) and value not in known:
            raise SamewireError("type_mismatch", text=f"expected one of {listed:.200}, got {value!r:.60}")
        return value

    return check


def distinct(one: One) -> One:
    """Returns a function that makes a set of what `one` makes of each element, and refuses two that become one."""

    def make(values: Collection[Any]) -> set[Any]:
        return _as_many({one(value) for value in values}, values)

    return make


def entries(key: One | None, value: One | None) -> One:
    """Returns a function that makes a dict of what others make of a mapping's keys and values; None leaves them as they are.

    It refuses two keys that become one.
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
