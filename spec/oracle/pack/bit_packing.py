"""Packed blocks of integers (pack.md section 9)."""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, unzigzag, varint, zigzag

BLOCK = 128
WIDEST = 32
PLAIN, ZIGZAG = 1, 2
EXCEPTIONS = 0x80


def pack_all(values: list[int], mode: int) -> bytes:
    """Returns all blocks of a row."""
    coded = values if mode == PLAIN else [zigzag(value) for value in values]
    return b"".join(pack_block(coded[i : i + BLOCK]) for i in range(0, len(coded), BLOCK))


def cost(block: list[int], width: int) -> int:
    """Returns the number of bytes of a block after its first byte."""
    size = (len(block) * width + 7) // 8
    too_wide = [u for u in block if u >> width]
    if too_wide:
        size += 1 + sum(1 + (u.bit_length() - width + 6) // 7 for u in too_wide)
    return size


def pack_block(block: list[int]) -> bytes:
    """Returns a block of the width with the least cost, the smallest one in a tie."""
    width = min(range(1, WIDEST + 1), key=lambda width: cost(block, width))
    exceptions = [i for i, u in enumerate(block) if u >> width]
    bits = sum((u & (1 << width) - 1) << i * width for i, u in enumerate(block))
    low = bits.to_bytes((len(block) * width + 7) // 8, "little")
    if not exceptions:
        return bytes([width]) + low
    head = bytes([width | EXCEPTIONS, len(exceptions)])
    high = b"".join(varint(block[i] >> width) for i in exceptions)
    return head + low + bytes(exceptions) + high


def read_all(cursor: Cursor, count: int, mode: int, low: int, high: int) -> list[int]:
    """Reads all blocks of a row of `count` values, each of which must lie in `low` … `high`."""
    values: list[int] = []
    while len(values) < count:
        values += read_block(cursor, min(BLOCK, count - len(values)), mode, low, high)
    return values


def read_block(cursor: Cursor, size: int, mode: int, low: int, high: int) -> list[int]:
    at = cursor.pos
    head = cursor.byte()
    width = head & 0x3F
    if head & 0x40 or not 1 <= width <= WIDEST:
        cursor.fail("malformed", at, f"no head of a block: {head:#04x}")
    count = 0
    if head & EXCEPTIONS:
        count = cursor.byte()
        if not 1 <= count <= size:
            cursor.fail("malformed", at, f"{count} exceptions in a block of {size}")
    bits = int.from_bytes(cursor.take((size * width + 7) // 8), "little")
    block = [bits >> i * width & (1 << width) - 1 for i in range(size)]
    positions = cursor.take(count)
    if any(i >= size for i in positions) or list(positions) != sorted(set(positions)):
        cursor.fail("malformed", at, "positions of exceptions out of order or range")
    for i in positions:
        rest = cursor.varint(64)
        if rest == 0:
            cursor.fail("malformed", at, "an exception without high bits")
        block[i] |= rest << width
        if block[i] >> 64:
            cursor.fail("bad_number", at, "a value of more than 64 bits")
    values = block if mode == PLAIN else [unzigzag(u) for u in block]
    if any(not low <= value <= high for value in values):
        cursor.fail("bad_number", at, "a value outside its type's range")
    return values
