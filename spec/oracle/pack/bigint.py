"""Integers of any size and decimals (pack.md section 8)."""

from __future__ import annotations

from spec.oracle.core.primitives import Cursor, varint, zigzag
from spec.oracle.pack.sizes import BIGINT_BYTES


def twos_complement(value: int) -> bytes:
    """Returns two's complement, big-endian, as short as possible; zero takes no bytes."""
    if value == 0:
        return b""
    bits = value.bit_length() if value > 0 else (-value - 1).bit_length()
    return value.to_bytes(bits // 8 + 1, "big", signed=True)


def bigint(value: int) -> bytes:
    payload = twos_complement(value)
    return varint(len(payload)) + payload


def read_bigint(cursor: Cursor) -> int:
    at = cursor.pos
    length = cursor.count()
    if length > BIGINT_BYTES:
        cursor.fail("limit_size", at, f"an integer of {length} bytes")
    payload = cursor.take(length)
    value = int.from_bytes(payload, "big", signed=True)
    if twos_complement(value) != payload:
        cursor.fail("bad_number", at, "two's complement that could be shorter")
    return value


def decimal(unscaled: int, scale: int) -> bytes:
    return varint(zigzag(scale)) + bigint(unscaled)


def read_decimal(cursor: Cursor) -> tuple[int, int]:
    """Returns the unscaled value and the scale."""
    scale = cursor.signed(32)
    return read_bigint(cursor), scale
