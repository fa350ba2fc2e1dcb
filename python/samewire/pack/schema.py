"""Schemas: canonical text, digest, and the first difference between two (spec/pack.md, sections 2, 3 and 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from .errors import PackError
from .schema_nodes import (
    Enum,
    Field,
    List,
    Map,
    Named,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
)
from .schema_reader import SchemaReader
from .schema_words import INTEGERS, spelled, step
from .schema_writer import canonical, write

__all__ = [
    "INTEGERS",
    "Difference",
    "Enum",
    "Field",
    "List",
    "Map",
    "Named",
    "Option",
    "Ref",
    "Scalar",
    "Schema",
    "Set",
    "Struct",
    "Tuple",
    "Type",
    "Union",
]


@dataclass(frozen=True, slots=True)
class Difference:
    """The first place, left to right, where two schemas differ.

    path: in the notation of section 13 (`$.books[].year`).
    here, there: what stands at that place on each side; "nothing" where a field, symbol or member is missing.
    """

    path: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.path}: {self.here} here, {self.there} there"


class Schema:
    """A type's schema. Two schemas are equal when their canonical texts are."""

    __slots__ = ("_digest", "definitions", "root", "text")

    root: Type
    definitions: Mapping[str, Struct | Enum]
    text: str

    def __init__(self, root: Type, definitions: Mapping[str, Struct | Enum], text: str) -> None:
        """For `parse` and `of`: the three must describe one canonical schema."""
        self.root = root
        self.definitions = MappingProxyType(dict(definitions))
        self.text = text
        self._digest: bytes | None = None

    @classmethod
    def parse(cls, text: str | bytes) -> Schema:
        """Reads schema text, in canonical form or not.

        Raises PackError with `at` in bytes: `malformed`, `limit_size`, `limit_depth`, `limit_items` (section 2), and
        `bad_utf8` for bytes that are no UTF-8.
        """
        if isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                raise PackError("bad_utf8", error.start, None, "schema text is no UTF-8") from None
        reader = SchemaReader(text)
        flat = {name: definition for name, definition in reader.definitions.items() if definition is not None}
        root, definitions = canonical(reader.root, flat)
        return cls(root, definitions, write(root))

    @classmethod
    def of(cls, root: Type) -> Schema:
        """The schema of a tree in which each struct and enum stands in full once. Raises as `parse` does."""
        return cls.parse(write(root))

    @property
    def digest(self) -> bytes:
        """Eight bytes: 64-bit FNV-1a of the canonical text, big-endian (section 3)."""
        if self._digest is None:
            value = 0xCBF29CE484222325
            for byte in self.text.encode():
                value = (value ^ byte) * 0x100000001B3 & 0xFFFFFFFFFFFFFFFF
            self._digest = value.to_bytes(8, "big")
        return self._digest

    def definition(self, node: Type) -> Type:
        """`node`, or what it names."""
        return self.definitions[node.name] if isinstance(node, Named) else node

    def difference(self, other: Schema) -> Difference | None:
        """The first difference, walking this schema left to right; None for equal schemas."""
        return None if self.text == other.text else _first(self, other, self.root, other.root, "$", set())

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Schema) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Schema({self.text!r})"


def _label(node: Type) -> str:
    """A type in a word or two, without its parts."""
    match node:
        case Scalar(kind):
            return kind
        case Struct(name) | Enum(name):
            return f"{type(node).__name__.lower()} {spelled(name)}"
        case _:
            return type(node).__name__.lower()


def _names(path: str, kind: str, here: tuple[str, ...], there: tuple[str, ...]) -> Difference | None:
    """The first difference between two lists of names."""
    for index in range(max(len(here), len(there))):
        mine = f"{kind} {spelled(here[index])}" if index < len(here) else "nothing"
        theirs = f"{kind} {spelled(there[index])}" if index < len(there) else "nothing"
        if mine != theirs:
            return Difference(path, mine, theirs)
    return None


def _first(mine: Schema, theirs: Schema, here: Type, there: Type, path: str, seen: set[str]) -> Difference | None:
    here, there = mine.definition(here), theirs.definition(there)
    if _label(here) != _label(there):
        return Difference(path, _label(here), _label(there))

    def inner(left: Type, right: Type, suffix: str) -> Difference | None:
        return _first(mine, theirs, left, right, path + suffix, seen)

    match here, there:
        case (Option(left), Option(right)) | (Ref(left), Ref(right)):
            return inner(left, right, "")
        case (List(left), List(right)) | (Set(left), Set(right)):
            return inner(left, right, "[]")
        case Map(), Map():
            return inner(here.key, there.key, "[].key") or inner(here.value, there.value, "[].value")
        case Tuple(), Tuple():
            if len(here.items) != len(there.items):
                return Difference(path, f"tuple of {len(here.items)}", f"tuple of {len(there.items)}")
            pairs = enumerate(zip(here.items, there.items, strict=True))
            return next((found for i, (a, b) in pairs if (found := inner(a, b, f"[{i}]"))), None)
        case Enum(), Enum():
            return _names(path, "symbol", here.symbols, there.symbols)
        case Union(), Union():
            left_names = tuple(member.name for member in here.members)
            found = _names(path, "member", left_names, tuple(member.name for member in there.members))
            both = zip(here.members, there.members, strict=False)
            return found or next((d for a, b in both if (d := inner(a, b, ""))), None)
        case Struct(), Struct() if here.name not in seen:
            seen.add(here.name)
            for a, b in zip(here.fields, there.fields, strict=False):
                if a.name != b.name:
                    return Difference(path, f"field {spelled(a.name)}", f"field {spelled(b.name)}")
                if found := inner(a.type, b.type, step(a.name)):
                    return found
            left_names = tuple(field.name for field in here.fields)
            return _names(path, "field", left_names, tuple(field.name for field in there.fields))
    return None
