"""Rust code of the peer that writes values of emitted types in the notation of the vectors."""

from __future__ import annotations

from collections.abc import Mapping

from samewire.pack.schema import Schema

from .rust import IDIOMS, literal
from .type_names import TypeNames


def notations(schema: Schema) -> str:
    """A line for each definition, a macro call with its native and its schema names: `notation_struct!(Row { key = "key" });`."""
    names = TypeNames(schema, IDIOMS)
    calls = [_call("struct", names.types[name], names.fields[name]) for name in names.structs]
    calls += [_call("enum", names.types[name], names.symbols[name]) for name in names.enums]
    for members, native in names.union_names.items():
        calls.append(_call("union", native, {member: names.types[member] for member in members}))
    return "".join(f"    {call}\n" for call in calls)


def _call(kind: str, native: str, names: Mapping[str, str]) -> str:
    """names: the native name of each schema name."""
    pairs = ", ".join(f"{name} = {literal(wire)}" for wire, name in names.items())
    return f"notation_{kind}!({native} {{ {pairs} }});"
