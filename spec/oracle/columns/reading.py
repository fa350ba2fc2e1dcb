"""Columns (columns.md): lists and maps of structs and tuples whose count carries the mark, and errors within them."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f32, f64, varint, zigzag
from spec.oracle.pack.columns import MARK
from spec.oracle.pack.notation import Value

TOPIC = Topic("reading", "columns.md")
ROWS = 64


def columnar(name: str, schema: str, value: Value) -> None:
    """Adds a message in columns."""
    TOPIC.canonical(name, schema, value)


def column(name: str, kind: str, values: list[Value]) -> None:
    """Adds a list of structs with one field."""
    columnar(name, f"list<struct Row {{ a: {kind} }}>", [{"a": value} for value in values])


def spread(count: int, bits: int) -> list[int]:
    """Returns numbers without order, below a power of two."""
    return [i * 0x9E3779B97F4A7C15 % (1 << bits) for i in range(1, count + 1)]


# Integers: each type, each mode, blocks that end early.
for bits in (8, 16, 32, 64):
    low = -(1 << bits - 1)
    column(f"i{bits}, about its least", f"i{bits}", [low + i % 7 for i in range(ROWS)])
    column(f"i{bits}, all of its range", f"i{bits}", [low + number for number in spread(70, bits)])
    column(f"u{bits}, rising to its most", f"u{bits}", [(1 << bits) - ROWS + i for i in range(ROWS)])
column("integers that are all the same", "i32", [7] * 100)
column("integers, steps forwards and backwards", "i64", [10**12 + i * i * (-1) ** (i // 90) for i in range(300)])
column("integers, steps that wrap", "i64", [(1 << 63) - 1 if i // 50 % 2 else -(1 << 63) for i in range(200)])
column("integers, blocks of several widths", "u64", [i**5 for i in range(300)])
column("dates", "date", [20_000 + i // 3 for i in range(ROWS)])
column("times of day", "time", [i * 1_000_000_000 * 60 for i in range(ROWS)])
column("an enum", "enum Suit { clubs, diamonds, hearts, spades }", [["clubs", "hearts", "spades"][i % 3] for i in range(ROWS)])
column("an enum of one symbol", "enum Only { one }", ["one"] * ROWS)

# Times: each unit.
for name, unit in (("seconds", 10**9), ("milliseconds", 10**6), ("microseconds", 1000), ("nanoseconds", 1)):
    column(f"timestamps in {name}", "timestamp", [(1_700_000_000_000_000_000 // unit + i * 7) * unit for i in range(ROWS)])
    column(f"durations in {name}", "duration", [(i - 30) * unit for i in range(ROWS)])
column("timestamps beyond an i64 of nanoseconds", "timestamp", [-62_135_596_800 * 10**9 + i * 10**15 + 1 for i in range(ROWS)])

# Numbers of 8 and 4 bytes.
column("prices", "f64", [f64(i * 37 % 1000 / 100) for i in range(ROWS)])
column("whole numbers", "f64", [f64(float(i)) for i in range(ROWS)])
column("numbers with 15 decimals", "f64", [f64((i * 7 + 1) / 10**15) for i in range(ROWS)])
column("prices but for a negative zero", "f64", [f64(-0.0 if i == 5 else i / 10) for i in range(ROWS)])
column("an exception first, and last", "f64", [f64(2.0**0.5 if i in (0, 199) else i / 4) for i in range(200)])
column("numbers of 53 bits", "f64", [f64(float((1 << 53) - i)) for i in range(ROWS)])
column("numbers that repeat", "f64", [f64((i % 4 + 2) ** 0.5) for i in range(ROWS)])
column("numbers that do not", "f64", [f64(1 / (i + 3) ** 0.5) for i in range(ROWS)])
column("no numbers", "f64", [["7ff8000000000000", "7ff0000000000000", "fff0000000000000"][i % 3] for i in range(ROWS)])
column("numbers of 4 bytes", "f32", [f32(i / 3) for i in range(ROWS)])

# Texts and bytes.
column("texts that repeat", "string", [["north", "south", "東"][i % 3] for i in range(ROWS)])
column("texts that do not", "string", [f"text {i}" for i in range(ROWS)])
column("empty texts", "string", [""] * ROWS)
column("texts beyond the Latin script", "string", ["😀" * (i % 3) + f"東{i}" for i in range(ROWS)])
columnar(
    "texts that two columns share",
    "list<struct Row { a: string, b: string }>",
    [{"a": f"name {i}", "b": f"name {i // 2}"} for i in range(ROWS)],
)
column("bytes", "bytes", [bytes(range(i % 5)) for i in range(ROWS)])
column("a uuid", "uuid", [f"00112233-4455-6677-8899-{i:012x}" for i in range(ROWS)])

# Booleans and options.
column("booleans", "bool", [i % 3 == 0 for i in range(67)])
column("options, some", "option<i32>", [i if i % 3 else None for i in range(67)])
column("options, none", "option<string>", [None] * ROWS)
column("options, all", "option<f64>", [f64(i / 2) for i in range(ROWS)])
column("options of booleans", "option<bool>", [[None, False, True][i % 3] for i in range(67)])

# Containers and what stands within them.
columnar("tuples", "list<tuple<i32, string>>", [[i, f"t{i % 3}"] for i in range(ROWS)])
columnar("a map of structs", "map<string, struct Point { x: i32, y: i32 }>", [[f"k{i}", {"x": i, "y": -i}] for i in range(ROWS)])
columnar("a map of tuples by number", "map<u16, tuple<bool, i8>>", [[i * 3, [i % 2 == 0, i - 32]] for i in range(ROWS)])
column(
    "structs within structs",
    "struct In { x: i32, deep: struct Deep { y: bool } }",
    [{"x": i, "deep": {"y": i > 9}} for i in range(ROWS)],
)
column(
    "options of structs", "option<struct In { x: i32, y: string }>", [{"x": i, "y": "y"} if i % 2 else None for i in range(ROWS)]
)
column("tuples within structs", "tuple<i32, f32>", [[i, f32(i / 2)] for i in range(ROWS)])
column("lists", "list<i32>", [list(range(i % 4)) for i in range(ROWS)])
column("lists without elements", "list<string>", [[]] * ROWS)
column(
    "lists of structs", "list<struct In { x: i32, y: bool }>", [[{"x": j, "y": j > 1} for j in range(i % 4)] for i in range(ROWS)]
)
column("lists of lists", "list<list<string>>", [[["a", "b"][: j % 3] for j in range(i % 3)] for i in range(ROWS)])
column("sets", "set<string>", [sorted({"b", "a", f"c{i}"}) for i in range(ROWS)])
column("maps", "map<string, option<i64>>", [[[f"k{j}", j or None] for j in range(i % 3)] for i in range(ROWS)])
column("maps of lists", "map<u8, list<bool>>", [[[j, [True] * j] for j in range(i % 3)] for i in range(ROWS)])
column("big integers", "bigint", [(1 << 60 + i) - i for i in range(ROWS)])
column("decimals", "decimal", [f"{i * 7}/{i % 3}" for i in range(ROWS)])
column("any", "any", [[{"int": str(i)}, {"string": "s"}, None][i % 3] for i in range(ROWS)])
column(
    "a union",
    "union { struct A { x: i8 }, struct B { y: string } }",
    [{"A": {"x": i}} if i % 2 else {"B": {"y": "b"}} for i in range(ROWS)],
)
column("a tree", "struct Tree { kids: list<Tree> }", [{"kids": [{"kids": []}] * (i % 2)} for i in range(ROWS)])
columnar(
    "columns within a slot of a column",
    "list<struct Row { a: union { struct Many { all: list<struct Point { x: i32, y: i32 }> } } }>",
    [{"a": {"Many": {"all": [{"x": i, "y": j} for j in range(70 if i == 3 else 1)]}}} for i in range(ROWS)],
)
columnar(
    "columns within a row",
    "struct Page { title: string, lines: list<struct Line { n: i32, text: string }> }",
    {"title": "page", "lines": [{"n": i, "text": f"line {i % 5}"} for i in range(ROWS)]},
)

# Resolution.
ROW = "list<struct Row { a: i32, b: string, c: list<f64>, d: option<i16> }>"
WRITTEN = [{"a": i, "b": f"b{i % 4}", "c": [f64(i / 2)] * (i % 3), "d": None if i % 2 else i} for i in range(ROWS)]
for name, reader, fields in (
    ("a field less", "list<struct Row { b: string, c: list<f64>, d: option<i16> }>", "bcd"),
    ("one field left", "list<struct Row { d: option<i16> }>", "d"),
    ("fields in another order", "list<struct Row { d: option<i16>, a: i32 }>", "da"),
    ("an optional field more", "list<struct Row { a: i32, e: option<string> }>", "ae"),
    ("an integer widened", "list<struct Row { a: i64, d: option<bigint> }>", "ad"),
    ("an option made", "list<struct Row { a: option<i32> }>", "a"),
):
    TOPIC.resolved(name, ROW, reader, WRITTEN, [{f: row.get(f) for f in fields} for row in WRITTEN])
SUITS = "list<struct Row { a: enum Suit { clubs, diamonds, hearts } }>"
FEWER = "list<struct Row { a: enum Suit { clubs, hearts } }>"
for integer, float_type, number in ("i64", "f64", f64), ("u64", "f32", f32), ("i32", "f32", f32), ("u8", "f64", f64):
    whole = [{"a": i * 3} for i in range(ROWS)]
    TOPIC.resolved(
        f"a column of {integer} as {float_type}",
        f"list<struct Row {{ a: {integer} }}>",
        f"list<struct Row {{ a: option<{float_type}> }}>",
        whole,
        [{"a": number(float(row["a"]))} for row in whole],
    )
TOPIC.resolved("symbols that both have", SUITS, FEWER, [{"a": "hearts"}] * ROWS, [{"a": "hearts"}] * ROWS)


def refused(name: str, schema: str, count: int, data: str, error: str, at: int, path: str, **limits: int) -> None:
    """Adds a columnar list that must be refused. `at` counts from the first byte behind the count."""
    start = 1 + len(varint(count + MARK)) // 2
    TOPIC.rejected(name, schema, f"80 {varint(count + MARK)} {data}", error, start + at, path, **limits)


def of(kind: str) -> str:
    return f"list<struct Row {{ a: {kind} }}>"


TOPIC.rejected("a mark without elements", of("i8"), f"80 {varint(MARK)}", "bad_number", 1)
for kind in ("list<i8>", "list<string>", "set<u16>", "map<string, i8>", "any", "list<union { struct A {} }>"):
    before = "08" if kind == "any" else ""
    TOPIC.rejected(f"a mark of {kind}", kind, f"80 {before} {varint(MARK + 1)} 01", "bad_number", 1 + len(before) // 2)
NODE = "list<struct Node { kids: list<Node> }>"
TOPIC.rejected("a mark of recursive structs", NODE, f"80 {varint(MARK + 1)} 01", "bad_number", 1)
refused(
    "a mark of a list in a column",
    of("list<tuple<i8>>"),
    1,
    f"00 {(MARK + 1).to_bytes(4, 'little').hex()} 00 00",
    "bad_number",
    0,
    "$[].a",
)
refused("more elements than bytes", of("i8"), 17, "0101", "truncated", 2, "$")
refused("more elements than the limit", of("i8"), 100, "00" + "00" * 100, "limit_items", -5, "$", items=99)
refused("integers of no mode", of("i8"), 1, "03 00 00", "malformed", 0, "$[].a")
refused("raw integers, cut", of("i32"), 2, "00 00000000 000000", "truncated", 8, "$[].a")
refused("a least that is over-long", of("i32"), 1, "01 8000 00", "bad_number", 1, "$[].a")
refused("a sum beyond the type", of("i8"), 2, "01 7f 08 01 ff", "bad_number", 2, "$[].a")
refused("a date beyond the calendar", of("date"), 1, "00 ffffff7f", "bad_number", 0, "$[].a")
refused("a symbol that there is not", of("enum Suit { clubs, hearts }"), 1, "00 02000000", "bad_number", 0, "$[].a")
refused("times of no unit", of("timestamp"), 1, "05 00", "malformed", 0, "$[].a")
refused("a time beyond the calendar", of("timestamp"), 1, "00 00 ffffffffffffff7f", "bad_number", 1, "$[].a")
refused("a billion nanoseconds", of("timestamp"), 1, "04 00 0000000000000000 00 00ca9a3b", "bad_number", 10, "$[].a")
refused("numbers of no mode", of("f64"), 1, "03", "malformed", 0, "$[].a")
refused("an exponent of 16", of("f64"), 1, "01 10", "malformed", 1, "$[].a")
refused("more exceptions than numbers", of("f64"), 1, "01 00 02", "malformed", 2, "$[].a")
refused(
    "digits beyond 53 bits", of("f64"), 1, f"01 00 00 00 {((1 << 53) + 1).to_bytes(8, 'little').hex()}", "bad_number", 3, "$[].a"
)
TWO = "00" + "00" * 16
POSITIONS = "positions of exceptions"
refused(f"{POSITIONS} twice", of("f64"), 2, f"01 00 02 {TWO} 00 00000000 00000000", "malformed", 20, "$[].a")
refused(f"{POSITIONS} beyond the last", of("f64"), 2, f"01 00 01 {TWO} 00 02000000", "malformed", 20, "$[].a")
refused("a dictionary of no numbers", of("f64"), 1, "02 00", "malformed", 1, "$[].a")
refused("a dictionary of more numbers than there are", of("f64"), 1, "02 02", "malformed", 1, "$[].a")
refused("an index beyond the numbers", of("f64"), 1, f"02 01 {'00' * 8} 00 01000000", "bad_number", 10, "$[].a")
refused("texts of no mode", of("string"), 1, "02", "malformed", 0, "$[].a")
refused("a dictionary of no texts", of("string"), 1, "01 00", "malformed", 1, "$[].a")
refused("an index beyond the texts", of("string"), 1, "01 01 00 00 01000000", "bad_number", 3, "$[].a")
refused("bits behind the last", of("bool"), 1, "02", "malformed", 0, "$[].a")
refused("bits of options behind the last", of("option<i8>"), 1, "03 00", "malformed", 0, "$[].a")
refused("lengths beyond the bytes", of("bytes"), 2, "00 01000000 02000000 0000", "truncated", 11, "$[].a")
refused("a repeated element of a set", of("set<bool>"), 1, "00 02000000 00", "malformed", 0, "$[].a")
refused("a repeated key of a map", of("map<u8, bool>"), 1, "00 02000000 00 0505 00", "malformed", 0, "$[].a")
POINTS = "map<u8, struct Point { x: i8 }>"
TOPIC.rejected("a repeated key of a columnar map", POINTS, f"80 {varint(MARK + 2)} 00 0505 00 0101", "malformed", 1)
KEYS_FIRST = "a repeated key before a value at fault"
TOPIC.rejected(KEYS_FIRST, POINTS, f"80 {varint(MARK + 2)} 00 0505 03 0101", "malformed", 1)
refused("an element of lists within", of("list<list<bool>>"), 1, "00 01000000 00 01000000 02", "malformed", 10, "$[].a[][]")
refused("a value of a map within", of("map<u8, bool>"), 1, "00 01000000 00 05 02", "malformed", 7, "$[].a[].value")
refused("a slot within a column", of("any"), 1, "7f", "malformed", 0, "$[].a")
refused(
    "lists of more elements than the limit",
    of("list<i8>"),
    2,
    f"00 32000000 32000000 00 {'00' * 100}",
    "limit_items",
    0,
    "$[].a",
    items=99,
)
TOPIC.unreadable(
    "a symbol that the reader lacks", SUITS, FEWER, f"80 {varint(MARK + 1)} 00 01000000", "schema_mismatch", 6, "$[].a"
)
BETWEEN = zigzag((1 << 53) + 1)
TOPIC.unreadable(
    "a number between two floats",
    "list<struct Row { n: i8, a: i64 }>",
    "list<struct Row { a: f64 }>",
    f"80 8180808008 00 05 01 {BETWEEN} 01 00",
    "bad_number",
    8,
    "$[].a",
)
TOPIC.unreadable(
    "a number between two floats in an option of a list",
    "list<tuple<option<list<u32>>>>",
    "list<tuple<option<list<f32>>>>",
    "80 8180808008 01 01 02 01 00 00 01000001 ffffffff",
    "bad_number",
    11,
    "$[][0][]",
)
