"""Classes for tests: every kind of class of the same struct, and a few small ones."""

from __future__ import annotations

import enum
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, TypedDict

import attrs
import msgspec
from samewire import pack

Year = Annotated[int, pack.I32]


@dataclass(slots=True, frozen=True)
class FrozenSlots:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


@dataclass(slots=True)
class Slots:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


@dataclass
class Plain:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


@dataclass(frozen=True)
class Frozen:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


class Named(NamedTuple):
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


class Keys(TypedDict):
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


class Struct(msgspec.Struct):
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


class LooseStruct(msgspec.Struct, gc=False, frozen=True):
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


@attrs.define
class Attrs:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


@attrs.frozen(slots=False)
class FrozenAttrs:
    id: str
    year: Year
    read: bool
    note: str | None
    tags: list[str]


CLASSES: list[Any] = [
    *(FrozenSlots, Slots, Plain, Frozen, Named, Keys, Struct, LooseStruct, Attrs, FrozenAttrs),
]


def one(cls: Any, number: int = 0) -> Any:
    """An instance; different numbers differ in all fields."""
    return cls(
        id=f"number {number}",
        year=1900 + number,
        read=number % 2 == 1,
        note=None if number % 3 == 0 else f"note {number}",
        tags=[f"tag {i}" for i in range(number % 4)],
    )


class Color(enum.Enum):
    RED = 1
    GREEN = 2


class Level(enum.IntEnum):
    LOW = 1
    HIGH = 9


@dataclass
class Cat:
    name: str


@dataclass
class Dog:
    name: str
    age: int
