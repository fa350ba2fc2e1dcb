"""Record files, read (records.md section 3)."""

from __future__ import annotations

import zlib
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.primitives import Cursor
from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.decode import decode, decode_resolved
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.pack.resolve import resolve
from spec.oracle.records.write import INDEX, MAGIC, RECORDS, SCHEMA, ZSTD


@dataclass
class Contents:
    """What a reader finds before the end or the first error.

    sizes: where each block ends, the schema's first. blocks: where each block of records starts, and its count.
    """

    schema: str = ""
    records: list[Value] = field(default_factory=list)
    sizes: list[int] = field(default_factory=list)
    blocks: list[tuple[int, int]] = field(default_factory=list)
    error: SamewireError | None = None


def read(data: bytes, reader: str | None = None, limits: Limits = DEFAULT) -> Contents:
    """Reads a whole file.

    reader: the canonical schema of the reader's type; the file's own if there is none.
    """
    found = Contents()
    cursor = Cursor(data)
    try:
        _magic(cursor)
        while cursor.pos < len(data) or not found.schema:
            _block(cursor, found, reader, limits)
    except SamewireError as error:
        # The path is that of a value, and the cursor's `$` here stands for none.
        found.error = found.error or SamewireError(error.code, error.at, None, error.text)
    return found


def _kept(found: Contents, step: Callable[[], None]) -> None:
    """Runs a step whose error is that of a value, or of two schemas, and keeps its path."""
    try:
        step()
    except SamewireError as error:
        found.error = error
        raise


def _magic(cursor: Cursor) -> None:
    for at, expected in enumerate(MAGIC):
        if cursor.byte() != expected:
            cursor.fail("unsupported" if at == 7 else "malformed", at, "not a record file of this version")


def _block(cursor: Cursor, found: Contents, reader: str | None, limits: Limits) -> None:
    start = cursor.pos
    kind = cursor.byte()
    if kind not in (SCHEMA, RECORDS, INDEX):
        cursor.fail("unsupported", start, f"a block of kind {kind}" + (": no zstd here" if kind == ZSTD else ""))
    if (kind == SCHEMA) == bool(found.schema):
        cursor.fail("malformed", start, "the first block, and no other, is the schema")
    at = cursor.pos
    size = cursor.count()
    if size > limits.buffered_bytes:
        cursor.fail("limit_size", at, f"a block of {size} bytes")
    body_at = cursor.pos
    if body_at + size + 4 > len(cursor.data) and not _can_begin(kind, size, cursor.data[body_at : body_at + size]):
        cursor.fail("malformed", at, f"a block of {size} bytes cannot begin like this")
    body = cursor.take(size)
    checked = cursor.pos
    if zlib.crc32(cursor.data[start:checked]) != int.from_bytes(cursor.take(4), "little"):
        cursor.fail("malformed", checked, "the checksum differs")
    if kind == SCHEMA:
        found.schema = _schema(body, body_at)
        if reader is not None:
            _kept(found, partial(resolve, parse(found.schema), parse(reader)))
    elif kind == RECORDS:
        messages = _messages(body, body_at)
        found.blocks.append((start, len(messages)))
        for message in messages:
            _kept(found, partial(_append, found, message, reader, limits))
    elif not _is_index(body, start, found.sizes[0]):
        raise SamewireError("malformed", body_at, None, "not an index of this place")
    found.sizes.append(cursor.pos)


def _can_begin(kind: int, size: int, body: bytes) -> bool:
    """Whether a block of this size may have a body that starts like this. Its rest is not in the file."""
    cursor = Cursor(body)
    try:
        if kind == RECORDS:
            left = cursor.count()
            if left == 0:
                return False
            for _ in range(left):
                length = cursor.count()
                if length == 0 or cursor.pos + length > size:
                    return False
                cursor.take(length)
            return cursor.pos == size
        if kind == INDEX:
            for _ in range(cursor.count()):
                cursor.varint(64)
                cursor.count()
            return cursor.pos + 8 == size
    except SamewireError as error:
        return error.code == "truncated"
    return True


def _schema(body: bytes, at: int) -> str:
    try:
        text = body.decode()
        same = canonical(parse(text)) == text
    except UnicodeDecodeError:
        raise SamewireError("bad_utf8", at, None, "the schema's text") from None
    except SamewireError as error:
        raise SamewireError(error.code, at, None, error.text) from None
    if not same:
        raise SamewireError("malformed", at, None, "the text is not canonical")
    return text


def _messages(body: bytes, at: int) -> list[bytes]:
    cursor = Cursor(body)
    messages = []
    try:
        count = cursor.count()
        while cursor.pos < len(body):
            messages.append(cursor.take(cursor.count()))
    except SamewireError:
        raise SamewireError("malformed", at, None, "frames that do not end with the body") from None
    if not messages or not all(messages) or len(messages) != count:
        raise SamewireError("malformed", at, None, f"{len(messages)} messages, {count} announced")
    return messages


def _append(found: Contents, message: bytes, reader: str | None, limits: Limits) -> None:
    found.records.append(_record(message, found.schema, reader, limits))


def _record(message: bytes, schema: str, reader: str | None, limits: Limits) -> Value:
    if message[0] & 0x10 and len(message) >= 9 and message[1:9] != digest(schema):
        raise SamewireError("schema_mismatch", 1, "$", "another digest than the file's")
    if reader is None or reader == schema:
        return decode(parse(schema), message, limits)
    return decode_resolved(parse(schema), parse(reader), message, limits)


def _is_index(body: bytes, start: int, first: int) -> bool:
    cursor = Cursor(body)
    place = 0
    try:
        for _ in range(cursor.count()):
            place += cursor.varint(64)
            if place < first or cursor.count() == 0:
                return False
            # The smallest block: kind, size, count, a frame of one byte, checksum.
            first = place + 9
        if place and first > start:
            return False
        return cursor.take(8) == start.to_bytes(8, "little") and cursor.pos == len(body)
    except SamewireError:
        return False
