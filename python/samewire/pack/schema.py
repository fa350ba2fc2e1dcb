"""Schemas: canonical text, digest, and the first difference between two (spec/pack.md, sections 2, 3 and 13)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType

from samewire import _native as native
from samewire.errors import SamewireError

from . import type as nodes
from .names import INTEGERS
from .type import Enum, Field, List, Map, Named, Option, Ref, Scalar, Set, Struct, Tuple, Type, Union, text_of

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
    here, there: what each schema has at that place: a type without its parts, or "symbol b", "member B", "place 0",
        "nothing".
    """

    path: str
    here: str
    there: str

    def __str__(self) -> str:
        return f"{self.path}: {self.here} here, {self.there} there"


class Schema:
    """A type's schema. Two schemas are equal if their canonical texts are."""

    __slots__ = ("_native", "_tree")

    _native: native.Schema
    _tree: tuple[Type, Mapping[str, Struct | Enum]] | None

    def __init__(self, compiled: native.Schema, /) -> None:
        """Wraps a schema that is parsed already; users call `parse` or `of`."""
        self._native = compiled
        self._tree = None

    @classmethod
    def parse(cls, text: str | bytes) -> Schema:
        """Reads schema text, in canonical form or not.

        Raises SamewireError `malformed`, `limit_size`, `limit_depth` or `limit_items` with the offset in bytes
        (section 2), `bad_utf8` for bytes that are not valid UTF-8, and TypeError for other objects.
        """
        if isinstance(text, bytes):
            try:
                text = text.decode()
            except UnicodeDecodeError as error:
                raise SamewireError("bad_utf8", error.start, None, "schema text is not valid UTF-8") from None
        elif not isinstance(text, str):
            raise TypeError(f"schema text is str or bytes, not {type(text).__name__}")
        return cls(native.Schema(text))

    @classmethod
    def of(cls, root: Type) -> Schema:
        """The schema of a tree in which each struct and enum is defined once. Raises as `parse` does."""
        if not isinstance(root, Type):
            raise TypeError(f"a schema is made of nodes, not of {type(root).__name__}")
        return cls.parse(text_of(root))

    @property
    def text(self) -> str:
        """The canonical text."""
        return self._native.text

    @property
    def annotated(self) -> str:
        """The canonical text with a reader's annotations (section 2): `@default` at fields with a default, and
        `@alias(...)` at fields and types with other names in other writers' schemas."""
        return self._native.annotated

    @property
    def digest(self) -> bytes:
        """Eight bytes: 64-bit FNV-1a of the canonical text, big-endian (section 3)."""
        return self._native.digest

    @property
    def root(self) -> Type:
        """The outermost type. Each struct and enum is defined where it first occurs, and `Named` thereafter."""
        return self._nodes()[0]

    @property
    def definitions(self) -> Mapping[str, Struct | Enum]:
        """Every struct and enum by name, in order of first occurrence."""
        return self._nodes()[1]

    def _nodes(self) -> tuple[Type, Mapping[str, Struct | Enum]]:
        if self._tree is None:
            root, definitions = self._native.tree(nodes)
            self._tree = (root, MappingProxyType(definitions))
        return self._tree

    def definition(self, node: Type) -> Type:
        """The definition that a `Named` refers to; any other node itself."""
        return self.definitions[node.name] if isinstance(node, Named) else node

    def difference(self, other: Schema) -> Difference | None:
        """The first place, in this schema's order, where `other` is not the same; None if their texts are equal.

        With a difference one may still be readable as the other: `Codec.resolve` decides that.
        """
        if not isinstance(other, Schema):
            raise TypeError(f"a schema differs from a Schema, not from {type(other).__name__}")
        found = self._native.difference(other._native)
        return None if found is None else Difference(*found)

    def __eq__(self, other: object) -> bool:
        return self.text == other.text if isinstance(other, Schema) else NotImplemented

    def __hash__(self) -> int:
        return hash(self.text)

    def __repr__(self) -> str:
        return f"Schema({self.text!r})"
