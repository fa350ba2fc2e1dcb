"""Integers that a reader has as floats: the same number, or an error."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic, f32, f64, varint, zigzag

TOPIC = Topic("widening", "pack.md#13-resolution")
BITS = {"f32": f32, "f64": f64}
PERSON = "struct Person { id: i64, name: string }"


def struct(fields: str) -> str:
    return f"struct R {{ {fields} }}"


# Every pair, with the least and the greatest numbers that the float has.
for writer, reader, numbers in [
    ("i8", "f32", [-128, 127]),
    ("i8", "f64", [-128, 127]),
    ("i16", "f32", [-32_768, 32_767]),
    ("i16", "f64", [-32_768, 32_767]),
    ("i32", "f32", [-(1 << 31), -(1 << 24) + 1, 1 << 24, (1 << 31) - (1 << 7)]),
    ("i32", "f64", [-(1 << 31), (1 << 31) - 1]),
    ("i64", "f32", [-(1 << 63), (1 << 63) - (1 << 39), 1 << 40]),
    ("i64", "f64", [-(1 << 63), -(1 << 53), 0, 1 << 53, (1 << 53) + 2, (1 << 63) - (1 << 10)]),
    ("u8", "f32", [0, 255]),
    ("u8", "f64", [0, 255]),
    ("u16", "f32", [0, 65_535]),
    ("u16", "f64", [0, 65_535]),
    ("u32", "f32", [0, (1 << 24) - 1, (1 << 32) - (1 << 8)]),
    ("u32", "f64", [0, (1 << 32) - 1]),
    ("u64", "f32", [1 << 63, (1 << 64) - (1 << 40)]),
    ("u64", "f64", [0, (1 << 53) - 1, 1 << 63, (1 << 64) - (1 << 11)]),
]:
    bits = BITS[reader]
    for number in numbers:
        TOPIC.resolved(f"{writer} to {reader}: {number}", writer, reader, number, bits(number))
    few, many = numbers, [numbers[i % len(numbers)] for i in range(40)]
    for name, row in ("few", few), ("many", many):
        written, read = f"list<{writer}>", f"list<{reader}>"
        TOPIC.resolved(f"a list of {writer} to {reader}, {name}", written, read, row, [bits(number) for number in row])
ROW = [1, -2, 300] * 8
FLOATS = [f64(number) for number in ROW]
TOPIC.resolved("a raw list", "list<i64>", "list<f64>", ROW, FLOATS, "fast")
TOPIC.resolved("a raw list of i32 to f32", "list<i32>", "list<f32>", ROW, [f32(number) for number in ROW], "fast")
TOPIC.resolved("an empty list", "list<i64>", "list<f64>", [], [])
TOPIC.resolved("a list to options", "list<i64>", "list<option<f64>>", ROW, FLOATS)
TOPIC.resolved("a list to options of f32, few", "list<i64>", "list<option<f32>>", ROW[:3], [f32(n) for n in ROW[:3]])
TOPIC.resolved("a list of options", "list<option<i64>>", "list<option<f64>>", [None, 5, None], [None, f64(5), None])
TOPIC.resolved("an option", "option<u32>", "option<f64>", 7, f64(7))
TOPIC.resolved("an option, null", "option<u32>", "option<f64>", None, None)
TOPIC.resolved("to an option", "i64", "option<f64>", -9, f64(-9))
TOPIC.resolved("a tuple", "tuple<i64, i8, string>", "tuple<f64, option<f32>, string>", [5, -1, "a"], [f64(5), f32(-1), "a"])
TOPIC.resolved(
    "the values of a map",
    "map<string, i64>",
    "map<string, f64>",
    [[f"k{i}", i] for i in range(20)],
    [[f"k{i}", f64(i)] for i in range(20)],
)
TOPIC.resolved("the values of a map to options", "map<i8, u16>", "map<i8, option<f32>>", [[1, 2]], [[1, f32(2)]])
TOPIC.resolved(
    "fields",
    struct("a: i64, b: bool, c: u64, d: list<i8>"),
    struct("d: list<f64>, c: f64, a: f32"),
    {"a": 3, "b": True, "c": 1 << 60, "d": [-1, 2]},
    {"d": [f64(-1), f64(2)], "c": f64(1 << 60), "a": f32(3)},
)
TOPIC.resolved(
    "a shared struct that was skipped",
    struct(f"skipped: ref<{PERSON}>, kept: ref<Person>"),
    struct("kept: ref<struct Person { id: f64 }>"),
    {"skipped": {"ref": 0, "value": {"id": 5, "name": "Ann"}}, "kept": {"ref": 0}},
    {"kept": {"ref": 0, "value": {"id": f64(5)}}},
)
TOPIC.resolved(
    "numbers that no float has, in a field that the reader lacks",
    struct("a: i64, l: list<i64>, n: i8"),
    struct("n: f32"),
    {"a": (1 << 53) + 1, "l": [(1 << 53) + 1], "n": 1},
    {"n": f32(1)},
)

# Numbers between two floats.
BETWEEN = (1 << 53) + 1
for writer, reader, number in [
    ("i32", "f32", (1 << 24) + 1),
    ("i32", "f32", -(1 << 24) - 1),
    ("i32", "f32", (1 << 31) - 1),
    ("u32", "f32", (1 << 32) - 1),
    ("i64", "f32", (1 << 24) + 1),
    ("i64", "f32", (1 << 63) - 1),
    ("i64", "f64", BETWEEN),
    ("i64", "f64", -BETWEEN),
    ("i64", "f64", (1 << 63) - 1),
    ("i64", "f64", -(1 << 63) + 1),
    ("u64", "f32", (1 << 63) + (1 << 39)),
    ("u64", "f64", BETWEEN),
    ("u64", "f64", (1 << 63) + (1 << 10)),
    ("u64", "f64", (1 << 64) - 1),
]:
    one = zigzag(number) if writer.startswith("i") else varint(number)
    TOPIC.unreadable(f"{writer} to {reader}: {number} has no float", writer, reader, f"80 {one}", "bad_number", 1)
    encoded = f"80 03 02 {one} 04"
    TOPIC.unreadable(
        f"a list of {writer} to {reader} with {number}", f"list<{writer}>", f"list<{reader}>", encoded, "bad_number", 2
    )
LARGE = zigzag(BETWEEN)
RAW = BETWEEN.to_bytes(8, "little").hex()


def unreadable(name: str, writer: str, reader: str, data: str, at: int, path: str = "$", error: str = "bad_number") -> None:
    TOPIC.unreadable(name, writer, reader, data, error, at, path)


unreadable("a list to options with a number between", "list<i64>", "list<option<f64>>", f"80 02 02 {LARGE}", 2)
unreadable("an option with a number between", "option<i64>", "option<f64>", f"80 01 {LARGE}", 2)
unreadable("an option in a list", "list<option<i64>>", "list<option<f64>>", f"80 03 05 02 {LARGE}", 4, "$[2]")
unreadable("a raw row with a number between", "list<i64>", "list<f64>", "88 10 00 0000000000" + RAW * 16, 2)


def packed(count: int) -> str:
    """A block of zeros, 32 bits each, but for number 15, whose high bits are an exception."""
    low = (BETWEEN % (1 << 32) << 32 * 15).to_bytes(4 * count, "little").hex()
    return f"a0 01 {low} 0f {varint(BETWEEN >> 32)}"


unreadable("a packed row with a number between", "list<i64>", "list<f64>", f"80 10 01 {packed(16)}", 2)
unreadable(
    "the first block has a number between, the second is malformed",
    "list<i64>",
    "list<f64>",
    f"80 8101 01 {packed(128)} 00",
    4 + len(packed(128).replace(" ", "")) // 2,
    "$",
    "malformed",
)
unreadable("a row that is cut after a number between", "list<i64>", "list<f64>", f"80 03 02 {LARGE}", 11, "$", "truncated")
unreadable("the values of a map with a number between", "map<i8, i64>", "map<i8, f64>", f"80 02 0102 02 {LARGE}", 4)
unreadable(
    "a repeated key before a number between", "map<i8, i64>", "map<i8, f64>", f"80 02 0101 02 {LARGE}", 1, "$", "malformed"
)
unreadable("a field with a number between", struct("n: i8, a: i64"), struct("a: f64"), f"80 05 {LARGE}", 2, "$.a")
unreadable("a field with a list", struct("n: i8, a: list<i64>"), struct("a: list<f64>"), f"80 05 01 {LARGE}", 3, "$.a")
unreadable("an element of a tuple", "tuple<bool, u64>", "tuple<bool, f64>", f"80 01 {varint(BETWEEN)}", 2, "$[1]")
unreadable("a number between before a byte too many", "i64", "f64", f"80 {LARGE} 00", 1)
unreadable(
    "a number between before a malformed field",
    struct("a: i64, b: option<bool>"),
    struct("a: f64, b: option<bool>"),
    f"80 01 {LARGE} 07",
    2,
    "$.a",
)
unreadable(
    "a malformed field before a number between",
    struct("b: option<bool>, a: i64"),
    struct("a: f64, b: option<bool>"),
    f"80 01 07 {LARGE}",
    2,
    "$.b",
    "malformed",
)
unreadable("a number between after text that nothing uses", "i64", "f64", f"81 02 6162 {LARGE}", 4)
unreadable(
    "a number between in a shared struct that was skipped",
    struct("skipped: ref<struct S { id: i64 }>, kept: ref<S>"),
    struct("kept: ref<struct S { id: f64 }>"),
    f"80 00 {LARGE} 01",
    2,
    "$.kept.id",
)
unreadable("a number too large for the writer's type", "i16", "f64", "80 808004", 1)
VALUE: Any = {"skipped": {"ref": 0, "value": {"id": BETWEEN}}, "n": 1}
TOPIC.resolved(
    "a number between in a shared struct that only a skipped field refers to",
    struct("skipped: ref<struct S { id: i64 }>, n: i8"),
    struct("n: i8"),
    VALUE,
    {"n": 1},
)
