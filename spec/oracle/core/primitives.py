"""Primitives (pack.md section 4), and the cursor that reads them.

The cursor checks everything as soon as it has been read, in the order of the bytes, so that its first error is the one
that every implementation reports.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import NoReturn

from spec.oracle.core.errors import SamewireError

COUNT_LIMIT = 1 << 31


def varint(value: int) -> bytes:
    """Returns LEB128 in its shortest form."""
    out = bytearray()
    while value >= 0x80:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def zigzag(value: int) -> int:
    """Maps 0, −1, 1, −2 … to 0, 1, 2, 3 …"""
    return value * 2 if value >= 0 else -value * 2 - 1


def unzigzag(value: int) -> int:
    return value >> 1 if value & 1 == 0 else -(value + 1 >> 1)


class Cursor:
    """Bytes, a position in them, and the path of the value being read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.pos = 0
        self.steps: list[str] = []

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        """Adds `text` to the path of everything that is read inside."""
        self.steps.append(text)
        yield
        self.steps.pop()

    def path(self) -> str:
        return "$" + "".join(self.steps)

    def fail(self, code: str, at: int, text: str) -> NoReturn:
        raise SamewireError(code, at, self.path(), text)

    def need(self, size: int) -> None:
        """Raises `truncated`, at the number of bytes there were, unless `size` bytes remain."""
        if size > len(self.data) - self.pos:
            missing = self.pos + size - len(self.data)
            self.fail("truncated", len(self.data), f"{missing} more bytes are needed")

    def take(self, size: int) -> bytes:
        self.need(size)
        self.pos += size
        return self.data[self.pos - size : self.pos]

    def byte(self) -> int:
        return self.take(1)[0]

    def varint(self, bits: int) -> int:
        """Reads a varint of an unsigned type of that many bits, in the shortest form only."""
        at = self.pos
        longest = -(-bits // 7)
        value = 0
        for index in range(longest):
            byte = self.byte()
            value |= (byte & 0x7F) << 7 * index
            if byte < 0x80:
                if byte == 0 and index > 0:
                    self.fail("bad_number", at, "a varint ends in a byte of zero")
                if value >= 1 << bits:
                    self.fail("bad_number", at, f"{value} does not fit in u{bits}")
                return value
        self.fail("bad_number", at, f"a varint of u{bits} has no more than {longest} bytes")

    def count(self) -> int:
        """Reads a count, length or index."""
        at = self.pos
        value = self.varint(32)
        if value >= COUNT_LIMIT:
            self.fail("bad_number", at, f"a count of {value}")
        return value

    def signed(self, bits: int) -> int:
        return unzigzag(self.varint(bits))
