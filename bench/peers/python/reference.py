"""The reference data, made here: BooPickle's performance suite and two shapes in which no text repeats.

Neutral Python values: a book is ``(id, name, author, year)``, a node ``(name, color, children)``, an event ``(i, b)``. The same
algorithm stands in every peer project of the lab; ``digest`` proves that they agree.
"""

from __future__ import annotations

import struct
from collections.abc import Callable
from typing import Any

SHAPES = (
    "event",
    "ints",
    "doubles",
    "strings",
    "tree",
    "map",
    "booksRandom",
    "booksNum",
    "uniqueStrings",
    "uniqueRecords",
)

TEXT_SHAPES = frozenset(SHAPES) - {"event", "ints", "doubles"}

_CHARS = "ABCDEFGHIJKLMNOPQRSTUVWXYZÅabcdefghijklmnopqrstuvwxyzö0123456789?_-,.          !"
_COLORS = ("black", "red", "white", "yellow", "blue")
_BOOKS = (
    ("Carrie", 1974),
    ("'Salem's Lot", 1975),
    ("Rage\tBachman", 1976),
    ("Shining, The", 1976),
    ("Last Rung on the Ladder", 1977),
    ("Böögeyman", 1977),
    ("Cat from Hell", 1977),
    ("Man Who Loved Flowers", 1977),
)


class Random:
    """``java.util.Random(0)``: a 48-bit linear congruential generator, as its documentation gives it."""

    def __init__(self) -> None:
        self._state = 0x5DEECE66D

    def next(self, bits: int) -> int:
        """A signed integer of ``bits`` random bits (1 to 32)."""
        self._state = (self._state * 0x5DEECE66D + 0xB) & 0xFFFF_FFFF_FFFF
        value = self._state >> (48 - bits)
        return value - (1 << 32) if bits == 32 and value >> 31 else value

    def int_below(self, bound: int) -> int:
        """Uniform in ``0 <= n < bound``."""
        if bound & (bound - 1) == 0:
            return (bound * self.next(31)) >> 31
        while True:
            bits = self.next(31)
            value = bits % bound
            if bits - value + bound - 1 < 1 << 31:
                return value

    def long(self) -> int:
        """64 bits, unsigned."""
        return ((self.next(32) << 32) + self.next(32)) & 0xFFFF_FFFF_FFFF_FFFF

    def double(self) -> float:
        """Uniform in ``0 <= x < 1``, 53 bits."""
        high = self.next(26) << 27
        return (high + self.next(27)) * 2.0**-53


class Identifiers:
    """A running index over 100 UUIDs; the first one handed out is number 1."""

    def __init__(self) -> None:
        random = Random()
        self._texts = [f"{random.long():016x}{random.long():016x}" for _ in range(100)]
        self._index = 0

    def _next(self) -> int:
        self._index = (self._index + 1) % len(self._texts)
        return self._index

    def random(self) -> str:
        text = self._texts[self._next()]
        return f"R{text[:8]}:{text[8]}"

    def number(self) -> str:
        return str(self._next() + 1000)


def _int(random: Random) -> int:
    return int(1.0 / (1.0 + random.double() * 1e5) * 1e7)


def _string(random: Random) -> str:
    length = int((random.double() * 10) ** 2 + 2)
    return "".join(_CHARS[random.int_below(80)] for _ in range(length))


def _letters(random: Random, count: int) -> str:
    return "".join(chr(97 + random.int_below(26)) for _ in range(count))


def _node(random: Random, ids: Identifiers, children: int, depth: int) -> tuple[Any, ...]:
    count = min(max(random.int_below(children + depth), depth), children)
    name, color = ids.random(), _COLORS[random.int_below(5)]
    return name, color, [_node(random, ids, children, depth - 1) for _ in range(count)]


def _books(identify: Callable[[], str]) -> list[tuple[str, str, str, int]]:
    return [(identify(), name, "Stephen King", year) for name, year in _BOOKS]


def _record(random: Random, index: int) -> tuple[str, str, str, int]:
    name = _letters(random, 8 + random.int_below(24)) + str(index)
    author = _letters(random, 5 + random.int_below(12)) + str(index)
    return f"R{index}", name, author, 1900 + random.int_below(120)


def make(shape: str) -> Any:
    """The value of one shape, as neutral Python data."""
    random = Random()
    match shape:
        case "event":
            return 42, True
        case "ints":
            return [_int(random) for _ in range(10_000)]
        case "doubles":
            return [(random.double() - 0.1) * 1e6 for _ in range(8_000)]
        case "strings":
            return [_string(random) for _ in range(1_000)]
        case "map":
            return {f"ID{index}": _int(random) for index in range(10_000)}
        case "uniqueStrings":
            return [_letters(random, 1 + random.int_below(24)) + str(index) for index in range(10_000)]
        case "uniqueRecords":
            return [_record(random, index) for index in range(1_000)]
    ids = Identifiers()
    tree = _node(random, ids, 5, 3)
    books = _books(ids.random)
    return {"tree": tree, "booksRandom": books, "booksNum": _books(ids.number)}[shape]


def dump(value: Any) -> bytes:
    """A canonical dump.

    Text and lists begin with their length (UTF-8 bytes, items) as u32; ints are i32, floats f64, bools one byte; all little-endian;
    records are their fields.
    """
    return b"".join(_dump(value))


def digest(value: Any) -> str:
    """FNV-1a (64 bits, hexadecimal) of ``dump``."""
    state = 0xCBF29CE484222325
    for byte in dump(value):
        state = ((state ^ byte) * 0x100000001B3) & 0xFFFF_FFFF_FFFF_FFFF
    return f"{state:016x}"


def _dump(value: Any) -> list[bytes]:
    if isinstance(value, bool):
        return [bytes([value])]
    if isinstance(value, int):
        return [struct.pack("<i", value)]
    if isinstance(value, float):
        return [struct.pack("<d", value)]
    if isinstance(value, str):
        text = value.encode()
        return [struct.pack("<I", len(text)), text]
    if isinstance(value, tuple):
        return [part for field in value for part in _dump(field)]
    items = list(value.items()) if isinstance(value, dict) else value
    return [struct.pack("<I", len(items))] + [part for item in items for part in _dump(item)]
