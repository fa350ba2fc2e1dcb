"""The first difference of two schemas (pack.md section 13)."""

from __future__ import annotations

from typing import NamedTuple

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
    name_text,
    path_step,
    utf16_order,
)

NOTHING = "nothing"


class Difference(NamedTuple):
    path: str
    here: str
    there: str


class _DiffersError(Exception):
    def __init__(self, path: str, here: str, there: str) -> None:
        self.found = Difference(path, here, there)


def difference(here: Type, there: Type) -> Difference | None:
    """Returns the first difference in the order of `here`; None if the canonical texts are equal."""
    try:
        _compare(here, there, "$", set())
    except _DiffersError as differs:
        return differs.found
    return None


def label(t: Type) -> str:
    """Returns the text of a type without its parts."""
    match t:
        case Scalar():
            return t.name
        case Struct() | Enum():
            return f"{type(t).__name__.lower()} {name_text(t.name)}"
        case Tuple():
            return f"tuple of {len(t.items)}"
    return type(t).__name__.lower()


def _compare(here: Type, there: Type, path: str, met: set[str]) -> None:
    """`met` holds the structs being compared or found equal: those of one name are compared once."""
    if label(here) != label(there):
        raise _DiffersError(path, label(here), label(there))
    match here, there:
        case (Option(ours), Option(theirs)) | (Ref(ours), Ref(theirs)):
            _compare(ours, theirs, path, met)
        case (List(ours), List(theirs)) | (Set(ours), Set(theirs)):
            _compare(ours, theirs, path + "[]", met)
        case Map(), Map():
            _compare(here.key, there.key, path + "[].key", met)
            _compare(here.value, there.value, path + "[].value", met)
        case Tuple(), Tuple():
            for i, (ours, theirs) in enumerate(zip(here.items, there.items, strict=True)):
                _compare(ours, theirs, f"{path}[{i}]", met)
        case Enum(), Enum():
            for name in sorted({*here.symbols, *there.symbols}, key=utf16_order):
                _both("symbol", name, name in here.symbols, name in there.symbols, path)
        case Union(), Union():
            ours_by_name = {member.name: member for member in here.structs()}
            theirs_by_name = {member.name: member for member in there.structs()}
            for name in sorted({*ours_by_name, *theirs_by_name}, key=utf16_order):
                _both("member", name, name in ours_by_name, name in theirs_by_name, path)
                _compare(ours_by_name[name], theirs_by_name[name], path, met)
        case Struct(), Struct():
            if here.name not in met:
                met.add(here.name)
                _fields(here, there, path, met)


def _both(what: str, name: str, here: bool, there: bool, path: str) -> None:
    named = f"{what} {name_text(name)}"
    if here != there:
        raise _DiffersError(path, named if here else NOTHING, named if there else NOTHING)


def _fields(here: Struct, there: Struct, path: str, met: set[str]) -> None:
    ours, theirs = [name for name, _ in here.fields], [name for name, _ in there.fields]
    for place in range(max(len(ours), len(theirs))):
        if place < len(ours) and ours[place] not in theirs:
            raise _DiffersError(path + path_step(ours[place]), label(here.fields[place][1]), NOTHING)
        if place < len(theirs) and theirs[place] not in ours:
            raise _DiffersError(path + path_step(theirs[place]), NOTHING, label(there.fields[place][1]))
        name = ours[place]
        if theirs[place] != name:
            raise _DiffersError(path + path_step(name), f"place {place}", f"place {theirs.index(name)}")
        _compare(here.fields[place][1], there.fields[place][1], path + path_step(name), met)
