"""Names that a reader knows its types and fields by (pack.md section 13)."""

from __future__ import annotations

from copy import deepcopy

from spec.oracle.pack.schema import Enum, Struct, Type, children


def adopted(writer: Type, reader: Type) -> Type:
    """Returns the writer's type with the reader's names where the writer has an alias of them."""
    if writer is reader:
        return writer
    writer = deepcopy(writer)
    theirs = named(writer)
    for name, ours in named(reader).items():
        old = known(name, ours.aliases, set(theirs))
        found = theirs.get(old)
        if found is None:
            continue
        if isinstance(found, Struct):
            found.place = old
        found.name = name
        if isinstance(found, Struct) and isinstance(ours, Struct):
            adopt_fields(found, ours)
    return writer


def adopt_fields(writer: Struct, reader: Struct) -> None:
    fields = {name for name, _ in writer.fields}
    renamed = {known(name, aliases, fields): name for name, aliases in reader.field_aliases.items()}
    writer.fields = [(renamed.get(name, name), t) for name, t in writer.fields]


def known(name: str, aliases: list[str], writers: set[str]) -> str:
    """Returns what the writer calls this: the name itself, or else the first alias that it has."""
    return next((each for each in (name, *aliases) if each in writers), name)


def named(t: Type) -> dict[str, Struct | Enum]:
    """Returns every struct and enum within a type by its name."""
    found: dict[str, Struct | Enum] = {}
    todo = [t]
    while todo:
        part = todo.pop()
        if isinstance(part, Struct | Enum):
            if part.name in found:
                continue
            found[part.name] = part
        todo.extend(children(part))
    return found
