"""Parquet by pyarrow: a list of structs as a table, a map as one of keys and values, read from and into dicts of their own types.

``pyarrow-parquet`` has pyarrow's defaults but for pages that are not compressed: its bytes go through the lab's compressors as all do.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from samewire.pack.schema import Enum, List, Map, Named, Option, Scalar, Schema, Struct, Type

from bench.peers.python.peer import Peer, Row, Workload

try:
    import pyarrow
    from pyarrow import parquet
except ImportError as why:
    raise ImportError(f"{why}: `make pyarrow` installs it, 170 MB") from None

_SCALARS: dict[str, Any] = {
    "bool": pyarrow.bool_(),
    **{
        f"{sign}{size}": getattr(pyarrow, f"{name}{size}")()
        for sign, name in (("i", "int"), ("u", "uint"))
        for size in (8, 16, 32, 64)
    },
    "f32": pyarrow.float32(),
    "f64": pyarrow.float64(),
    "string": pyarrow.string(),
    "bytes": pyarrow.binary(),
    "uuid": pyarrow.uuid(),
    "date": pyarrow.date32(),
    "timestamp": pyarrow.timestamp("us", "UTC"),
}


def arrow(schema: Schema, node: Type) -> Any:
    """Arrow's type of ours; enums are texts. Raises TypeError for a type without columns.

    pyarrow makes UUIDs of a table's own columns, and refuses those within a struct, list or map.
    """
    definitions = schema.definitions

    def of(node: Type, within: tuple[str, ...]) -> Any:
        match node:
            case Scalar(kind) if kind in _SCALARS:
                return _SCALARS[kind]
            case Option(item) if not isinstance(item, Option):
                return of(item, within)
            case List(item):
                return pyarrow.list_(field("element", item, within))
            case Map(key, item):
                return pyarrow.map_(of(key, within), field("value", item, within))
            case Named(name) | Struct(name) | Enum(name):
                each = definitions[name]
                if isinstance(each, Enum):
                    return pyarrow.string()
                if name not in within:
                    return pyarrow.struct([field(part.name, part.type, (*within, name)) for part in each.fields])
        raise TypeError(f"Parquet has no columns for {node}")

    def field(name: str, node: Type, within: tuple[str, ...]) -> Any:
        return pyarrow.field(name, of(node, within), nullable=isinstance(node, Option))

    return of(node, ())


def table(schema: Schema) -> tuple[Callable[[Any], Any], Callable[[Any], Any]]:
    """What makes a table of dicts, and dicts of a table. Raises TypeError if the root is neither a list of structs nor a map."""
    match schema.root:
        case List(item) if pyarrow.types.is_struct(rows := arrow(schema, item)):
            named = pyarrow.schema(list(rows))
            return (
                lambda value: pyarrow.Table.from_pylist(value, schema=named),
                lambda found: found.to_pylist(maps_as_pydicts="strict"),
            )
        case Map(key, item):
            of_key, of_item = arrow(schema, key), arrow(schema, item)
            named = pyarrow.schema(
                [pyarrow.field("key", of_key, False), pyarrow.field("value", of_item, isinstance(item, Option))]
            )
            return (
                lambda value: pyarrow.table([pyarrow.array(value, of_key), pyarrow.array(value.values(), of_item)], schema=named),
                lambda found: dict(zip(*(column.to_pylist(maps_as_pydicts="strict") for column in found.columns), strict=True)),
            )
    raise TypeError("a Parquet file is a table: a list of structs or a map")


def _prepare(workload: Workload) -> Peer:
    to_table, of_table = table(workload.type)

    def encode(value: Any) -> bytes:
        sink = pyarrow.BufferOutputStream()
        parquet.write_table(to_table(value), sink, compression="none")
        return bytes(sink.getvalue())

    return Peer(encode, lambda data: of_table(parquet.read_table(pyarrow.BufferReader(data))))


ROWS = {
    "pyarrow-parquet": Row(
        "pyarrow", "schema", "bounds, syntax of its metadata", False, ("dicts",), True, _prepare, reference=False
    )
}
