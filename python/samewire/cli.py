"""The command `samewire`."""

from __future__ import annotations

import argparse
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path

import samewire

from .bridge import command as bridge
from .errors import SamewireError
from .schema import command as schema
from .schema.emit import command as emit
from .schema.emit.definitions import LANGUAGES
from .schema.infer import FORMATS, Options, SourceError, infer, name_from, read

_DESCRIPTION = """\
Infers the schema of a JSON, NDJSON or CSV file, prints it, and writes typed definitions for it.

  null or missing fields        option<...>
  few distinct short texts      enum (--enums), unless they are numerals or the set may still grow: at least 200 texts, and
                                the later half of all, must have added none
  integers by range             i32 below 2^30, i64, u64, bigint (--ints tight: u8 i8 u16 ...)
  two to four numbers in lists  tuple<...>, where at least 16 lists have one length; lists of usually 128 and more numbers are
                                typed arrays in TypeScript
  dates, times, instants, UUIDs where all texts of a field have one form and can be written back as they were; digits of a
                                second may come and go as Java and Python write them; an instant without a zone is
                                taken as UTC; other offsets than one stay text, and so does 1/31/2020, whose order
                                differs between countries (--texts keeps all as text)
  texts like 12.50              decimal, where all of a field have the same number of places
  objects with data as keys     map<string, ...>: very many keys, numbers or dates as keys, or more with every row
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
  samewire infer events.ndjson --emit rust --name Event
"""


def _symbols(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 255:
        raise argparse.ArgumentTypeError("a number from 0 to 255 is expected")
    return number


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="samewire",
        description="Typed values between Python, the JVM, JavaScript and Rust: the same bytes in every language.",
    )
    parser.add_argument("--version", action="version", version=f"samewire {samewire.__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    command = commands.add_parser(
        "infer",
        help="infer a schema from data and write typed definitions",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument(
        "data",
        metavar="FILE",
        type=Path,
        help="JSON, NDJSON or CSV, in UTF-8, maybe compressed by gzip or zstd; - for standard input",
    )
    command.add_argument("--format", choices=FORMATS, help="default: by the file's ending, else by its content")
    command.add_argument(
        "--emit",
        type=emit.languages,
        default=[],
        metavar="LANGUAGES",
        help=f"write definitions: any of {','.join(LANGUAGES)}",
    )
    command.add_argument("--name", help="of the outermost struct; default: from the file's name")
    emit.add_places(command)
    command.add_argument("--texts", action="store_true", help="keep dates, times, UUIDs and decimals as text")
    command.add_argument(
        "--enums", type=_symbols, default=32, metavar="N", help="most symbols of an enum, 0 for none; default 32"
    )
    command.add_argument("--no-unions", action="store_true", help="keep one struct where a field like `type` tells kinds apart")
    command.add_argument(
        "--ints",
        choices=("roomy", "tight"),
        default="roomy",
        help="i32 and i64 (roomy, the default), or the narrowest type that holds them (tight)",
    )
    command.set_defaults(run=_infer)
    emit.add(commands)
    schema.add(commands)
    bridge.add(commands)
    return parser


def _infer(arguments: argparse.Namespace) -> int:
    path: Path = arguments.data
    if arguments.out is not None and not arguments.emit:
        print("samewire infer: --out writes definitions: say of which languages, as in --emit python,java", file=sys.stderr)
        return 2
    bare = path.with_suffix("") if path.suffix.lower() in (".gz", ".zst") else path
    name: str = arguments.name or name_from(bare.stem)
    options = Options(
        name=name, texts=not arguments.texts, enums=arguments.enums, ints=arguments.ints, unions=not arguments.no_unions
    )
    try:
        inferred = infer(read(path, arguments.format).value, options)
    except SourceError as error:
        return _fail(str(error))
    except SamewireError as error:
        return _fail(f"{path}: {error}")
    except OSError as error:
        return _fail(f"{path}: {error.strerror}")
    print(inferred.schema.text)
    for union in inferred.unions:
        print(union.note, file=sys.stderr)
    print(f"digest {inferred.schema.digest.hex()}", file=sys.stderr)
    try:
        emit.write(inferred.schema, arguments, name, inferred.long_fields)
    except OSError as error:
        return _fail(str(error.strerror))
    return 0


def _fail(text: str) -> int:
    print(f"samewire: {text}", file=sys.stderr)
    return 1


def main(arguments: Sequence[str] | None = None) -> int:
    """Runs the command. Returns the exit code: 0, 1 if it failed, 2 for a wrong command line, 130 if it was interrupted."""
    try:
        parsed = _parser().parse_args(arguments)
        code: int = parsed.run(parsed)
        sys.stdout.flush()
        return code
    except BrokenPipeError:  # the reader of our output closed it
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except KeyboardInterrupt:  # what a shell gives for a program that an interrupt ended
        return 128 + signal.SIGINT


if __name__ == "__main__":
    sys.exit(main())
