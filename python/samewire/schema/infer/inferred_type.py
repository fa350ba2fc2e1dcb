"""Inferred types: a schema type, and how JSON values are converted to it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TypeAlias

from samewire.pack.schema import Enum, Field, List, Map, Named, Option, Scalar, Struct, Tuple, Type, Union

from .forms import Form


@dataclass(frozen=True)
class InferredScalar:
    """A scalar whose JSON values need no conversion: `bool`, an integer, `f64`, `string`, `any`."""

    kind: str


@dataclass(frozen=True)
class InferredForm:
    """A date, time, instant, duration, UUID or decimal written as a string."""

    form: Form

    @property
    def note(self) -> str:
        """For users: what is lost of texts that are written in several ways."""
        what = "instants, not their offsets" if self.form.several_zones else f"{self.form.kind}s, not their digits"
        return f"written in several ways: the schema keeps the {what}; --texts keeps them as text"


@dataclass(frozen=True)
class InferredEnum:
    """A string with few distinct values."""

    name: str
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class InferredOption:
    """An item, or null; a missing field is null."""

    item: InferredType


@dataclass(frozen=True)
class InferredList:
    """A JSON array. long: whether it is numbers and usually so many that a typed array is cheaper."""

    item: InferredType
    long: bool = False


@dataclass(frozen=True)
class InferredTuple:
    """A JSON array of numbers that has one length everywhere: coordinates, a range, a colour."""

    item: InferredType
    size: int


@dataclass(frozen=True)
class InferredMap:
    """A JSON object whose keys are data."""

    value: InferredType


@dataclass
class InferredStruct:
    """A JSON object whose keys are names. `fields` is filled later: a struct may contain itself."""

    name: str
    fields: dict[str, InferredType] = field(default_factory=dict)


@dataclass(frozen=True)
class InferredUnion:
    """A JSON object that is one of several structs, by the text of a discriminator field. The structs lack that field.

    tag: that field. members: by its text.
    """

    tag: str
    members: dict[str, InferredStruct]

    @property
    def note(self) -> str:
        """For users: the discriminator field, and its texts that are not the names of the members."""
        names = ", ".join(member.name for member in self.members.values())
        others = [f"{text!r} is {member.name}" for text, member in self.members.items() if text != member.name]
        told = f"union of {names}: the field {self.tag!r} is left out, the member says it"
        return f"{told} ({', '.join(others)})" if others else told


@dataclass(frozen=True)
class InferredRecursion:
    """A field that contains one of its own enclosing structs."""

    struct: InferredStruct


InferredType: TypeAlias = (
    InferredScalar
    | InferredForm
    | InferredEnum
    | InferredOption
    | InferredList
    | InferredTuple
    | InferredMap
    | InferredStruct
    | InferredUnion
    | InferredRecursion
)


def type_of(inferred: InferredType) -> Type:
    """The schema type of an inferred type, each definition in full once."""
    return _type(inferred, set())


def _type(inferred: InferredType, defined: set[str]) -> Type:
    match inferred:
        case InferredScalar(kind):
            return Scalar(kind)
        case InferredForm(form):
            return Scalar(form.kind)
        case InferredEnum(name, symbols):
            if name in defined:
                return Named(name)
            defined.add(name)
            return Enum(name, symbols)
        case InferredOption(item):
            return Option(_type(item, defined))
        case InferredList(item):
            return List(_type(item, defined))
        case InferredTuple(item, size):
            return Tuple((_type(item, defined),) * size)
        case InferredMap(value):
            return Map(Scalar("string"), _type(value, defined))
        case InferredUnion(_, members):
            return Union(tuple(_struct(member, defined) for member in members.values()))
        case InferredRecursion(struct):
            return Named(struct.name)
        case InferredStruct():
            return _struct(inferred, defined)


def _struct(struct: InferredStruct, defined: set[str]) -> Struct | Named:
    if struct.name in defined:
        return Named(struct.name)
    defined.add(struct.name)
    return Struct(struct.name, tuple(Field(field, _type(inner, defined)) for field, inner in struct.fields.items()))


def long_fields(inferred: InferredType) -> frozenset[tuple[str, str]]:
    """The fields, as pairs of a struct's name and the field's, whose lists of numbers are usually long; `("", "")` is the root."""
    lists = ((node, place) for node, place in _nodes(inferred) if isinstance(node, InferredList))
    return frozenset(place for node, place in lists if node.long)


def fine_fields(inferred: InferredType) -> frozenset[tuple[str, str]]:
    """The fields, as `long_fields` names them, whose times are finer than a microsecond."""
    return frozenset(place for node, place in _nodes(inferred) if isinstance(node, InferredForm) and node.form.fine)


def rewritten_fields(inferred: InferredType) -> dict[tuple[str, str], InferredForm]:
    """The fields whose times are exact, but not their notation, in the order of the schema's text."""
    forms = ((node, place) for node, place in _nodes(inferred) if isinstance(node, InferredForm))
    return {place: node for node, place in forms if not node.form.exact}


def unions_of(inferred: InferredType) -> list[InferredUnion]:
    """The unions, each once, in the order of the schema's text."""
    unions = [node for node, _ in _nodes(inferred) if isinstance(node, InferredUnion)]
    return list({id(union): union for union in unions}.values())


def _nodes(inferred: InferredType) -> Iterator[tuple[InferredType, tuple[str, str]]]:
    """All nodes, a struct's once, from the root, each with the struct and the field that it stands in."""
    work: list[tuple[InferredType, tuple[str, str]]] = [(inferred, ("", ""))]
    done: set[str] = set()
    while work:
        node, place = work.pop()
        yield node, place
        match node:
            case InferredList(inner) | InferredOption(inner) | InferredTuple(inner) | InferredMap(inner):
                work.append((inner, place))
            case InferredUnion(_, members):
                work += [(member, place) for member in reversed(members.values())]
            case InferredStruct(name, fields) if name not in done:
                done.add(name)
                work += [(inner, (name, field)) for field, inner in reversed(fields.items())]
            case _:
                pass
