"""Cells (pack.md section 8): the slot weights and row weights of types."""

from __future__ import annotations

from spec.oracle.pack.schema import Enum, Option, Scalar, Struct, Tuple, Type, recursive, structs_of

MOST = (1 << 31) - 1
OBJECT = 3
KEY = 2
ANY = 2
SCALARS = {"bytes": 6, "decimal": 3, "timestamp": 3} | dict.fromkeys(("bigint", "string", "uuid", "duration", "any"), 2)
#: What scalars inside an `any` take besides its slot.
ANY_MORE = {name: SCALARS[name] - ANY for name in ("bytes", "decimal")}


def may_default(reader: Struct, name: str, writer: Type | None) -> bool:
    """Returns whether a field of the reader's may take its default: the writer lacks it, or has an option in its place."""
    return writer is None or (name in reader.defaulted and isinstance(writer, Option))


class Weights:
    """Weights of the writer's types. A row includes the fields of the reader's struct of that name that may take a default."""

    def __init__(self, writer: Type, reader: Type) -> None:
        self.recursive = {id(struct): recursive(struct) for t in (writer, reader) for struct in structs_of(t)}
        self.found: dict[int, int] = {}
        ours = {struct.name: struct for struct in structs_of(reader)}
        self.more: dict[int, list[Type]] = {}
        for struct in structs_of(writer):
            if struct.name in ours and ours[struct.name] is not struct:
                known, reader_struct = dict(struct.fields), ours[struct.name]
                self.more[id(struct)] = [
                    t for name, t in reader_struct.fields if may_default(reader_struct, name, known.get(name))
                ]

    def slot(self, t: Type) -> int:
        """Returns the slot weight: the cells that a value takes where it stands."""
        match t:
            case Scalar():
                return SCALARS.get(t.name, 1)
            case Enum():
                return 1
            case Option():
                return 1 if isinstance(t.item, Struct | Tuple) else self.slot(t.item)
            case Tuple():
                return self.row(t)
            case Struct():
                return 1 if self.recursive[id(t)] else self.row(t)
        return 1

    def row(self, t: Struct | Tuple) -> int:
        """Returns the row weight: the cells of a struct or tuple with all its slots."""
        if id(t) not in self.found:
            inner = t.items if isinstance(t, Tuple) else [field for _, field in t.fields] + self.more.get(id(t), [])
            self.found[id(t)] = min(MOST, OBJECT + sum(self.slot(part) for part in inner))
        return self.found[id(t)]
