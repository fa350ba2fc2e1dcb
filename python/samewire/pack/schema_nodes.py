"""The nodes of a schema (spec/pack.md, sections 1 and 2): immutable, compared by content."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, TypeAlias

INTEGERS: Final = ("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
SCALARS: Final = (
    *("bool", *INTEGERS, "bigint", "f32", "f64", "decimal", "string", "bytes", "uuid"),
    *("date", "time", "timestamp", "duration", "any"),
)
KEYWORDS: Final = frozenset((*SCALARS, "option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"))
#: Scalars that may be a set's element or a map's key; enums may too.
KEY_SCALARS: Final = frozenset(("bool", *INTEGERS, "bigint", "string", "uuid", "date", "time", "timestamp", "duration"))

_IDENTIFIER: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type without parts: one of `SCALARS`."""

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


def utf16_order(name: str) -> bytes:
    """Sort key: ascending by UTF-16 code units."""
    return name.encode("utf-16-be", "surrogatepass")


def is_identifier(name: str) -> bool:
    """Whether `name` has the shape of an identifier (keywords have it too)."""
    return _IDENTIFIER.fullmatch(name) is not None


def quoted(name: str) -> str:
    """`name` in quotes, with the escapes of section 2."""
    pieces = []
    for character in name:
        if character in '"\\':
            pieces.append("\\" + character)
        elif character < " ":
            pieces.append(f"\\u{ord(character):04x}")
        else:
            pieces.append(character)
    return '"' + "".join(pieces) + '"'


def spelled(name: str) -> str:
    """`name` as schema text: quoted only where it is no identifier or is a word of the grammar."""
    return name if is_identifier(name) and name not in KEYWORDS else quoted(name)


def step(name: str) -> str:
    """A field as a step of a path (section 12): `.name` or `["name"]`."""
    return f".{name}" if is_identifier(name) else f"[{quoted(name)}]"
