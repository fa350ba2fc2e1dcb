"""What a reader puts where the writer has a symbol or member that it lacks (pack.md section 13)."""

from __future__ import annotations

from dataclasses import replace

from spec.oracle.pack.notation import Value
from spec.oracle.pack.schema import Enum, Scalar, Struct, Type, Union


def symbol_of(reader: Type | None, symbol: str) -> str | None:
    """Returns the reader's symbol for one of the writer's: `None` if it has neither this one nor a fallback."""
    if not isinstance(reader, Enum) or symbol in reader.symbols:
        return symbol
    return reader.fallback


def key_of(reader: Type | None) -> Type | None:
    """Returns the reader's type of a key. It has no fallback: two keys would become one."""
    return replace(reader, fallback=None) if isinstance(reader, Enum) else reader


def stands_in(struct: Struct) -> bool:
    """Returns whether a struct may be the fallback of a union."""
    return [(name, t.name) for name, t in struct.fields if isinstance(t, Scalar)] == [("name", "string")] * len(struct.fields)


def member_of(reader: Union) -> Struct | None:
    """Returns the member that a reader's union names as its fallback."""
    return next((member for member in reader.structs() if member.name == reader.fallback), None)


def value_of(fallback: Struct, member: str) -> Value:
    """Returns the fallback for one of the writer's members."""
    return {name: member for name, _ in fallback.fields}


def more_cells(fallback: Struct, member: str) -> int:
    """Returns what the fallback takes beside the member's own row: 16 characters of its name fit in a cell."""
    units = len(member.encode("utf-16-le", "surrogatepass")) // 2
    return 3 + len(fallback.fields) * (2 + -(-units // 16))
