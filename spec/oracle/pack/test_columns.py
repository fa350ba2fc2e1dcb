"""Columns (columns.md): round trips, every mode, and hostile bytes."""

from __future__ import annotations

import random
import struct

import pytest

from spec.oracle.core.errors import SamewireError
from spec.oracle.core.limits import DEFAULT
from spec.oracle.pack.canonical import canonical, digest
from spec.oracle.pack.cells import Weights
from spec.oracle.pack.columns_reader import ColumnReader
from spec.oracle.pack.columns_writer import ColumnWriter
from spec.oracle.pack.decode import Walker, decode, decode_resolved
from spec.oracle.pack.encode import Encoder, encode, encode_measured, is_columnar
from spec.oracle.pack.notation import Value
from spec.oracle.pack.parse import parse
from spec.oracle.pack.schema import Type
from spec.oracle.pack.text import TextReader

ROWS = 160
SCHEMA = (
    "list<struct Row { id: i64, on: bool, at: timestamp, name: string, tags: list<string>, price: f64, maybe: option<f64>, "
    "odd: f64, kind: enum Kind { a, b }, point: option<struct Point { x: i8, y: u16 }>, key: uuid, raw: bytes, "
    "by_name: map<string, i32>, numbers: set<u8>, pair: tuple<f32, date>, big: bigint, open: any, one: union { Point }, "
    "took: duration, clock: time, tree: struct Tree { kids: list<Tree> } }>"
)


def schema(text: str) -> Type:
    return parse(canonical(parse(text)))


def double(number: float) -> str:
    return struct.pack(">d", number).hex()


def row(i: int, chance: random.Random) -> Value:
    return {
        "id": str(10**12 + i * 3),
        "on": i % 3 == 0,
        "at": str((1_700_000_000_000 + i * 977) * 10**6),
        "name": chance.choice(["al", "bö", "日本語", f"x{i}"]),
        "tags": [chance.choice("abc") * 3 for _ in range(i % 4)],
        "price": double(chance.randrange(10_000) / 100),
        "maybe": None if i % 2 else double(chance.random()),
        "odd": double([1.5e300, float("inf"), -0.0][i % 3]),
        "kind": "ab"[i % 2],
        "point": None if i % 5 else {"x": str(i % 100 - 50), "y": str(i)},
        "key": "00112233-4455-6677-8899-aabbccddeeff",
        "raw": "00ff" * (i % 3),
        "by_name": [[f"k{j}", str(j * i)] for j in range(i % 3)],
        "numbers": [str(j) for j in range(i % 4)],
        "pair": ["3f800000", str(20_000 + i)],
        "big": str(1 << 70 + i % 3),
        "open": {"int": str(i)},
        "one": {"Point": {"x": "1", "y": "2"}},
        "took": str(i * 1000),
        "clock": str(i * 10**9),
        "tree": {"kids": [{"kids": []}] * (i % 2)},
    }


@pytest.fixture(name="message")
def _message() -> tuple[Type, Value, bytes]:
    t = schema(SCHEMA)
    chance = random.Random(1)
    value = [row(i, chance) for i in range(ROWS)]
    return t, value, encode(t, value)


def test_columns_of_every_type_come_back_and_are_smaller(message: tuple[Type, Value, bytes]) -> None:
    t, value, data = message
    assert decode(t, data) == value
    assert len(data) < 0.75 * len(encode(t, value, "fast"))


def test_a_reader_that_lacks_fields_skips_their_columns(message: tuple[Type, Value, bytes]) -> None:
    t, value, data = message
    reader = schema("list<struct Row { name: string, tags: list<string>, id: bigint, new: option<i8> }>")
    wanted = [{name: line.get(name) for name in ("name", "tags", "id", "new")} for line in value]
    assert decode_resolved(t, reader, data) == wanted


def test_a_reader_counts_what_the_writer_counted(message: tuple[Type, Value, bytes]) -> None:
    t, value, data = message
    _, uses = encode_measured(t, value)
    walker = Walker(data, DEFAULT, Weights(t, t))
    walker.message(t, t, digest(canonical(t)))
    assert (walker.items, walker.cells) == (uses.items, uses.cells)


def test_prefixes_are_refused(message: tuple[Type, Value, bytes]) -> None:
    t, _, data = message
    for end in range(0, len(data), 29):
        with pytest.raises(SamewireError) as caught:
            decode(t, data[:end])
        assert (caught.value.code, caught.value.at) == ("truncated", end)


def test_mutants_are_read_or_refused(message: tuple[Type, Value, bytes]) -> None:
    t, _, data = message
    chance = random.Random(2)
    refused = 0
    for _ in range(300):
        mutant = bytearray(data)
        mutant[chance.randrange(len(mutant))] = chance.randrange(256)
        try:
            decode(t, bytes(mutant))
        except SamewireError:
            refused += 1
    assert refused > 30


@pytest.mark.parametrize("count", [63, 64])
def test_short_lists_stay_rows(count: int) -> None:
    t = schema("list<struct Line { a: i32, b: string }>")
    value = [{"a": str(i), "b": "text"} for i in range(count)]
    assert is_columnar(t, value) == (count >= 64)


@pytest.mark.parametrize("count", [79, 80])
def test_wide_lists_stay_rows_longer(count: int) -> None:
    names = [f"f{i}" for i in range(20)]
    t = schema("list<struct Wide { " + ", ".join(f"{name}: i8" for name in names) + " }>")
    value = [dict.fromkeys(names, "1")] * count
    assert is_columnar(t, value) == (count >= 80)


def test_a_map_of_structs_is_columnar() -> None:
    t = schema("map<string, struct Point { x: i32, y: i32 }>")
    value = [[f"k{i}", {"x": str(i), "y": str(-i)}] for i in range(100)]
    assert is_columnar(t, value)
    assert decode(t, encode(t, value)) == value


def column(schema_text: str, values: list[Value]) -> bytes:
    """Returns one column of values, which must come back."""
    t = schema(schema_text)
    encoder = Encoder("compact", DEFAULT, Weights(t, t))
    ColumnWriter(encoder).column(t, values)
    walker = Walker(bytes(encoder.out), DEFAULT, Weights(t, t))
    walker.text = TextReader(0, bytes(encoder.text.latin), bytes(encoder.text.wide), bytes(encoder.text.utf8), refs=True)
    assert ColumnReader(walker).column(t, t, len(values)) == values
    assert walker.pos == len(encoder.out)
    return bytes(encoder.out)


MODES: list[tuple[str, str, list[Value], int]] = [
    ("integers from the least", "i32", [str(i * 7919 % 100 - 50) for i in range(300)], 1),
    ("integers from the previous one", "u64", [str((1 << 63) + i * 5) for i in range(300)], 2),
    ("differences modulo 2^64", "i64", [str(((1 << 63) - 1) * (-1) ** (i // 50)) for i in range(300)], 2),
    ("integers as they are", "i64", [str((i * 0x9E3779B97F4A7C15) % (1 << 63)) for i in range(300)], 0),
    ("one integer", "u8", ["200"], 0),
    ("whole seconds", "timestamp", [str(i * 10**9) for i in range(100)], 0),
    ("microseconds", "duration", [str(-i * 1000) for i in range(100)], 2),
    ("times beyond i64 in nanoseconds", "timestamp", [str(-62_135_596_800 * 10**9 + 1), "0"], 4),
    ("decimal numbers", "f64", [double(i * 37 % 1000 / 100) for i in range(300)], 1),
    ("decimal numbers but one", "f64", [double(i / 10 if i != 9 else -0.0) for i in range(300)], 1),
    ("numbers that repeat", "f64", [double(2 ** 0.5 * (i % 4 + 1)) for i in range(300)], 2),
    ("other numbers", "f64", [double(1 / (i + 3) ** 0.5) for i in range(300)], 0),
    ("texts that repeat", "string", ["north", "south", "東"] * 100, 1),
    ("other texts", "string", [f"text {i}" for i in range(600)], 0),
]  # fmt: skip


@pytest.mark.parametrize(("schema_text", "values", "mode"), [case[1:] for case in MODES], ids=[case[0] for case in MODES])
def test_modes(schema_text: str, values: list[Value], mode: int) -> None:
    assert column(schema_text, values)[0] == mode


def refused(schema_text: str, data: str) -> tuple[str, int | None, str | None]:
    """Returns the error of a columnar list: its count, then its columns, in hexadecimal."""
    with pytest.raises(SamewireError) as caught:
        decode(schema(schema_text), bytes.fromhex("80" + data))
    return caught.value.code, caught.value.at, caught.value.path


def test_errors() -> None:
    points = "list<struct Point { x: i8 }>"
    assert refused(points, "8080808008") == ("bad_number", 1, "$")  # no elements
    assert refused("list<i8>", "8180808008 01") == ("bad_number", 1, "$")  # not of structs
    assert refused(points, "8180808008 03 01 01") == ("malformed", 6, "$[].x")  # no such mode
    assert refused(points, "8280808008 01 7f 08 01 ff") == ("bad_number", 8, "$[].x")  # 127 + 1
    assert refused("list<struct D { d: date }>", "8180808008 00 ffffff7f") == ("bad_number", 6, "$[].d")
    assert refused("list<struct T { t: timestamp }>", "8180808008 05") == ("malformed", 6, "$[].t")
    assert refused("list<struct F { f: f64 }>", "8180808008 01 10") == ("malformed", 7, "$[].f")
    assert refused("list<struct S { s: string }>", "8180808008 01 02") == ("malformed", 7, "$[].s")
    assert refused("list<struct B { b: bool }>", "8180808008 02") == ("malformed", 6, "$[].b")
    assert refused("list<struct L { l: list<i8> }>", "8180808008 00 ffffff7f") == ("limit_items", 6, "$[].l")
