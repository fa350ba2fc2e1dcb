"""Checks whether a reader's schema can read what a writer's schema wrote (pack.md section 13)."""

from __future__ import annotations

from spec.oracle.core.errors import SamewireError
from spec.oracle.pack.aliases import adopted
from spec.oracle.pack.schema import (
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
    path_step,
)
from spec.oracle.pack.widening import widens


def resolve(writer: Type, reader: Type) -> None:
    """Raises `schema_mismatch` with the path of the first difference that no rule bridges."""
    _resolve(adopted(writer, reader), reader, "$", set())


def _resolve(writer: Type, reader: Type, path: str, met: set[tuple[int, int]]) -> None:
    """`met` holds the pairs of structs being compared or found equal: a recursive pair is compared once."""

    def mismatch(at: str = path) -> SamewireError:
        return SamewireError("schema_mismatch", None, at, "the writer's schema does not resolve to the reader's")

    match writer, reader:
        case Option(), Option():
            _resolve(writer.item, reader.item, path, met)
        case _, Option():
            _resolve(writer, reader.item, path, met)
        case Scalar(), Scalar():
            if reader.name != writer.name and not widens(writer.name, reader.name):
                raise mismatch()
        case List(), List():
            _resolve(writer.item, reader.item, path + "[]", met)
        case Set(), Set():
            _resolve(writer.item, reader.item, path + "[]", met)
        case Map(), Map():
            _resolve(writer.key, reader.key, path + "[].key", met)
            _resolve(writer.value, reader.value, path + "[].value", met)
        case Tuple(), Tuple():
            if len(writer.items) != len(reader.items):
                raise mismatch()
            for i, (theirs, ours) in enumerate(zip(writer.items, reader.items, strict=True)):
                _resolve(theirs, ours, f"{path}[{i}]", met)
        case Ref(), Ref():
            _resolve(writer.item, reader.item, path, met)
        case Enum(), Enum():
            if writer.name != reader.name:
                raise mismatch()
        case Struct(), Struct():
            if writer.name != reader.name:
                raise mismatch()
            if (id(writer), id(reader)) in met:
                return
            met.add((id(writer), id(reader)))
            fields = dict(writer.fields)
            for name, ours in reader.fields:
                if name in fields:
                    theirs = fields[name]
                    if name in reader.defaulted and isinstance(theirs, Option):
                        theirs = theirs.item  # null takes the default
                    _resolve(theirs, ours, path + path_step(name), met)
                elif not isinstance(ours, Option) and name not in reader.defaulted:
                    raise mismatch(path + path_step(name))
        case Union(), Union():
            members = {struct.name: struct for struct in writer.structs()}
            for struct in reader.structs():
                if struct.name in members:
                    _resolve(members[struct.name], struct, path, met)
        case _:
            raise mismatch()
