"""Values to columns (columns.md sections 1 to 6). The encoder writes what is not a column."""

from __future__ import annotations

import math
from collections.abc import Hashable
from itertools import pairwise
from typing import TYPE_CHECKING, TypeVar

from spec.oracle.core.primitives import varint, zigzag
from spec.oracle.pack import bit_packing, times
from spec.oracle.pack.cells import KEY
from spec.oracle.pack.columns import (
    COUNTS,
    DECIMAL,
    DICTIONARY,
    DIGITS,
    DOUBLES,
    EXACT,
    FROM_LEAST,
    FROM_PREVIOUS,
    LARGEST_EXPONENT,
    LEAST_ROWS,
    MARK,
    NANOSECONDS,
    NEW_AT_FIRST,
    RAW,
    ROWS_A_COLUMN,
    SAMPLE,
    SPLIT,
    UNITS,
    Integers,
    bits_of,
    double,
    flattened,
    indices,
    integers,
    parts,
    simple,
    width,
)
from spec.oracle.pack.notation import Value, key_order
from spec.oracle.pack.rows import flag_bytes
from spec.oracle.pack.schema import INTEGERS, SIGNED, Enum, List, Map, Option, Scalar, Set, Struct, Tuple, Type, path_step

if TYPE_CHECKING:
    from spec.oracle.pack.encode import Encoder

Item = TypeVar("Item", bound=Hashable)


def columnar(t: List | Map, count: int) -> bool:
    """Returns whether a writer makes a list or map columnar (section 1)."""
    item = t.item if isinstance(t, List) else t.value
    if not flattened(item):
        return False
    columns = width(item) + (width(t.key) if isinstance(t, Map) else 0)
    return count >= LEAST_ROWS and count >= ROWS_A_COLUMN * columns


class ColumnWriter:
    """Writes columns with an encoder, to its output and its text blocks."""

    def __init__(self, encoder: Encoder) -> None:
        self.encoder = encoder
        self.out = encoder.out

    def container(self, t: List | Map, value: Value) -> None:
        encoder = self.encoder
        encoder.hold(len(value), 1, self.weight(t))
        self.out += varint(len(value) + MARK)
        if isinstance(t, List):
            self.inner("[]", t.item, value)
        else:
            self.entries(t, value)

    def weight(self, t: List | Set | Map) -> int:
        weights = self.encoder.weights
        match t:
            case List():
                return weights.slot(t.item)
            case Set():
                return KEY + weights.slot(t.item)
        return KEY + weights.slot(t.key) + weights.slot(t.value)

    def entries(self, t: Map, entries: list[Value]) -> None:
        self.inner("[].key", t.key, [key for key, _ in entries])
        self.inner("[].value", t.value, [item for _, item in entries])

    def inner(self, step: str, t: Type, values: list[Value]) -> None:
        with self.encoder.step(step):
            self.column(t, values)

    # Section 2

    def column(self, t: Type, values: list[Value]) -> None:
        if not values:
            return
        whole = simple(t)
        if whole is not None:
            self.integers(whole, [self.integer(t, value) for value in values])
            return
        match t:
            case Option():
                present = [value for value in values if value is not None]
                self.out += flag_bytes([value is not None for value in values])
                if isinstance(t.item, Struct | Tuple) and flattened(t.item):
                    self.encoder.charge(len(present) * self.encoder.weights.row(t.item))
                self.column(t.item, present)
            case List() | Set() | Map():
                self.integers(COUNTS, [len(value) for value in values])
                flat = [item for value in values for item in (sorted_keys(t, value) if isinstance(t, Set) else value)]
                self.encoder.hold(len(flat), len(values), self.weight(t))
                if isinstance(t, Map):
                    self.entries(t, flat)
                else:
                    self.inner("[]", t.item, flat)
            case Tuple():
                for i, part in enumerate(parts(t)):
                    self.inner(f"[{i}]", part, [value[i] for value in values])
            case Struct() if flattened(t):
                for name, part in t.fields:
                    self.inner(path_step(name), part, [value[name] for value in values])
            case Scalar():
                self.scalars(t, values)
            case _:
                self.slots(t, values)

    def slots(self, t: Type, values: list[Value]) -> None:
        for value in values:
            self.encoder.slot(t, value)

    def scalars(self, t: Scalar, values: list[Value]) -> None:
        match t.name:
            case "bool":
                self.out += flag_bytes(values)
            case "timestamp" | "duration":
                self.times([int(value) for value in values])
            case "f64":
                self.doubles([int(value, 16) for value in values])
            case "f32":
                self.out += b"".join(int(value, 16).to_bytes(4, "little") for value in values)
            case "string":
                self.strings(t, values)
            case "bytes":
                self.integers(COUNTS, [len(value) // 2 for value in values])
                self.out += b"".join(bytes.fromhex(value) for value in values)
            case _:
                self.slots(t, values)

    def integer(self, t: Type, value: Value) -> int:
        if isinstance(t, Enum):
            return t.symbols.index(value)
        assert isinstance(t, Scalar)
        return self.encoder.number(t.name, value) if t.name in INTEGERS else int(value)

    # Section 3

    def integers(self, kind: Integers, values: list[int]) -> None:
        if steps_are_shorter(values):
            steps = [step(before, after) for before, after in pairwise(values)]
            mode, base, coded = FROM_PREVIOUS, values[0], steps
        else:
            mode, base = FROM_LEAST, min(values)
            coded = [value - base for value in values]
        body = single(kind.name, base) + bit_packing.pack_all(coded, bit_packing.PLAIN)
        size = INTEGERS[kind.name] // 8
        if len(body) >= len(values) * size:
            mode, body = RAW, b"".join((value % (1 << 8 * size)).to_bytes(size, "little") for value in values)
        self.out += bytes([mode]) + body

    # Section 4

    def times(self, values: list[int]) -> None:
        unit = next(unit for unit, size in UNITS.items() if all(value % size == 0 for value in values))
        counts = [value // UNITS[unit] for value in values]
        kind = integers("i64")
        if all(kind.low <= count <= kind.high for count in counts):
            self.out.append(unit)
            self.integers(kind, counts)
        else:
            self.out.append(SPLIT)
            self.integers(kind, [value // times.BILLION for value in values])
            self.integers(NANOSECONDS, [value % times.BILLION for value in values])

    # Section 5

    def doubles(self, values: list[int]) -> None:
        exponent = decimal_exponent(values)
        if exponent is not None:
            digits = [decimal_digits(value, exponent) for value in values]
            exceptions = [i for i, d in enumerate(digits) if d is None]
            if len(exceptions) <= len(values) // 8:
                self.out += bytes([DECIMAL, exponent]) + varint(len(exceptions))
                self.integers(DIGITS, filled(digits))
                if exceptions:
                    self.integers(indices(len(values)), exceptions)
                    self.raw_doubles([values[i] for i in exceptions])
                return
        found = distinct(values)
        if found is None:
            self.out.append(RAW)
            self.raw_doubles(values)
        else:
            self.out += bytes([DOUBLES]) + varint(len(found))
            self.raw_doubles(list(found))
            self.integers(indices(len(found)), [found[value] for value in values])

    def raw_doubles(self, values: list[int]) -> None:
        self.out += b"".join(value.to_bytes(8, "little") for value in values)

    # Section 6

    def strings(self, t: Scalar, values: list[str]) -> None:
        found = distinct(values)
        self.out.append(RAW if found is None else DICTIONARY)
        if found is None:
            self.slots(t, values)
        else:
            self.out += varint(len(found))
            self.slots(t, list(found))
            self.integers(indices(len(found)), [found[value] for value in values])


def sorted_keys(t: Set, value: Value) -> list[Value]:
    return sorted(value, key=key_order(t.item))


def sample(count: int) -> list[int]:
    """Returns the positions of the sample of a column (section 3)."""
    size = min(count, SAMPLE)
    return [i * count // size for i in range(size)]


def step(before: int, after: int) -> int:
    """Returns the zigzag form of a difference, which is an `i64` modulo 2^64."""
    return zigzag((after - before + (1 << 63)) % (1 << 64) - (1 << 63))


def steps_are_shorter(values: list[int]) -> bool:
    """Returns whether a sample of the integers takes fewer bits in mode 2 than in mode 1."""
    positions = sample(len(values))
    least = min(values[i] for i in positions)
    offsets = [values[i] - least for i in positions]
    return bits([step(values[i - 1], values[i]) for i in positions if i > 0]) < bits(offsets)


def bits(values: list[int]) -> int:
    return sum(value.bit_length() for value in values)


def single(name: str, value: int) -> bytes:
    """Returns one integer as it stands in a slot (pack.md section 8)."""
    if INTEGERS[name] == 8:
        return (value % 256).to_bytes(1, "little")
    return varint(zigzag(value) if name in SIGNED else value)


def decimal_digits(value: int, exponent: int) -> int | None:
    """Returns the d of a number that is decimal with an exponent (section 5)."""
    number = double(value)
    scaled = number * 10.0**exponent + 0.5
    if not math.isfinite(scaled):
        return None
    digits = math.floor(scaled)
    return digits if abs(digits) <= EXACT and bits_of(digits / 10.0**exponent) == value else None


def decimal_exponent(values: list[int]) -> int | None:
    tried = [values[i] for i in sample(len(values))]
    for exponent in range(LARGEST_EXPONENT + 1):
        if sum(decimal_digits(value, exponent) is not None for value in tried) >= -(-7 * len(tried) // 8):
            return exponent
    return None


def filled(digits: list[int | None]) -> list[int]:
    """Returns the digits, those of an exception equal to the ones before it."""
    out: list[int] = []
    for d in digits:
        out.append(d if d is not None else out[-1] if out else 0)
    return out


def distinct(values: list[Item]) -> dict[Item, int] | None:
    """Returns the distinct values and their indices in order of appearance, or `None` if there are too many of them."""
    found: dict[Item, int] = {}
    for i, value in enumerate(values):
        found.setdefault(value, len(found))
        if len(found) > NEW_AT_FIRST + (i + 1) // 2:
            return None
    return found if len(found) <= len(values) // 2 else None
