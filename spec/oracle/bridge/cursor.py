"""A position in one message, and what every message is made of (bridge.md sections 2 and 4).

Everything is checked as soon as it has been read, in the order of the bytes, so that the first error is the one that every
implementation reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NoReturn

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits

CODES = (
    "malformed truncated trailing limit_depth limit_size limit_items bad_utf8 bad_number type_mismatch schema_mismatch"
    " unsupported misuse closed timeout"
).split()
MOST_BLOB = 2**31 - 9
MOST_DEPTH = 1_024


@dataclass
class Uses:
    """What a message took of the limits."""

    depth: int = 0
    items: int = 0
    cells: int = 0


@dataclass
class Cursor:
    """The bytes of a message, from its first, and what its values may still take: shared by the parts of a batch."""

    data: bytes
    limits: Limits = DEFAULT
    blob_bytes: int = MOST_BLOB
    uses: Uses = field(default_factory=Uses)
    in_batch: bool = False
    pos: int = 0
    depth: int = 0

    def fail(self, code: str, at: int) -> NoReturn:
        raise SamewireError(code, at, None, code)

    def take(self, size: int) -> bytes:
        if size > len(self.data) - self.pos:
            self.fail("truncated", len(self.data))
        self.pos += size
        return self.data[self.pos - size : self.pos]

    def fixed(self, size: int) -> int:
        """An unsigned number of so many bytes."""
        return int.from_bytes(self.take(size), "little")

    def finish(self) -> None:
        if self.pos < len(self.data):
            self.fail("trailing", self.pos)

    def byte_below(self, end: int) -> int:
        """A byte with so many meanings."""
        at = self.pos
        value = self.fixed(1)
        return value if value < end else self.fail("malformed", at)

    def flag(self) -> bool:
        return self.byte_below(2) == 1

    def varint(self) -> int:
        start, value = self.pos, 0
        for index in range(10):
            byte = self.fixed(1)
            value |= (byte & 0x7F) << 7 * index
            if index == 9 and byte > 1:
                break
            if byte < 0x80:
                if byte == 0 and index > 0:
                    break
                return value
        self.fail("bad_number", start)

    def between(self, least: int, end: int) -> int:
        """A varint in a range."""
        at = self.pos
        value = self.varint()
        return value if least <= value < end else self.fail("malformed", at)

    def count(self, least_bytes: int = 1) -> int:
        count = self.varint()
        if count * least_bytes > len(self.data) - self.pos:
            self.fail("truncated", len(self.data))
        return count

    def charged(self, cells: int = 2) -> int:
        """A count of elements, or (6 cells) of entries, that the limits bound."""
        at = self.pos
        count = self.varint()
        self.uses.items += count
        self.uses.cells += count * cells
        if self.uses.items > self.limits.items or self.uses.cells > self.limits.cells:
            self.fail("limit_items", at)
        self.pos = at
        return self.count(2 if cells == 6 else 1)

    def units(self) -> list[int]:
        """The UTF-16 units of a string."""
        head = self.varint()
        if head % 2 == 0:
            return list(self.take(head // 2))
        raw = self.take(head - 1)
        return [int.from_bytes(raw[i : i + 2], "little") for i in range(0, len(raw), 2)]

    def name(self) -> str:
        """A string without lone surrogates."""
        at = self.pos
        try:
            return b"".join(unit.to_bytes(2, "little") for unit in self.units()).decode("utf-16-le")
        except UnicodeDecodeError:
            self.fail("bad_utf8", at)

    def names(self) -> list[str]:
        return [self.name() for _ in range(self.count())]

    def code(self) -> str:
        at = self.pos
        name = self.name()
        return name if name in CODES else self.fail("malformed", at)

    def inline(self, width: int = 1) -> bytes:
        """Elements that have to stand in the message."""
        at = self.pos
        head = self.varint()
        return self.take(head // 2 * width) if head % 2 == 0 else self.fail("malformed", at)

    def bulk(self, width: int) -> bytes | int:
        """Elements, or the number of those that follow the message."""
        at = self.pos
        head = self.varint()
        self.pos = at
        if head % 2 == 0 or self.in_batch:
            return self.inline(width)
        self.varint()
        return head // 2 if head // 2 * width <= self.blob_bytes else self.fail("limit_size", at)

    def open(self, at: int) -> Iterator[None]:
        """One more container is open until the iterator goes on."""
        self.depth += 1
        self.uses.depth = max(self.uses.depth, self.depth)
        if self.depth > min(self.limits.depth, MOST_DEPTH):
            self.fail("limit_depth", at)
        yield
        self.depth -= 1
