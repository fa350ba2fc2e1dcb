"""Flags (pack.md section 7) and numeric rows (section 9), as bytes and numbers.

Floats are bits here: a row keeps them unchanged.
"""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, varint, zigzag
from spec.oracle.pack import bit_packing
from spec.oracle.pack.schema import FLOATS, INTEGERS, NUMERIC, SIGNED, Option, Scalar, Type

FEW = 16
ALIGNED_RUN = 64
RAW = 0


def has_flag(t: Type) -> bool:
    return isinstance(t, Option) or (isinstance(t, Scalar) and t.name == "bool")


def flag_bytes(flags: list[bool]) -> bytes:
    bits = sum(1 << i for i, flag in enumerate(flags) if flag)
    return bits.to_bytes((len(flags) + 7) // 8, "little")


def read_flags(cursor: Cursor, count: int) -> list[bool]:
    raw = cursor.take((count + 7) // 8)
    bits = int.from_bytes(raw, "little")
    if bits >> count:
        cursor.fail("malformed", cursor.pos - 1, "unused flags that are not zero")
    return [bits >> i & 1 == 1 for i in range(count)]


def limits_of(name: str) -> tuple[int, int]:
    """Returns the least and the greatest integer of a type."""
    bits = INTEGERS[name]
    return (-1 << bits - 1, (1 << bits - 1) - 1) if name in SIGNED else (0, (1 << bits) - 1)


def least_bytes(t: Type, count: int) -> int:
    """Returns R of section 12: the least number of bytes of a row of `count` values."""
    if has_flag(t):
        return (count + 7) // 8
    if isinstance(t, Scalar) and t.name in FLOATS:
        return count * FLOATS[t.name] // 8
    if isinstance(t, Scalar) and INTEGERS.get(t.name, 8) > 8 and count >= FEW:
        return 1 + (count + 7) // 8
    return count


class RowWriter:
    """Appends to the values of a message, which begin at an offset of 1 modulo 8 if anything is aligned."""

    def __init__(self, fast: bool) -> None:
        self.fast = fast
        self.out = bytearray()
        self.aligned = False

    def single(self, name: str, number: int) -> None:
        """Writes one integer, or the bits of one float, as section 8 says."""
        bits = NUMERIC[name]
        if name in FLOATS or bits == 8:
            self.out += (number % (1 << bits)).to_bytes(bits // 8, "little")
        else:
            self.out += varint(zigzag(number) if name in SIGNED else number)

    def numbers(self, name: str, row: list[int]) -> None:
        """Writes a numeric row."""
        if name in FLOATS:
            self.run(name, row)
        elif INTEGERS[name] == 8 or len(row) < FEW:
            for number in row:
                self.single(name, number)
        else:
            mode = bit_packing.ZIGZAG if min(row) < 0 else bit_packing.PLAIN
            blocks = b"" if self.fast else bit_packing.pack_all(row, mode)
            if self.fast or len(blocks) >= len(row) * INTEGERS[name] // 8:
                self.out.append(RAW)
                self.run(name, row)
            else:
                self.out.append(mode)
                self.out += blocks

    def run(self, name: str, row: list[int]) -> None:
        """Writes a raw run, aligned if it is long."""
        width = NUMERIC[name] // 8
        if len(row) * width >= ALIGNED_RUN:
            self.aligned = True
            while (1 + len(self.out)) % 8:
                self.out.append(0)
        for number in row:
            self.out += (number % (1 << 8 * width)).to_bytes(width, "little")


def read_single(cursor: Cursor, name: str) -> int:
    """Reads one integer, or the bits of one float."""
    bits = NUMERIC[name]
    if name in FLOATS or name == "u8":
        return int.from_bytes(cursor.take(bits // 8), "little")
    if name == "i8":
        return int.from_bytes(cursor.take(1), "little", signed=True)
    return cursor.signed(bits) if name in SIGNED else cursor.varint(bits)


def read_numbers(cursor: Cursor, name: str, count: int, aligned: bool) -> list[int]:
    """Reads a numeric row of `count` numbers."""
    if name in FLOATS:
        return read_run(cursor, name, count, aligned)
    if INTEGERS[name] == 8 or count < FEW:
        return [read_single(cursor, name) for _ in range(count)]
    at = cursor.pos
    mode = cursor.byte()
    if mode == RAW:
        return read_run(cursor, name, count, aligned)
    if mode not in ((bit_packing.PLAIN, bit_packing.ZIGZAG) if name in SIGNED else (bit_packing.PLAIN,)):
        cursor.fail("malformed", at, f"{name} has no mode {mode}")
    return bit_packing.read_all(cursor, count, mode, *limits_of(name))


def read_run(cursor: Cursor, name: str, count: int, aligned: bool) -> list[int]:
    width = NUMERIC[name] // 8
    if count * width >= ALIGNED_RUN:
        if not aligned:
            cursor.fail("malformed", 0, "a long run in a message without ALIGNED")
        skip_padding(cursor, 0)
    raw = cursor.take(count * width)
    signed = name in SIGNED
    cuts = range(0, len(raw), width)
    return [int.from_bytes(raw[i : i + width], "little", signed=signed) for i in cuts]


def skip_padding(cursor: Cursor, remainder: int) -> None:
    """Reads bytes of zero until the offset is `remainder` modulo 8."""
    while cursor.pos % 8 != remainder:
        at = cursor.pos
        if cursor.byte() != 0:
            cursor.fail("malformed", at, "padding that is not zero")
