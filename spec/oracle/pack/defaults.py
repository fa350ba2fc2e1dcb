"""What a reader puts where the writer has nothing (pack.md section 13)."""

from __future__ import annotations

from spec.oracle.pack.notation import Value
from spec.oracle.pack.schema import FLOATS, Scalar, Struct, Type


def completed(reader: Type | None, found: dict[str, Value]) -> Value:
    """Returns the reader's struct of the fields that were read. Others, and null in a field without null, take defaults."""
    if not isinstance(reader, Struct):
        return {}
    whole = {}
    for name, t in reader.fields:
        value = found.get(name)
        whole[name] = zero(t) if value is None and name in reader.defaulted else value
    return whole


def zero(t: Type) -> Value:
    """Returns the default that the types of the vectors declare: the zero of a type."""
    match t:
        case Scalar("any"):
            return None
        case Scalar("bool"):
            return False
        case Scalar("string" | "bytes"):
            return ""
        case Scalar(name) if name in FLOATS:
            return "0" * (FLOATS[name] // 4)
        case Scalar():
            return "0"
    return []
