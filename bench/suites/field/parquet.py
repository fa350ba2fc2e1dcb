"""``python -m bench.suites.field.parquet`` prints what each set takes as columns of ours and as a Parquet file, in bytes after zstd level 1.

A file's own pages are compressed, as its users have it: with pyarrow's default encodings, and with the one that makes each column
smallest. The latter are found by trial, which no writer does by itself.
"""

from __future__ import annotations

import json
from typing import Any

import pyarrow
import zstandard
from pyarrow import parquet
from samewire import pack
from samewire.pack.schema import Schema
from samewire.schema.emit import python

from bench.lab import field, suite
from bench.peers.python.natives import to_dicts, to_native
from bench.peers.python.own import definitions
from bench.peers.python.with_pyarrow import table

LEVEL = 1
INTEGERS, NUMBERS, TEXTS = ("INT32", "INT64"), ("FLOAT", "DOUBLE"), ("BYTE_ARRAY", "FIXED_LEN_BYTE_ARRAY")
ENCODINGS = {
    "PLAIN": ("BOOLEAN", *INTEGERS, *NUMBERS, *TEXTS),
    "DELTA_BINARY_PACKED": INTEGERS,
    "BYTE_STREAM_SPLIT": (*INTEGERS, *NUMBERS, "FIXED_LEN_BYTE_ARRAY"),
    "DELTA_LENGTH_BYTE_ARRAY": ("BYTE_ARRAY",),
    "DELTA_BYTE_ARRAY": TEXTS,
}
"""Beside the dictionary, which is the default; the physical types that each is for."""


def written(found: Any, **options: Any) -> bytes:
    """A table as a file."""
    sink = pyarrow.BufferOutputStream()
    parquet.write_table(found, sink, compression="zstd", compression_level=LEVEL, **options)
    return bytes(sink.getvalue())


def columns(data: bytes) -> dict[str, tuple[str, int]]:
    """Of each column of a file the physical type and the bytes."""
    about = parquet.read_metadata(pyarrow.BufferReader(data))
    sizes: dict[str, tuple[str, int]] = {}
    for group in range(about.num_row_groups):
        for index in range(about.num_columns):
            column = about.row_group(group).column(index)
            _, before = sizes.get(column.path_in_schema, ("", 0))
            sizes[column.path_in_schema] = (column.physical_type, before + column.total_compressed_size)
    return sizes


def smallest(found: Any) -> bytes:
    """The file whose columns have the encodings that make each smallest, without statistics and Arrow's own schema."""
    lean: dict[str, Any] = {"store_schema": False, "write_statistics": False}
    plain = columns(written(found, **lean))
    best = {name: (size, "") for name, (_, size) in plain.items()}
    for encoding, kinds in ENCODINGS.items():
        chosen = {name: encoding if kind in kinds else "PLAIN" for name, (kind, _) in plain.items()}
        for name, (_, size) in columns(written(found, use_dictionary=False, column_encoding=chosen, **lean)).items():
            if chosen[name] == encoding:
                best[name] = min(best[name], (size, encoding))
    dictionaries = [name for name, (_, encoding) in best.items() if not encoding]
    others = {name: encoding for name, (_, encoding) in best.items() if encoding}
    return written(found, use_dictionary=dictionaries or False, column_encoding=others or None, **lean)


def main() -> None:
    """See the module's own text."""
    compress = zstandard.ZstdCompressor(level=LEVEL).compress
    print(f"pyarrow {pyarrow.__version__}: set, ours, Parquet, Parquet without footer, Parquet with the best encodings")
    for workload in suite.load("field").workloads.values():
        taken = field.take(workload)
        schema, value = Schema.parse(taken.schema.read_text("utf-8").strip()), json.loads(taken.file.read_text("utf-8"))
        try:
            to_table, of_table = table(schema)
        except TypeError as why:
            print(workload.name, why)
            continue
        native = to_dicts(schema)(value)
        found = to_table(native)
        usual, best = written(found), smallest(found)
        for data in (usual, best):
            if of_table(parquet.read_table(pyarrow.BufferReader(data))) != native:
                raise ValueError(f"{workload.name} comes back as another value")
        types = definitions(schema, python.DATACLASS)
        ours = pack.codec(types.Root).encode(to_native(schema, vars(types))(value))
        print(workload.name, len(compress(ours)), len(usual), sum(size for _, size in columns(usual).values()), len(best))


if __name__ == "__main__":
    main()
