"""Rows and flags: structs, tuples, options and booleans in rows; lists, sets and maps of them."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f64

TOPIC = Topic("rows", "pack.md#7-rows-and-flags")
BOOK = "struct Book { id: string, title: string, year: i32, read: bool, note: option<string> }"
FLAGS = "struct Flags { a: bool, n: i8, b: option<i8>, c: bool, d: option<bool>, e: option<string> }"
NINE = "tuple<bool, bool, bool, bool, option<u8>, bool, bool, bool, bool>"
WIDE_NAMES = 'struct "An odd name" { "two words": i8, "list": bool, "\\u0001": option<i8>, "é\\"\\\\": string }'

TOPIC.both("a struct", BOOK, {"id": "b1", "title": "A Title", "year": 1999, "read": True, "note": None})
TOPIC.both(
    "structs of equal texts",
    f"list<{BOOK}>",
    [
        {"id": f"b{i}", "title": "A Title", "year": 2000 + i, "read": i % 2 == 0, "note": "note" if i % 3 else None}
        for i in range(10)
    ],
)
TOPIC.canonical("flags, all off", FLAGS, {"a": False, "n": 1, "b": None, "c": False, "d": None, "e": None})
TOPIC.canonical("flags, all on", FLAGS, {"a": True, "n": -1, "b": 5, "c": True, "d": True, "e": "e"})
TOPIC.canonical("flags, a false that is present", FLAGS, {"a": False, "n": 0, "b": 0, "c": False, "d": False, "e": ""})
TOPIC.canonical("nine slots, two bytes of flags less one", NINE, [True, False, True, False, 7, True, True, False, True])
TOPIC.canonical("nine slots, the last flag alone", NINE, [False] * 4 + [None] + [False] * 3 + [True])
TOPIC.canonical("names that need quotes", WIDE_NAMES, {"two words": 1, "list": True, "\x01": 2, 'é"\\': "x"})
TOPIC.canonical(
    "a struct within a struct has flags of its own",
    "struct Outer { on: bool, in: struct Inner { on: bool, n: option<u8> }, off: bool }",
    {"on": True, "in": {"on": True, "n": 9}, "off": False},
)
TOPIC.canonical(
    "an option of a struct",
    "struct Line { from: struct Point { x: i32, y: i32 }, to: option<Point> }",
    {"from": {"x": 1, "y": -1}, "to": {"x": 300, "y": -300}},
)
TOPIC.canonical("a tuple", "tuple<i32, string, f64>", [-5, "five", f64(5.0)])
TOPIC.canonical("a tuple of one", "tuple<string>", ["one"])
TOPIC.canonical("a tuple of numbers is no numeric row", "tuple<" + ", ".join(["i32"] * 20) + ">", list(range(20)))
TOPIC.canonical("a struct of floats is no numeric row", "tuple<" + ", ".join(["f64"] * 9) + ">", [f64(i) for i in range(9)])
TOPIC.canonical("a tuple of booleans", "tuple<bool, bool, bool>", [True, False, True])
EVERY = (
    "struct Every { bool: bool, i8: i8, i16: i16, i32: i32, i64: i64, u8: u8, u16: u16, u32: u32, u64: u64, "
    "bigint: bigint, f32: f32, f64: f64, decimal: decimal, string: string, bytes: bytes, uuid: uuid, date: date, "
    "time: time, timestamp: timestamp, duration: duration, any: any, option: option<i8>, list: list<i8>, "
    "set: set<i8>, map: map<i8, i8>, tuple: tuple<i8>, enum: enum Word { bool, list, null }, "
    "ref: ref<struct Point { x: i8, y: i8 }>, struct: Point, union: union { Point } }"
)
EVERY = EVERY.replace("{ bool: bool", '{ "bool": bool')
for word in (
    "i8 i16 i32 i64 u8 u16 u32 u64 bigint f32 f64 decimal string bytes uuid date time timestamp duration any "
    "option list set map tuple enum ref struct union"
).split():
    EVERY = EVERY.replace(f", {word}: ", f', "{word}": ')
EVERY = EVERY.replace("{ bool, list, null }", '{ "bool", "list", null }')
ONE_OF_EACH = {
    "bool": True, "i8": -8, "i16": -16, "i32": -32, "i64": -64, "u8": 8, "u16": 16, "u32": 32, "u64": 64,
    "bigint": 1 << 70, "f32": "3f800000", "f64": f64(2.0), "decimal": "105/1", "string": "text", "bytes": b"\x00\xff",
    "uuid": "00112233-4455-6677-8899-aabbccddeeff", "date": 20_000, "time": 1_000_000, "timestamp": 10**18 + 1,
    "duration": -1, "any": {"list": [None]}, "option": None, "list": [1, 2], "set": [3], "map": [[4, 5]], "tuple": [6],
    "enum": "null", "ref": {"ref": 0, "value": {"x": 1, "y": 2}}, "struct": {"x": 3, "y": 4},
    "union": {"Point": {"x": 5, "y": 6}},
}  # fmt: skip
TOPIC.both("one field of each type, named by its keyword", EVERY, ONE_OF_EACH)

TRAPS = (
    "struct Object { __proto__: i8, constructor: string, hashCode: bool, toString: option<i8>, class: i8, self: i8, "
    "None: i8, fn: i8, type: string, __class__: i8, __init__: i8, default: i8, this: i8, await: i8, getClass: i8 }"
)
ORDINARY = {"__proto__": 1, "constructor": "c", "hashCode": True, "toString": None, "class": 2, "self": 3, "None": 4, "fn": 5}
ORDINARY |= {"type": "t", "__class__": 6, "__init__": 7, "default": 8, "this": 9, "await": 10, "getClass": 11}
TOPIC.canonical("names that mean something to some language", TRAPS, ORDINARY)
TOPIC.canonical(
    "members and symbols with such names",
    "list<union { struct String { type: enum Enum { class, toString, values, name, ordinal } }, struct Vec { kind: Enum } }>",
    [{"String": {"type": "values"}}, {"Vec": {"kind": "class"}}, {"String": {"type": "name"}}],
)
WIDE_ROW = "struct Wide { " + ", ".join(f"o{i}: option<{'i32' if i % 2 else 'string'}>" for i in range(17)) + " }"
TOPIC.canonical("17 options, all null", WIDE_ROW, {f"o{i}": None for i in range(17)})
TOPIC.canonical("17 options, all there", WIDE_ROW, {f"o{i}": i if i % 2 else f"t{i}" for i in range(17)})
TOPIC.canonical("17 options, the last there", WIDE_ROW, {f"o{i}": None for i in range(16)} | {"o16": "x"})
MANY_FLAGS = "struct Many { " + ", ".join(f"s{i}: {'option<u8>' if i % 2 else 'bool'}" for i in range(66)) + " }"
for flagged, on in (("all on", set(range(66))), ("those beside 32 and 64 on", {31, 32, 63, 64})):
    SLOTS = {f"s{i}": (i if i in on else None) if i % 2 else i in on for i in range(66)}
    TOPIC.canonical(f"66 flags, {flagged}", MANY_FLAGS, SLOTS)
TOPIC.canonical("20 options of integers are no numeric row", "list<option<i32>>", [None if i % 3 else i * 100 for i in range(20)])

TOPIC.rejected("17 options, an unused flag", WIDE_ROW, "80 00 00 02", "malformed", 3)
TOPIC.rejected("17 options, flags cut", WIDE_ROW, "80 00 00", "truncated", 3)
TOPIC.rejected("86 flags, an unused flag", MANY_FLAGS, "80" + "00" * 8 + "04", "malformed", 9)
TOPIC.rejected("86 flags, the last byte missing", MANY_FLAGS, "80" + "00" * 8, "truncated", 9)
TOPIC.rejected("a struct of nothing", BOOK, "80", "truncated", 1)
TOPIC.rejected("a struct without its second field", BOOK, "81 02 6231 01 02", "truncated", 6, "$.title")
TOPIC.rejected("a field over its range", BOOK, "81 02 6231 01 02 00 ffffffff1f", "bad_number", 7, "$.year")
TOPIC.rejected("an unused flag of a struct", BOOK, "81 02 6231 05 02 00 00", "malformed", 4)
TOPIC.rejected("an unused flag of the second byte", NINE, "80 ff 02 05", "malformed", 2)
TOPIC.rejected("the second byte of flags missing", NINE, "80 ff", "truncated", 2)
TOPIC.rejected("a byte that is no bool", "struct Maybe { it: option<bool> }", "80 01 02", "malformed", 2, "$.it")
TOPIC.rejected("in an inner struct", "list<struct Point { x: i32, y: i32 }>", "80 02 0202 028000", "bad_number", 5, "$[1].y")
TOPIC.rejected("in a tuple", "tuple<i32, string, f64>", "80 02 80", "malformed", 2, "$[1]")
TOPIC.rejected(
    "in a field whose name needs quotes", 'struct Q { "two words": i32 }', "80 8000", "bad_number", 1, '$["two words"]'
)
TOPIC.rejected("in a field named by a keyword", 'struct K { "list": i32 }', "80 8000", "bad_number", 1, "$.list")
TOPIC.rejected(
    "in a field named by a quote", 'struct Q2 { "a\\"b\\\\c\\u000a": i32 }', "80 8000", "bad_number", 1, '$["a\\"b\\\\c\\u000a"]'
)
