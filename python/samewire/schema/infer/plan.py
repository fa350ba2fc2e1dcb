"""What inference decides: a schema, and beside each type how its JSON values become native ones."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TypeAlias

from samewire.pack.schema import Enum, Field, List, Map, Named, Option, Scalar, Struct, Type

from .forms import Form


@dataclass(frozen=True)
class PlainPlan:
    """A scalar that JSON has: `bool`, an integer, `f64`, `string`, `any`."""

    kind: str


@dataclass(frozen=True)
class FormPlan:
    """A text that stands for something else."""

    form: Form


@dataclass(frozen=True)
class EnumPlan:
    """A text that is one of few."""

    name: str
    symbols: tuple[str, ...]


@dataclass(frozen=True)
class OptionPlan:
    """Null, missing, or an item."""

    item: Plan


@dataclass(frozen=True)
class ListPlan:
    """A JSON array."""

    item: Plan


@dataclass(frozen=True)
class MapPlan:
    """A JSON object whose keys are data."""

    value: Plan


@dataclass
class StructPlan:
    """A JSON object whose keys are names. `fields` is filled after a struct that contains itself is begun."""

    name: str
    fields: dict[str, Plan] = field(default_factory=dict)


@dataclass(frozen=True)
class SelfPlan:
    """A struct further out."""

    struct: StructPlan


Plan: TypeAlias = PlainPlan | FormPlan | EnumPlan | OptionPlan | ListPlan | MapPlan | StructPlan | SelfPlan


def type_of(plan: Plan) -> Type:
    """The plan's schema, each definition in full once."""
    return _type(plan, set())


def _type(plan: Plan, defined: set[str]) -> Type:
    match plan:
        case PlainPlan(kind):
            return Scalar(kind)
        case FormPlan(form):
            return Scalar(form.kind)
        case EnumPlan(name, symbols):
            if name in defined:
                return Named(name)
            defined.add(name)
            return Enum(name, symbols)
        case OptionPlan(item):
            return Option(_type(item, defined))
        case ListPlan(item):
            return List(_type(item, defined))
        case MapPlan(value):
            return Map(Scalar("string"), _type(value, defined))
        case SelfPlan(struct):
            return Named(struct.name)
        case StructPlan():
            defined.add(plan.name)
            return Struct(plan.name, tuple(Field(name, _type(inner, defined)) for name, inner in plan.fields.items()))
