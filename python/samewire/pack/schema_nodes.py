"""The nodes of a schema (spec/pack.md, sections 1 and 2): immutable, compared by content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type without parts: one of `schema_words.SCALARS`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Named:
    """A use of a struct or enum after the place that defines it."""

    name: str


@dataclass(frozen=True, slots=True)
class Enum:
    """Named symbols, ascending by UTF-16 code units in a canonical schema."""

    name: str
    symbols: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Option:
    """Null or an item."""

    item: Type


@dataclass(frozen=True, slots=True)
class List:
    """A sequence of items."""

    item: Type


@dataclass(frozen=True, slots=True)
class Set:
    """Distinct keys without order."""

    item: Type


@dataclass(frozen=True, slots=True)
class Map:
    """Entries with distinct keys, in order."""

    key: Type
    value: Type


@dataclass(frozen=True, slots=True)
class Tuple:
    """One to 255 values."""

    items: tuple[Type, ...]


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct."""

    name: str
    type: Type


@dataclass(frozen=True, slots=True)
class Struct:
    """Named fields in declared order."""

    name: str
    fields: tuple[Field, ...]


@dataclass(frozen=True, slots=True)
class Union:
    """One of several structs, ascending by name in a canonical schema."""

    members: tuple[Struct | Named, ...]


@dataclass(frozen=True, slots=True)
class Ref:
    """A struct shared by identity within a message."""

    item: Struct | Named


Type: TypeAlias = Scalar | Enum | Option | List | Set | Map | Tuple | Struct | Union | Ref | Named
