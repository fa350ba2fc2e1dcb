"""Typed values of kinds that are not pack schemas (spec/bridge.md, section 4)."""

from __future__ import annotations

import sys
from array import array
from typing import Any

from samewire._native import Value

#: Formats of `struct` and `array` by kinds of fixed width.
_WIDTHS = {"i8": "b", "i16": "h", "i32": "i", "i64": "q", "f32": "f", "f64": "d", "bool": "b"}

_TEXTS = ("string", "bytes")


def is_flat(schema: str) -> bool:
    """Whether the text of a schema is a kind of the bridge, whose values are not pack messages."""
    if schema.startswith("option<"):
        return is_flat(schema[len("option<") : -1])
    if schema.startswith("list<"):
        return schema[len("list<") : -1] in (*_WIDTHS, "string")
    return schema in (*_WIDTHS, *_TEXTS, "any")


def flat(schema: str, value: Any) -> Any:
    """A value as an argument of exactly that kind. The value fits: a codec of the type has checked it."""
    if schema.startswith("option<"):
        if value is None:
            # A null with a type chooses an overload; a null of an `any` has none.
            return None if schema == "option<any>" else Value(schema, b"\0")
        return flat(schema[len("option<") : -1], value)
    if schema in _WIDTHS:
        return Value(schema, fixed(schema, value))
    if schema.startswith("list<") and schema != "list<string>":
        elements = value if isinstance(value, list) else list(value)
        return Value(schema, varint(2 * len(elements)) + _row(_WIDTHS[schema[len("list<") : -1]], elements))
    return list(value) if schema == "list<string>" else value


def fixed(kind: str, value: Any) -> bytes:
    """The bytes of a value of a kind of fixed width. Raises TypeError or OverflowError if it does not fit."""
    return _row(_WIDTHS[kind], [value])


def native(kind: Any, value: Any) -> Any:
    """Converts a received buffer of numbers to the type that the program asked for."""
    if not isinstance(value, memoryview):
        return value
    text = repr(kind)
    if "ndarray" in text:
        return sys.modules["numpy"].asarray(value)
    if "array.array" in text:
        return array(value.format, value.tobytes())
    return value if "memoryview" in text else value.tolist()


def _row(form: str, values: list[Any]) -> bytes:
    made = array(form, values)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def varint(number: int) -> bytes:
    """A number as a varint."""
    out = bytearray()
    while number > 127:
        out.append(number & 127 | 128)
        number >>= 7
    out.append(number)
    return bytes(out)
