"""Converts JSON values to values of a schema's types: the inverse of `json_value`, and more tolerant.

Times, dates and durations are texts of any form that `infer` knows; decimals are texts or numbers, bytes base64. A struct
of a union is in an object under its name, or has a discriminator field, if `infer` found one.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Callable, Mapping, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any, Final
from uuid import UUID

from samewire.errors import SamewireError
from samewire.pack.names import step
from samewire.pack.native_type import Adapted, Enum, Field, List, Map, NativeType, Option, Ref, Scalar, Set, Struct, Tuple, Union

from .infer.forms import form_of
from .infer.inferred_type import InferredUnion

Conversion = Callable[[Any], Any]

#: The most characters of a value in an error.
_SHOWN: Final = 40


class _MismatchError(Exception):
    """A value that does not fit; the steps of its path are added from the innermost on."""

    def __init__(self, expected: str, value: Any, steps: list[str] | None = None) -> None:
        super().__init__(expected)
        shown = repr(value)
        shown = shown if len(shown) <= _SHOWN else f"{shown[:_SHOWN]}…"
        self.text = f"expected {expected}, not {shown}"
        self.steps = steps or []


def from_json(native: NativeType, unions: Sequence[InferredUnion] = ()) -> Conversion:
    """Returns the conversion from results of `json.loads` to values of a type, with times in nanoseconds.

    unions: those with a discriminator field. The conversion raises SamewireError `type_mismatch` with the path. The
    codec checks the ranges of numbers, and texts that are not well-formed.
    """
    conversion = _Conversions(unions).of(native)

    def convert(value: Any) -> Any:
        try:
            return conversion(value)
        except _MismatchError as error:
            raise SamewireError("type_mismatch", None, "$" + "".join(reversed(error.steps)), error.text) from None

    return convert


class _Conversions:
    """The conversions of a type's parts: one for each struct, which may be a part of itself."""

    def __init__(self, unions: Sequence[InferredUnion]) -> None:
        self._structs: dict[Struct, Conversion] = {}
        self._unions = {frozenset(member.name for member in union.members.values()): union for union in unions}

    def of(self, native: NativeType) -> Conversion:
        match native:
            case Scalar(kind):
                return _SCALARS[kind]
            case Enum(_, _, members):
                return lambda value: _symbol(members, value)
            case Option(item):
                present = self.of(item)
                return lambda value: None if value is None else present(value)
            case List(item):
                return _list_of(self.of(item))
            case Set(item):
                elements = _list_of(self.of(item))
                return lambda value: set(elements(value))
            case Tuple(items):
                return _tuple_of([self.of(item) for item in items])
            case Map(key, inner):
                return _map_of(_key_of(key, self.of(key)), self.of(inner))
            case Struct():
                return self._structs.get(native) or self._struct(native)
            case Union():
                return self._union(native)
            case Ref(item):
                return self.of(item)
            case Adapted():
                raise AssertionError("a type made from a schema has no adapter")

    def _struct(self, native: Struct) -> Conversion:
        cls, name = native.cls, native.name
        fields: dict[str, tuple[str, Conversion]] = {}
        absent: list[Field] = []

        def convert(value: Any) -> Any:
            if type(value) is not dict:
                raise _MismatchError(f"an object, for struct {name}", value)
            made: dict[str, Any] = {}
            key = ""
            try:
                for key, inner in value.items():
                    attribute, conversion = fields[key]
                    made[attribute] = conversion(inner)
            except _MismatchError as error:
                error.steps.append(step(key))
                raise
            except KeyError:
                text = f"a field of struct {name}, which has no {key!r}: add it to the type, or leave it out of the data"
                raise _MismatchError(text, value[key], [step(key)]) from None
            if len(made) < len(fields):
                _complete(made, absent, name)
            return cls(**made)

        self._structs[native] = convert
        fields.update((field.name, (field.attribute, self.of(field.type))) for field in native.fields)
        absent.extend(native.fields)
        return convert

    def _union(self, native: Union) -> Conversion:
        members = {member.name: self.of(member) for member in native.members}
        known = self._unions.get(frozenset(members))
        if known is not None:
            tag = known.tag
            kinds = {text: members[member.name] for text, member in known.members.items()}
            return lambda value: _tagged(tag, kinds, value)
        return lambda value: _named(members, value)


def _complete(made: dict[str, Any], fields: Sequence[Field], name: str) -> None:
    """Adds null for missing options; the class adds other defaults."""
    for field in fields:
        if field.attribute in made or field.default is not None:
            continue
        if not isinstance(field.type, Option) and field.type != Scalar("any"):
            raise _MismatchError(f"the field {field.name!r} of struct {name}", dict(made), [step(field.name)])
        made[field.attribute] = None


def _list_of(element: Conversion) -> Conversion:
    def convert(value: Any) -> list[Any]:
        if type(value) is not list:
            raise _MismatchError("a list", value)
        if element is _same:
            return value
        made: list[Any] = []
        try:
            for part in value:
                made.append(element(part))  # noqa: PERF401 - the index of a failure is wanted
        except _MismatchError as error:
            error.steps.append(f"[{len(made)}]")
            raise
        return made

    return convert


def _tuple_of(elements: list[Conversion]) -> Conversion:
    def convert(value: Any) -> tuple[Any, ...]:
        if type(value) is not list or len(value) != len(elements):
            raise _MismatchError(f"a list of {len(elements)} values", value)
        made: list[Any] = []
        try:
            for element, part in zip(elements, value, strict=True):
                made.append(element(part))
        except _MismatchError as error:
            error.steps.append(f"[{len(made)}]")
            raise
        return tuple(made)

    return convert


def _map_of(key: Conversion, inner: Conversion) -> Conversion:
    def convert(value: Any) -> dict[Any, Any]:
        if type(value) is not dict:
            raise _MismatchError("an object, for a map", value)
        made: dict[Any, Any] = {}
        part = ".key"
        try:
            for name, item in value.items():
                part = ".key"
                known = key(name)
                part = ".value"
                made[known] = inner(item)
        except _MismatchError as error:
            error.steps.append(f"[{len(made)}]{part}")
            raise
        return made

    return convert


def _symbol(members: Mapping[str, Any], value: Any) -> Any:
    member = members.get(value) if type(value) is str else None
    if member is None:
        raise _MismatchError(f"one of the symbols {', '.join(members)}", value)
    return member


def _tagged(tag: str, kinds: Mapping[str, Conversion], value: Any) -> Any:
    kind = value.get(tag) if type(value) is dict else None
    if type(kind) is not str or kind not in kinds:
        raise _MismatchError(f"an object whose {tag!r} is one of {', '.join(kinds)}", value)
    return kinds[kind]({key: inner for key, inner in value.items() if key != tag})


def _named(members: Mapping[str, Conversion], value: Any) -> Any:
    if type(value) is dict and len(value) == 1:
        ((name, inner),) = value.items()
        if name in members:
            try:
                return members[name](inner)
            except _MismatchError as error:
                error.steps.append(step(name))
                raise
    raise _MismatchError(f"an object with one of the names {', '.join(members)}, and the struct under it", value)


def _key_of(native: NativeType, conversion: Conversion) -> Conversion:
    """Keys of JSON are texts: those of other types are the texts of their values."""
    kind = native.kind if isinstance(native, Scalar) else ""
    if kind == "bool":
        return lambda key: _bool({"true": True, "false": False}.get(key, key))
    return _integer_key if kind == "bigint" or (kind[:1] in ("i", "u") and kind[1:].isdigit()) else conversion


def _integer_key(key: str) -> int:
    try:
        return int(key)
    except ValueError:
        raise _MismatchError("an integer, for a key", key) from None


def _same(value: Any) -> Any:
    return value


def _bool(value: Any) -> bool:
    if type(value) is not bool:
        raise _MismatchError("true or false", value)
    return value


def _int(value: Any) -> int:
    if type(value) is not int:
        raise _MismatchError("an integer", value)
    return value


def _float(value: Any) -> float:
    if type(value) is float:
        return value
    if type(value) is int:
        try:
            made = float(value)
        except OverflowError:
            made = 0.0
        if made == value:
            return made
        raise _MismatchError("an integer that 64-bit floats hold exactly", value)
    if type(value) is str and value in ("nan", "inf", "-inf"):
        return float(value)
    raise _MismatchError("a number", value)


def _string(value: Any) -> str:
    if type(value) is not str:
        raise _MismatchError("a text", value)
    return value


def _bytes(value: Any) -> bytes:
    try:
        return base64.b64decode(_string(value), validate=True)
    except (binascii.Error, ValueError):
        raise _MismatchError("base64", value) from None


def _decimal(value: Any) -> Decimal:
    if type(value) is int:
        return Decimal(value)
    try:
        made = Decimal(repr(value) if type(value) is float else _string(value))
    except InvalidOperation:
        made = Decimal("NaN")
    if not made.is_finite():
        raise _MismatchError("a decimal number", value)
    return made


def _uuid(value: Any) -> UUID:
    try:
        return UUID(_string(value))
    except ValueError:
        raise _MismatchError("a UUID", value) from None


def _in_form(kind: str, example: str) -> Conversion:
    """Texts of one kind of `forms`."""

    def convert(value: Any) -> Any:
        form = form_of(value) if type(value) is str else None
        if form is None or form.kind != kind:
            raise _MismatchError(f"a {kind}, as {example}", value)
        return form.value(value)

    return convert


_SCALARS: Final[dict[str, Conversion]] = {
    "any": _same,
    "bool": _bool,
    **dict.fromkeys(("i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint"), _int),
    "f32": _float,
    "f64": _float,
    "string": _string,
    "bytes": _bytes,
    "decimal": _decimal,
    "uuid": _uuid,
    "date": _in_form("date", "2026-01-31"),
    "time": _in_form("time", "12:30:00.5"),
    "timestamp": _in_form("timestamp", "2026-01-31T12:30:00Z"),
    "duration": _in_form("duration", "PT1H30M or 5400s"),
}
