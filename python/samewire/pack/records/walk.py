"""Locates the blocks of a seekable record file: by its index, else by walking over them."""

from __future__ import annotations

import io
from dataclasses import dataclass, field
from typing import BinaryIO

from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack.schema import Schema

from .blocks import (
    CHECKSUM_BYTES,
    INDEX_TAIL_BYTES,
    SIZE_BYTES,
    Block,
    BlockScanner,
    Kind,
    read_varint,
    records_size,
)
from .places import Places, index_of

#: A start is read in pieces of this size, so that a short file takes one read.
_PIECE = 65_536


@dataclass
class Walk:
    """The structure of a file, found without reading its records.

    schema: None if not even its block is whole. places: where the blocks of records are, and how many records each has.
    end: where the last whole block ends, in bytes. indexed: an index ends there.
    """

    schema: Schema | None = None
    places: Places = field(default_factory=Places)
    end: int = 0
    indexed: bool = False


def walk(file: BinaryIO, limits: Limits) -> Walk:
    """Walks over a file's blocks; those of records are not read whole if an index names them.

    Raises SamewireError as `BlockScanner` and `RecordReader` do, but not `truncated`: an unfinished block is left out.
    """
    size = file.seek(0, io.SEEK_END)
    first = _block_at(file, 0, size, limits)
    if first is None:
        return Walk()
    found = Walk(schema_of(first), end=first.end)
    index = _last_index(file, first.end, size, limits)
    if index is not None:
        return Walk(found.schema, *index, True)
    while (block := _block_at(file, found.end, size, limits)) is not None:
        if block.kind in (Kind.RECORDS, Kind.ZSTD):
            found.places.add(block.start, records_size(block)[0])
        found.end, found.indexed = block.end, block.kind == Kind.INDEX
    return found


def schema_of(block: Block) -> Schema:
    """Returns the schema of the first block. Raises SamewireError at its body for an invalid or not canonical text."""
    try:
        schema = Schema.parse(block.body)
    except SamewireError as error:
        raise SamewireError(error.code, block.body_at, None, f"the schema: {error}") from None
    if schema.text.encode() != block.body:
        raise block.malformed("the schema's text is not canonical")
    return schema


def _block_at(file: BinaryIO, start: int, size: int, limits: Limits) -> Block | None:
    """Reads the block at an offset; None if the file ends before it does. Raises as `BlockScanner` does."""
    file.seek(start)
    scanner = BlockScanner(limits, start)
    left = size - start
    while (block := scanner.next()) is None:
        piece = file.read(min(_PIECE, left))
        if not piece:
            scanner.check_unfinished()
            return None
        left -= len(piece)
        scanner.feed(piece)
    return block


def _last_index(file: BinaryIO, first: int, size: int, limits: Limits) -> tuple[Places, int] | None:
    """Returns the places in the index at the end of the file, and where it ends; None if there is no index.

    Another block may end with any bytes, also with those of an index. first: where the schema's block ends.
    """
    if size < first + INDEX_TAIL_BYTES:
        return None
    file.seek(size - INDEX_TAIL_BYTES)
    start = int.from_bytes(read_up_to(file, 8), "little")
    if not first <= start < size - INDEX_TAIL_BYTES:
        return None
    file.seek(start)
    head = read_up_to(file, 1 + SIZE_BYTES)
    try:
        length = read_varint(head, 1, start + 1)
        if head[0] != Kind.INDEX or length is None or start + length[1] + length[0] + CHECKSUM_BYTES != size:
            return None
        block = _block_at(file, start, size, limits)
        return None if block is None else (index_of(block, first), block.end)
    except SamewireError:
        return None


def read_up_to(file: BinaryIO, size: int) -> bytes:
    """Reads so many bytes, or up to the end of the file."""
    data = b""
    while len(data) < size and (piece := file.read(size - len(data))):
        data += piece
    return data
