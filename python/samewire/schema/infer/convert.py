"""Converts JSON values to native Python values of an inferred schema, and back."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, TypeAlias

from ..emit.python import IDIOMS
from ..emit.type_names import TypeNames
from . import Inferred
from .inferred_type import (
    InferredEnum,
    InferredForm,
    InferredList,
    InferredMap,
    InferredOption,
    InferredRecursion,
    InferredScalar,
    InferredStruct,
    InferredTuple,
    InferredType,
    InferredUnion,
)

Function: TypeAlias = Callable[[Any], Any]


class Converter:
    """Converts by the definitions that `emit.python` wrote for the schema.

    definitions: the namespace of that module.
    """

    def __init__(self, inferred: Inferred, definitions: Mapping[str, Any]) -> None:
        self._names = TypeNames(inferred.schema, IDIOMS)
        self._definitions = definitions
        self._into: dict[str, Function] = {}
        self._out: dict[str, Function] = {}
        self.to_native = self._to_native(inferred.type)
        self.to_json = self._to_json(inferred.type)

    def _class(self, name: str) -> Any:
        return self._definitions[self._names.types[name]]

    def _to_native(self, inferred: InferredType) -> Function:
        match inferred:
            case InferredScalar("f64"):
                return float
            case InferredScalar():
                return _same
            case InferredForm(form):
                return form.parse
            case InferredEnum(name, symbols):
                cls, natives = self._class(name), self._names.symbols[name]
                return {symbol: cls[natives[symbol]] for symbol in symbols}.__getitem__
            case InferredTuple(inner):
                item = self._to_native(inner)
                return lambda values: tuple(map(item, values))
            case InferredOption(inner) | InferredList(inner) | InferredMap(inner):
                return _around(inferred, self._to_native(inner))
            case InferredRecursion(struct):
                return lambda value: self._into[struct.name](value)
            case InferredStruct():
                return self._struct_to_native(inferred)
            case InferredUnion(tag, members):
                kinds = {text: self._struct_to_native(member) for text, member in members.items()}
                return lambda value: kinds[value[tag]](value)

    def _struct_to_native(self, inferred: InferredStruct) -> Function:
        if (known := self._into.get(inferred.name)) is not None:
            return known
        cls = self._class(inferred.name)
        parts = [(name, self._to_native(inner)) for name, inner in inferred.fields.items()]

        def convert(value: dict[str, Any]) -> Any:
            return cls(*[inner(value.get(name)) for name, inner in parts])

        self._into[inferred.name] = convert
        return convert

    def _to_json(self, inferred: InferredType) -> Function:
        match inferred:
            case InferredScalar():
                return _same
            case InferredForm(form):
                return form.write
            case InferredEnum(name, symbols):
                cls, natives = self._class(name), self._names.symbols[name]
                return {cls[natives[symbol]]: symbol for symbol in symbols}.__getitem__
            case InferredTuple():
                return list
            case InferredOption(inner) | InferredList(inner) | InferredMap(inner):
                return _around(inferred, self._to_json(inner))
            case InferredRecursion(struct):
                return lambda value: self._out[struct.name](value)
            case InferredStruct():
                return self._struct_to_json(inferred)
            case InferredUnion(tag, members):
                texts = {
                    self._class(member.name): ({tag: text}, self._struct_to_json(member)) for text, member in members.items()
                }
                return lambda value: _tagged(*texts[type(value)], value)

    def _struct_to_json(self, inferred: InferredStruct) -> Function:
        if (known := self._out.get(inferred.name)) is not None:
            return known
        natives = self._names.fields[inferred.name]
        parts = [(name, natives[name], self._to_json(inner)) for name, inner in inferred.fields.items()]

        def convert(value: Any) -> dict[str, Any]:
            return {name: inner(getattr(value, native)) for name, native, inner in parts}

        self._out[inferred.name] = convert
        return convert


def _around(inferred: InferredOption | InferredList | InferredMap, inner: Function) -> Function:
    """Returns the converter of an option, list or map, given that of its items."""
    match inferred:
        case InferredOption():
            return _same if inner is _same else lambda value: None if value is None else inner(value)
        case InferredList():
            return list if inner is _same else lambda value: [inner(item) for item in value]
        case InferredMap():
            return lambda entries: {key: inner(item) for key, item in entries.items()}


def complete(inferred: InferredType, value: Any) -> Any:
    """Returns `value` with null for every missing field, and times written in one way, as `to_json` returns it."""
    match inferred:
        case InferredForm(form):
            return form.canonical(value)
        case InferredOption(item):
            return None if value is None else complete(item, value)
        case InferredList(item) | InferredTuple(item):
            return [complete(item, each) for each in value]
        case InferredMap(inner):
            return {key: complete(inner, each) for key, each in value.items()}
        case InferredRecursion(struct):
            return complete(struct, value)
        case InferredUnion(tag, members):
            return {tag: value[tag], **complete(members[value[tag]], value)}
        case InferredStruct():
            return {name: complete(inner, value.get(name)) for name, inner in inferred.fields.items()}
        case _:
            return value


def _tagged(tag: dict[str, str], fields: Function, value: Any) -> dict[str, Any]:
    return {**tag, **fields(value)}


def _same(value: Any) -> Any:
    return value
