"""Decoded values as text for people: structs with their fields, other values in a short readable form."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samewire.pack.native_type import Adapted, Enum, List, Map, NativeType, Option, Ref, Scalar, Set, Struct, Tuple, Union

from .json_value import in_order, json_conversion

Text = Callable[[Any], str]

#: Types that are text in JSON, and shown without quotes here.
_BARE = frozenset(("timestamp", "time", "duration", "date", "decimal", "uuid", "f32", "f64"))


def text_conversion(native: NativeType) -> Text:
    """Returns the conversion of a type's values to text: times in ISO 8601, enums by symbol, texts and bytes quoted."""
    return _Texts().of(native)


class _Texts:
    """The texts of a type's parts: one for each struct, which may be a part of itself."""

    def __init__(self) -> None:
        self._structs: dict[Struct, Text] = {}

    def of(self, native: NativeType) -> Text:
        match native:
            case Scalar(kind):
                return _scalar(native, kind)
            case Enum():
                return json_conversion(native)
            case Option(item):
                present = self.of(item)
                return lambda value: "None" if value is None else present(value)
            case Ref(item):
                return self.of(item)
            case List(item):
                element = self.of(item)
                return lambda value: f"[{', '.join(map(element, value))}]"
            case Set(item):
                element, plain = self.of(item), json_conversion(item)
                return lambda value: f"{{{', '.join(map(element, in_order(value, plain)))}}}"
            case Tuple(items):
                elements = [self.of(item) for item in items]
                return lambda value: _tuple([element(part) for element, part in zip(elements, value, strict=True)])
            case Map(key, inner):
                name, element = self.of(key), self.of(inner)
                return lambda value: f"{{{', '.join(f'{name(k)}: {element(v)}' for k, v in value.items())}}}"
            case Struct():
                return self._structs.get(native) or self._struct(native)
            case Union():
                members = {member.cls: self.of(member) for member in native.members}
                return lambda value: members[type(value)](value)
            case Adapted():
                raise AssertionError("a type made from a schema has no adapter")

    def _struct(self, native: Struct) -> Text:
        parts: list[tuple[str, str, Text]] = []

        def text(value: Any) -> str:
            return f"{native.name}({', '.join([f'{name}={part(getattr(value, attribute))}' for name, attribute, part in parts])})"

        self._structs[native] = text
        parts.extend((field.name, field.attribute, self.of(field.type)) for field in native.fields)
        return text


def _scalar(native: Scalar, kind: str) -> Text:
    if kind == "bytes":
        return lambda value: repr(bytes(value))
    plain = json_conversion(native)
    return (lambda value: str(plain(value))) if kind in _BARE else lambda value: repr(plain(value))


def _tuple(parts: list[str]) -> str:
    return f"({', '.join(parts)}{',' if len(parts) == 1 else ''})"
