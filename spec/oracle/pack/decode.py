"""Bytes to values in the notation (pack.md sections 5 to 13).

This is the authoritative walker. It reads by the writer's schema, in the order of the bytes, and its first error is the
one to report. The reader's type runs beside the writer's (section 13). It is the same type if nothing is resolved, and
`None` inside a field that the reader lacks: such a field is read, checked and dropped.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import cast
from uuid import UUID

from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.primitives import Cursor
from spec.oracle.pack import bigint, times
from spec.oracle.pack.aliases import adopted
from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.cells import ANY, ANY_MORE, KEY, OBJECT, Weights
from spec.oracle.pack.columns import MARK, bytes_of_bits, flattened
from spec.oracle.pack.columns_reader import ColumnReader
from spec.oracle.pack.defaults import completed
from spec.oracle.pack.fallbacks import key_of, member_of, more_cells, symbol_of, value_of
from spec.oracle.pack.notation import ANY_LISTS, Value, key_order, number_refs, numeric
from spec.oracle.pack.rows import has_flag, least_bytes, read_flags, read_numbers, read_single, skip_padding
from spec.oracle.pack.schema import (
    FLOATS,
    INTEGERS,
    Enum,
    List,
    Map,
    Option,
    Ref,
    Scalar,
    Set,
    Struct,
    Tuple,
    Type,
    Union,
    path_step,
    recursive,
)
from spec.oracle.pack.text import TextReader
from spec.oracle.pack.widening import exact, number_text, number_type

TEXT, WIDE, REFS, ALIGNED, DIGEST, UTF8, CHECK, VERSION = 1, 2, 4, 8, 16, 32, 64, 128
Reader = Type | None


@dataclass
class _Shared:
    """A struct that a `ref` may name: its position, and the walker's counts where it begins."""

    type: Struct
    pos: int
    used: list[int]
    texts: int
    shared: int


class Walker(Cursor):
    def __init__(self, data: bytes, limits: Limits, weights: Weights) -> None:
        super().__init__(data)
        self.limits = limits
        self.weights = weights
        self.charging = True
        self.items = 0
        self.cells = 0
        self.depth = 0
        self.aligned = False
        self.text = TextReader(0, b"", b"", b"", False)
        self.shared: list[_Shared] = []
        self.shown: set[int] = set()

    # The message (section 5), in the order of section 12

    def message(self, writer: Type, reader: Type, identity: bytes) -> Value:
        if len(self.data) > self.limits.frame_bytes:
            self.fail("limit_size", 0, f"a message of {len(self.data)} bytes")
        header = self.byte()
        if header & VERSION == 0:
            self.fail("unsupported", 0, "another version")
        if header & DIGEST and header & CHECK:
            self.fail("malformed", 0, "a digest and a check")
        named = self.take(8 if header & DIGEST else 2 if header & CHECK else 0)
        if not identity.startswith(named):
            self.fail("schema_mismatch", 1, "the message was written with another schema")
        self.aligned = header & ALIGNED != 0
        latin = self.block_length(1, 0) if header & TEXT else 0
        wide = 2 * self.block_length(2, latin) if header & WIDE else 0
        utf8 = self.block_length(1, latin + wide) if header & UTF8 else 0
        self.text = TextReader(self.pos, self.take(latin), self.take(wide), self.take(utf8), header & REFS != 0)
        if self.aligned:
            skip_padding(self, 1)
        self.charge(self.pos, self.weights.slot(writer))
        value = self.row([writer], [reader], [""])[0]
        self.finish()
        return number_refs(reader, value)

    def block_length(self, width: int, before: int) -> int:
        at = self.pos
        length = self.count()
        if length == 0:
            self.fail("malformed", at, "a block that is empty")
        if before + length * width > self.limits.text_bytes:
            self.fail("limit_size", at, f"{before + length * width} bytes of text")
        return length

    def finish(self) -> None:
        if self.pos < len(self.data):
            self.fail("trailing", self.pos, f"{len(self.data) - self.pos} bytes after the value")
        unused = self.text.unused()
        if unused is not None:
            self.fail("malformed", unused, "text that nothing uses")

    # Limits

    @contextmanager
    def deeper(self, at: int) -> Iterator[None]:
        self.depth += 1
        if self.depth > self.limits.depth:
            self.fail("limit_depth", at, f"nested deeper than {self.limits.depth}")
        yield
        self.depth -= 1

    def elements(self, least: Callable[[int], int], weight: int) -> int:
        """Reads a count of elements that weigh `weight` each. Checks items, then the `least` bytes, then cells."""
        at = self.pos
        return self.counted(at, self.count(), least, weight)

    def columnar(self, item: Type) -> bool:
        """Returns whether the count that comes next is that of columns (columns.md section 1). Reads nothing."""
        at = self.pos
        count = self.varint(32)
        self.pos = at
        return flattened(item) and count > MARK

    def columns(self, writer: List | Map, reader: Reader, weight: int) -> list[Value]:
        """Reads a columnar list or map."""
        at = self.pos
        runs = 2 if isinstance(writer, Map) else 1
        count = self.counted(at, self.varint(32) - MARK, lambda n: runs * bytes_of_bits(n), weight)
        return ColumnReader(self).elements(writer, reader, count, at)

    def counted(self, at: int, count: int, least: Callable[[int], int], weight: int) -> int:
        self.items += count
        if self.items > self.limits.items:
            self.fail("limit_items", at, f"more than {self.limits.items} elements")
        self.need(least(count))
        self.charge(at, OBJECT + count * weight)
        return count

    def charge(self, at: int, cells: int) -> None:
        """Adds to the cells of the message. A struct that is read again has been charged already."""
        if self.charging:
            self.cells += cells
            if self.cells > self.limits.cells:
                self.fail("limit_items", at, f"more than {self.limits.cells} cells")

    # Rows (section 7)

    def row(self, writers: list[Type], readers: list[Reader], steps: list[str]) -> list[Value]:
        flags = iter(read_flags(self, sum(has_flag(t) for t in writers)))
        values: list[Value] = []
        for writer, reader, step in zip(writers, readers, steps, strict=True):
            with self.step(step):
                if isinstance(writer, Option):
                    inner = reader.item if isinstance(reader, Option) else reader
                    values.append(self.present(writer.item, inner) if next(flags) else None)
                elif has_flag(writer):
                    values.append(next(flags))
                else:
                    values.append(self.slot(writer, reader))
        return values

    def same_row(self, writer: Type, reader: Reader, count: int, after: str = "") -> list[Value]:
        name = numeric(writer)
        if name is not None:
            at = self.pos
            return self.widened(name, reader, read_numbers(self, name, count, self.aligned), at)
        return self.row([writer] * count, [reader] * count, [f"[{i}]{after}" for i in range(count)])

    # Slots (section 8)

    def present(self, writer: Type, reader: Reader) -> Value:
        """Reads an option that is not null. A struct or tuple is charged here, because it does not lie inline."""
        if isinstance(writer, Struct):
            return self.struct(writer, reader, inline=False)
        if isinstance(writer, Tuple):
            self.charge(self.pos, self.weights.row(writer))
        return self.slot(writer, reader)

    def slot(self, writer: Type, reader: Reader) -> Value:
        if isinstance(reader, Option):  # the writer's type is not an option
            reader = reader.item
        at = self.pos
        match writer:
            case Scalar():
                return self.scalar(writer, reader)
            case Option():
                raise AssertionError("an option is read by its row")
            case Enum():
                index = self.count()
                if index >= len(writer.symbols):
                    self.fail("malformed", at, f"{writer.name} has no symbol {index}")
                return self.symbol(writer.symbols[index], reader, at)
            case List() if self.columnar(writer.item):
                return self.columns(writer, reader, self.weights.slot(writer.item))
            case List():
                count = self.elements(lambda n: least_bytes(writer.item, n), self.weights.slot(writer.item))
                return self.same_row(writer.item, reader.item if isinstance(reader, List) else None, count)
            case Set():
                count = self.elements(lambda n: least_bytes(writer.item, n), KEY + self.weights.slot(writer.item))
                inner = key_of(reader.item) if isinstance(reader, Set) else None
                keys = self.same_row(writer.item, inner, count)
                self.distinct(keys, at)
                return sorted(keys, key=key_order(writer.item))
            case Map():
                weight = KEY + self.weights.slot(writer.key) + self.weights.slot(writer.value)
                if self.columnar(writer.value):
                    return self.columns(writer, reader, weight)
                count = self.elements(lambda n: least_bytes(writer.key, n) + least_bytes(writer.value, n), weight)
                key_reader = key_of(reader.key) if isinstance(reader, Map) else None
                value_reader = reader.value if isinstance(reader, Map) else None
                keys = self.same_row(writer.key, key_reader, count, ".key")
                self.distinct(keys, at)
                values = self.same_row(writer.value, value_reader, count, ".value")
                return [[key, value] for key, value in zip(keys, values, strict=True)]
            case Tuple():
                parts: list[Reader] = [None] * len(writer.items)
                if isinstance(reader, Tuple):
                    parts = list(reader.items)
                return self.row(writer.items, parts, [f"[{i}]" for i in range(len(parts))])
            case Struct():
                return self.struct(writer, reader, inline=True)
            case Union():
                return self.union(writer, reader)
            case Ref():
                return self.ref(cast(Struct, writer.item), reader.item if isinstance(reader, Ref) else None)

    def symbol(self, name: str, reader: Reader, at: int) -> str:
        symbol = symbol_of(reader, name)
        if symbol is None:
            self.fail("schema_mismatch", at, f"the reader lacks the symbol {name}")
        return symbol

    def distinct(self, keys: list[Value], at: int) -> None:
        if len(set(keys)) < len(keys):
            self.fail("malformed", at, "a repeated key")

    def struct(self, writer: Struct, reader: Reader, inline: bool, more: int = 0) -> Value:
        """Reads a struct's row. One that lies inline was charged with its container, unless it is recursive.

        `more` is what stands for it takes, in cells.
        """
        if recursive(writer):
            with self.deeper(self.pos):
                self.charge(self.pos, self.weights.row(writer) + more)
                return self.fields(writer, reader)
        if not inline:
            self.charge(self.pos, self.weights.row(writer) + more)
        return self.fields(writer, reader)

    def fields(self, writer: Struct, reader: Reader) -> Value:
        wanted = dict(reader.fields) if isinstance(reader, Struct) else {}
        names = [name for name, _ in writer.fields]
        types = [t for _, t in writer.fields]
        values = self.row(types, [wanted.get(name) for name in names], [path_step(name) for name in names])
        return completed(reader, dict(zip(names, values, strict=True)))

    def union(self, writer: Union, reader: Reader) -> Value:
        at = self.pos
        index = self.count()
        structs = writer.structs()
        if index >= len(structs):
            self.fail("malformed", at, f"the union has no member {index}")
        member = structs[index]
        inner = None
        if isinstance(reader, Union):
            inner = next((struct for struct in reader.structs() if struct.name == member.name), None)
            if inner is None:
                return self.fallback(member, member_of(reader), at)
        return {member.name: self.struct(member, inner, inline=False)}

    def fallback(self, member: Struct, fallback: Struct | None, at: int) -> Value:
        """Reads a member that the reader lacks: it is checked like a skipped field, and its name is kept."""
        if fallback is None:
            self.fail("schema_mismatch", at, f"the reader lacks the member {member.name}")
        self.struct(member, None, inline=False, more=more_cells(fallback, member.name))
        return {fallback.name: value_of(fallback, member.name)}

    def ref(self, writer: Struct, reader: Reader) -> Value:
        """Returns `{"ref": n, "value": …}` where a shared struct first occurs, `{"ref": n}` afterwards.

        A struct that first stood in a field that the reader lacks is read again where a kept field refers to it.
        """
        at = self.pos
        number = self.varint(32)
        if number == 0:
            begin = _Shared(writer, self.pos, [*self.text.used], len(self.text.texts), len(self.shared))
            value = self.struct(writer, reader, inline=False)
            self.shared.append(begin)
            return self.show(len(self.shared) - 1, value, reader)
        if number > len(self.shared) or self.shared[number - 1].type is not writer:
            self.fail("malformed", at, f"no {writer.name} has the number {number - 1}")
        if number - 1 in self.shown or reader is None:
            return {"ref": number - 1}
        return self.show(number - 1, self.again(self.shared[number - 1], reader), reader)

    def show(self, number: int, value: Value, reader: Reader) -> Value:
        if reader is None or number in self.shown:
            return {"ref": number}
        self.shown.add(number)
        return {"ref": number, "value": value}

    def again(self, begin: _Shared, reader: Type) -> Value:
        walker = Walker(self.data, self.limits, self.weights)
        walker.charging = False
        walker.pos = begin.pos
        walker.depth = self.depth
        walker.steps = self.steps
        walker.aligned = self.aligned
        latin, wide, utf8 = self.text.blocks
        walker.text = TextReader(self.text.at, latin, wide, utf8, self.text.refs)
        walker.text.used = [*begin.used]
        walker.text.texts = self.text.texts[: begin.texts]
        walker.shared = self.shared[: begin.shared]
        walker.shown = self.shown
        return walker.struct(begin.type, reader, inline=False)

    def scalar(self, writer: Scalar, reader: Reader) -> Value:
        name, at = writer.name, self.pos
        if name == "bool":  # an option<bool> that is present
            return self.boolean()
        if name in INTEGERS or name in FLOATS:
            return self.widened(name, reader, [read_single(self, name)], at)[0]
        if name == "string":
            return self.text.read(self)
        return self.any() if name == "any" else self.plain(name)

    def widened(self, name: str, reader: Reader, numbers: list[int], at: int) -> list[Value]:
        """Returns numbers that stand at `at` in the reader's type."""
        target = number_type(name, reader)
        for number in numbers:
            if not exact(name, target, number):
                self.fail("bad_number", at, f"{number} is between two numbers of {target}")
        return [number_text(name, target, number) for number in numbers]

    def boolean(self) -> bool:
        at = self.pos
        byte = self.byte()
        if byte > 1:
            self.fail("malformed", at, f"no bool: {byte:#04x}")
        return byte == 1

    def plain(self, name: str) -> str:
        """Reads a scalar that has the same form in its slot and inside an `any`."""
        match name:
            case "bigint":
                return str(bigint.read_bigint(self))
            case "decimal":
                unscaled, scale = bigint.read_decimal(self)
                return f"{unscaled}/{scale}"
            case "bytes":
                return self.take(self.count()).hex()
            case "uuid":
                return str(UUID(bytes=self.take(16)))
            case "date":
                return str(times.read_date(self))
            case "time":
                return str(times.read_time(self))
            case "timestamp" | "duration":
                return str(times.read_seconds_and_fraction(self, calendar=name == "timestamp"))
        raise AssertionError(name)

    # any (section 10)

    def any(self) -> Value:
        at = self.pos
        tag = self.byte()
        if tag >= 0x80:
            return any_integer(tag - 0x80)
        if tag in ANY_PLAIN:
            self.charge(at, ANY_MORE.get(ANY_PLAIN[tag], 0))
            return {ANY_PLAIN[tag]: self.plain(ANY_PLAIN[tag])}
        if tag in ANY_LISTS:
            name = ANY_LISTS[tag]
            count = self.elements(lambda n: least_bytes(Scalar(name), n), 1)
            numbers = read_numbers(self, name, count, self.aligned)
            return {f"{name}s": [number_text(name, name, n) for n in numbers]}
        match tag:
            case 0x00:
                return None
            case 0x01 | 0x02:
                return tag == 0x02
            case 0x03:
                return any_integer(self.signed(64))
            case 0x04:
                return any_integer(bigint.read_bigint(self))
            case 0x05:
                return {"f64": number_text("f64", "f64", read_single(self, "f64"))}
            case 0x06:
                return {"string": self.text.read(self)}
            case 0x08:
                with self.deeper(at):
                    count = self.elements(lambda n: n, ANY)
                    return {"list": self.any_row(count, "")}
            case 0x09:
                with self.deeper(at):
                    return {"map": self.any_map()}
        if tag in EXTENSIONS:
            self.fail("unsupported", at, f"the tag {tag:#04x} is an extension's")
        self.fail("malformed", at, f"no tag: {tag:#04x}")

    def any_row(self, count: int, after: str) -> list[Value]:
        values = []
        for i in range(count):
            with self.step(f"[{i}]{after}"):
                values.append(self.any())
        return values

    def any_map(self) -> Value:
        at = self.pos
        count = self.elements(lambda n: 2 * n, KEY + 2 * ANY)
        keys = self.any_keys(count)
        self.distinct([repr(key) for key in keys], at)
        return [[key, value] for key, value in zip(keys, self.any_row(count, ".value"), strict=True)]

    def any_keys(self, count: int) -> list[Value]:
        keys: list[Value] = []
        for i in range(count):
            with self.step(f"[{i}].key"):
                at = self.pos
                tag = self.byte()
                if tag < 0x80 and tag not in (0x03, 0x06):
                    self.fail("malformed", at, f"a key is a text or an integer of 64 bits, not the tag {tag:#04x}")
                if keys and ("string" in keys[0]) != (tag == 0x06):
                    self.fail("malformed", at, "the keys of a map are all texts or all integers")
                self.pos = at
                keys.append(self.any())
        return keys


EXTENSIONS = range(0x30, 0x40)
ANY_PLAIN = {
    0x07: "bytes",
    0x0A: "decimal",
    0x0B: "uuid",
    0x0C: "date",
    0x0D: "time",
    0x0E: "timestamp",
    0x0F: "duration",
}


def any_integer(value: int) -> Value:
    """Returns an integer by its value, whichever tag it came with."""
    return {"int" if -(1 << 63) <= value < 1 << 63 else "bigint": str(value)}


def decode(t: Type, data: bytes, limits: Limits = DEFAULT) -> Value:
    """Returns the value of a message written with the same schema."""
    return Walker(data, limits, Weights(t, t)).message(t, t, digest(canonical(t)))


def decode_resolved(writer: Type, reader: Type, data: bytes, limits: Limits = DEFAULT) -> Value:
    """Returns the value, in the reader's type, of a message written with another schema that resolves (resolve.py)."""
    known = adopted(writer, reader)
    return Walker(data, limits, Weights(known, reader)).message(known, reader, digest(canonical(writer)))
