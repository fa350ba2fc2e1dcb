"""Writes classes without a schema as types with one: those of the standard library, and containers of such."""

from __future__ import annotations

import sys
from collections.abc import Callable, Collection, Iterable, Mapping
from typing import Any, TypeVar

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
