"""Options of the command line that `samewire infer` and `samewire pack` share."""

from __future__ import annotations

import argparse
from pathlib import Path

from .decision import Options, name_from
from .source import FORMATS


def add_input(command: argparse.ArgumentParser) -> None:
    """Adds the file, and its format."""
    command.add_argument(
        "data",
        metavar="FILE",
        type=Path,
        help="JSON, NDJSON or CSV, in UTF-8, maybe compressed by gzip or zstd; - for standard input",
    )
    command.add_argument("--format", choices=FORMATS, help="default: by the file's ending, else by its content")


def add_inference(command: argparse.ArgumentParser) -> None:
    """Adds the options that change the schema."""
    command.add_argument("--name", help="of the outermost struct; default: from the file's name")
    command.add_argument("--texts", action="store_true", help="keep dates, times, durations, UUIDs and decimals as text")
    command.add_argument(
        "--enums", type=_symbols, default=32, metavar="N", help="most symbols of an enum, 0 for none; default 32"
    )
    command.add_argument(
        "--ints",
        choices=("roomy", "tight"),
        default="roomy",
        help="i32 and i64 (roomy, the default), or the narrowest type that holds them (tight)",
    )


def options_of(arguments: argparse.Namespace, *, unions: bool) -> Options:
    """The options of a command line."""
    name = arguments.name or name_from(bare_name(arguments.data).stem)
    return Options(name=name, texts=not arguments.texts, enums=arguments.enums, ints=arguments.ints, unions=unions)


def bare_name(path: Path) -> Path:
    """The name of a compressed file without that ending."""
    return path.with_suffix("") if path.suffix.lower() in (".gz", ".zst") else path


def _symbols(text: str) -> int:
    number = int(text) if text.isascii() and text.isdigit() else -1
    if not 0 <= number <= 255:
        raise argparse.ArgumentTypeError("a number from 0 to 255 is expected")
    return number
