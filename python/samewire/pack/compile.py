"""Shapes to the description that the native engine compiles (`samewire._native.Engine`)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from samewire.limits import Limits

from .profile import Profile
from .shapes import (
    Choice,
    Default,
    Distinct,
    Fixed,
    Mapping,
    Optionally,
    Plain,
    Record,
    Sequence,
    Shape,
    Shared,
    Sum,
    records,
)

Node: TypeAlias = tuple[Any, ...]
#: Name on the wire, place among the class's attributes (None: read and dropped), type, whether null is a missing key.
FieldNode: TypeAlias = tuple[str, int | None, Node, bool]


@dataclass(slots=True)
class RecordNode:
    """A record for the engine: its fields in the order of the wire, and what the wire does not have."""

    record: Record
    fields: list[FieldNode]
    #: Place among the attributes, value or factory, whether it is a factory.
    defaults: list[tuple[int, Any, bool]]
    recursive: bool

    def description(self) -> dict[str, Any]:
        """As the engine takes it."""
        record = self.record
        return {
            "name": record.name,
            "class": record.cls,
            "kind": record.kind,
            "recursive": self.recursive,
            "frozen": record.frozen,
            "setter": record.setter,
            "construct": record.construct,
            "after": record.after,
            "names": tuple(member.attribute for member in record.members),
            "fields": tuple(self.fields),
            "defaults": tuple(self.defaults),
        }


@dataclass(slots=True)
class Tables:
    """Records and enums of a plan under construction; nodes refer to them by place."""

    records: list[RecordNode | None] = field(default_factory=list)
    choices: list[tuple[type, tuple[Any, ...]]] = field(default_factory=list)
    places: dict[Any, int] = field(default_factory=dict)

    def choice(self, key: object, make: Callable[[], tuple[type, tuple[Any, ...]]]) -> Node:
        """The node of an enum, made once for each key."""
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = len(self.choices)
            self.choices.append(make())
        return ("enum", place)

    def record(self, key: object, make: Callable[[], RecordNode]) -> int:
        """The place of a record, made once for each key; `make` may come upon the same key again."""
        place = self.places.get(key)
        if place is None:
            place = self.places[key] = len(self.records)
            self.records.append(None)
            self.records[place] = make()
        return place

    def description(
        self, root: Node, schema: str, limits: Limits, options: Options, *, read_only: bool = False
    ) -> dict[str, Any]:
        """Everything, as `samewire._native.Engine` takes it; `schema` is text, canonical or not."""
        return {
            "root": root,
            "records": [node.description() for node in self.records if node is not None],
            "choices": self.choices,
            "schema": schema,
            "limits": (
                limits.depth,
                limits.frame_bytes,
                limits.text_bytes,
                limits.items,
                limits.buffered_bytes,
            ),
            "fast": options.profile is Profile.FAST,
            "digest": options.digest,
            "trusted": not options.gc,
            "read_only": read_only,
        }


@dataclass(frozen=True, slots=True)
class Options:
    """How a codec works, beside its type: see `codec.codec`."""

    profile: Profile = Profile.COMPACT
    digest: bool = False
    gc: bool = True


class Compiler:
    """Turns the shapes of one codec into nodes."""

    def __init__(self, shape: Shape) -> None:
        self.tables = Tables()
        self.recursive = records(shape)

    def node(self, shape: Shape) -> Node:
        """The node of a shape."""
        match shape:
            case Plain(kind, form):
                return (kind, form)
            case Choice():
                return self.tables.choice(shape, lambda: (shape.cls, tuple(shape.members.values())))
            case Optionally(item):
                return ("option", self.node(item))
            case Sequence(item, form, cast):
                return cast_to(cast, ("list", self.node(item), form))
            case Distinct(item, frozen):
                return ("set", self.node(item), frozen)
            case Mapping(key, value, cast):
                return cast_to(cast, ("map", self.node(key), self.node(value)))
            case Fixed(items):
                return ("tuple", tuple(map(self.node, items)))
            case Sum():
                return ("union", tuple(self.record(record) for record in shape.ordered()))
            case Shared(record):
                return ("ref", self.record(record))
            case Record():
                return ("record", self.record(shape))

    def record(self, record: Record) -> int:
        """The place of a record."""

        def make() -> RecordNode:
            fields: list[FieldNode] = [
                (member.name, slot, self.node(member.shape), member.absent) for slot, member in enumerate(record.members)
            ]
            return RecordNode(record, fields, [], self.recursive[record])

        return self.tables.record(record, make)


def describe(shape: Shape, schema: str, limits: Limits, options: Options) -> dict[str, Any]:
    """The engine's description of a shape with its schema's text."""
    compiler = Compiler(shape)
    root = compiler.node(shape)
    return compiler.tables.description(root, schema, limits, options)


def cast_to(cast: Callable[[Any], Any] | None, node: Node) -> Node:
    """A node whose values are made into another class; the node itself without one."""
    return node if cast is None else ("cast", node, cast)


def default_item(slot: int, default: Default) -> tuple[int, Any, bool]:
    """A default as the engine takes it."""
    if default.factory is not None:
        return (slot, default.factory, True)
    return (slot, default.value, False)
