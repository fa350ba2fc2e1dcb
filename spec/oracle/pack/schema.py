"""The types of the data model (pack.md section 1) as objects.

Every occurrence of `string` and `any` in the canonical text is an object of its own, because each has its own dedup slot
(section 6). A struct or enum is one object however often it is named.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from functools import lru_cache

SIGNED = {"i8": 8, "i16": 16, "i32": 32, "i64": 64}
UNSIGNED = {"u8": 8, "u16": 16, "u32": 32, "u64": 64}
INTEGERS = SIGNED | UNSIGNED
FLOATS = {"f32": 32, "f64": 64}
NUMERIC = INTEGERS | FLOATS
SCALARS = (
    ["bool", *SIGNED, *UNSIGNED, "bigint", "f32", "f64", "decimal", "string", "bytes", "uuid"]
    + ["date", "time", "timestamp", "duration", "any"]
)  # fmt: skip
WORDS = [*SCALARS, "option", "list", "set", "map", "tuple", "ref", "enum", "struct", "union"]
KEYS = ["bool", *INTEGERS, "bigint", "string", "uuid", "date", "time", "timestamp", "duration"]
IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")


@dataclass(eq=False)
class Scalar:
    name: str


@dataclass(eq=False)
class Option:
    item: Type


@dataclass(eq=False)
class List:
    item: Type


@dataclass(eq=False)
class Set:
    item: Type


@dataclass(eq=False)
class Map:
    key: Type
    value: Type


@dataclass(eq=False)
class Tuple:
    items: list[Type]


@dataclass(eq=False)
class Ref:
    item: Type


@dataclass(eq=False)
class Enum:
    name: str
    symbols: list[str] = field(default_factory=list)
    aliases: list[str] = field(default_factory=list)
    fallback: str | None = None
    """The symbol that a reader puts for those that it lacks (section 2, annotations)."""


@dataclass(eq=False)
class Struct:
    name: str
    fields: list[tuple[str, Type]] = field(default_factory=list)
    defaulted: set[str] = field(default_factory=set)
    """The fields that a reader's type gives a default (section 2, annotations)."""
    aliases: list[str] = field(default_factory=list)
    field_aliases: dict[str, list[str]] = field(default_factory=dict)
    place: str = ""
    """The name that gives its place in a union, if it is not the present one: a writer's, in the reader's names."""


@dataclass(eq=False)
class Union:
    members: list[Type]
    fallback: str | None = None
    """The name of the member that a reader puts for those that it lacks (section 2, annotations)."""

    def structs(self) -> list[Struct]:
        """Returns the members in canonical order. The schema must have been checked: all members are structs."""
        structs = [member for member in self.members if isinstance(member, Struct)]
        return sorted(structs, key=lambda struct: utf16_order(struct.place or struct.name))


Type = Scalar | Option | List | Set | Map | Tuple | Ref | Enum | Struct | Union


def utf16_order(name: str) -> bytes:
    """Returns a sort key that orders by UTF-16 code units, not by code points."""
    return name.encode("utf-16-be", "surrogatepass")


def quoted(name: str) -> str:
    """Returns the quoted form of a name (section 2)."""
    escaped = name.replace("\\", "\\\\").replace('"', '\\"')
    return '"' + re.sub(r"[\x00-\x1f]", lambda c: f"\\u{ord(c.group()):04x}", escaped) + '"'


def name_text(name: str) -> str:
    """Returns a name as it stands in the canonical text."""
    plain = IDENTIFIER.fullmatch(name) is not None and name not in WORDS
    return name if plain else quoted(name)


def path_step(name: str) -> str:
    """Returns one field's part of a path (section 12). Keywords count as identifiers here."""
    return f".{name}" if IDENTIFIER.fullmatch(name) is not None else f"[{quoted(name)}]"


def children(t: Type) -> Iterator[Type]:
    """Yields the types directly inside a type, in canonical order."""
    match t:
        case Option() | List() | Set() | Ref():
            yield t.item
        case Map():
            yield t.key
            yield t.value
        case Tuple():
            yield from t.items
        case Struct():
            for _, inner in t.fields:
                yield inner
        case Union():
            yield from t.structs()
        case Scalar() | Enum():
            return


# The next two are asked of the same types for every message, and a type does not change once it is parsed. Kept, what they
# return leaves the tests of the oracle a third of their time.


@lru_cache(maxsize=4096)
def structs_of(t: Type) -> tuple[Struct, ...]:
    """Returns every struct within a type, and the type itself if it is one."""
    seen: dict[int, Type] = {}
    todo = [t]
    while todo:
        part = todo.pop()
        if id(part) not in seen:
            seen[id(part)] = part
            todo.extend(children(part))
    return tuple(part for part in seen.values() if isinstance(part, Struct))


@lru_cache(maxsize=4096)
def recursive(struct: Struct) -> bool:
    """Returns whether a struct can contain itself (section 8, depth)."""
    seen: set[int] = set()
    todo = list(children(struct))
    while todo:
        t = todo.pop()
        if t is struct:
            return True
        if id(t) not in seen:
            seen.add(id(t))
            todo.extend(children(t))
    return False
