"""Where the blocks of records of a file are (spec/records.md, section 2)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from samewire.errors import SamewireError

from .blocks import Block, read_varint, varint

#: The bytes of the smallest block of records: kind, size, count, a frame of one byte, checksum.
_LEAST_BYTES: Final = 1 + 1 + 1 + 2 + 4


class Places:
    """The starts and counts of blocks, stored compactly as in an index: a file may have millions of blocks."""

    __slots__ = ("_blocks", "_fields", "_last", "records")

    def __init__(self) -> None:
        self._fields = bytearray()
        self._blocks = 0
        self._last = 0
        self.records = 0
        """How many records the blocks hold."""

    def add(self, start: int, count: int) -> None:
        """Adds the next block."""
        self._fields += varint(start - self._last) + varint(count)
        self._blocks += 1
        self._last = start
        self.records += count

    def __iter__(self) -> Iterator[tuple[int, int]]:
        start = pos = 0
        for _ in range(self._blocks):
            distance, pos = _number(self._fields, pos, 64)
            count, pos = _number(self._fields, pos, 31)
            start += distance
            yield start, count

    def index_body(self, start: int) -> bytes:
        """Returns the body of an index that will start at an offset."""
        return b"".join((varint(self._blocks), self._fields, start.to_bytes(8, "little")))


def index_of(found: Block, first: int) -> Places:
    """Returns the places in an index. Raises SamewireError `malformed`.

    first: where the first block of records may start, the end of the schema's block.
    """
    body, fields_end = found.body, len(found.body) - 8
    places, least = Places(), first
    try:
        number, begin = _number(body, 0, 31)
        pos = begin
        for _ in range(number):
            distance, pos = _number(body, pos, 64)
            count, pos = _number(body, pos, 31)
            places._last += distance
            places.records += count
            if places._last < least or count == 0:
                raise SamewireError("malformed")
            least = places._last + _LEAST_BYTES
    except SamewireError:
        pos = -1
    placed = pos == fields_end and int.from_bytes(body[fields_end:], "little") == found.start
    if not placed or (number and least > found.start):
        text = "an index whose fields do not fill it, of another place, or of blocks that cannot be there"
        raise found.malformed(f"{text}; the blocks before it are whole")
    places._blocks = number
    places._fields += memoryview(body)[begin:fields_end]
    return places


def _number(data: bytes | bytearray, pos: int, bits: int) -> tuple[int, int]:
    found = read_varint(data, pos, 0, bits)
    if found is None:
        raise SamewireError("malformed")
    return found
