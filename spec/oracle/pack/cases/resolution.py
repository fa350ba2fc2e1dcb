"""A reader whose schema differs from the writer's."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic, f32, f64

TOPIC = Topic("resolution", "pack.md#13-resolution")


def struct(fields: str) -> str:
    return f"struct R {{ {fields} }}"


ABC = struct("a: i32, b: string, c: bool")
VALUE = {"a": 5, "b": "text", "c": True}
SUIT = "enum Suit { clubs, diamonds, hearts, spades }"
FEWER = "enum Suit { clubs, hearts }"
SHAPE = "union { struct Circle { r: f64 }, struct Rect { w: f64, h: f64 }, struct Text { s: string } }"
FEWER_SHAPES = "union { struct Circle { r: f64 }, struct Rect { w: f64, h: f64 } }"
LIST = "list<i32>"

TOPIC.resolved("the same schema", ABC, ABC, VALUE, VALUE)
TOPIC.resolved("fields in another order", ABC, struct("c: bool, b: string, a: i32"), VALUE, {"c": True, "b": "text", "a": 5})
TOPIC.resolved("a field less", ABC, struct("a: i32, c: bool"), VALUE, {"a": 5, "c": True})
TOPIC.resolved("all fields but one less", ABC, struct("c: bool"), VALUE, {"c": True})
TOPIC.resolved(
    "an optional field more",
    ABC,
    struct("a: i32, x: option<string>, b: string, c: bool"),
    VALUE,
    {"a": 5, "x": None, "b": "text", "c": True},
)
TOPIC.resolved("no field in common", struct("a: i32"), struct("z: option<i32>"), {"a": 1}, {"z": None})
for writer, readers, value in [
    ("i8", "i16 i32 i64 bigint", -128),
    ("i16", "i32 i64 bigint", -32768),
    ("i32", "i64 bigint", -(1 << 31)),
    ("i64", "bigint", -(1 << 63)),
    ("u8", "u16 u32 u64 i16 i32 i64 bigint", 255),
    ("u16", "u32 u64 i32 i64 bigint", 65535),
    ("u32", "u64 i64 bigint", (1 << 32) - 1),
    ("u64", "bigint", (1 << 64) - 1),
]:
    for reader in readers.split():
        TOPIC.resolved(f"{writer} to {reader}", writer, reader, value, value)
for name, single, double in [
    ("one and a half", f32(1.5), f64(1.5)),
    ("infinity", f32(float("inf")), f64(float("inf"))),
    ("minus zero", f32(-0.0), f64(-0.0)),
    ("not a number", "7fc00000", "7ff8000000000000"),
    ("least subnormal", "00000001", f64(2.0**-149)),
]:
    TOPIC.resolved(f"f32 to f64, {name}", "f32", "f64", single, double)
TOPIC.resolved("a list of integers widened, few", "list<i16>", "list<i64>", [1, -2, 3], [1, -2, 3])
TOPIC.resolved("a list of integers widened, packed", "list<u8>", "list<i32>", list(range(0, 250, 3)), list(range(0, 250, 3)))
TOPIC.resolved("a packed list to big integers", "list<i32>", "list<bigint>", list(range(-20, 20)), list(range(-20, 20)))
TOPIC.resolved(
    "a raw list of f32 to f64", "list<f32>", "list<f64>", [f32(i / 2) for i in range(40)], [f64(i / 2) for i in range(40)]
)
TOPIC.resolved("a list to options", "list<i32>", "list<option<i64>>", list(range(20)), list(range(20)))
TOPIC.resolved("a set widened", "set<i8>", "set<i64>", [-5, 0, 5], [-5, 0, 5])
TOPIC.resolved(
    "a map widened", "map<u8, f32>", "map<u64, option<f64>>", [[1, f32(0.5)], [2, f32(2)]], [[1, f64(0.5)], [2, f64(2)]]
)
TOPIC.resolved("a tuple widened", "tuple<i8, bool>", "tuple<i32, option<bool>>", [-1, True], [-1, True])
TOPIC.resolved("a value to an option", "string", "option<string>", "text", "text")
TOPIC.resolved(
    "a bool to an option",
    struct("a: bool, b: bool"),
    struct("a: option<bool>, b: bool"),
    {"a": False, "b": True},
    {"a": False, "b": True},
)
TOPIC.resolved("an option widened, present", "option<i8>", "option<i32>", 5, 5)
TOPIC.resolved("an option widened, null", "option<i8>", "option<i32>", None, None)
TOPIC.resolved(
    "an any to an any",
    struct("x: any, y: i8"),
    struct("x: any"),
    {"x": {"list": [{"string": "a"}]}, "y": 1},
    {"x": {"list": [{"string": "a"}]}},
)
TOPIC.resolved("symbols added by the reader", FEWER, SUIT, "hearts", "hearts")
TOPIC.resolved("symbols that the reader lacks, not met", SUIT, FEWER, "hearts", "hearts")
TOPIC.resolved("a list of enums between", f"list<{SUIT}>", f"list<{FEWER}>", ["hearts", "clubs"], ["hearts", "clubs"])
TOPIC.resolved(
    "an unknown symbol in a field that the reader lacks",
    struct(f"s: {SUIT}, n: i8"),
    struct("n: i8"),
    {"s": "spades", "n": 1},
    {"n": 1},
)
TOPIC.resolved(
    "members added by the reader", FEWER_SHAPES, SHAPE, {"Rect": {"w": f64(1), "h": f64(2)}}, {"Rect": {"w": f64(1), "h": f64(2)}}
)
TOPIC.resolved(
    "members that the reader lacks, not met",
    SHAPE,
    FEWER_SHAPES,
    {"Rect": {"w": f64(1), "h": f64(2)}},
    {"Rect": {"w": f64(1), "h": f64(2)}},
)
TOPIC.resolved(
    "a member's fields differ",
    "union { struct Circle { r: f32, color: string }, struct Dot {} }",
    "union { struct Circle { r: f64, note: option<i8> }, struct Dot {} }",
    {"Circle": {"r": f32(1.5), "color": "red"}},
    {"Circle": {"r": f64(1.5), "note": None}},
)
TOPIC.resolved(
    "an unknown member in a field that the reader lacks",
    struct(f"s: {SHAPE}, n: i8"),
    struct("n: i8"),
    {"s": {"Text": {"s": "x"}}, "n": 1},
    {"n": 1},
)
TOPIC.resolved(
    "a recursive struct",
    "struct Node { id: i16, name: string, kids: list<Node> }",
    "struct Node { kids: list<Node>, id: i64, mark: option<bool> }",
    {"id": 1, "name": "a", "kids": [{"id": 2, "name": "b", "kids": []}]},
    {"kids": [{"kids": [], "id": 2, "mark": None}], "id": 1, "mark": None},
)
TOPIC.resolved(
    "text of a skipped field is referred to",
    struct("a: string, b: string, c: string"),
    struct("b: string, c: string"),
    {"a": "first", "b": "first", "c": "\u4e2d\u6587"},
    {"b": "first", "c": "\u4e2d\u6587"},
)
TOPIC.resolved(
    "everything skipped",
    "struct R { t: string, l: list<i64>, f: list<f64>, m: map<string, any>, s: set<date>, o: option<bool>, "
    "u: union { struct Dot { x: i8 } }, p: tuple<bool, uuid>, b: bytes, d: decimal, at: timestamp, keep: string }",
    struct("keep: string"),
    {
        "t": "ab", "l": list(range(100)), "f": [f64(i) for i in range(9)], "m": [["ab", {"string": "cd"}]], "s": [1, 2],
        "o": True, "u": {"Dot": {"x": 1}}, "p": [True, "00112233-4455-6677-8899-aabbccddeeff"], "b": b"xyz", "d": "1/2",
        "at": -1, "keep": "cd",
    },
    {"keep": "cd"},
)  # fmt: skip
PERSON = "struct Person { name: string, age: u8 }"
ANN = {"name": "Ann", "age": 3}
TOPIC.resolved(
    "shared structs",
    f"list<ref<{PERSON}>>",
    "list<ref<struct Person { age: u16 }>>",
    [{"ref": 0, "value": ANN}, {"ref": 0}],
    [{"ref": 0, "value": {"age": 3}}, {"ref": 0}],
)
TOPIC.resolved(
    "a shared struct first met in a skipped field",
    struct(f"a: ref<{PERSON}>, b: ref<Person>, c: ref<Person>"),
    struct("b: ref<struct Person { name: string }>, c: ref<Person>"),
    {"a": {"ref": 0, "value": ANN}, "b": {"ref": 0}, "c": {"ref": 0}},
    {"b": {"ref": 0, "value": {"name": "Ann"}}, "c": {"ref": 0}},
)
TOPIC.resolved(
    "numbers of shared structs are the writer's",
    struct(f"skipped: ref<{PERSON}>, a: ref<Person>, b: ref<Person>"),
    struct(f"a: ref<{PERSON}>, b: ref<Person>"),
    {"skipped": {"ref": 0, "value": ANN}, "a": {"ref": 1, "value": {"name": "Bob", "age": 4}}, "b": {"ref": 1}},
    {"a": {"ref": 0, "value": {"name": "Bob", "age": 4}}, "b": {"ref": 0}},
)
TOPIC.resolved("a struct in a list", f"list<{ABC}>", f"list<{struct('b: string')}>", [VALUE, VALUE], [{"b": "text"}] * 2)
TOPIC.resolved("within an option", f"option<{ABC}>", f"option<{struct('b: string')}>", VALUE, {"b": "text"})
TOPIC.resolved(
    "a struct becomes optional",
    struct("in: struct In { n: i8 }"),
    struct("in: option<struct In { n: i16 }>"),
    {"in": {"n": 5}},
    {"in": {"n": 5}},
)

TOPIC.unresolved("narrower", "i64", "i32", "$")
TOPIC.unresolved("signed to unsigned", "i8", "u64", "$")
TOPIC.unresolved("u8 to i8", "u8", "i8", "$")
TOPIC.unresolved("u64 to i64", "u64", "i64", "$")
TOPIC.unresolved("float to integer", "f32", "i64", "$")
TOPIC.unresolved("f64 to f32", "f64", "f32", "$")
TOPIC.unresolved("big integer to i64", "bigint", "i64", "$")
TOPIC.unresolved("integer to decimal", "i32", "decimal", "$")
TOPIC.unresolved("string to bytes", "string", "bytes", "$")
TOPIC.unresolved("bytes to list of u8", "bytes", "list<u8>", "$")
TOPIC.unresolved("date to timestamp", "date", "timestamp", "$")
TOPIC.unresolved("option to what it holds", "option<i32>", "i32", "$")
TOPIC.unresolved("list to set", LIST, "set<i32>", "$")
TOPIC.unresolved("a list's elements", "list<list<i64>>", "list<list<i32>>", "$[][]")
TOPIC.unresolved("a set's keys", "set<string>", "set<uuid>", "$[]")
TOPIC.unresolved("a map's keys", "map<i64, string>", "map<i32, bytes>", "$[].key")
TOPIC.unresolved("a map's values", "map<i32, string>", "map<i32, bytes>", "$[].value")
TOPIC.unresolved("a tuple's length", "tuple<i32, i32>", "tuple<i32>", "$")
TOPIC.unresolved("a tuple's element", "tuple<i32, string, i32>", "tuple<i32, i32, string>", "$[1]")
TOPIC.unresolved("any to string", "any", "string", "$")
TOPIC.unresolved("string to any", "string", "any", "$")
TOPIC.unresolved("another name of a struct", "struct R { a: i32 }", "struct Q { a: i32 }", "$")
TOPIC.unresolved("another name of an enum", "enum R { a }", "enum Q { a }", "$")
TOPIC.unresolved("a field without default", struct("a: i32"), struct("a: i32, z: i32"), "$.z")
TOPIC.unresolved("an any without default", struct("a: i32"), struct("a: i32, z: any"), "$.z")
TOPIC.unresolved("a field of another type", ABC, struct("a: i32, b: i32, c: bool"), "$.b")
TOPIC.unresolved("the reader's first difference", ABC, struct("c: i8, b: i8, a: i8"), "$.c")
TOPIC.unresolved("a field whose name needs quotes", 'struct R { "a b": i64 }', 'struct R { "a b": i32 }', '$["a b"]')
TOPIC.unresolved(
    "deep inside",
    "list<map<string, struct R { x: option<tuple<i8, i8>> }>>",
    "list<map<string, struct R { x: option<tuple<i8, string>> }>>",
    "$[][].value.x[1]",
)
TOPIC.unresolved("a member's field", SHAPE, "union { struct Circle { r: f32 }, struct Rect { w: f64, h: f64 } }", "$.r")
TOPIC.unresolved(
    "a member that holds its union",
    "struct B { u: option<union { B, struct C { r: i64 } }> }",
    "struct B { u: option<union { B, struct C { r: i8 } }> }",
    "$.u.r",
)
TOPIC.unresolved("struct to union", "struct Dot { x: i8 }", "union { struct Dot { x: i8 } }", "$")
TOPIC.unresolved("struct to reference", "struct Dot { x: i8 }", "ref<struct Dot { x: i8 }>", "$")
TOPIC.unresolved("reference to struct", "ref<struct Dot { x: i8 }>", "struct Dot { x: i8 }", "$")
TOPIC.unresolved(
    "recursive, below", "struct Node { id: i64, kids: list<Node> }", "struct Node { kids: list<Node>, id: i32 }", "$.id"
)

TOPIC.unreadable("an unknown symbol", SUIT, FEWER, "80 03", "schema_mismatch", 1)
TOPIC.unreadable("a symbol that nobody knows", SUIT, FEWER, "80 04", "malformed", 1)
TOPIC.unreadable("an unknown symbol in a list", f"list<{SUIT}>", f"list<{FEWER}>", "80 03 00 02 01", "schema_mismatch", 4, "$[2]")
TOPIC.unreadable(
    "an unknown symbol of an optional field",
    struct(f"n: i8, s: option<{SUIT}>"),
    struct(f"s: option<{FEWER}>"),
    "80 01 05 03",
    "schema_mismatch",
    3,
    "$.s",
)
for data, error, at, path in [
    ("80 03 010203 000100", "schema_mismatch", 6, "$[1].value"),
    ("80 03 010202 000100", "malformed", 1, "$"),
    ("80 03 010101 010000", "malformed", 1, "$"),
]:
    TOPIC.unreadable(
        f"keys {data[6:12]} before an unknown symbol", f"map<i8, {SUIT}>", f"map<i8, {FEWER}>", data, error, at, path
    )
TOPIC.unreadable("an unknown member", SHAPE, FEWER_SHAPES, "81 01 78 02 01", "schema_mismatch", 3)
TOPIC.unreadable("a member that nobody knows", SHAPE, FEWER_SHAPES, "80 03", "malformed", 1)
TOPIC.unreadable(
    "an unknown member in a list", f"list<{SHAPE}>", f"list<{FEWER_SHAPES}>", "81 01 78 01 02 01", "schema_mismatch", 4, "$[0]"
)
TOPIC.unreadable("a skipped field that is malformed", ABC, struct("a: i32"), "80 00 0a 80", "malformed", 3, "$.b")
TOPIC.unreadable("a skipped field that is cut", ABC, struct("a: i32"), "80 00 0a", "truncated", 3, "$.b")
TOPIC.unreadable(
    "a skipped count that lies",
    "struct R { a: i8, l: list<i64> }",
    "struct R { a: i8 }",
    "80 05 80808004 00",
    "truncated",
    7,
    "$.l",
)
TOPIC.unreadable(
    "a bool as a key in a skipped field",
    "struct R { a: i8, m: any }",
    "struct R { a: i8 }",
    "80 05 09 01 01 00",
    "malformed",
    4,
    "$.m[0].key",
)
for data, at, path, what in [
    ("80 05 09 02 0600 81 00 00", 6, "$.m[1].key", "an integer as a key after a text"),
    ("80 05 09 02 81 0600 00 00", 5, "$.m[1].key", "a text as a key after an integer"),
    ("80 05 08 01 09 01 81 09 02 82 0600 00 00", 10, "$.m[0][0].value[1].key", "a text as a key after an integer within"),
]:
    TOPIC.unreadable(
        f"{what} in a skipped field", "struct R { a: i8, m: any }", "struct R { a: i8 }", data, "malformed", at, path
    )
TOPIC.resolved(
    "maps with keys of each kind in a skipped field",
    "struct R { m: any, a: i8 }",
    "struct R { a: i8 }",
    {"m": {"map": [[{"string": "ab"}, {"map": [[{"int": 1}, None], [{"int": 300}, None]]}], [{"string": "1"}, None]]}, "a": 5},
    {"a": 5},
)
TOPIC.unreadable("text that a skipped field leaves", ABC, struct("a: i32"), "81 02 6162 00 0a 01", "malformed", 3)
TOPIC.unreadable("the digest is the writer's", "i32", "i64", "90 0000000000000000 0a", "schema_mismatch", 1)
TOPIC.unreadable("a byte beyond the writer's value", ABC, struct("a: i32"), "80 00 0a 00 00", "trailing", 4)
TOPIC.unreadable("a number too large for the writer's type", "i16", "i64", "80 808004", "bad_number", 1)
# A shared struct is read where it stands. A value that the reader cannot hold is found when a kept field refers to it.
TOPIC.unreadable(
    "an unknown symbol in a shared struct first met in a skipped field",
    "struct R { skipped: ref<struct S { e: enum E { a, z } }>, kept: ref<S> }",
    "struct R { kept: ref<struct S { e: enum E { a } }> }",
    "80 00 01 01",
    "schema_mismatch",
    2,
    "$.kept.e",
)
TOPIC.unreadable(
    "an unknown member in a shared struct first met in a skipped field",
    "struct R { skipped: ref<struct S { u: union { struct A { n: i8 }, struct B { n: i8 } } }>, kept: ref<S> }",
    "struct R { kept: ref<struct S { u: union { struct A { n: i8 } } }> }",
    "80 00 01 01 01",
    "schema_mismatch",
    2,
    "$.kept.u",
)
TOPIC.resolved(
    "an unknown symbol in a shared struct that only skipped fields refer to",
    "struct R { skipped: ref<struct S { e: enum E { a, z } }>, again: ref<S>, n: i8 }",
    "struct R { n: i8 }",
    {"skipped": {"ref": 0, "value": {"e": "z"}}, "again": {"ref": 0}, "n": 1},
    {"n": 1},
)
TEAM = "struct Team { name: string, lead: ref<struct Lead { name: string }> }"
BLUE = {"name": "blue", "lead": {"ref": 0, "value": {"name": "Ann"}}}
TOPIC.resolved(
    "shared structs within a shared struct first met in a skipped field",
    struct(f"skipped: ref<{TEAM}>, note: string, kept: ref<Team>, lead: ref<Lead>, again: ref<Team>"),
    struct(f"note: string, kept: ref<{TEAM}>, lead: ref<Lead>, again: ref<Team>"),
    {"skipped": {"ref": 1, "value": BLUE}, "note": "Ann", "kept": {"ref": 1}, "lead": {"ref": 0}, "again": {"ref": 1}},
    {"note": "Ann", "kept": {"ref": 1, "value": BLUE}, "lead": {"ref": 0}, "again": {"ref": 1}},
)
TOPIC.resolved(
    "a shared struct within one first met in a skipped field, wanted before it",
    struct(f"skipped: ref<{TEAM}>, lead: ref<Lead>, kept: ref<Team>"),
    struct("lead: ref<struct Lead { name: string }>, kept: ref<struct Team { name: string, lead: ref<Lead> }>"),
    {"skipped": {"ref": 1, "value": BLUE}, "lead": {"ref": 0}, "kept": {"ref": 1}},
    {"lead": {"ref": 0, "value": {"name": "Ann"}}, "kept": {"ref": 1, "value": {"name": "blue", "lead": {"ref": 0}}}},
)

# The depth of a skipped field counts like that of a kept one.
CHAIN = "struct S { gone: struct Link { next: option<Link> }, kept: i8 }"
chain: object = {"next": None}
for _ in range(63):
    chain = {"next": chain}
TOPIC.resolved("64 structs deep in a field less", CHAIN, "struct S { kept: i8 }", {"gone": chain, "kept": 5}, {"kept": 5})
TOPIC.unreadable(
    "65 structs deep in a field less",
    CHAIN,
    "struct S { kept: i8 }",
    "80" + " 01" * 64 + " 00 05",
    "limit_depth",
    65,
    "$.gone" + ".next" * 64,
)

# Each rule of the table, and the nearest pair that it does not cover.
for writer, reader in [
    ("set<i32>", LIST),
    ("list<u8>", "bytes"),
    ("uuid", "bytes"),
    ("date", "i32"),
    ("time", "duration"),
    ("bool", "u8"),
    ("u8", "bool"),
    ("decimal", "bigint"),
    ("bigint", "decimal"),
    ("bigint", "f64"),
    ("bool", "f32"),
    ("i64", "decimal"),
    ("i16", "u32"),
    (FEWER, "string"),
    ("string", FEWER),
    (struct("a: i32"), "any"),
    (struct("a: i32"), "tuple<i32>"),
    (struct("a: i32"), f"ref<{struct('a: i32')}>"),
    (f"ref<{struct('a: i32')}>", struct("a: i32")),
    (struct("a: i32"), f"union {{ {struct('a: i32')} }}"),
    (f"union {{ {struct('a: i32')} }}", struct("a: i32")),
    ("option<i32>", LIST),
    ("map<i32, i32>", "list<tuple<i32, i32>>"),
    ("set<i32>", "map<i32, bool>"),
]:
    TOPIC.unresolved(f"{writer} to {reader}", writer, reader, "$")
TOPIC.unresolved("a missing field before one that differs", struct("a: i64"), struct("z: i32, a: i32"), "$.z")
TOPIC.unresolved("a missing field after one that differs", struct("a: i64"), struct("a: i32, z: i32"), "$.a")
TOPIC.unresolved("a list without default", struct("a: i32"), struct("a: i32, z: list<i32>"), "$.z")
TOPIC.unresolved(
    "the first of two members that differ",
    "union { struct A { a: i64 }, struct B { b: i64 } }",
    "union { struct A { a: i32 }, struct B { b: i32 } }",
    "$.a",
)
TOPIC.unreadable("enums without a symbol in common", "enum E { a }", "enum E { b }", "80 00", "schema_mismatch", 1)
TOPIC.unreadable("unions with no common member", "union { struct A {} }", "union { struct B {} }", "80 00", "schema_mismatch", 1)

# Skipped fields are checked too.
KEPT = struct("n: i8")
for name, skipped, data, error, at, path in [
    ("a count over the items", "list<string>", "81808008", "limit_items", 1, "$.x"),
    ("a map's count over the items", "map<string, i8>", "81808008", "limit_items", 1, "$.x"),
    ("a lone surrogate", "list<string>", "01 63", "bad_utf8", 5, "$.x[0]"),
    ("text that is not there", "list<string>", "01 05", "malformed", 2, "$.x[0]"),
    ("a repeated key of a set", "set<i32>", "02 0202", "malformed", 1, "$.x"),
    ("a repeated key of a map", "map<i8, i8>", "02 0505 0101", "malformed", 1, "$.x"),
    ("a repeated key of an any", "any", "09 02 8181 0000", "malformed", 2, "$.x"),
    ("a key of a bool in an any", "any", "09 01 02 00", "malformed", 3, "$.x[0].key"),
    ("a big integer with a spare byte", "bigint", "020005", "bad_number", 1, "$.x"),
    ("a symbol that the writer lacks", FEWER, "02", "malformed", 1, "$.x"),
    ("an unused flag", "list<bool>", "01 02", "malformed", 2, "$.x"),
    ("a date out of range", "date", "8080808010", "bad_number", 1, "$.x"),
    ("a reference to a shared struct not given", "ref<struct In { n: i8 }>", "01", "malformed", 1, "$.x"),
]:
    head = "82 01 00d8" if error == "bad_utf8" else "80"
    TOPIC.unreadable(f"skipped: {name}", struct(f"x: {skipped}, n: i8"), KEPT, f"{head} {data} 07", error, at, path)
TOPIC.unreadable(
    "skipped: a reference to a shared struct of another name",
    struct("a: ref<struct Cat { n: i8 }>, b: ref<struct Dog { n: i8 }>, n: i8"),
    KEPT,
    "80 00 05 01 07",
    "malformed",
    3,
    "$.b",
)
# The writer's schema says whether a struct is recursive, and so counted.
BOX = "struct Box { more: option<Box>, it: any }"
FLAT = "struct Box { it: any }"
LISTS = "0801" * 63 + "00"
TOPIC.unreadable("recursive for the writer alone", BOX, FLAT, "80 00 0801" + LISTS, "limit_depth", 128, "$.it" + "[0]" * 63)
LISTED: Any = None
for _ in range(64):
    LISTED = {"list": [LISTED]}
TOPIC.resolved("recursive for the reader alone", FLAT, BOX, {"it": LISTED}, {"more": None, "it": LISTED})
