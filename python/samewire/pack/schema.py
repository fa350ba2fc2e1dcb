"""Schemas: canonical text, digest, and the first difference between two (spec/pack.md, sections 2, 3 and 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from samewire import _native as native
from samewire.errors import SamewireError

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
from .schema_words import INTEGERS
from .schema_writer import canonical, is_too_long, write

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
    """The first place, in the order of one schema, where another is not the same (section 13).

    path: like `$.books[].year`.
    here, there: what stands at that place on each side: a type without its parts, or "symbol b", "member B", "place 0",
        "nothing".
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

        Raises SamewireError with `at` in bytes: `malformed`, `limit_size`, `limit_depth`, `limit_items` (section 2), and
        `bad_utf8` for bytes that are no UTF-8; TypeError for what is no text.
        """
        if isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                raise SamewireError("bad_utf8", error.start, None, "schema text is no UTF-8") from None
        elif not isinstance(text, str):
            raise TypeError(f"schema text is str or bytes, not {type(text).__name__}")
        reader = SchemaReader(text)
        flat = {name: definition for name, definition in reader.definitions.items() if definition is not None}
        root, definitions = canonical(reader.root, flat)
        written = write(root)
        if is_too_long(written):
            raise SamewireError("limit_size", 0, None, "the canonical text is over 1 MiB")
        return cls(root, definitions, written)

    @classmethod
    def of(cls, root: Type) -> Schema:
        """The schema of a tree in which each struct and enum stands in full once. Raises as `parse` does."""
        if not isinstance(root, Type):
            raise TypeError(f"a schema is made of nodes, not of {type(root).__name__}")
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
        """The first place, in this schema's order, where `other` is not the same; None if their texts are equal.

        Says nothing of whether one resolves to the other, which is `Codec.resolve`'s affair.
        """
        if not isinstance(other, Schema):
            raise TypeError(f"a schema differs from a Schema, not from {type(other).__name__}")
        found = native.difference(self.text, other.text)
        return None if found is None else Difference(*found)

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Schema) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Schema({self.text!r})"
