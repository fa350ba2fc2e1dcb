"""Native types: a schema's types, each with the Python class that holds its values.

`introspect` makes them from Python types, `compiled_type` describes them to the engine. Options, lists and the like are
trees; a struct or enum is one object however often it occurs.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal, TypeAlias

from .names import alias, listed, spelled, utf16_order

#: How a class makes its instances and keeps its fields.
StructKind: TypeAlias = Literal["object", "msgspec", "namedtuple", "typeddict"]
ListForm: TypeAlias = Literal["list", "tuple", "array", "memoryview", "numpy"]


@dataclass(frozen=True, slots=True)
class Scalar:
    """A scalar.

    form: the Python class that holds it: "" for the usual one, "int" for times in nanoseconds, "bytearray" and
        "memoryview" for bytes.
    """

    kind: str
    form: str = ""


@dataclass(eq=False, slots=True)
class Enum:
    """An enum: symbols in ascending order by UTF-16 code units, each with its member.

    aliases: its names in other writers' schemas.
    fallback: the symbol that is read for those that it lacks.
    """

    name: str
    cls: type[enum.Enum]
    members: dict[str, enum.Enum]
    aliases: tuple[str, ...] = ()
    fallback: str | None = None


@dataclass(frozen=True, slots=True)
class Option:
    """An item or None."""

    item: NativeType


@dataclass(frozen=True, slots=True)
class List:
    """A list. The forms "array", "memoryview" and "numpy" hold numbers only.

    cast: the declared class (`deque`), called with the list that was read.
    """

    item: NativeType
    form: ListForm = "list"
    cast: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Set:
    """A set or frozenset."""

    item: NativeType
    frozen: bool


@dataclass(frozen=True, slots=True)
class Map:
    """A dict.

    cast: the declared class (`OrderedDict`), called with the dict that was read.
    """

    key: NativeType
    value: NativeType
    cast: Callable[[Any], Any] | None = None


@dataclass(frozen=True, slots=True)
class Tuple:
    """A tuple of known length."""

    items: tuple[NativeType, ...]


@dataclass(frozen=True, slots=True)
class Default:
    """The value of a field that the writer does not have."""

    value: Any = None
    factory: Callable[[], Any] | None = None


@dataclass(frozen=True, slots=True)
class Field:
    """A field of a struct.

    name: on the wire. attribute: in Python (a key for a TypedDict). absent: the key may be missing (TypedDict) and is
    then null on the wire. aliases: its names in other writers' schemas.
    """

    name: str
    attribute: str
    type: NativeType
    default: Default | None = None
    absent: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(eq=False, slots=True)
class Struct:
    """A struct.

    after: the name of a method called on each decoded instance (`__post_init__`).
    construct: instances come from calling the class with the fields as keywords, because it has its own `__new__`.
    frozen: the class forbids assignment, so an instance of immutable parts can never become part of a cycle.
    setter: the user's own `__setattr__` assigns the fields; decoding calls it too.
    aliases: its names in other writers' schemas.
    """

    name: str
    cls: type
    kind: StructKind
    fields: tuple[Field, ...] = ()
    after: str | None = None
    construct: bool = False
    frozen: bool = False
    setter: bool = False
    aliases: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Union:
    """One of several structs.

    fallback: the name of the one that is read for those that it lacks.
    """

    members: tuple[Struct, ...]
    fallback: str | None = None

    def ordered(self) -> list[Struct]:
        """The members ascending by name, as on the wire."""
        return sorted(self.members, key=lambda member: utf16_order(member.name))


@dataclass(frozen=True, slots=True)
class Ref:
    """A struct shared by identity within a message."""

    item: Struct


@dataclass(frozen=True, slots=True)
class Adapted:
    """A type of the program's, written as another.

    encode: converts an instance of `cls` (any value if that is None) to the item's value. decode: the reverse.
    """

    item: NativeType
    encode: Callable[[Any], Any]
    decode: Callable[[Any], Any]
    cls: type | None


NativeType: TypeAlias = Scalar | Enum | Option | List | Set | Map | Tuple | Struct | Union | Ref | Adapted


def schema_text(native: NativeType, *, annotations: bool = False) -> str:
    """Schema text of a type, with its parts in order; structs and enums are written in full where they first occur.

    annotations: include defaults of fields (options need none), fallback symbols and aliases.
    """
    defined: set[str] = set()

    def first(name: str) -> bool:
        fresh = name not in defined
        defined.add(name)
        return fresh

    def known(aliases: tuple[str, ...]) -> str:
        return alias(aliases) if annotations else ""

    def annotated(field: Field) -> str:
        defaulted = annotations and field.default is not None and not isinstance(field.type, Option)
        return " @default" * defaulted + known(field.aliases)

    def write(node: NativeType) -> str:
        match node:
            case Scalar(kind):
                return kind
            case Option(item):
                return f"option<{write(item)}>"
            case List(item):
                return f"list<{write(item)}>"
            case Set(item):
                return f"set<{write(item)}>"
            case Map(key, value):
                return f"map<{write(key)}, {write(value)}>"
            case Tuple(items):
                return f"tuple<{', '.join(map(write, items))}>"
            case Union(members):
                marked = (write(each) + " @fallback" * (annotations and each.name == node.fallback) for each in members)
                return f"union {{ {', '.join(marked)} }}"
            case Ref(item):
                return f"ref<{write(item)}>"
            case Adapted(item):
                return write(item)
            case Enum(name):
                symbols = ", ".join(listed(node.members, node.fallback if annotations else None))
                return f"enum {spelled(name)}{known(node.aliases)} {{ {symbols} }}" if first(name) else spelled(name)
            case Struct(name):
                if not first(name):
                    return spelled(name)
                fields = ", ".join(f"{spelled(field.name)}: {write(field.type)}{annotated(field)}" for field in node.fields)
                return f"struct {spelled(name)}{known(node.aliases)} {{ {fields} }}"

    return write(native)


def parts(native: NativeType) -> Iterator[NativeType]:
    """The types directly inside another; for a struct those of its fields."""
    match native:
        case Option(item) | List(item) | Set(item) | Ref(item) | Adapted(item):
            yield item
        case Map(key, value):
            yield key
            yield value
        case Tuple(items) | Union(items):
            yield from items
        case Struct():
            for field in native.fields:
                yield field.type
