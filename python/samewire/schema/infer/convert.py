"""JSON values to native Python values of an inferred schema, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..emit.python import IDIOMS
from ..emit.shapes import Shapes
from . import Inferred
from .plan import EnumPlan, FormPlan, ListPlan, MapPlan, OptionPlan, PlainPlan, Plan, SelfPlan, StructPlan

Function: TypeAlias = Callable[[Any], Any]


class Converter:
    """Converts by the definitions that `emit.python` wrote for the schema.

    definitions: the namespace of that module.
    """

    def __init__(self, inferred: Inferred, definitions: Mapping[str, Any]) -> None:
        self._shapes = Shapes(inferred.schema, IDIOMS)
        self._definitions = definitions
        self._into: dict[str, Function] = {}
        self._out: dict[str, Function] = {}
        self.to_native = self._to_native(inferred.plan)
        self.to_json = self._to_json(inferred.plan)

    def _class(self, name: str) -> Any:
        return self._definitions[self._shapes.types[name]]

    def _to_native(self, plan: Plan) -> Function:
        match plan:
            case PlainPlan("f64"):
                return float
            case PlainPlan():
                return _same
            case FormPlan(form):
                return form.parse
            case EnumPlan(name, symbols):
                cls, natives = self._class(name), self._shapes.symbols[name]
                return {symbol: cls[natives[symbol]] for symbol in symbols}.__getitem__
            case OptionPlan(inner) | ListPlan(inner) | MapPlan(inner):
                return _around(plan, self._to_native(inner))
            case SelfPlan(struct):
                return lambda value: self._into[struct.name](value)
            case StructPlan():
                return self._struct_to_native(plan)

    def _struct_to_native(self, plan: StructPlan) -> Function:
        cls = self._class(plan.name)
        parts = [(name, self._to_native(inner)) for name, inner in plan.fields.items()]

        def convert(value: dict[str, Any]) -> Any:
            return cls(*[inner(value.get(name)) for name, inner in parts])

        self._into[plan.name] = convert
        return convert

    def _to_json(self, plan: Plan) -> Function:
        match plan:
            case PlainPlan():
                return _same
            case FormPlan(form):
                return form.write
            case EnumPlan(name, symbols):
                cls, natives = self._class(name), self._shapes.symbols[name]
                return {cls[natives[symbol]]: symbol for symbol in symbols}.__getitem__
            case OptionPlan(inner) | ListPlan(inner) | MapPlan(inner):
                return _around(plan, self._to_json(inner))
            case SelfPlan(struct):
                return lambda value: self._out[struct.name](value)
            case StructPlan():
                return self._struct_to_json(plan)

    def _struct_to_json(self, plan: StructPlan) -> Function:
        natives = self._shapes.fields[plan.name]
        parts = [(name, natives[name], self._to_json(inner)) for name, inner in plan.fields.items()]

        def convert(value: Any) -> dict[str, Any]:
            return {name: inner(getattr(value, native)) for name, native, inner in parts}

        self._out[plan.name] = convert
        return convert


def _around(plan: OptionPlan | ListPlan | MapPlan, inner: Function) -> Function:
    """What converts an option, a list or a map by what converts its items."""
    match plan:
        case OptionPlan():
            return _same if inner is _same else lambda value: None if value is None else inner(value)
        case ListPlan():
            return list if inner is _same else lambda value: [inner(item) for item in value]
        case MapPlan():
            return lambda entries: {key: inner(item) for key, item in entries.items()}


def complete(plan: Plan, value: Any) -> Any:
    """`value` with null for every missing field: what `to_json` answers for it."""
    match plan:
        case OptionPlan(item):
            return None if value is None else complete(item, value)
        case ListPlan(item):
            return [complete(item, each) for each in value]
        case MapPlan(inner):
            return {key: complete(inner, each) for key, each in value.items()}
        case SelfPlan(struct):
            return complete(struct, value)
        case StructPlan():
            return {name: complete(inner, value.get(name)) for name, inner in plan.fields.items()}
        case _:
            return value


def _same(value: Any) -> Any:
    return value
