"""Finds the schema of a command line's argument."""

from __future__ import annotations

import io
import sys
from pathlib import Path

from samewire.errors import SamewireError
from samewire.pack import RecordReader, Schema

from .infer.compressed import expanded

#: The first byte of a record file, which no text in UTF-8 begins with.
_RECORDS = b"\x89"


def schema_of(argument: str) -> Schema:
    """The schema of a file of records or of schema text, maybe compressed, of standard input (`-`), or of the argument itself.

    An argument that has a `<` or `{` is schema text, and so is a bare word that names no file (`i32`). Raises SamewireError as
    `Schema.parse` and `RecordReader` do, SourceError for compressed data that are broken, and OSError for a file that cannot be
    read; each has the file's name in its text.
    """
    if argument == "-":
        return _read(io.BufferedReader(io.BytesIO(sys.stdin.buffer.read())), "standard input")
    if not argument.strip():
        text = "expected a file, or schema text as in 'struct Book { name: string }'; this is empty"
        raise SamewireError("malformed", 0, None, text)
    if any(sign in argument for sign in "<{"):
        return Schema.parse(argument)
    path = Path(argument)
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        return Schema.parse(argument)
    try:
        with path.open("rb") as file:
            return _read(file, argument)
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror}") from error


def _read(file: io.BufferedReader, label: str) -> Schema:
    try:
        with expanded(file, label) as content:
            if content.peek(1)[:1] != _RECORDS:
                return _parse(content.read())
            with RecordReader(content, growing=True) as reader:
                return reader.schema
    except SamewireError as error:
        raise SamewireError(error.code, error.at, error.path, f"{label}: {error.text}") from None


def _parse(text: bytes) -> Schema:
    start = text.lstrip()[:1]
    if not start or start in b"{[":
        found = "this looks like JSON: `samewire infer` makes a schema of it" if start else "this is empty"
        raise SamewireError("malformed", 0, None, f"expected schema text or a record file; {found}")
    return Schema.parse(text)
