"""Values of JSON shaped by a schema: what a program that reads foreign JSON into its own types does once, before any codec.

Published JSON spells the same thing in several ways. The result spells each type in one: instants and dates as in ISO 8601, null for
a missing field, lists where a single item stood for a list of one, texts where numbers stood for names.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping
from types import UnionType
from typing import Any

from samewire.pack.schema import Enum, List, Map, Named, Option, Scalar, Schema, Struct, Type

_INSTANTS = ("%a %b %d %H:%M:%S %z %Y", "%Y/%m/%d %H:%M", "%Y-%m-%d %H:%M")
_DATES = ("%b %d %Y", "%Y/%m/%d")

Shape = Callable[[Any, str], Any]


class ShapeError(ValueError):
    """A value does not fit its schema; the text says where, and what came."""


def shaped(schema: Schema, value: Any) -> Any:
    """`value` as values of `schema`, in JSON. Raises ShapeError."""
    return _Shaper(schema.definitions).of(schema.root)(value, "$")


class _Shaper:
    def __init__(self, definitions: Mapping[str, Struct | Enum]) -> None:
        self._definitions = definitions
        self._made: dict[str, Shape] = {}

    def of(self, node: Type) -> Shape:
        match node:
            case Scalar(kind):
                return _SCALARS[kind]
            case Option(item):
                inner = self.of(item)
                return lambda value, at: None if value is None else inner(value, at)
            case List(item):
                return _list(self.of(item))
            case Map(Scalar("string"), item):
                return _map(self.of(item))
            case Named(name) | Struct(name) | Enum(name):
                return self._named(name)
            case _:
                raise ShapeError(f"published JSON is not shaped into {node}")

    def _named(self, name: str) -> Shape:
        if name not in self._made:
            self._made[name] = lambda value, at: self._made[name](value, at)  # a recursive use finds the shape below
            definition = self._definitions[name]
            self._made[name] = (
                _enum(definition)
                if isinstance(definition, Enum)
                else _struct(definition, [self.of(each.type) for each in definition.fields])
            )
        return self._made[name]


def _list(inner: Shape) -> Shape:
    def shape(value: Any, at: str) -> Any:
        items = value if isinstance(value, list) else [] if value is None else [value]
        return [inner(item, f"{at}[{index}]") for index, item in enumerate(items)]

    return shape


def _map(inner: Shape) -> Shape:
    def shape(value: Any, at: str) -> Any:
        # An empty PHP array, which stands for an empty map.
        entries = {} if value in ([], None) else _checked(value, dict, at)
        return {key: inner(item, f"{at}.{key}") for key, item in entries.items()}

    return shape


def _enum(enum: Enum) -> Shape:
    symbols = frozenset(enum.symbols)

    def shape(value: Any, at: str) -> Any:
        if value not in symbols:
            raise ShapeError(f"{at}: {value!r} is not a symbol of {enum.name}")
        return value

    return shape


def _struct(struct: Struct, shapes: list[Shape]) -> Shape:
    fields = {field.name: shape for field, shape in zip(struct.fields, shapes, strict=True)}

    def shape(value: Any, at: str) -> Any:
        if unknown := _checked(value, dict, at).keys() - fields.keys():
            raise ShapeError(f"{at}: {struct.name} has no field {min(unknown)!r}")
        return {name: inner(value.get(name), f"{at}.{name}") for name, inner in fields.items()}

    return shape


def _checked(value: Any, kind: type | UnionType, at: str) -> Any:
    if not isinstance(value, kind):
        raise ShapeError(f"{at}: {getattr(kind, '__name__', kind)} expected, {value!s:.60} came")
    return value


def _string(value: Any, at: str) -> str:
    return str(_checked(value, str | int, at))


def _float(value: Any, at: str) -> float:
    return float(_checked(value, int | float, at))


def _instant(value: Any, at: str) -> str:
    """Milliseconds since 1970, or a text."""
    if isinstance(value, int):
        moment = dt.datetime.fromtimestamp(value / 1000, dt.UTC)
    else:
        moment = _parsed(value, _INSTANTS, at)
        moment = moment if moment.tzinfo else moment.replace(tzinfo=dt.UTC)
    return moment.astimezone(dt.UTC).isoformat().replace("+00:00", "Z")


def _date(value: Any, at: str) -> str:
    return _parsed(value, _DATES, at).date().isoformat()


def _parsed(value: Any, forms: tuple[str, ...], at: str) -> dt.datetime:
    text = _checked(value, str, at)
    for form in forms:
        try:
            return dt.datetime.strptime(text, form)
        except ValueError:
            continue
    try:
        return dt.datetime.fromisoformat(text)
    except ValueError:
        raise ShapeError(f"{at}: {text!r} is not a time in a known form") from None


_SCALARS: dict[str, Shape] = {
    "bool": lambda value, at: _checked(value, bool, at),
    "i32": lambda value, at: _checked(value, int, at),
    "i64": lambda value, at: _checked(value, int, at),
    "f64": _float,
    "string": _string,
    "uuid": lambda value, at: _checked(value, str, at),
    "timestamp": _instant,
    "date": _date,
}
