"""Inferred types: a schema type, and how JSON values are converted to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from samewire.pack.schema import Enum, Field, List, Map, Named, Option, Scalar, Struct, Tuple, Type

from .forms import Form


@dataclass(frozen=True)
class InferredScalar:
    """A scalar whose JSON values need no conversion: `bool`, an integer, `f64`, `string`, `any`."""

    kind: str


@dataclass(frozen=True)
class InferredForm:
    """A date, time, instant or UUID written as a string."""

    form: Form


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
class InferredRecursion:
    """A field that holds one of the structs it stands in."""

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
        case InferredRecursion(struct):
            return Named(struct.name)
        case InferredStruct(name, fields):
            if name in defined:
                return Named(name)
            defined.add(name)
            return Struct(name, tuple(Field(field, _type(inner, defined)) for field, inner in fields.items()))


def long_fields(inferred: InferredType) -> frozenset[tuple[str, str]]:
    """The fields, as pairs of a struct's name and the field's, whose lists of numbers are usually long; `("", "")` is the root."""
    found: set[tuple[str, str]] = set()
    work: list[tuple[InferredType, tuple[str, str]]] = [(inferred, ("", ""))]
    done: set[str] = set()
    while work:
        node, place = work.pop()
        match node:
            case InferredList(item, long):
                if long:
                    found.add(place)
                work.append((item, place))
            case InferredOption(inner) | InferredTuple(inner) | InferredMap(inner):
                work.append((inner, place))
            case InferredStruct(name, fields) if name not in done:
                done.add(name)
                work += [(inner, (name, field)) for field, inner in fields.items()]
            case _:
                pass
    return frozenset(found)
