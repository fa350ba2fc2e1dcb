"""`codec(strict=True)`: an `any` only where the program says `Any`."""

from __future__ import annotations

import collections
from dataclasses import dataclass
from typing import Any, Generic, Literal, TypeVar

import attrs
import pytest
from samewire import pack

T = TypeVar("T")


@dataclass
class Box(Generic[T]):
    item: T


Loose = attrs.make_class("Loose", {"size": attrs.field()})
Point = collections.namedtuple("Point", "x y")

SILENT: list[Any] = [
    dict,
    list,
    tuple,
    collections.deque,
    list[dict],  # type: ignore[type-arg]
    dict[str, list],  # type: ignore[type-arg]
    int | str,
    int | str | None,
    Literal["a", 1],
    Box,
    Loose,
    Point,
]


@pytest.mark.parametrize("kind", SILENT, ids=str)
def test_a_silent_any_is_refused(kind: Any) -> None:
    assert "any" in pack.codec(kind).schema.text
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind, strict=True)
    assert caught.value.code == "unsupported"
    assert "strict=True" in caught.value.text


@pytest.mark.parametrize(
    "kind", [Any, object, list[Any], dict[str, Any], Box[Any], Box[int], Literal["a"], list[int | None]], ids=str
)
def test_what_is_said_is_taken(kind: Any) -> None:
    assert pack.codec(kind, strict=True).schema == pack.codec(kind).schema
