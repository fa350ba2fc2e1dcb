"""Values in the notation to bytes (pack.md sections 5 to 11)."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import NoReturn
from uuid import UUID

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT, Limits
from spec.oracle.core.primitives import varint, zigzag
from spec.oracle.pack import bigint, times
from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.cells import ANY, ANY_MORE, KEY, OBJECT, Weights
from spec.oracle.pack.columns_writer import ColumnWriter, columnar
from spec.oracle.pack.notation import ANY_LISTS, NAN, Value, in_range, is_nan, key_order, numeric
from spec.oracle.pack.rows import RowWriter, flag_bytes, has_flag
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
from spec.oracle.pack.text import TextWriter

TEXT, WIDE, REFS, ALIGNED, DIGEST, UTF8, CHECK, VERSION = 1, 2, 4, 8, 16, 32, 64, 128
NAMED = {0: 0, 2: CHECK, 8: DIGEST}


@dataclass
class Uses:
    """What a message uses of each limit."""

    depth: int = 0
    items: int = 0
    text_bytes: int = 0
    frame_bytes: int = 0
    cells: int = 0


class Encoder(RowWriter):
    def __init__(self, profile: str, limits: Limits, weights: Weights) -> None:
        fast = profile == "fast"
        super().__init__(fast)
        self.columns = not fast
        self.wrote_columns = False
        self.weights = weights
        self.text = TextWriter(look_up=not fast)
        self.limits = limits
        self.uses = Uses()
        self.depth = 0
        self.refs: dict[int, int] = {}
        self.steps: list[str] = []

    def fail(self, code: str, what: str) -> NoReturn:
        raise SamewireError(code, None, "$" + "".join(self.steps), what)

    @contextmanager
    def step(self, text: str) -> Iterator[None]:
        self.steps.append(text)
        yield
        self.steps.pop()

    @contextmanager
    def deeper(self) -> Iterator[None]:
        self.depth += 1
        self.uses.depth = max(self.uses.depth, self.depth)
        if self.depth > self.limits.depth:
            self.fail("limit_depth", f"nested deeper than {self.limits.depth}")
        yield
        self.depth -= 1

    def count(self, count: int, weight: int) -> None:
        """Writes a count of elements that weigh `weight` each."""
        self.hold(count, 1, weight)
        self.out += varint(count)

    def hold(self, count: int, containers: int, weight: int) -> None:
        """Takes the elements of so many containers from what readers with the same limits allow."""
        self.uses.items += count
        if self.uses.items > self.limits.items:
            self.fail("limit_items", f"more than {self.limits.items} elements")
        self.charge(OBJECT * containers + count * weight)

    def charge(self, cells: int) -> None:
        """Takes cells from what readers with the same limits allow."""
        self.uses.cells += cells
        if self.uses.cells > self.limits.cells:
            self.fail("limit_items", f"more than {self.limits.cells} cells")

    # Rows (section 7)

    def row(self, types: list[Type], values: list[Value], steps: list[str]) -> None:
        """Writes flags, then slots. `same_row` writes numeric rows."""
        flagged = [(t, value) for t, value in zip(types, values, strict=True) if has_flag(t)]
        self.out += flag_bytes([value if isinstance(t, Scalar) else value is not None for t, value in flagged])
        for t, value, step in zip(types, values, steps, strict=True):
            with self.step(step):
                if isinstance(t, Option):
                    if value is not None:
                        self.enter(t.item)
                        self.slot(t.item, value)
                elif not has_flag(t):
                    self.slot(t, value)

    def enter(self, t: Type) -> None:
        """Charges a struct or tuple that does not lie inline. `struct` charges recursive structs."""
        if isinstance(t, Tuple) or (isinstance(t, Struct) and not recursive(t)):
            self.charge(self.weights.row(t))

    def same_row(self, t: Type, values: list[Value], after: str = "") -> None:
        """Writes the row of a list, a set, or the keys or values of a map."""
        name = numeric(t)
        if name is not None:
            self.numbers(name, [self.number(name, value) for value in values])
        else:
            self.row([t] * len(values), values, [f"[{i}]{after}" for i in range(len(values))])

    def number(self, name: str, value: str) -> int:
        """Returns an integer, or the bits of a float."""
        if name in FLOATS:
            return int(value, 16)
        if not in_range(name, int(value)):
            self.fail("type_mismatch", f"{value} does not fit in {name}")
        return int(value)

    # Slots (section 8)

    def slot(self, t: Type, value: Value) -> None:
        match t:
            case Scalar():
                self.scalar(t, value)
            case Option():
                raise AssertionError("an option is written by its row")
            case Enum():
                self.out += varint(t.symbols.index(value))
            case List() | Map() if self.columns and columnar(t, len(value)):
                self.wrote_columns = True
                ColumnWriter(self).container(t, value)
            case List():
                self.count(len(value), self.weights.slot(t.item))
                self.same_row(t.item, value)
            case Set():
                self.count(len(value), KEY + self.weights.slot(t.item))
                self.same_row(t.item, sorted(value, key=key_order(t.item)))
            case Map():
                self.count(len(value), KEY + self.weights.slot(t.key) + self.weights.slot(t.value))
                self.same_row(t.key, [key for key, _ in value], ".key")
                self.same_row(t.value, [item for _, item in value], ".value")
            case Tuple():
                self.row(t.items, value, [f"[{i}]" for i in range(len(value))])
            case Struct():
                self.struct(t, value)
            case Union():
                ((name, part),) = value.items()
                structs = t.structs()
                index = [struct.name for struct in structs].index(name)
                self.out += varint(index)
                self.enter(structs[index])
                self.struct(structs[index], part)
            case Ref():
                if "value" not in value:
                    self.out += varint(self.refs[value["ref"]] + 1)
                else:
                    self.out += varint(0)
                    self.enter(t.item)
                    self.slot(t.item, value["value"])
                    self.refs[value["ref"]] = len(self.refs)

    def struct(self, t: Struct, value: Value) -> None:
        if recursive(t):
            with self.deeper():
                self.charge(self.weights.row(t))
                self.fields(t, value)
        else:
            self.fields(t, value)

    def fields(self, t: Struct, value: Value) -> None:
        names = [name for name, _ in t.fields]
        if list(value) != names:
            self.fail("type_mismatch", f"the fields of {t.name} are {names}")
        steps = [path_step(name) for name in names]
        self.row([inner for _, inner in t.fields], list(value.values()), steps)

    def scalar(self, t: Scalar, value: Value) -> None:
        name = t.name
        if name == "bool":  # an option<bool> that is present
            self.out.append(1 if value else 0)
        elif name in INTEGERS:
            self.single(name, self.number(name, value))
        elif name in FLOATS:
            bits = int(value, 16)
            self.single(name, int(NAN[name], 16) if is_nan(name, bits) else bits)
        elif name == "any":
            self.any(t, value)
        elif name == "string":
            self.out += self.text.token(value, t)
        else:
            self.plain(name, value)

    def plain(self, name: str, value: str) -> None:
        """Writes a scalar that has the same form in its slot and inside an `any`."""
        match name:
            case "bigint":
                self.out += bigint.bigint(int(value))
            case "decimal":
                unscaled, scale = value.split("/")
                self.out += bigint.decimal(int(unscaled), int(scale))
            case "bytes":
                self.out += varint(len(value) // 2) + bytes.fromhex(value)
            case "uuid":
                self.out += UUID(value).bytes
            case "date":
                self.out += times.date(int(value))
            case "time":
                self.out += varint(int(value))
            case "timestamp" | "duration":
                self.out += times.seconds_and_fraction(int(value))
            case _:
                raise AssertionError(name)

    # any (section 10)

    def any(self, slot: Scalar, value: Value) -> None:
        if value is None:
            self.out.append(0x00)
            return
        if isinstance(value, bool):
            self.out.append(0x02 if value else 0x01)
            return
        ((kind, inner),) = value.items()
        match kind:
            case "int" | "bigint":
                self.any_integer(int(inner))
            case "f64":
                self.out.append(0x05)
                self.single("f64", int(NAN["f64"], 16) if is_nan("f64", int(inner, 16)) else int(inner, 16))
            case "string":
                self.out.append(0x06)
                self.out += self.text.token(inner, slot)
            case "list":
                self.out.append(0x08)
                with self.deeper():
                    self.count(len(inner), ANY)
                    self.any_row(slot, inner, "")
            case "map":
                self.out.append(0x09)
                with self.deeper():
                    self.count(len(inner), KEY + 2 * ANY)
                    self.any_keys(slot, [key for key, _ in inner])
                    self.any_row(slot, [item for _, item in inner], ".value")
            case "bytes" | "decimal" | "uuid" | "date" | "time" | "timestamp" | "duration":
                self.charge(ANY_MORE.get(kind, 0))
                self.out.append(ANY_SCALARS[kind])
                self.plain(kind, inner)
            case _:
                name = kind.removesuffix("s")
                self.out.append(next(tag for tag, known in ANY_LISTS.items() if known == name))
                self.count(len(inner), 1)
                self.numbers(name, [self.number(name, number) for number in inner])

    def any_integer(self, value: int) -> None:
        if 0 <= value <= 127:
            self.out.append(0x80 + value)
        elif in_range("i64", value):
            self.out += b"\x03" + varint(zigzag(value))
        else:
            self.out += b"\x04" + bigint.bigint(value)

    def any_keys(self, slot: Scalar, keys: list[Value]) -> None:
        for i, key in enumerate(keys):
            with self.step(f"[{i}].key"):
                if not isinstance(key, dict) or not key.keys() <= {"int", "string"}:
                    self.fail("type_mismatch", "a key is a text or an integer of 64 bits")
                if key.keys() != keys[0].keys():
                    self.fail("type_mismatch", "the keys of a map are all texts or all integers")
                self.any(slot, key)

    def any_row(self, slot: Scalar, values: list[Value], after: str) -> None:
        for i, value in enumerate(values):
            with self.step(f"[{i}]{after}"):
                self.any(slot, value)


ANY_SCALARS = {
    "bytes": 0x07,
    "decimal": 0x0A,
    "uuid": 0x0B,
    "date": 0x0C,
    "time": 0x0D,
    "timestamp": 0x0E,
    "duration": 0x0F,
}


def encode(t: Type, value: Value, profile: str = "compact", named: int = 0) -> bytes:
    """Returns the message of a value (section 5)."""
    return encode_measured(t, value, profile, named)[0]


def is_columnar(t: Type, value: Value) -> bool:
    """Returns whether the profile `compact` makes something of a value columnar (columns.md section 1)."""
    encoder = Encoder("compact", DEFAULT, Weights(t, t))
    encoder.row([t], [value], [""])
    return encoder.wrote_columns


def encode_measured(
    t: Type, value: Value, profile: str = "compact", named: int = 0, limits: Limits = DEFAULT
) -> tuple[bytes, Uses]:
    """Returns the message of a value, and what it uses of each limit.

    named: how many bytes of the schema's digest it carries: 0, 2 (a check) or 8 (the digest).
    """
    encoder = Encoder(profile, limits, Weights(t, t))
    encoder.charge(encoder.weights.slot(t))
    encoder.row([t], [value], [""])
    text = encoder.text
    header = VERSION | NAMED[named]
    header |= (TEXT if text.latin else 0) | (WIDE if text.wide else 0) | (UTF8 if text.utf8 else 0)
    header |= (REFS if text.refs else 0) | (ALIGNED if encoder.aligned else 0)
    out = bytearray([header])
    out += digest(canonical(t))[:named]
    if text.latin:
        out += varint(len(text.latin))
    if text.wide:
        out += varint(len(text.wide) // 2)
    if text.utf8:
        out += varint(len(text.utf8))
    out += text.latin + text.wide + text.utf8
    while encoder.aligned and len(out) % 8 != 1:
        out.append(0)
    out += encoder.out
    if len(out) > limits.frame_bytes:
        encoder.fail("limit_size", f"a message of {len(out)} bytes")
    encoder.uses.text_bytes = len(text.latin) + len(text.wide) + len(text.utf8)
    encoder.uses.frame_bytes = len(out)
    return bytes(out), encoder.uses
