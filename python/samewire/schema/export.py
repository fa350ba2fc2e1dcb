"""Records in formats of other programs: CSV, Arrow's IPC file, Parquet."""

from __future__ import annotations

import csv
import importlib
import io
import json
from collections.abc import Callable, Iterator
from itertools import islice
from typing import Any, BinaryIO, Final

from samewire.errors import SamewireError
from samewire.pack import RecordReader
from samewire.pack.introspect import native_type_of
from samewire.pack.native_type import Struct

from .json_value import json_conversion

#: Writes the records of a reader, at most so many or all, and returns how many.
Export = Callable[[RecordReader[Any], BinaryIO, int | None], int]


def to_csv(reader: RecordReader[Any], out: BinaryIO, most: int | None) -> int:
    """Writes a header and a line for each record. Null is an empty cell; lists, maps and structs are JSON."""
    native = native_type_of(reader.kind)
    if not isinstance(native, Struct):
        raise SamewireError(
            "unsupported", path="$", text=f"CSV has columns: expected records of a struct, not {reader.schema.text}"
        )
    names = [field.name for field in native.fields]
    plain = json_conversion(native)
    text = io.TextIOWrapper(out, "utf-8", newline="", write_through=True)
    try:
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(names)
        written = 0
        for record in islice(reader, most):
            row = plain(record)
            lines.writerow([_cell(row[name]) for name in names])
            written += 1
        return written
    finally:
        text.detach()


def _cell(value: Any) -> str:
    if value is None:
        return ""
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def to_arrow(reader: RecordReader[Any], out: BinaryIO, most: int | None) -> int:
    """Writes an IPC file of Arrow, which has a batch for each table."""
    pyarrow = _pyarrow("arrow")
    tables = reader.tables()
    with pyarrow.ipc.new_file(Counted(out), pyarrow.schema(tables)) as writer:
        return _write(pyarrow, tables, writer.write_table, most)


def to_parquet(reader: RecordReader[Any], out: BinaryIO, most: int | None) -> int:
    """Writes a Parquet file, which has a row group for each table."""
    pyarrow = _pyarrow("parquet")
    tables = reader.tables()
    parquet = importlib.import_module("pyarrow.parquet")
    with parquet.ParquetWriter(Counted(out), pyarrow.schema(tables)) as writer:
        return _write(pyarrow, tables, writer.write_table, most)


EXPORTS: Final[dict[str, Export]] = {"arrow": to_arrow, "csv": to_csv, "parquet": to_parquet}


def _write(pyarrow: Any, tables: Iterator[Any] | Any, write: Callable[[Any], object], most: int | None) -> int:
    """Writes a complete file of the records so far if they end with an error: `with` closes it."""
    written = 0
    for table in tables:
        batch = pyarrow.table(table)
        if most is not None:
            batch = batch.slice(0, most - written)
        write(batch)
        written += batch.num_rows
        if written == most:
            break
    return written


def _pyarrow(form: str) -> Any:
    try:
        return importlib.import_module("pyarrow")
    except ImportError:
        text = (
            f"--to {form} needs the package pyarrow, which is not installed (pip install pyarrow); --to csv and --json do without"
        )
        raise SamewireError("unsupported", text=text) from None


class Counted(io.RawIOBase):
    """A file, perhaps a pipe, that counts the written bytes: pyarrow calls `tell`, which a pipe lacks."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._at = 0

    def writable(self) -> bool:
        return True

    def write(self, data: Any) -> int:
        self._out.write(data)
        self._at += memoryview(data).nbytes
        return memoryview(data).nbytes

    def tell(self) -> int:
        return self._at
