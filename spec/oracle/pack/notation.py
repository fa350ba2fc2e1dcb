"""The notation of values (spec/vectors/README.md): the oracle works on it directly.

A value is what `json` makes of the notation. This file orders the keys of sets, numbers shared structs, and checks
that numbers and texts are in their type's range; encode.py and decode.py do the rest.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

from spec.oracle.pack.rows import limits_of
from spec.oracle.pack.schema import (
    FLOATS,
    INTEGERS,
    Enum,
    List,
    Map,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
    utf16_order,
)
from spec.oracle.pack.sizes import BIGINT_BYTES

sys.set_int_max_str_digits(BIGINT_BYTES * 3)

Value = Any
NAN = {"f32": "7fc00000", "f64": "7ff8000000000000"}
ANY_LISTS = {0x10: "i8", 0x11: "i16", 0x12: "i32", 0x13: "i64", 0x14: "u16", 0x15: "u32", 0x16: "u64"} | {
    0x17: "f32",
    0x18: "f64",
}
"""Tags of the numeric lists of an `any`; in the notation `{"i8s": […]}` and so on."""


def is_nan(name: str, bits: int) -> bool:
    exponent = {"f32": 0x7F800000, "f64": 0x7FF0000000000000}[name]
    return bits & exponent == exponent and bits & (exponent ^ ((1 << FLOATS[name] - 1) - 1)) != 0


def float_text(name: str, bits: int) -> str:
    """Returns bits as hexadecimal digits; every NaN is the same value."""
    return NAN[name] if is_nan(name, bits) else f"{bits:0{FLOATS[name] // 4}x}"


def in_range(name: str, number: int) -> bool:
    low, high = limits_of(name)
    return low <= number <= high


def key_order(t: Type) -> Any:
    """Returns a sort key of the notation for the keys of a set (section 8)."""
    if isinstance(t, Enum) or (isinstance(t, Scalar) and t.name == "string"):
        return utf16_order
    if isinstance(t, Scalar) and t.name in ("bool", "uuid"):
        return lambda key: key
    return int


def sort_maps(t: Type, value: Value) -> Value:
    """Returns the value with each map in ascending order of its keys, also those in an `any`."""
    match t:
        case Option():
            return None if value is None else sort_maps(t.item, value)
        case List():
            return [sort_maps(t.item, item) for item in value]
        case Map():
            order = key_order(t.key)
            return [[key, sort_maps(t.value, item)] for key, item in sorted(value, key=lambda entry: order(entry[0]))]
        case Tuple():
            return [sort_maps(item, part) for item, part in zip(t.items, value, strict=True)]
        case Struct():
            return {name: sort_maps(inner, value[name]) for name, inner in t.fields}
        case Union():
            ((name, part),) = value.items()
            return {name: sort_maps(next(m for m in t.structs() if m.name == name), part)}
        case Scalar(name="any"):
            return _sort_any(value)
        case _:
            return value


def _sort_any(value: Value) -> Value:
    if not isinstance(value, dict):
        return value
    ((kind, part),) = value.items()
    if kind == "list":
        return {"list": [_sort_any(item) for item in part]}
    if kind == "map":
        texts = bool(part) and "string" in part[0][0]
        order = (lambda entry: utf16_order(entry[0]["string"])) if texts else (lambda entry: int(entry[0]["int"]))
        return {"map": [[key, _sort_any(item)] for key, item in sorted(part, key=order)]}
    return value


def shown_structs(value: Value) -> Iterator[tuple[int, Value]]:
    """Yields the shared structs of a value by number. No other notation holds a Python number."""
    if isinstance(value, list):
        for item in value:
            yield from shown_structs(item)
    elif isinstance(value, dict):
        if type(value.get("ref")) is int and "value" in value:
            yield value["ref"], value["value"]
        for part in value.values():
            yield from shown_structs(part)


def number_refs(t: Type, value: Value) -> Value:
    """Returns the value with shared structs shown where they first stand, numbered in the order in which they end.

    The order is that of this type's fields, which may differ from the order of the message.
    """
    structs = dict(shown_structs(value))
    given: dict[int, int] = {}

    def walk(t: Type, value: Value) -> Value:
        match t:
            case Option():
                return None if value is None else walk(t.item, value)
            case List() | Set():
                return [walk(t.item, item) for item in value]
            case Map():
                return [[walk(t.key, key), walk(t.value, item)] for key, item in value]
            case Tuple():
                return [walk(item, part) for item, part in zip(t.items, value, strict=True)]
            case Struct():
                return {name: walk(inner, value[name]) for name, inner in t.fields}
            case Union():
                ((name, part),) = value.items()
                return {name: walk(next(m for m in t.structs() if m.name == name), part)}
            case Ref():
                number = value["ref"]
                if number in given:
                    return {"ref": given[number]}
                inner = walk(t.item, structs[number])
                given[number] = len(given)
                return {"ref": given[number], "value": inner}
            case _:
                return value

    return walk(t, value)


def numeric(t: Type) -> str | None:
    """Returns the name of a type whose rows are numeric, else None."""
    return t.name if isinstance(t, Scalar) and t.name in INTEGERS | FLOATS else None
