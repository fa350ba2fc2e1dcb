"""What the writer and the reader of columns share (columns.md): which types may be columnar, and the integers' ranges."""

from __future__ import annotations

import struct
from dataclasses import dataclass

from spec.oracle.pack import times
from spec.oracle.pack.rows import limits_of
from spec.oracle.pack.schema import INTEGERS, Enum, List, Map, Option, Set, Struct, Tuple, Type, recursive

MARK = 1 << 31
"""Added to the count of a columnar list or map."""
LEAST_ROWS = 64
ROWS_A_COLUMN = 4
RAW = 0
FROM_LEAST, FROM_PREVIOUS = 1, 2
DECIMAL, DOUBLES = 1, 2
DICTIONARY = 1
UNITS = {0: 1_000_000_000, 1: 1_000_000, 2: 1_000, 3: 1}
SPLIT = 4
LARGEST_EXPONENT = 15
SAMPLE = 128
NEW_AT_FIRST = 64
EXACT = 1 << 53


@dataclass(frozen=True)
class Integers:
    """The integers of a column: how one is written alone, and the range that a reader checks."""

    name: str
    low: int
    high: int


def integers(name: str) -> Integers:
    return Integers(name, *limits_of(name))


COUNTS = Integers("u32", 0, MARK - 1)
DIGITS = Integers("i64", -EXACT, EXACT)
NANOSECONDS = Integers("u32", 0, times.BILLION - 1)


def indices(count: int) -> Integers:
    return Integers("u32", 0, count - 1)


def simple(t: Type) -> Integers | None:
    """Returns the integers of a type whose column is one run of them."""
    if isinstance(t, Enum):
        return indices(len(t.symbols))
    name = getattr(t, "name", "")
    if isinstance(t, Struct) or name not in INTEGERS | {"date": 0, "time": 0}:
        return None
    if name == "date":
        return Integers("i32", times.DATE_MIN, times.DATE_MAX)
    return Integers("u64", 0, times.TIME_MAX) if name == "time" else integers(name)


def flattened(t: Type) -> bool:
    """Returns whether a struct or tuple is written as the columns of its parts."""
    return isinstance(t, Tuple) or (isinstance(t, Struct) and not recursive(t))


def width(t: Type) -> int:
    """Returns the number of columns that a type needs."""
    match t:
        case Option() | List() | Set():
            return 1 + width(t.item)
        case Map():
            return 1 + width(t.key) + width(t.value)
        case Tuple():
            return sum(width(item) for item in t.items)
        case Struct() if not recursive(t):
            return sum(width(inner) for _, inner in t.fields)
    return 1


def parts(t: Struct | Tuple) -> list[Type]:
    return t.items if isinstance(t, Tuple) else [inner for _, inner in t.fields]


def bytes_of_bits(count: int) -> int:
    return (count + 7) // 8


def double(bits: int) -> float:
    (number,) = struct.unpack("<d", bits.to_bytes(8, "little"))
    return float(number)


def bits_of(number: float) -> int:
    return int.from_bytes(struct.pack("<d", number), "little")
