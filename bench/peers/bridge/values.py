"""What crosses: arguments of calls, and containers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy

ARGUMENTS: tuple[Any, ...] = (7, 5_000_000_000, 0.25, "argument", True, bytes(range(32)), 1_000_000, "another argument")
"""Of ``args8``; ``args1`` takes the first of them, and so on."""
NAMES = tuple("abcdefgh")
"""What statements call them."""
SIZES = {"4B": 4, "1KiB": 2**10, "512KiB": 2**19, "64MiB": 2**26, "256MiB": 2**28, "1GiB": 2**30}
INTS = [index * 7_919 for index in range(1_000)]
DOUBLES = 10_000_000
ITEMS = 100_000


@dataclass(frozen=True, slots=True)
class Item:
    """As Java's record of that name."""

    id: int
    name: str
    price: float


def returned(count: int) -> float:
    """What ``args0`` … ``args8`` return for the first ``count`` arguments."""
    a, b, c, d, e, f, g, h = ARGUMENTS
    parts = (a, b, c, len(d), int(e), len(f) + f[-1], g, len(h))
    return float(sum(parts[:count])) if count else 1


def data(size: int) -> bytes:
    """So many bytes, of which the last tells that it came."""
    return bytes(size - 1) + b"\1"


def text(size: int) -> str:
    """So many characters of ASCII."""
    return "a" * (size - 1) + "z"


def acknowledged(first: int, last: int, size: int) -> int:
    """What ``take`` and ``takeText`` return."""
    return size + 1_000 * first + last


def doubles() -> Any:
    """Ten million numbers."""
    return numpy.arange(DOUBLES, dtype=numpy.float64)


def items(count: int) -> list[Item]:
    """So many records, whose texts all differ."""
    return [Item(number, f"item {number}", number / 4) for number in range(count)]


def total(some: list[Item]) -> float:
    """What ``takeItems`` returns."""
    return sum(item.id + len(item.name) + item.price for item in some)
