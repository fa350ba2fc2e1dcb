"""Columns to values (columns.md sections 1 to 7). The walker reads what is not a column."""

from __future__ import annotations

from typing import TYPE_CHECKING

from spec.oracle.core.primitives import unzigzag
from spec.oracle.pack import bit_packing, times
from spec.oracle.pack.cells import KEY, OBJECT
from spec.oracle.pack.columns import (
    COUNTS,
    DECIMAL,
    DICTIONARY,
    DIGITS,
    DOUBLES,
    FROM_LEAST,
    FROM_PREVIOUS,
    LARGEST_EXPONENT,
    NANOSECONDS,
    RAW,
    SPLIT,
    UNITS,
    Integers,
    bits_of,
    bytes_of_bits,
    flattened,
    indices,
    integers,
    simple,
)
from spec.oracle.pack.defaults import completed
from spec.oracle.pack.fallbacks import key_of
from spec.oracle.pack.notation import Value, float_text, key_order
from spec.oracle.pack.rows import read_flags, read_single
from spec.oracle.pack.schema import INTEGERS, SIGNED, Enum, List, Map, Option, Scalar, Set, Struct, Tuple, Type, path_step

if TYPE_CHECKING:
    from spec.oracle.pack.decode import Reader, Walker

WORD = 1 << 64


class ColumnReader:
    """Reads columns with a walker, from its bytes and its text blocks."""

    def __init__(self, walker: Walker) -> None:
        self.walker = walker

    def weight(self, t: List | Set | Map) -> int:
        weights = self.walker.weights
        match t:
            case List():
                return weights.slot(t.item)
            case Set():
                return KEY + weights.slot(t.item)
        return KEY + weights.slot(t.key) + weights.slot(t.value)

    def elements(self, writer: List | Set | Map, reader: Reader, count: int, at: int = 0) -> list[Value]:
        """Reads the elements of a list or set, or the entries of a map whose count stands at `at`. The caller has checked it."""
        if isinstance(writer, Map):
            ours = reader if isinstance(reader, Map) else None
            keys = self.inner("[].key", writer.key, ours and key_of(ours.key), count)
            self.walker.distinct(keys, at)
            values = self.inner("[].value", writer.value, ours and ours.value, count)
            return [[key, value] for key, value in zip(keys, values, strict=True)]
        item = reader.item if isinstance(reader, List | Set) else None
        return self.inner("[]", writer.item, key_of(item) if isinstance(writer, Set) else item, count)

    def inner(self, step: str, writer: Type, reader: Reader, count: int) -> list[Value]:
        with self.walker.step(step):
            return self.column(writer, reader, count)

    # Section 2

    def column(self, writer: Type, reader: Reader, count: int) -> list[Value]:
        if count == 0:
            return []
        if isinstance(reader, Option) and not isinstance(writer, Option):
            reader = reader.item
        whole = simple(writer)
        if whole is not None:
            return self.whole_numbers(writer, reader, whole, count)
        match writer:
            case Option():
                return self.options(writer, reader.item if isinstance(reader, Option) else reader, count)
            case List() | Set() | Map():
                return self.containers(writer, reader, count)
            case Tuple():
                ours = reader.items if isinstance(reader, Tuple) else [None] * len(writer.items)
                columns = [
                    self.inner(f"[{i}]", part, mine, count) for i, (part, mine) in enumerate(zip(writer.items, ours, strict=True))
                ]
                return [list(row) for row in zip(*columns, strict=True)]
            case Struct() if flattened(writer):
                return self.structs(writer, reader, count)
            case Scalar():
                return self.scalars(writer, reader, count)
        return self.slots(writer, reader, count)

    def whole_numbers(self, writer: Type, reader: Reader, kind: Integers, count: int) -> list[Value]:
        at = self.walker.pos
        numbers = self.integers(kind, count)
        if isinstance(writer, Scalar) and writer.name in INTEGERS:
            return self.walker.widened(writer.name, reader, numbers, at)
        if not isinstance(writer, Enum):
            return [str(number) for number in numbers]
        return [self.walker.symbol(writer.symbols[number], reader, at) for number in numbers]

    def options(self, writer: Option, reader: Reader, count: int) -> list[Value]:
        walker, at = self.walker, self.walker.pos
        flags = read_flags(walker, count)
        if isinstance(writer.item, Struct | Tuple) and flattened(writer.item):
            walker.charge(at, sum(flags) * walker.weights.row(writer.item))
        values = iter(self.column(writer.item, reader, sum(flags)))
        return [next(values) if flag else None for flag in flags]

    def containers(self, writer: List | Set | Map, reader: Reader, count: int) -> list[Value]:
        walker, at = self.walker, self.walker.pos
        counts = self.integers(COUNTS, count)
        total = sum(counts)
        walker.items += total
        if walker.items > walker.limits.items:
            walker.fail("limit_items", at, f"more than {walker.limits.items} elements")
        walker.need(bytes_of_bits(total) * (2 if isinstance(writer, Map) else 1))
        walker.charge(at, OBJECT * count + total * self.weight(writer))
        if isinstance(writer, Map):
            ours = reader if isinstance(reader, Map) else None
            keys = cut(self.inner("[].key", writer.key, ours and key_of(ours.key), total), counts)
            for run in keys:
                walker.distinct(run, at)
            values = cut(self.inner("[].value", writer.value, ours and ours.value, total), counts)
            return [[[k, v] for k, v in zip(*pair, strict=True)] for pair in zip(keys, values, strict=True)]
        runs = cut(self.elements(writer, reader, total), counts)
        if isinstance(writer, List):
            return runs
        for run in runs:
            walker.distinct(run, at)
        return [sorted(run, key=key_order(writer.item)) for run in runs]

    def structs(self, writer: Struct, reader: Reader, count: int) -> list[Value]:
        wanted = dict(reader.fields) if isinstance(reader, Struct) else {}
        found = {name: self.inner(path_step(name), t, wanted.get(name), count) for name, t in writer.fields}
        return [completed(reader, {name: column[i] for name, column in found.items()}) for i in range(count)]

    def slots(self, writer: Type, reader: Reader, count: int) -> list[Value]:
        self.walker.need(count)
        return [self.walker.slot(writer, reader) for _ in range(count)]

    def scalars(self, writer: Scalar, reader: Reader, count: int) -> list[Value]:
        walker = self.walker
        match writer.name:
            case "bool":
                return list(read_flags(walker, count))
            case "timestamp" | "duration":
                return [str(time) for time in self.times(writer.name == "timestamp", count)]
            case "f64":
                return [float_text("f64", number) for number in self.doubles(count)]
            case "f32":
                walker.need(4 * count)
                return [walker.scalar(writer, reader) for _ in range(count)]
            case "string":
                return self.strings(count)
            case "bytes":
                lengths = self.integers(COUNTS, count)
                walker.need(sum(lengths))
                return [walker.take(length).hex() for length in lengths]
            case "uuid":
                walker.need(16 * count)
                return [walker.plain("uuid") for _ in range(count)]
        return self.slots(writer, reader, count)

    # Section 3

    def integers(self, kind: Integers, count: int) -> list[int]:
        walker, at = self.walker, self.walker.pos
        mode = walker.byte()
        if mode not in (RAW, FROM_LEAST, FROM_PREVIOUS):
            walker.fail("malformed", at, f"integers have no mode {mode}")
        if mode == RAW:
            return self.raw_integers(kind, count, at)
        walker.need(bytes_of_bits(count))
        at = walker.pos
        base = read_single(walker, kind.name)
        self.check(kind, [base], at)
        values = [base]
        left = count if mode == FROM_LEAST else count - 1
        while left:
            at = walker.pos
            block = bit_packing.read_block(walker, min(bit_packing.BLOCK, left), bit_packing.PLAIN, 0, WORD - 1)
            left -= len(block)
            first = len(values)
            for u in block:
                before, more = (base, u) if mode == FROM_LEAST else (values[-1], unzigzag(u))
                values.append(modulo(kind, before + more))
            self.check(kind, values[first:], at)
        return values[1:] if mode == FROM_LEAST else values

    def raw_integers(self, kind: Integers, count: int, at: int) -> list[int]:
        size = INTEGERS[kind.name] // 8
        raw = self.walker.take(count * size)
        cuts = range(0, len(raw), size)
        values = [int.from_bytes(raw[i : i + size], "little", signed=kind.name in SIGNED) for i in cuts]
        self.check(kind, values, at)
        return values

    def check(self, kind: Integers, values: list[int], at: int) -> None:
        if any(not kind.low <= value <= kind.high for value in values):
            self.walker.fail("bad_number", at, "a value outside its type's range")

    # Section 4

    def times(self, calendar: bool, count: int) -> list[int]:
        walker, at = self.walker, self.walker.pos
        unit = walker.byte()
        if unit > SPLIT:
            walker.fail("malformed", at, f"times have no unit {unit}")
        size = UNITS.get(unit, times.BILLION)
        kind = integers("i64")
        if calendar:
            low, high = times.SECONDS_MIN * times.BILLION, (times.SECONDS_MAX + 1) * times.BILLION - 1
            kind = Integers("i64", max(kind.low, -(-low // size)), min(kind.high, high // size))
        counts = self.integers(kind, count)
        if unit != SPLIT:
            return [number * size for number in counts]
        fractions = self.integers(NANOSECONDS, count)
        return [number * size + fraction for number, fraction in zip(counts, fractions, strict=True)]

    # Section 5

    def doubles(self, count: int) -> list[int]:
        walker, at = self.walker, self.walker.pos
        mode = walker.byte()
        if mode == RAW:
            return self.raw_doubles(count)
        if mode == DECIMAL:
            return self.decimals(count)
        if mode != DOUBLES:
            walker.fail("malformed", at, f"floats have no mode {mode}")
        found = self.raw_doubles(self.size_of_dictionary(count))
        return [found[i] for i in self.integers(indices(len(found)), count)]

    def raw_doubles(self, count: int) -> list[int]:
        self.walker.need(8 * count)
        return [read_single(self.walker, "f64") for _ in range(count)]

    def decimals(self, count: int) -> list[int]:
        walker, at = self.walker, self.walker.pos
        exponent = walker.byte()
        if exponent > LARGEST_EXPONENT:
            walker.fail("malformed", at, f"an exponent of {exponent}")
        at = walker.pos
        exceptions = walker.count()
        if exceptions > count:
            walker.fail("malformed", at, f"{exceptions} exceptions of {count} numbers")
        numbers = [bits_of(digits / 10.0**exponent) for digits in self.integers(DIGITS, count)]
        if exceptions:
            at = walker.pos
            positions = self.integers(Integers("u32", 0, (1 << 32) - 1), exceptions)
            if positions != sorted(set(positions)) or positions[-1] >= count:
                walker.fail("malformed", at, "positions of exceptions out of order or range")
            for position, number in zip(positions, self.raw_doubles(exceptions), strict=True):
                numbers[position] = number
        return numbers

    # Section 6

    def strings(self, count: int) -> list[str]:
        walker, at = self.walker, self.walker.pos
        mode = walker.byte()
        if mode not in (RAW, DICTIONARY):
            walker.fail("malformed", at, f"strings have no mode {mode}")
        size = count if mode == RAW else self.size_of_dictionary(count)
        walker.need(size)
        texts = [walker.text.read(walker) for _ in range(size)]
        return texts if mode == RAW else [texts[i] for i in self.integers(indices(size), count)]

    def size_of_dictionary(self, count: int) -> int:
        at = self.walker.pos
        size = self.walker.count()
        if not 1 <= size <= count:
            self.walker.fail("malformed", at, f"a dictionary of {size} for {count} values")
        return size


def modulo(kind: Integers, value: int) -> int:
    """Returns a value modulo 2^64, signed if its type is."""
    value %= WORD
    return value - WORD if kind.name in SIGNED and value >= WORD // 2 else value


def cut(values: list[Value], counts: list[int]) -> list[list[Value]]:
    """Returns the runs of a flat list."""
    each = iter(values)
    return [[next(each) for _ in range(count)] for count in counts]
