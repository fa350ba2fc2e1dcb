"""The command `samewire pack`: a record file of JSON, NDJSON or CSV."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, cast

from samewire.errors import SamewireError
from samewire.pack import RecordWriter, Schema, types_of
from samewire.pack.introspect import native_type_of
from samewire.pack.type import List

from .export import Counted
from .from_json import from_json
from .infer import SourceError, infer, read
from .infer.arguments import add_inference, add_input, bare_name, options_of
from .infer.content import said
from .infer.inferred_type import InferredList, InferredType, InferredUnion, type_of, unions_of
from .source import schema_of

_DESCRIPTION = """\
Writes the records of a JSON, NDJSON or CSV file into a record file, with their schema, and says how many there are and how
many bytes they take. An array's elements, a line's value, a row are a record; anything else is one. Without --type the schema
is inferred from all of them, as `samewire infer` prints it, except that kinds of objects stay one struct: a union does not
hold which field was the discriminator. The data are read two or three times, and not kept in memory.

`samewire cat --json` prints the records again: with null for a missing field, instants in UTC, and times without zeros at
the end of their digits.
"""

_EXAMPLES = """\
examples:
  samewire pack events.ndjson.gz
  samewire pack flights.csv -o flights.records --compression zstd
  samewire infer books.json > book.schema; samewire pack more.json --type book.schema
  curl https://example.com/books.json | samewire pack - -o books.records
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to those of the program."""
    command = commands.add_parser(
        "pack",
        help="write JSON, NDJSON or CSV into a record file",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_input(command)
    command.add_argument(
        "-o",
        "--out",
        metavar="OUT",
        help="the record file; default: FILE with the ending .records, if there is none; - for standard output",
    )
    command.add_argument(
        "--type",
        metavar="SCHEMA",
        help="do not infer: the schema, as a file of it or as text, of a record or, as infer prints it, of a list of them",
    )
    command.add_argument("--compression", choices=("zstd",), help="compress blocks of records")
    add_inference(command)
    command.add_argument("--unions", action="store_true", help="make unions, as infer does")
    command.set_defaults(run=_run)


@dataclass(frozen=True)
class _Records:
    """The input of `pack`: the JSON values, their schema, and the conversion to records."""

    values: Iterable[Any]
    schema: Schema
    unions: list[InferredUnion]
    notes: list[str]


def _run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.data
    out = arguments.out
    if out is None:
        if str(path) == "-":
            return _fail("records of standard input need a file to go to: name it, as in -o books.records", 2)
        out = str(path.with_name(f"{bare_name(path).stem}.records"))
        if Path(out).exists():
            return _fail(f"{out} exists: to replace it, name it by -o {out}")
    elif out != "-" and Path(out).exists() and path.exists() and Path(out).samefile(path):
        return _fail(f"{out} is the input too, which would be lost: name another file by -o")
    try:
        source = read(path, arguments.format)
        records = _given(source.value, source.is_rows, arguments) if arguments.type else _inferred(source.value, arguments)
        for note in records.notes:
            print(note, file=sys.stderr)
        with _opened(out) as file:
            written, size = _write(records, file, arguments.compression)
    except SourceError as error:
        return _fail(str(error))
    except SamewireError as error:
        return _fail(f"{said(path)}: {error}")
    except BrokenPipeError:  # of standard output
        raise
    except OSError as error:
        return _fail(f"{error.filename or out}: {error.strerror}")
    share = f" ({100 * size / source.size:.1f} % of {source.size:,})" if source.size else ""
    print(f"{out}: {written:,} records, {size:,} bytes{share}", file=sys.stderr if out == "-" else sys.stdout)
    return 0


def _inferred(value: Any, arguments: argparse.Namespace) -> _Records:
    inferred = infer(value, options_of(arguments, unions=arguments.unions))
    record, values = _record_of(inferred.type, value)
    return _Records(values, Schema.of(type_of(record)), unions_of(record), inferred.notes)


def _record_of(inferred: InferredType, value: Any) -> tuple[InferredType, Iterable[Any]]:
    return (inferred.item, value) if isinstance(inferred, InferredList) else (inferred, [value])


def _given(value: Any, is_rows: bool, arguments: argparse.Namespace) -> _Records:
    try:
        schema = schema_of(arguments.type)
    except (SamewireError, OSError) as error:
        raise SourceError(f"--type: {(isinstance(error, OSError) and error.strerror) or error}") from None
    if is_rows and isinstance(schema.root, List):
        schema = Schema.of(schema.root.item)
    return _Records(value if is_rows else [value], schema, [], [])


def _write(records: _Records, file: BinaryIO, compression: str | None) -> tuple[int, int]:
    """Returns the number of records, and of the bytes written."""
    kind = types_of(records.schema)
    convert = from_json(native_type_of(kind), records.unions)
    counted = Counted(file)
    with RecordWriter(cast(BinaryIO, counted), kind, compression=compression) as writer:
        for number, value in enumerate(records.values):
            _add(writer, convert, value, number)
        written = writer.records
    return written, counted.tell()


def _add(writer: RecordWriter[Any], convert: Callable[[Any], Any], value: Any, number: int) -> None:
    try:
        writer.write(convert(value))
    except SamewireError as error:
        raise SamewireError(error.code, error.at, error.path, f"record {number}: {error.text}") from None


@contextmanager
def _opened(out: str) -> Iterator[BinaryIO]:
    """The output file. A regular file is replaced at the end, and unchanged after a failure."""
    if out == "-":
        yield sys.stdout.buffer
        return
    path = Path(out)
    if path.exists() and not path.is_file():  # a pipe, a terminal
        with path.open("wb") as file:
            yield file
        return
    fresh = path.with_name(f"{path.name}.part")
    try:
        with fresh.open("wb") as file:
            yield file
        fresh.replace(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise


def _fail(text: str, code: int = 1) -> int:
    print(f"samewire: {text}", file=sys.stderr)
    return code
