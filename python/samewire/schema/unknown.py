"""Finds symbols, members and integers that a writer may send and a reader lacks: only messages with one fail."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, NamedTuple

from samewire.pack.names import INTEGERS, spelled, step
from samewire.pack.schema import Schema
from samewire.pack.type import Enum, List, Map, Option, Ref, Scalar, Set, Struct, Tuple, Type, Union

#: The integers of which a float has every one (spec/pack.md, section 13).
_EXACT: Final = {
    "f32": ("i8", "i16", "u8", "u16"),
    "f64": ("i8", "i16", "i32", "u8", "u16", "u32"),
}


class Pair(NamedTuple):
    """A type of the writer, one of the reader, the path that leads to both, and whether they are a key's."""

    theirs: Type
    ours: Type
    path: str
    key: bool = False


@dataclass(frozen=True, slots=True)
class Unknown:
    """path: of the enum, union or number. what: `symbol b`, `member B` or `an i64 that no f64 equals`."""

    path: str
    what: str

    def __str__(self) -> str:
        return f"{self.what} at {self.path}"


def unknown(writer: Schema, reader: Schema) -> list[Unknown]:
    """What the reader's types lack of the writer's, in fields that the reader has, in the reader's order.

    The pair must resolve. Each pair of definitions is compared once, where it first meets.
    """
    writer = Schema(writer._native.adopted(reader._native))
    walk = _Walk()
    found: list[Unknown] = []
    # An explicit stack, since chains of definitions may be longer than the interpreter's recursion limit.
    waiting = [Pair(writer.root, reader.root, "$")]
    while waiting:
        theirs, ours, path, key = waiting.pop()
        pair = Pair(writer.definition(theirs), reader.definition(ours), path, key)
        found.extend(walk.names(pair))
        waiting.extend(reversed(list(walk.parts(pair))))
    return found


class _Walk:
    def __init__(self) -> None:
        self._met = set[str]()

    def names(self, pair: Pair) -> Iterator[Unknown]:
        """What the reader lacks of the writer's enum, union or number. Keys do not fall back."""
        theirs, ours, path, key = pair
        match theirs, ours:
            case Enum(), Enum() if (key or ours.fallback is None) and self._first(ours.name):
                known = frozenset(ours.symbols)
                yield from (Unknown(path, f"symbol {spelled(name)}") for name in theirs.symbols if name not in known)
            case Union(), Union() if ours.fallback is None:
                known = frozenset(member.name for member in ours.members)
                names = (member.name for member in theirs.members)
                yield from (Unknown(path, f"member {spelled(name)}") for name in names if name not in known)
            case Scalar(), Scalar() if ours.kind in _EXACT and theirs.kind in INTEGERS:
                if theirs.kind not in _EXACT[ours.kind]:
                    yield Unknown(path, f"{theirs.kind} that no {ours.kind} equals")
            case _:
                return

    def parts(self, pair: Pair) -> Iterator[Pair]:
        """The types within both, in the reader's order."""
        theirs, ours, path, _ = pair
        match theirs, ours:
            case Option(), Option():
                yield Pair(theirs.item, ours.item, path)
            case _, Option():
                yield Pair(theirs, ours.item, path)
            case List(), List():
                yield Pair(theirs.item, ours.item, path + "[]")
            case Set(), Set():
                yield Pair(theirs.item, ours.item, path + "[]", key=True)
            case Ref(), Ref():
                yield Pair(theirs.item, ours.item, path)
            case Map(), Map():
                yield Pair(theirs.key, ours.key, path + "[].key", key=True)
                yield Pair(theirs.value, ours.value, path + "[].value")
            case Tuple(), Tuple():
                for index, (their, our) in enumerate(zip(theirs.items, ours.items, strict=True)):
                    yield Pair(their, our, f"{path}[{index}]")
            case Struct(), Struct() if self._first(ours.name):
                fields: dict[str, Type] = {field.name: field.type for field in theirs.fields}
                for field in ours.fields:
                    if field.name not in fields:
                        continue
                    their = fields[field.name]
                    if isinstance(their, Option) and field.defaulted:
                        their = their.item
                    yield Pair(their, field.type, path + step(field.name))
            case Union(), Union():
                members = {member.name: member for member in theirs.members}
                for member in ours.members:
                    if member.name in members:
                        yield Pair(members[member.name], member, path)
            case _:  # scalars, and enums, which have no types within
                return

    def _first(self, name: str) -> bool:
        """Whether a definition has not been compared: structs and enums resolve to those of their name only."""
        new = name not in self._met
        self._met.add(name)
        return new
