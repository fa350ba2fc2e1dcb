"""Record files, written (records.md sections 1, 2 and 4)."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

from spec.oracle.core.frames import frame
from spec.oracle.core.primitives import varint
from spec.oracle.pack.encode import encode
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse

MAGIC = bytes.fromhex("895357520d0a1a01")
SCHEMA, RECORDS, ZSTD, INDEX = 1, 2, 3, 4


def block(kind: int, body: bytes) -> bytes:
    """A block with its checksum."""
    data = bytes([kind]) + varint(len(body)) + body
    return data + zlib.crc32(data).to_bytes(4, "little")


def records_body(messages: Sequence[bytes]) -> bytes:
    """The body of a block of records that is not compressed."""
    return varint(len(messages)) + b"".join(map(frame, messages))


def index_body(blocks: Sequence[tuple[int, int]], start: int) -> bytes:
    """The body of an index: where each block of records starts, and its count."""
    fields, before = [varint(len(blocks))], 0
    for at, count in blocks:
        fields += [varint(at - before), varint(count)]
        before = at
    return b"".join(fields) + start.to_bytes(8, "little")


class Writer:
    """A file under way. `schema` is canonical text; `data` is what has been written."""

    def __init__(self, schema: str) -> None:
        self.type = parse(schema)
        self.data = MAGIC + block(SCHEMA, schema.encode())
        self.blocks: list[tuple[int, int]] = []

    def add(self, values: Sequence[Value]) -> None:
        """Writes one block of records."""
        self.blocks.append((len(self.data), len(values)))
        self.data += block(RECORDS, records_body([encode(self.type, value) for value in values]))

    def index(self) -> None:
        """Writes the index."""
        self.data += block(INDEX, index_body(self.blocks, len(self.data)))


def written(schema: str, blocks: Sequence[Sequence[Value]], indexed: bool) -> bytes:
    """A whole file of these blocks of records."""
    writer = Writer(schema)
    for values in blocks:
        writer.add(values)
    if indexed:
        writer.index()
    return writer.data
