"""The command `samewire infer`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from samewire.errors import SamewireError

from ..emit import command as emit
from ..emit.definitions import LANGUAGES
from . import SourceError, infer, read
from .arguments import add_inference, add_input, options_of
from .content import said

_DESCRIPTION = """\
Infers the schema of a JSON, NDJSON or CSV file, prints it, and writes typed definitions for it. All of the data are looked at,
and not kept in memory, unless the file is one JSON object. spec/inferring.md has the rules in full.

  null or missing fields        option<...>
  texts that are symbols        enum: 2 to 16 of them (to 32, --enums, of 2 to 4 capital letters), at most 40 characters and 4
                                words of letters, digits and single signs between them; none new in the later half, in the
                                last 200 texts, and in 32 for each symbol; not if half of them differ in digits alone, or
                                if the field is called name, id, host, url, text or the like
  integers by range             i32 below 2^30, i64, u64, bigint (--ints tight: u8 i8 u16 ...)
  two to four numbers in lists  tuple<...>, where at least 16 lists have one length; lists of usually 128 and more numbers are
                                typed arrays in TypeScript
  dates, times, durations,      where all texts of a field are; instants with 0 to 9 digits of a second and any offsets are
  instants, UUIDs               timestamps, one without a zone is taken as UTC; 1/31/2020, whose order differs between
                                countries, stays text (--texts keeps all as text)
  texts like 12.50              decimal, where all of a field have the same number of places, or up to four in 16 different
                                texts; not 007, +1, 1e5, nor a field called version
  objects with data as keys     map<string, ...>: identifiers, dates, languages, countries or currencies as keys; more than 32
                                keys, or more with every row, of which most objects have less than half, with values of one
                                kind; more than 2,000 keys
  objects of one shape          one struct, wherever they stand
  kinds of objects              a union, where a text under `type`, `kind` or the like says which fields there are, or of what
                                type: a member for each text, without that field (--no-unions keeps one struct)
  objects within their like     a struct that contains itself
  mixed types                   any
"""

_EXAMPLES = """\
examples:
  samewire infer movies.json
  samewire infer airports.csv --emit python,java --out src/types
  samewire infer events.ndjson.gz --emit rust --name Event
  samewire pack events.ndjson.gz
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to those of the program."""
    command = commands.add_parser(
        "infer",
        help="infer a schema from data and write typed definitions",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    add_input(command)
    command.add_argument(
        "--emit",
        type=emit.languages,
        default=[],
        metavar="LANGUAGES",
        help=f"write definitions: any of {','.join(LANGUAGES)}",
    )
    emit.add_places(command)
    add_inference(command)
    command.add_argument("--no-unions", action="store_true", help="keep one struct where a field like `type` tells kinds apart")
    command.set_defaults(run=_run)


def _run(arguments: argparse.Namespace) -> int:
    path: Path = arguments.data
    if arguments.out is not None and not arguments.emit:
        print("samewire infer: --out writes definitions: say of which languages, as in --emit python,java", file=sys.stderr)
        return 2
    options = options_of(arguments, unions=not arguments.no_unions)
    try:
        inferred = infer(read(path, arguments.format).value, options)
    except SourceError as error:
        return _fail(str(error))
    except SamewireError as error:
        return _fail(f"{said(path)}: {error}")
    except OSError as error:
        return _fail(f"{said(path)}: {error.strerror}")
    print(inferred.schema.text)
    for note in inferred.notes:
        print(note, file=sys.stderr)
    print(f"digest {inferred.schema.digest.hex()}", file=sys.stderr)
    try:
        emit.write(inferred.schema, arguments, options.name, inferred.long_fields, inferred.fine_fields)
    except BrokenPipeError:  # of standard output
        raise
    except OSError as error:
        return _fail(str(error.strerror))
    return 0


def _fail(text: str) -> int:
    print(f"samewire: {text}", file=sys.stderr)
    return 1
