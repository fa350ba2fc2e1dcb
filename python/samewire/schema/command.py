"""The commands `samewire cat`, `samewire schema` and `samewire diff`."""

from __future__ import annotations

import argparse
import contextlib
import io
import json
import sys
from collections.abc import Callable
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from samewire.errors import SamewireError
from samewire.pack import RecordReader
from samewire.pack.introspect import native_type_of
from samewire.pack.native_type import NativeType

from .compatibility import compare
from .export import EXPORTS
from .infer import SourceError
from .infer.compressed import expanded
from .infer.content import said
from .json_value import json_conversion
from .source import schema_of
from .text_value import text_conversion
from .unknown import Unknown

#: Names of symbols and members that a line shows.
_UNKNOWN = 5

_FILE = "a file of records, maybe compressed by gzip or zstd; - for standard input"

_CAT = """\
Prints the records of a file, one a line, each with the names of its fields; with --json as JSON. There integers keep all
their digits; decimals, UUIDs and times become texts, and so do NaN and the infinities; bytes are base64, a union's struct
stands under its name. Sets are in the order of their elements. With --to the records go to standard output in the format of
other programs: CSV, where cells that are not scalars hold JSON, and, by the package pyarrow, Arrow's IPC file or Parquet. A
file that is being written, or was cut off, is printed up to its last whole block; standard error says so, and the exit code
is 1.
"""

_CAT_EXAMPLES = """\
examples:
  samewire cat books.records
  samewire cat --json --head 3 books.records.gz
  samewire cat --to csv - < books.records > books.csv
"""

_SCHEMA = "Prints the schema that a file of records was written with; its digest and the number of records go to standard error."

_DIFF = """\
Says where two schemas differ first, and in which direction messages can be read: by a reader of NEW what OLD wrote, and the
other way. OLD and NEW are files of records or of schema text, or schema text itself. A field that only the reader has must be
optional, or the reader's text say that its type has a default, as in `year: i32 @default`. What has been renamed is found by
its old name where the reader's text lists that, as in `published: i32 @alias(year)`. Codecs print such text as their schema's
`annotated`. A direction does not hold if the writer has a symbol of an enum or a member of a union that the reader lacks,
although messages without it can be read.
"""

_DIFF_EXIT = """\
exit code: 0 if what --require names holds, 1 if not, 2 for a wrong command line or a schema that cannot be read

examples:
  samewire diff old.schema new.schema
  samewire diff books.records "struct Book { name: string, year: i64 }" --require both
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the commands to those of the program."""
    cat = commands.add_parser(
        "cat",
        help="print the records of a file",
        description=_CAT,
        epilog=_CAT_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    cat.add_argument("file", metavar="FILE", help=_FILE)
    form = cat.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="one JSON value a line")
    form.add_argument("--to", choices=tuple(EXPORTS), metavar="FORMAT", help=f"write one of {', '.join(EXPORTS)}")
    cat.add_argument("--head", type=_number, metavar="N", help="at most so many records; default: all")
    cat.set_defaults(run=_cat)
    schema = commands.add_parser("schema", help="print the schema of a file of records", description=_SCHEMA)
    schema.add_argument("file", metavar="FILE", help=_FILE)
    schema.set_defaults(run=_schema)
    diff = commands.add_parser(
        "diff",
        help="say whether two schemas can read each other's messages",
        description=_DIFF,
        epilog=_DIFF_EXIT,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    diff.add_argument("old", metavar="OLD", help="what was released: a file, - for standard input, or schema text")
    diff.add_argument("new", metavar="NEW", help="what comes next: as OLD")
    diff.add_argument(
        "--require",
        choices=("new-reads-old", "old-reads-new", "both"),
        default="new-reads-old",
        help="what must hold for exit code 0; default: new-reads-old",
    )
    diff.set_defaults(run=_diff)


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()):
        raise argparse.ArgumentTypeError("a number of records is expected")
    return int(text)


def _cat(arguments: argparse.Namespace) -> int:
    return _with_file(arguments, _print)


def _with_file(arguments: argparse.Namespace, run: Callable[[BinaryIO, argparse.Namespace], int]) -> int:
    path = Path(arguments.file)
    try:
        with contextlib.ExitStack() as stack:
            file = sys.stdin.buffer if str(path) == "-" else stack.enter_context(path.open("rb"))
            assert isinstance(file, io.BufferedReader)
            return run(stack.enter_context(expanded(file, said(path))), arguments)
    except BrokenPipeError:  # of standard output
        raise
    except SourceError as error:
        print(f"samewire: {error}", file=sys.stderr)
        return 1
    except (SamewireError, OSError) as error:
        return _fail(said(path), error)


def _print(file: BinaryIO, arguments: argparse.Namespace) -> int:
    with RecordReader(file) as reader:
        printed = 0
        try:
            if arguments.to:
                printed = EXPORTS[arguments.to](reader, sys.stdout.buffer, arguments.head)
            else:
                native = native_type_of(reader.kind)
                line = _json_line(native) if arguments.json else text_conversion(native)
                for record in islice(reader, arguments.head):
                    print(line(record))
                    printed += 1
        except SamewireError as error:
            if error.code != "truncated" or error.path is not None:  # a record's
                raise
            cut = f"ends within a block, at byte {error.at}"
        else:
            if reader.complete or printed == arguments.head:
                return 0
            cut = "has no index at its end"
    text = f"printed up to the last whole block; the file {cut}: it is being written, or was cut off"
    print(f"samewire: {said(Path(arguments.file))}: {text}", file=sys.stderr)
    return 1


def _json_line(native: NativeType) -> Callable[[Any], str]:
    plain = json_conversion(native)
    return lambda record: json.dumps(plain(record), ensure_ascii=False)


def _schema(arguments: argparse.Namespace) -> int:
    return _with_file(arguments, _print_schema)


def _print_schema(file: BinaryIO, arguments: argparse.Namespace) -> int:
    with RecordReader(file, growing=True) as reader:
        print(reader.schema.text)
        records = f", {reader.count()} records" if file.seekable() else ""
        print(f"digest {reader.schema.digest.hex()}{records}", file=sys.stderr)
    return 0


def _diff(arguments: argparse.Namespace) -> int:
    try:
        old, new = schema_of(arguments.old), schema_of(arguments.new)
    except (SamewireError, SourceError, OSError) as error:
        _fail("diff", error)
        return 2
    found = compare(old, new)
    if found.difference is None:
        print("the schemas are equal")
        return 0
    print(f"{found.difference.path}: {found.difference.here} in OLD, {found.difference.there} in NEW")
    print(_direction("a reader of NEW, what OLD wrote", found.new_reads_old))
    print(_direction("a reader of OLD, what NEW wrote", found.old_reads_new))
    holds = {"new-reads-old": found.new_reads_old is None, "old-reads-new": found.old_reads_new is None}
    return 0 if all(holds.values()) or holds.get(arguments.require, False) else 1


def _direction(what: str, refusal: SamewireError | list[Unknown] | None) -> str:
    if refusal is None:
        return f"{what}: reads it"
    if isinstance(refusal, SamewireError):
        return f"{what}: cannot: {refusal.path}: {refusal.text}"
    named = ", ".join(map(str, refusal[:_UNKNOWN]))
    more = f" and {len(refusal) - _UNKNOWN} more" if len(refusal) > _UNKNOWN else ""
    return f"{what}: only messages without {named}{more}"


def _fail(name: object, error: Exception) -> int:
    print(f"samewire: {name}: {(isinstance(error, OSError) and error.strerror) or error}", file=sys.stderr)
    return 1
