"""Python types made from a schema's text: dataclasses and enums."""

from __future__ import annotations

import dataclasses
import datetime
import decimal
import keyword
import re
import typing
import uuid
from enum import Enum
from typing import Annotated, Any, Final, Optional, Union

from . import markers
from . import type as nodes
from .names import INTEGERS
from .schema import Schema

_SCALARS: Final[dict[str, Any]] = {
    "bool": bool,
    "i64": int,
    "f64": float,
    "decimal": decimal.Decimal,
    "string": str,
    "bytes": bytes,
    "uuid": uuid.UUID,
    "date": datetime.date,
    "any": Any,
    "f32": Annotated[float, markers.F32],
    "bigint": Annotated[int, markers.BIGINT],
    "time": Annotated[int, markers.TIME],
    "timestamp": Annotated[int, markers.TIMESTAMP],
    "duration": Annotated[int, markers.DURATION],
    **{
        mark.kind: Annotated[int, mark]
        for mark in (
            *(markers.I8, markers.I16, markers.I32),
            *(markers.U8, markers.U16, markers.U32, markers.U64),
        )
    },
}


def types_of(schema: str | bytes | Schema) -> Any:
    """Returns the Python type of a schema, for `codec`. Each call makes new classes.

    Structs become dataclasses with slots, enums `Enum`s, times nanoseconds as `int`: so the type holds every value of
    the schema. A field with `@default` gets the zero of its type as its default: False, 0, an empty text or container.
    A field whose type has no zero gets none. Names that Python cannot use are replaced; `pack.Name` and `pack.named`
    keep them on the wire. Raises SamewireError as `Schema.parse` does.
    """
    return _Maker(schema if isinstance(schema, Schema) else Schema.parse(schema)).root()


class _Maker:
    def __init__(self, schema: Schema) -> None:
        self.schema = schema
        self.classes: dict[str, Any] = {}

    def root(self) -> Any:
        for name, definition in self.schema.definitions.items():
            if isinstance(definition, nodes.Enum):
                self.classes[name] = _enum(definition)
            else:
                self.classes[name] = _struct(definition)
        for name, definition in self.schema.definitions.items():
            if isinstance(definition, nodes.Struct):
                self.annotate(self.classes[name], definition)
        return self.type(self.schema.root)

    def annotate(self, cls: Any, definition: nodes.Struct) -> None:
        """Sets the fields' types once all classes exist: they may refer to each other."""
        annotations = {}
        for field, attribute in zip(definition.fields, cls.__dataclass_fields__, strict=True):
            kind = self.type(field.type)
            marks: list[markers.Name | markers.Alias] = [markers.Name(field.name)] if attribute != field.name else []
            marks += [markers.Alias(*field.aliases)] if field.aliases else []
            for mark in marks:
                kind = Annotated[kind, mark]
            annotations[attribute] = kind
        cls.__annotations__ = annotations

    def fallback(self, member: nodes.Struct | nodes.Named) -> Any:
        return Annotated[self.type(member), markers.FALLBACK]

    def type(self, node: nodes.Type) -> Any:
        match node:
            case nodes.Scalar(kind):
                return _SCALARS[kind]
            case nodes.Option(item):
                return Optional[self.type(item)]  # noqa: UP045 - `|` may not know a type made at run time
            case nodes.List(item):
                return list[self.type(item)]  # type: ignore[misc]
            case nodes.Set(item):
                return set[self.type(item)]  # type: ignore[misc]
            case nodes.Map(key, value):
                return dict[self.type(key), self.type(value)]  # type: ignore[misc]
            case nodes.Tuple(items):
                return tuple[tuple(map(self.type, items))]  # type: ignore[misc]
            case nodes.Union(members, fallback):
                kinds = tuple(self.type(each) if each.name != fallback else self.fallback(each) for each in members)
                return Union[kinds] if len(kinds) > 1 else Annotated[kinds[0], markers.UNION]  # noqa: UP007 - as above
            case nodes.Ref(item):
                return Annotated[self.type(item), markers.REF]
            case nodes.Struct(name) | nodes.Enum(name) | nodes.Named(name):
                return self.classes[name]


def _attributes(names: list[str]) -> list[str]:
    """Returns distinct names that are valid Python attributes, unchanged if possible."""
    taken: set[str] = set()
    result = []
    for name in names:
        plain = re.sub(r"\W", "_", name, flags=re.ASCII)
        # `type.mro` would be taken for the default of a field of that name.
        if not re.match(r"[A-Za-z]", plain) or keyword.iskeyword(plain) or plain.startswith("__") or plain == "mro":
            plain = f"f_{plain}"
        while plain in taken or (plain != name and plain in names):
            plain += "_"
        taken.add(plain)
        result.append(plain)
    return result


def _struct(definition: nodes.Struct) -> type:
    attributes = _attributes([field.name for field in definition.fields])
    plain = re.sub(r"\W", "_", definition.name)
    fields: list[Any] = []
    for attribute, field in zip(attributes, definition.fields, strict=True):
        zero = _zero(field.type) if field.defaulted else None
        fields.append((attribute, Any) if zero is None else (attribute, Any, dataclasses.field(default_factory=zero)))
    # Fields without a default may follow those with one, so fields are keyword-only.
    cls = dataclasses.make_dataclass(plain, fields, slots=True, kw_only=any(len(field) > 2 for field in fields))
    cls = markers.aliased(*definition.aliases)(cls) if definition.aliases else cls
    return cls if plain == definition.name else markers.named(definition.name)(cls)


def _zero(node: nodes.Type) -> Any:
    """The factory for the zero of a type; None if it has none."""
    match node:
        case nodes.Scalar(kind) if kind in INTEGERS or kind in ("bool", "bigint", "f32", "f64", "string", "bytes"):
            made = typing.get_origin(_SCALARS[kind])
            return typing.get_args(_SCALARS[kind])[0] if made is Annotated else _SCALARS[kind]
        case nodes.List():
            return list
        case nodes.Set():
            return set
        case nodes.Map():
            return dict
        case _:
            return None


def _enum(definition: nodes.Enum) -> type[Enum]:
    symbols = definition.symbols
    # Members cannot have the names of `Enum`'s own attributes.
    members = [f"m_{name}" if hasattr(Enum, name) or name == "mro" else name for name in _attributes(list(symbols))]
    plain = re.sub(r"\W", "_", definition.name)
    cls = Enum(plain, [(member, place) for place, member in enumerate(members)])  # type: ignore[misc]
    renamed = {member: symbol for member, symbol in zip(members, symbols, strict=True) if member != symbol}
    name = definition.name if plain != definition.name else None
    if definition.fallback is not None:
        markers.fallback(members[symbols.index(definition.fallback)])(cls)
    return markers.named(name, **renamed)(markers.aliased(*definition.aliases)(cls))
