"""The types of a schema as a tree of nodes (spec/pack.md, sections 1 and 2): immutable, compared by content."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from .names import alias, listed, spelled


@dataclass(frozen=True, slots=True)
class Scalar:
    """A type without parts, one of `names.SCALARS`."""

    kind: str


@dataclass(frozen=True, slots=True)
class Named:
    """A use of a struct or enum after the place that defines it."""

    name: str


@dataclass(frozen=True, slots=True)
class Enum:
    """Named symbols, ascending by UTF-16 code units in a canonical schema.

    aliases: other names of it for a reader: the annotation `@alias`.
    fallback: the symbol that a reader uses for those that it lacks: the annotation `@fallback`.
    """

    name: str
    symbols: tuple[str, ...]
    aliases: tuple[str, ...] = ()
    fallback: str | None = None


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
    """A field of a struct.

    defaulted: whether a reader's type has a default for it: the annotation `@default`.
    aliases: other names of it for a reader: the annotation `@alias`.
    """

    name: str
    type: Type
    defaulted: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Struct:
    """Named fields in declared order.

    aliases: other names of it for a reader: the annotation `@alias`.
    """

    name: str
    fields: tuple[Field, ...]
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Union:
    """One of several structs, ascending by name in a canonical schema.

    fallback: the name of the member that a reader uses for those that it lacks: the annotation `@fallback`.
    """

    members: tuple[Struct | Named, ...]
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Ref:
    """A struct shared by identity within a message."""

    item: Struct | Named


Type: TypeAlias = Scalar | Enum | Option | List | Set | Map | Tuple | Struct | Union | Ref | Named


def text_of(node: Type) -> str:
    """Schema text of a node, with its parts in order."""
    match node:
        case Scalar(kind):
            return kind
        case Named(name):
            return spelled(name)
        case Enum(name, symbols, aliases, fallback):
            return f"enum {spelled(name)}{alias(aliases)} {{ {', '.join(listed(symbols, fallback))} }}"
        case Struct(name, (), aliases):
            return f"struct {spelled(name)}{alias(aliases)} {{}}"
        case Struct(name, fields, aliases):
            return f"struct {spelled(name)}{alias(aliases)} {{ {', '.join(map(_field, fields))} }}"
        case Union(members, fallback):
            marked = (text_of(member) + " @fallback" * (member.name == fallback) for member in members)
            return f"union {{ {', '.join(marked)} }}"
        case Option(item):
            return f"option<{text_of(item)}>"
        case List(item):
            return f"list<{text_of(item)}>"
        case Set(item):
            return f"set<{text_of(item)}>"
        case Ref(item):
            return f"ref<{text_of(item)}>"
        case Map(key, value):
            return f"map<{text_of(key)}, {text_of(value)}>"
        case Tuple(items):
            return f"tuple<{', '.join(map(text_of, items))}>"


def _field(field: Field) -> str:
    return f"{spelled(field.name)}: {text_of(field.type)}{' @default' * field.defaulted}{alias(field.aliases)}"
