"""Values of a schema's types from JSON that spells each type in one way: ISO 8601 for times, canonical text for UUIDs."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from typing import Any
from uuid import UUID

from samewire.pack.schema import Enum, List, Map, Named, Option, Scalar, Schema, Struct, Type
from samewire.schema.emit.python import IDIOMS
from samewire.schema.emit.type_names import TypeNames

Function = Callable[[Any], Any]
Parts = list[tuple[str, Function]]

_SCALARS: dict[str, Function] = {
    "f64": float,
    "uuid": UUID,
    "timestamp": dt.datetime.fromisoformat,
    "date": dt.date.fromisoformat,
}


def to_native(schema: Schema, definitions: Mapping[str, Any]) -> Function:
    """What makes dataclasses, enums and their like. definitions: the namespace of the module that `emit.python` wrote for the schema."""
    names = TypeNames(schema, IDIOMS)

    def enum(each: Enum) -> Function:
        cls = definitions[names.types[each.name]]
        return {symbol: cls[native] for symbol, native in names.symbols[each.name].items()}.__getitem__

    def struct(each: Struct, parts: Parts) -> Function:
        cls = definitions[names.types[each.name]]
        return lambda value: cls(*[inner(value.get(name)) for name, inner in parts])

    return _Walk(schema, _SCALARS, enum, struct).of(schema.root)


def to_dicts(schema: Schema) -> Function:
    """What makes dicts of structs, with texts for enums and all else as in ``to_native``."""
    return to_plain(schema, _SCALARS)


def to_plain(schema: Schema, scalars: Mapping[str, Function]) -> Function:
    """What makes JSON of another spelling: that of these scalars, all else as it is."""

    def struct(_: Struct, parts: Parts) -> Function:
        return lambda value: {name: inner(value.get(name)) for name, inner in parts}

    return _Walk(schema, scalars, lambda _: _same, struct).of(schema.root)


class _Walk:
    """One function for each type of a schema, made once."""

    def __init__(
        self,
        schema: Schema,
        scalars: Mapping[str, Function],
        enum: Callable[[Enum], Function],
        struct: Callable[[Struct, Parts], Function],
    ) -> None:
        self._definitions, self._scalars, self._enum, self._struct = schema.definitions, scalars, enum, struct
        self._made: dict[str, Function] = {}

    def of(self, node: Type) -> Function:
        match node:
            case Scalar(kind):
                return self._scalars.get(kind, _same)
            case Option(item):
                return _optional(self.of(item))
            case List(item):
                return _list(self.of(item))
            case Map(_, item):
                return _map(self.of(item))
            case Named(name) | Struct(name) | Enum(name):
                return self._named(name)
            case _:
                raise TypeError(f"JSON has no values of {node}")

    def _named(self, name: str) -> Function:
        if name not in self._made:
            self._made[name] = lambda value: self._made[name](value)  # a recursive use finds the function below
            each = self._definitions[name]
            self._made[name] = (
                self._enum(each)
                if isinstance(each, Enum)
                else self._struct(each, [(field.name, self.of(field.type)) for field in each.fields])
            )
        return self._made[name]


def _optional(inner: Function) -> Function:
    return _same if inner is _same else lambda value: None if value is None else inner(value)


def _list(inner: Function) -> Function:
    return list if inner is _same else lambda value: [inner(item) for item in value]


def _map(inner: Function) -> Function:
    return lambda entries: {key: inner(item) for key, item in entries.items()}


def _same(value: Any) -> Any:
    return value
