"""The command `samewire emit`, and what `infer --emit` shares with it."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Collection
from pathlib import Path

from samewire.errors import SamewireError
from samewire.pack.schema import Schema
from samewire.pack.type import Enum, Named, Struct, text_of

from ..infer.faults import SourceError
from ..source import schema_of
from .definitions import LANGUAGES, file_for
from .java import is_package
from .zeros import zero

_DESCRIPTION = """\
Writes the types of a schema in other languages, so that one team's types are all teams' types. SCHEMA is one of

  a file of schema text         what a codec's schema prints, in every language (below)
  a file of records             the schema that it was written with
  -                             one of these on standard input
  schema text                   as it is: "struct Book { name: string, year: i32 }"

A codec prints its schema:

  Python       print(pack.codec(Book).schema.text)
  Java         System.out.println(Pack.codec(Book.class).schema().text());
  TypeScript   console.log(pack.codec(Book).schema.text);
  Rust         println!("{}", Codec::<Book>::new().schema().text());

The files are book_types.py, BookTypes.java, book_types.ts and book_types.rs, after the first struct or enum of the schema.
Each has all types with their names, and the schema's outermost type: `Root` in Python, TypeScript and Rust, `TYPE` in Java.
They need nothing but the library, and hold no line to edit: write them again when the schema has changed.
"""

_EXAMPLES = """\
examples:
  samewire emit book.schema --emit python,typescript --out src/types
  samewire emit shelf.records --emit java --package com.example --out src/main/java/com/example
  java -cp app.jar com.example.PrintSchema | samewire emit - --emit python,rust --out types

`samewire diff OLD NEW` says which readers can read what which writers wrote, before new types go out.
"""


def add(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Adds the command to those of the program."""
    command = commands.add_parser(
        "emit",
        help="write the types of a schema in any language",
        description=_DESCRIPTION,
        epilog=_EXAMPLES,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    command.add_argument("schema", metavar="SCHEMA", help="a file of schema text or of records, - or schema text")
    command.add_argument("--emit", type=languages, required=True, metavar="LANGUAGES", help=f"any of {','.join(LANGUAGES)}")
    command.add_argument("--name", help="of the files; default: the schema's first struct or enum")
    add_places(command)
    command.set_defaults(run=_run)


def add_places(command: argparse.ArgumentParser) -> None:
    """Adds the options that say where definitions go."""
    command.add_argument("--out", type=Path, metavar="DIR", help="where to write them; default: standard output")
    command.add_argument("--package", type=_package, default="", help="the Java package; default: none")


def languages(text: str) -> list[str]:
    """The languages of a list with commas, each once. Raises ArgumentTypeError for others, and for none."""
    chosen = [word.strip() for word in text.split(",") if word.strip()]
    for language in chosen or [text]:
        if language not in LANGUAGES:
            raise argparse.ArgumentTypeError(f"{language!r} is none of {', '.join(LANGUAGES)}")
    return list(dict.fromkeys(chosen))


def _package(text: str) -> str:
    if text and not is_package(text):
        raise argparse.ArgumentTypeError(f"{text!r} is not a valid name of a Java package")
    return text


def _run(arguments: argparse.Namespace) -> int:
    try:
        schema = schema_of(arguments.schema)
        name = arguments.name or next(iter(schema.definitions), "Record")
        write(schema, arguments, name)
        _say_left_out(schema)
    except BrokenPipeError:  # of standard output
        raise
    except (SamewireError, SourceError, OSError) as error:
        print(f"samewire: emit: {(isinstance(error, OSError) and error.strerror) or error}", file=sys.stderr)
        return 1
    return 0


def _say_left_out(schema: Schema) -> None:
    """Prints the fields whose default is not emitted: a reader with the emitted types refuses messages without them."""
    for struct in schema.definitions.values():
        for field in struct.fields if isinstance(struct, Struct) else ():
            if field.defaulted and zero(field) is None:
                kind = field.type.name if isinstance(field.type, Named | Struct | Enum) else text_of(field.type)
                text = f"{struct.name}.{field.name} has no default in the emitted types: {kind} has no zero"
                print(f"samewire: emit: {text}; make it an option if messages may lack it", file=sys.stderr)


def write(
    schema: Schema,
    arguments: argparse.Namespace,
    name: str,
    long: Collection[tuple[str, str]] | None = None,
    fine: Collection[tuple[str, str]] = frozenset(),
) -> None:
    """Writes `<name> types` in the languages of `--emit`, to the folder `--out` or to standard output.

    long, fine: as `file_for` takes them. Raises OSError, with the file's name in its text.
    """
    for language in arguments.emit:
        file, text = file_for(schema, language, f"{name} types", arguments.package, long, fine)
        if arguments.out is None:
            print(f"\n===== {file}\n{text}", end="")
            continue
        path = arguments.out / file
        try:
            arguments.out.mkdir(parents=True, exist_ok=True)
            path.write_text(text, "utf-8")
        except OSError as error:
            raise OSError(error.errno, f"{path}: {error.strerror}") from error
        print(f"wrote {path}", file=sys.stderr)
