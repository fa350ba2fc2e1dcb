"""The zero of a type: the default of a field with `@default`, whose value is not in the schema."""

from __future__ import annotations

from typing import Literal, TypeAlias

from samewire.pack.names import INTEGERS
from samewire.pack.type import Field, List, Map, Scalar, Set

Zero: TypeAlias = Literal["false", "integer", "float", "text", "bytes", "list", "set", "map"]


def zero(field: Field) -> Zero | None:
    """The zero for a field with `@default`; None for others, and for types without a zero."""
    match field.type:
        case _ if not field.defaulted:
            return None
        case Scalar("bool"):
            return "false"
        case Scalar("string"):
            return "text"
        case Scalar("bytes"):
            return "bytes"
        case Scalar("f32" | "f64"):
            return "float"
        case Scalar(kind) if kind in INTEGERS or kind == "bigint":
            return "integer"
        case List():
            return "list"
        case Set():
            return "set"
        case Map():
            return "map"
        case _:
            return None
