"""A reader's shape against a writer's schema (spec/pack.md, section 13), compiled once for the pair.

The plan that comes out follows the writer's bytes and makes the reader's values. A struct's fields that only the writer
has are read and dropped: so they are checked like all others, and texts and references within them keep their numbers.
"""

from __future__ import annotations

from typing import Any, Final, NoReturn

from samewire.errors import SamewireError
from samewire.limits import Limits

from . import schema_nodes as nodes
from .compile import FieldNode, Node, Options, RecordNode, Tables, cast_to, default_item
from .schema import Schema
from .schema_words import spelled, step
from .shapes import (
    Choice,
    Default,
    Distinct,
    Fixed,
    Mapping,
    Member,
    Optionally,
    Plain,
    Record,
    Sequence,
    Shape,
    Shared,
    Sum,
    records,
)

_BITS: Final = {f"{sign}{bits}": (sign, bits) for sign in "iu" for bits in (8, 16, 32, 64)}


def widens(writer: str, reader: str) -> bool:
    """Whether every value of one scalar type is one of the other (the table's rows of scalars)."""
    if writer == reader or (writer == "f32" and reader == "f64"):
        return True
    if writer not in _BITS:
        return False
    if reader == "bigint":
        return True
    if reader not in _BITS:
        return False
    (from_sign, from_bits), (to_sign, to_bits) = _BITS[writer], _BITS[reader]
    return to_bits >= from_bits if from_sign == to_sign else to_sign == "i" and to_bits > from_bits


class Resolver:
    """Pairs one reader's shape with one writer's schema."""

    def __init__(self, writer: Schema) -> None:
        self.writer = writer
        self.tables = Tables()
        self.path: list[str] = []
        self.recursive = _recursive(writer)

    def fail(self, writer: str, reader: str, advice: str = "no rule leads from one to the other") -> NoReturn:
        """The first difference, at the current path."""
        text = f"the writer has {writer}, the reader {reader}: {advice}"
        raise SamewireError("schema_mismatch", None, "$" + "".join(self.path), text)

    def within(self, step: str, there: nodes.Type, here: Shape) -> Node:
        """`node` one step further along the path."""
        self.path.append(step)
        node = self.node(there, here)
        self.path.pop()
        return node

    def node(self, there: nodes.Type, here: Shape) -> Node:
        """The node that reads the writer's `there` into the reader's `here`."""
        there = self.writer.definition(there)
        if isinstance(here, Optionally) and not isinstance(there, nodes.Option):
            return self.node(there, here.item)
        match there, here:
            case nodes.Scalar(kind), Plain(wanted, form) if widens(kind, wanted):
                return (kind, form)
            case nodes.Option(inner), Optionally(item):
                return ("option", self.node(inner, item))
            case nodes.List(inner), Sequence(item, form, cast):
                if isinstance(item, Plain) and isinstance(inner, nodes.Scalar) and form not in ("list", "tuple"):
                    # An array holds numbers of its own kind: the engine is told which.
                    if item.kind != inner.kind and widens(inner.kind, item.kind):
                        return ("list", (inner.kind, ""), form, item.kind)
                return cast_to(cast, ("list", self.within("[]", inner, item), form))
            case nodes.Set(inner), Distinct(item, frozen):
                return ("set", self.within("[]", inner, item), frozen)
            case nodes.Map(key, value), Mapping():
                first = self.within("[].key", key, here.key)
                return cast_to(here.cast, ("map", first, self.within("[].value", value, here.value)))
            case nodes.Tuple(items), Fixed(wanted_items) if len(items) == len(wanted_items):
                pairs = zip(items, wanted_items, strict=True)
                return ("tuple", tuple(self.within(f"[{i}]", a, b) for i, (a, b) in enumerate(pairs)))
            case nodes.Ref(inner), Shared(record):
                return ("ref", self.struct(inner, record))
            case nodes.Enum(name, symbols), Choice() if name == here.name:
                members = tuple(here.members.get(symbol) for symbol in symbols)
                return self.tables.choice(here, lambda: (here.cls, members))
            case nodes.Union(members), Sum():
                return self.union(members, here)
            case nodes.Struct(), Record():
                return ("record", self.struct(there, here))
        if isinstance(there, nodes.Enum) and isinstance(here, Choice):
            self.fail(_word(there), _word_of(here), _renamed(there.name))
        self.fail(_word(there), _word_of(here))

    def union(self, members: tuple[nodes.Struct | nodes.Named, ...], here: Sum) -> Node:
        """Members by name, in the reader's order so that the first difference is its first."""
        known = {record.name: record for record in here.records}
        writers = {member.name: member for member in members}
        places = {record.name: self.struct(writers[record.name], record) for record in here.ordered() if record.name in writers}
        return ("union", tuple(places[member.name] if member.name in known else None for member in members))

    def struct(self, there: nodes.Type, here: Record) -> int:
        """The place of the pair's record."""
        written = self.writer.definition(there)
        if not isinstance(written, nodes.Struct):
            self.fail(_word(written), _word_of(here))
        if written.name != here.name:
            self.fail(_word(written), _word_of(here), _renamed(written.name))

        def make() -> RecordNode:
            theirs = {field.name: place for place, field in enumerate(written.fields)}
            fields: list[FieldNode | None] = [None] * len(written.fields)
            defaults = []
            for slot, member in enumerate(here.members):
                place = theirs.get(member.name)
                if place is not None:
                    node = self.within(step(member.name), written.fields[place].type, member.shape)
                    fields[place] = (member.name, slot, node, member.absent)
                elif member.default is not None:
                    defaults.append(default_item(slot, member.default))
                elif isinstance(member.shape, Optionally):
                    if not member.absent:
                        defaults.append(default_item(slot, Default(None)))
                else:
                    self.path.append(step(member.name))
                    self.fail("no such field", "one without a default", "give it a default, or make it optional")
            done = [
                (field.name, None, self.drop(field.type), False) if known is None else known
                for field, known in zip(written.fields, fields, strict=True)
            ]
            return RecordNode(here, done, defaults, self.recursive[written.name])

        return self.tables.record((written.name, here), make)

    def drop(self, there: nodes.Type) -> Node:
        """A node that reads a writer's type whole, whose value is not wanted."""
        there = self.writer.definition(there)
        match there:
            case nodes.Scalar(kind):
                return (kind, "int")
            case nodes.Option(item):
                return ("option", self.drop(item))
            case nodes.List(item):
                return ("list", self.drop(item), "list")
            case nodes.Set(item):
                return ("set", self.drop_key(item), True)
            case nodes.Map(key, value):
                return ("map", self.drop_key(key), self.drop(value))
            case nodes.Tuple(items):
                return ("tuple", tuple(map(self.drop, items)))
            case nodes.Enum():
                return self.drop_key(there)
            case nodes.Union(members):
                return ("union", tuple(self.drop_struct(member) for member in members))
            case nodes.Struct():
                return ("record", self.drop_struct(there))
            case nodes.Ref(item):
                return ("dropped", self.drop_struct(item))
            case nodes.Named():
                raise AssertionError("definitions are not names")

    def drop_key(self, there: nodes.Type) -> Node:
        """As `drop`; an enum's symbols stand for its members, so that repeated keys are noticed."""
        there = self.writer.definition(there)
        if isinstance(there, nodes.Enum):
            symbols = there.symbols
            return self.tables.choice(("dropped", there.name), lambda: (str, symbols))
        return self.drop(there)

    def drop_struct(self, there: nodes.Type) -> int:
        """The place of a record that makes nothing."""
        written = self.writer.definition(there)
        assert isinstance(written, nodes.Struct)

        def make() -> RecordNode:
            fields: list[FieldNode] = [(field.name, None, self.drop(field.type), False) for field in written.fields]
            nothing = Record(written.name, dict, "typeddict")
            return RecordNode(nothing, fields, [], self.recursive[written.name])

        return self.tables.record(("dropped", written.name), make)


def _recursive(schema: Schema) -> dict[str, bool]:
    """Which of the writer's structs can contain themselves."""
    made = {name: Record(name, dict, "typeddict") for name in schema.definitions}

    def shape(node: nodes.Type) -> Shape:
        match node:
            case nodes.Option(item) | nodes.List(item) | nodes.Set(item) | nodes.Ref(item):
                return Sequence(shape(item))
            case nodes.Map(key, value):
                return Fixed((shape(key), shape(value)))
            case nodes.Tuple(items) | nodes.Union(items):
                return Fixed(tuple(map(shape, items)))
            case nodes.Struct(name) | nodes.Enum(name) | nodes.Named(name):
                return made[name]
            case nodes.Scalar():
                return Plain("bool")

    for name, definition in schema.definitions.items():
        if isinstance(definition, nodes.Struct):
            made[name].members = tuple(Member(f.name, f.name, shape(f.type)) for f in definition.fields)
    whole = Fixed(tuple(made.values())) if made else Plain("bool")
    return {record.name: recursive for record, recursive in records(whole).items()}


def _renamed(name: str) -> str:
    return f"names must agree; pack.named({name!r}) above the reader's class says that it is the same"


def _word(node: nodes.Type) -> str:
    match node:
        case nodes.Scalar(kind):
            return kind
        case nodes.Struct(name) | nodes.Enum(name) | nodes.Named(name):
            return f"{type(node).__name__.lower()} {spelled(name)}"
        case nodes.Tuple(items):
            return f"a tuple of {len(items)}"
        case _:
            return type(node).__name__.lower()


_WORDS: Final = {
    Optionally: "option",
    Sequence: "list",
    Distinct: "set",
    Mapping: "map",
    Sum: "union",
    Shared: "ref",
}


def _word_of(shape: Shape) -> str:
    match shape:
        case Plain(kind):
            return kind
        case Choice(name):
            return f"enum {spelled(name)}"
        case Record(name):
            return f"struct {spelled(name)}"
        case Fixed(items):
            return f"a tuple of {len(items)}"
        case _:
            return _WORDS[type(shape)]


def describe_pair(writer: Schema, reader: Shape, limits: Limits, options: Options) -> dict[str, Any]:
    """The engine's description of a pair. Raises SamewireError `schema_mismatch` with the path of the first difference."""
    resolver = Resolver(writer)
    root = resolver.node(writer.root, reader)
    return resolver.tables.description(root, writer.text, limits, options, read_only=True)
