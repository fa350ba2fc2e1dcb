"""Where a command line finds a schema."""

from __future__ import annotations

import sys
from io import BytesIO
from pathlib import Path
from typing import BinaryIO

from samewire.pack import RecordReader, Schema

#: The first byte of a record file, which no text in UTF-8 begins with.
_RECORDS = b"\x89"


def schema_of(argument: str) -> Schema:
    """The schema of a file of records, of a file of schema text, of standard input (`-`), or of the argument itself.

    An argument that has a `<` or `{` is schema text, and so is a bare word that names no file (`i32`). Raises SamewireError as
    `Schema.parse` and `RecordReader` do, and OSError, with the file's name in
    its text, for a file that cannot be read.
    """
    if argument == "-":
        return _read(BytesIO(sys.stdin.buffer.read()))
    if any(sign in argument for sign in "<{"):
        return Schema.parse(argument)
    path = Path(argument)
    if not path.exists() and not path.suffix and len(path.parts) == 1:
        return Schema.parse(argument)
    try:
        with path.open("rb") as file:
            return _read(file)
    except OSError as error:
        raise OSError(error.errno, f"{path}: {error.strerror}") from error


def _read(file: BinaryIO) -> Schema:
    if file.read(1) != _RECORDS:
        file.seek(0)
        return Schema.parse(file.read())
    file.seek(0)
    with RecordReader(file, growing=True) as reader:
        return reader.schema
