"""Nodes to schema text, and their canonical order (spec/pack.md, section 2)."""

from __future__ import annotations

from collections.abc import Mapping

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
from .schema_words import spelled, utf16_order

MAX_DEPTH = 64
MAX_BYTES = 1 << 20


def is_too_long(text: str) -> bool:
    """Whether a text is longer than schema text may be."""
    return len(text) > MAX_BYTES or len(text.encode("utf-8", "surrogatepass")) > MAX_BYTES


def write(node: Type) -> str:
    """The text of `node`, in the order its parts stand in."""
    match node:
        case Scalar(kind):
            return kind
        case Named(name):
            return spelled(name)
        case Enum(name, symbols):
            return f"enum {spelled(name)} {{ {', '.join(map(spelled, symbols))} }}"
        case Struct(name, fields):
            if not fields:
                return f"struct {spelled(name)} {{}}"
            inner = ", ".join(f"{spelled(field.name)}: {write(field.type)}" for field in fields)
            return f"struct {spelled(name)} {{ {inner} }}"
        case Union(members):
            return f"union {{ {', '.join(map(write, members))} }}"
        case Option(item):
            return f"option<{write(item)}>"
        case List(item):
            return f"list<{write(item)}>"
        case Set(item):
            return f"set<{write(item)}>"
        case Ref(item):
            return f"ref<{write(item)}>"
        case Map(key, value):
            return f"map<{write(key)}, {write(value)}>"
        case Tuple(items):
            return f"tuple<{', '.join(map(write, items))}>"


class _Canonical:
    """Puts each definition where its name first occurs once members and symbols are sorted.

    Sorting can move a definition deeper than it stood; the depth is checked again, so that every canonical text can
    be read back.
    """

    def __init__(self, definitions: Mapping[str, Struct | Enum]) -> None:
        self.flat = definitions
        self.placed: dict[str, Struct | Enum | None] = {}

    def named(self, name: str, depth: int) -> Struct | Enum | Named:
        if name in self.placed:
            return Named(name)
        self.placed[name] = None  # keeps the order of first occurrence
        definition = self.flat[name]
        if depth == MAX_DEPTH:
            raise SamewireError("limit_depth", 0, None, f"the canonical text is nested over {MAX_DEPTH} deep")
        if isinstance(definition, Enum):
            placed: Struct | Enum = Enum(name, tuple(sorted(definition.symbols, key=utf16_order)))
        else:
            placed = Struct(name, tuple(Field(field.name, self.type(field.type, depth + 1)) for field in definition.fields))
        self.placed[name] = placed
        return placed

    def struct(self, name: str, depth: int) -> Struct | Named:
        node = self.named(name, depth)
        assert not isinstance(node, Enum)
        return node

    def type(self, node: Type, depth: int) -> Type:
        if isinstance(node, Scalar):
            return node
        if isinstance(node, Named | Struct | Enum):
            return self.named(node.name, depth)
        if depth == MAX_DEPTH:
            raise SamewireError("limit_depth", 0, None, f"the canonical text is nested over {MAX_DEPTH} deep")
        match node:
            case Option(item):
                return Option(self.type(item, depth + 1))
            case List(item):
                return List(self.type(item, depth + 1))
            case Set(item):
                return Set(self.type(item, depth + 1))
            case Map(key, value):
                return Map(self.type(key, depth + 1), self.type(value, depth + 1))
            case Tuple(items):
                return Tuple(tuple(self.type(item, depth + 1) for item in items))
            case Ref(item):
                return Ref(self.struct(item.name, depth + 1))
            case Union(members):
                ordered = sorted((member.name for member in members), key=utf16_order)
                return Union(tuple(self.struct(name, depth + 1) for name in ordered))


def canonical(root: Type, definitions: Mapping[str, Struct | Enum]) -> tuple[Type, dict[str, Struct | Enum]]:
    """The canonical tree of `root`, and its definitions in order of first occurrence.

    definitions: every struct and enum by name, their parts in any order.
    """
    work = _Canonical(definitions)
    tree = work.type(root, 0)
    return tree, {name: placed for name, placed in work.placed.items() if placed is not None}
