"""Whether a JSON value fits a type that was inferred from others."""

from __future__ import annotations

from typing import Any

from samewire.schema.infer.forms import common_form, form_of
from samewire.schema.infer.inferred_type import (
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

_BITS = {"i8": 8, "i16": 16, "i32": 32, "i64": 64, "u8": 8, "u16": 16, "u32": 32, "u64": 64}


def misfit(inferred: InferredType, value: Any, path: str = "$") -> str | None:
    """The path of the first value that does not fit; None if all do. A field that the struct has not does not fit."""
    match inferred:
        case InferredScalar(kind):
            return None if _scalar(kind, value) else path
        case InferredForm(form):
            fits = isinstance(value, str) and common_form(form, form_of(value)) is not None
            return None if fits else path
        case InferredEnum(_, symbols):
            return None if value in symbols else path
        case InferredOption(item):
            return None if value is None else misfit(item, value, path)
        case InferredTuple(item, size):
            if not isinstance(value, list) or len(value) != size:
                return path
            return _first((item, each, f"{path}[{index}]") for index, each in enumerate(value))
        case InferredList(item):
            if not isinstance(value, list):
                return path
            return _first((item, each, f"{path}[{index}]") for index, each in enumerate(value))
        case InferredMap(item):
            if not isinstance(value, dict):
                return path
            return _first((item, each, f"{path}.{key}") for key, each in value.items())
        case InferredUnion(tag, members):
            if not isinstance(value, dict) or value.get(tag) not in members:
                return f"{path}.{tag}"
            return misfit(members[value[tag]], {key: each for key, each in value.items() if key != tag}, path)
        case InferredRecursion(struct):
            return misfit(struct, value, path)
        case InferredStruct(_, fields):
            if not isinstance(value, dict):
                return path
            if unknown := value.keys() - fields.keys():
                return f"{path}.{min(unknown)}"
            return _first((item, value.get(name), f"{path}.{name}") for name, item in fields.items())


def _first(parts: Any) -> str | None:
    return next((found for part in parts if (found := misfit(*part)) is not None), None)


def _scalar(kind: str, value: Any) -> bool:
    if kind in _BITS:
        low, high = (0, 1 << _BITS[kind]) if kind[0] == "u" else (-1 << (_BITS[kind] - 1), 1 << (_BITS[kind] - 1))
        return type(value) is int and low <= value < high
    kinds = {"bool": (bool,), "bigint": (int,), "f64": (int, float), "string": (str,), "any": (object,)}
    return isinstance(value, kinds[kind]) and (kind in ("bool", "any") or not isinstance(value, bool))
