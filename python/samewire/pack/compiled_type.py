"""The description of a native type that the engine compiles (`samewire._native.Engine`)."""

from __future__ import annotations

import collections
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from samewire.limits import Limits

from .native_type import (
    Adapted,
    Default,
    Enum,
    List,
    Map,
    NativeType,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Union,
)
from .profile import Profile
from .struct_class import lost_fields

if TYPE_CHECKING:
    from samewire import _native as native

#: Memory cells that a deque takes beyond those of a list: an empty one allocates 64 pointers (spec/limits.md).
_DEQUE_CELLS: Final = 10

#: Memory cells that are charged for an instance of a class of the program's: 256 bytes, as a `pathlib.Path` may take.
_ADAPTED_CELLS: Final = 32

#: A word and its operands: ("i32", ""), ("list", item, form), ("record", place).
Node: TypeAlias = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Options:
    """The options of a codec; `codec.codec` explains each."""

    profile: Profile = Profile.COMPACT
    digest: bool = False
    check: bool = True
    require_digest: bool = False
    gc: bool = True
    truncate_times: bool = False
    sort_keys: bool = False


def describe(kind: NativeType, schema: str | native.Schema, limits: Limits, options: Options) -> dict[str, Any]:
    """The engine's description of a type. `schema` is the type's own, as text, canonical or not, or parsed."""
    tables = _Tables()
    return {
        "root": tables.node(kind),
        "records": tables.records,
        "choices": tables.choices,
        "schema": schema,
        "limits": (
            limits.depth,
            limits.frame_bytes,
            limits.text_bytes,
            limits.items,
            limits.cells,
            limits.buffered_bytes,
        ),
        "fast": options.profile is Profile.FAST,
        "digest": options.digest,
        "check": options.check,
        "require_digest": options.require_digest,
        "trusted": not options.gc,
        "truncate_times": options.truncate_times,
        "sort_keys": options.sort_keys,
        "lost_fields": lost_fields,
    }


class _Tables:
    """Structs and enums of one type. Nodes refer to them by their index in a table."""

    def __init__(self) -> None:
        self.records: list[dict[str, Any]] = []
        self.choices: list[tuple[type, tuple[Any, ...]]] = []
        self.places: dict[Struct | Enum, int] = {}

    def node(self, kind: NativeType) -> Node:
        match kind:
            case Scalar(word, form):
                return (word, form)
            case Enum():
                return ("enum", self.choice(kind))
            case Option(item):
                return ("option", self.node(item))
            case List(item, form, cast):
                return _cast(cast, ("list", self.node(item), form))
            case Set(item, frozen):
                return ("set", self.node(item), frozen)
            case Map(key, value, cast):
                return _cast(cast, ("map", self.node(key), self.node(value)))
            case Tuple(items):
                return ("tuple", tuple(map(self.node, items)))
            case Union():
                return ("union", tuple(map(self.record, kind.ordered())))
            case Ref(item):
                return ("ref", self.record(item))
            case Adapted(item, encode, decode, cls):
                return ("cast", self.node(item), decode, _ADAPTED_CELLS, encode, cls)
            case Struct():
                return ("record", self.record(kind))

    def choice(self, kind: Enum) -> int:
        place = self.places.get(kind)
        if place is None:
            place = self.places[kind] = len(self.choices)
            self.choices.append((kind.cls, tuple(kind.members.values())))
        return place

    def record(self, kind: Struct) -> int:
        place = self.places.get(kind)
        if place is None:
            place = self.places[kind] = len(self.records)
            # Added before its fields are described: they may refer to the struct itself.
            record: dict[str, Any] = {
                "name": kind.name,
                "class": kind.cls,
                "kind": kind.kind,
                "frozen": kind.frozen,
                "setter": kind.setter,
                "construct": kind.construct,
                "after": kind.after,
                "names": tuple(field.attribute for field in kind.fields),
                "defaults": [
                    _default(slot, field.default) for slot, field in enumerate(kind.fields) if field.default is not None
                ],
            }
            self.records.append(record)
            record["fields"] = [(field.name, self.node(field.type), field.absent) for field in kind.fields]
        return place


def _cast(cast: Callable[[Any], Any] | None, node: Node) -> Node:
    """A node with a cast of its values to another class; the node itself without one."""
    return node if cast is None else ("cast", node, cast, _DEQUE_CELLS if cast is collections.deque else 0)


def _default(slot: int, default: Default) -> tuple[int, Any, bool]:
    """The field's place, the value or factory, and whether it is a factory."""
    if default.factory is not None:
        return (slot, default.factory, True)
    return (slot, default.value, False)
