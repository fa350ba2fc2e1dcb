"""The limit on cells (pack.md section 8): every weight, every place that charges, and the order of the checks.

The cells of each message are written by hand. At that limit it is read, at one less it is refused.
"""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic, f32, f64, tidy, varint
from spec.oracle.pack.encode import encode
from spec.oracle.pack.parse import parse

TOPIC = Topic("cells", "pack.md#8-types")
NODE = "struct Node { name: string, kids: list<Node> }"
CHAIN = "struct Chain { next: option<Chain> }"
POINT = "struct Point { x: i32, y: i32 }"
SHAPE = "union { struct Circle { r: f64 }, struct Empty {}, struct Label { text: string, at: struct Point { x: i32, y: i32 } } }"
TREE = "struct Tree { kids: list<union { struct Leaf { n: i8 }, Tree }> }"
TEAM = "list<ref<struct Person { name: string, age: u8 }>>"
LINK = "ref<struct Link { n: i8, next: option<ref<Link>> }>"
SUIT = "enum Suit { clubs, diamonds, hearts, spades }"
UUID = "f81d4fae-7dec-11d0-a765-00a0c91e6bf6"

# Two values of each scalar, and what its slot weighs.
SCALARS: list[tuple[str, list[Any], int]] = [
    ("bool", [False, True], 1),
    ("i8", [-1, 1], 1),
    ("i16", [-300, 300], 1),
    ("i32", [-70_000, 70_000], 1),
    ("i64", [-(1 << 40), 1 << 40], 1),
    ("u8", [1, 255], 1),
    ("u16", [1, 300], 1),
    ("u32", [1, 70_000], 1),
    ("u64", [1, 1 << 63], 1),
    ("date", [-1, 20_000], 1),
    ("time", [0, 1], 1),
    (SUIT, ["clubs", "spades"], 1),
    ("bigint", [-1, 1 << 80], 2),
    ("string", ["", "ab"], 2),
    ("uuid", ["00000000-0000-0000-0000-000000000000", UUID], 2),
    ("timestamp", [-1, 1], 3),
    ("duration", [-1, 1], 2),
]
NO_KEYS: list[tuple[str, list[Any], int]] = [
    ("f32", [f32(0), f32(1.5)], 1),
    ("f64", [f64(0), f64(1.5)], 1),
    ("decimal", ["1/0", "-105/2"], 3),
    ("bytes", [b"", b"\x01"], 6),
    ("any", [None, {"int": 5}], 2),
]
for schema, values, weight in SCALARS + NO_KEYS:
    kind = schema.partition(" ")[0]
    TOPIC.canonical(f"a tuple of {kind}", f"tuple<{schema}>", values[:1], cells=3 + weight)
    TOPIC.canonical(f"a list of {kind}", f"list<{schema}>", values, cells=1 + 3 + 2 * weight)
    if kind != "any":
        TOPIC.canonical(f"a list of options of {kind}", f"list<option<{schema}>>", [None, values[1]], cells=1 + 3 + 2 * weight)
for schema, values, weight in SCALARS:
    kind = schema.partition(" ")[0]
    pairs = [[value, True] for value in values]
    TOPIC.canonical(f"a set of {kind}", f"set<{schema}>", values, cells=1 + 3 + 2 * (2 + weight))
    TOPIC.canonical(f"a map by {kind}", f"map<{schema}, bool>", pairs, cells=1 + 3 + 2 * (2 + weight + 1))

TOPIC.canonical("a text", "string", "ab", cells=2)
TOPIC.canonical("no text", "option<string>", None, cells=2)
TOPIC.canonical("a list of 40 integers, packed", "list<i32>", list(range(40)), cells=1 + 3 + 40)
TOPIC.canonical("a list of 40 integers, raw", "list<i32>", list(range(40)), "fast", cells=1 + 3 + 40)
TOPIC.canonical("a list of 8 numbers, aligned", "list<f64>", [f64(1)] * 8, cells=1 + 3 + 8)
TOPIC.canonical("a list with a digest", "list<i8>", [1, 2], named=8, cells=1 + 3 + 2)
TOPIC.canonical("an empty list", "list<i64>", [], cells=1 + 3)
TOPIC.canonical("an empty set", "set<string>", [], cells=1 + 3)
TOPIC.canonical("an empty map", "map<string, string>", [], cells=1 + 3)
TOPIC.canonical("a list of empty lists", "list<list<string>>", [[], [], []], cells=1 + 3 + 3 * 1 + 3 * 3)
TOPIC.canonical("a list of lists", "list<list<string>>", [["a"], ["b", "c"]], cells=1 + 3 + 2 * 1 + 3 + 2 + 3 + 2 * 2)
TOPIC.canonical("a list of sets", "list<set<i8>>", [[1], []], cells=1 + 3 + 2 * 1 + 3 + 3 + 3)
TOPIC.canonical("a list of maps", "list<map<i8, i8>>", [[[1, 2]], []], cells=1 + 3 + 2 * 1 + 3 + 4 + 3)
TOPIC.canonical("a map of lists", "map<i8, list<i8>>", [[1, [1, 2, 3]], [2, []]], cells=1 + 3 + 2 * 4 + 3 + 3 + 3)
TOPIC.canonical("no list", "option<list<i8>>", None, cells=1)
TOPIC.canonical("a list in an option", "option<list<i8>>", [5], cells=1 + 3 + 1)
TOPIC.canonical("a map in an option", "list<option<map<i8, i8>>>", [None, [[1, 1]]], cells=1 + 3 + 2 * 1 + 3 + 4)

# Structs and tuples that are not recursive lie inline in what holds them.
TOPIC.canonical("a struct", POINT, {"x": 1, "y": 2}, cells=3 + 1 + 1)
TOPIC.canonical("a list of structs", f"list<{POINT}>", [{"x": 1, "y": 2}] * 3, cells=1 + 3 + 3 * 5)
TOPIC.canonical("a list of tuples", "list<tuple<i32, string>>", [[1, "a"], [2, "b"]], cells=1 + 3 + 2 * 6)
TOPIC.canonical("a map to structs", f"map<i8, {POINT}>", [[1, {"x": 1, "y": 2}]], cells=1 + 3 + 2 + 1 + 5)
TOPIC.canonical(
    "structs within structs",
    f"list<struct Line {{ from: {POINT}, to: Point, label: option<string> }}>",
    [{"from": {"x": 1, "y": 2}, "to": {"x": 3, "y": 4}, "label": None}] * 2,
    cells=1 + 3 + 2 * (3 + 5 + 5 + 2),
)
TOPIC.canonical("tuples within a tuple", "tuple<i8, tuple<uuid, tuple<i8>>>", [1, [UUID, [2]]], cells=3 + 1 + (3 + 2 + (3 + 1)))
OPTIONS = "struct Row { " + ", ".join(f"f{i}: option<i32>" for i in range(8)) + " }"
NULLS = {f"f{i}": None for i in range(8)}
TOPIC.canonical("a list of structs of 8 options", f"list<{OPTIONS}>", [NULLS] * 100, cells=1 + 3 + 100 * (3 + 8))

# A struct or tuple in an option does not lie inline: null costs one cell, a value is charged when it is entered.
TOPIC.canonical("no struct", f"option<{POINT}>", None, cells=1)
TOPIC.canonical("a struct in an option", f"option<{POINT}>", {"x": 1, "y": 2}, cells=1 + 5)
TOPIC.canonical("a list of options of structs", f"list<option<{POINT}>>", [None, {"x": 1, "y": 2}, None], cells=1 + 3 + 3 + 5)
TOPIC.canonical("a tuple in an option", "tuple<option<tuple<i8, i8>>, option<tuple<uuid>>>", [[1, 2], None], cells=3 + 1 + 1 + 5)
TOPIC.canonical(
    "a struct in an option, and one within it",
    f"struct Outer {{ inner: option<struct Inner {{ at: {POINT}, more: option<Point> }}> }}",
    {"inner": {"at": {"x": 1, "y": 2}, "more": {"x": 3, "y": 4}}},
    cells=3 + 1 + (3 + 5 + 1) + 5,
)
TOPIC.canonical(
    "options of what has cells of its own", f"list<option<{SHAPE}>>", [None, {"Circle": {"r": f64(1)}}], cells=4 + 2 + 4
)
TOPIC.canonical("an option of a reference", f"list<option<{LINK}>>", [None], cells=1 + 3 + 1)

# Recursive structs.
TOPIC.canonical("one of a chain", CHAIN, {"next": None}, cells=1 + 4)
TOPIC.canonical("a chain of 3", CHAIN, {"next": {"next": {"next": None}}}, cells=1 + 3 * 4)
TOPIC.canonical("a list of chains", f"list<{CHAIN}>", [{"next": None}, {"next": {"next": None}}], cells=1 + 3 + 2 * 1 + 3 * 4)
TOPIC.canonical("a tree", NODE, {"name": "a", "kids": [{"name": "b", "kids": []}]}, cells=1 + 6 + 3 + 1 + 6 + 3)
TOPIC.canonical(
    "a recursive struct in one that is not, and the other way round",
    "struct Top { x: i8, y: struct Rec { up: list<Rec>, at: struct Point { x: i32, y: i32 } } }",
    {"x": 1, "y": {"up": [{"up": [], "at": {"x": 1, "y": 2}}], "at": {"x": 3, "y": 4}}},
    cells=(3 + 1 + 1) + (3 + 1 + 5) + (3 + 1) + (3 + 1 + 5) + 3,
)
TOPIC.canonical(
    "a tuple within its own struct",
    "struct Pt { at: list<tuple<i32, Pt>> }",
    {"at": [[1, {"at": []}]]},
    cells=1 + 4 + (3 + 5) + 4 + 3,
)
TOPIC.canonical(
    "mutual recursion",
    "struct A { b: option<struct B { n: i32, a: option<A> }> }",
    {"b": {"n": 1, "a": {"b": None}}},
    cells=1 + 4 + 5 + 4,
)
TOPIC.canonical(
    "a recursive struct as the values of a map",
    "struct Dir { entries: map<string, Dir> }",
    {"entries": [["usr", {"entries": []}]]},
    cells=1 + 4 + (3 + 2 + 2 + 1) + 4 + 3,
)

# Unions: the member is charged when it is entered, one without fields too.
TOPIC.canonical("a member", SHAPE, {"Circle": {"r": f64(1.5)}}, cells=1 + 4)
TOPIC.canonical("a member without fields", SHAPE, {"Empty": {}}, cells=1 + 3)
TOPIC.canonical("a member that holds a struct", SHAPE, {"Label": {"text": "ab", "at": {"x": 1, "y": 2}}}, cells=1 + 3 + 2 + 5)
TOPIC.canonical(
    "a list of members",
    f"list<{SHAPE}>",
    [{"Empty": {}}, {"Circle": {"r": f64(1)}}, {"Empty": {}}],
    cells=1 + 3 + 3 * 1 + 3 + 4 + 3,
)
TOPIC.canonical("a recursive member is charged once", TREE, {"kids": [{"Tree": {"kids": []}}]}, cells=1 + 4 + 4 + 4 + 3)
TOPIC.canonical("no member", f"option<{SHAPE}>", None, cells=1)
TOPIC.canonical("a member in an option", f"option<{SHAPE}>", {"Empty": {}}, cells=1 + 3)

# References: the struct is charged where it follows, and a number costs its slot alone.
ANN, BOB = {"name": "Ann", "age": 30}, {"name": "Bob", "age": 40}
TOPIC.canonical("a shared struct", TEAM, [{"ref": 0, "value": ANN}], cells=1 + 3 + 1 + 6)
TOPIC.canonical("a shared struct three times", TEAM, [{"ref": 0, "value": ANN}, {"ref": 0}, {"ref": 0}], cells=1 + 3 + 3 * 1 + 6)
TOPIC.canonical("two shared structs", TEAM, [{"ref": 0, "value": ANN}, {"ref": 1, "value": BOB}], cells=1 + 3 + 2 * 1 + 2 * 6)
TOPIC.canonical(
    "a recursive struct that is shared",
    LINK,
    {"ref": 1, "value": {"n": 1, "next": {"ref": 0, "value": {"n": 2, "next": None}}}},
    cells=1 + 2 * 5,
)

# any
TOPIC.canonical("an any that is null", "any", None, cells=2)
SMALL: list[tuple[str, Any]] = [
    ("bool", True),
    ("small integer", {"int": 5}),
    ("integer", {"int": -1}),
    ("bigint", {"bigint": 1 << 70}),
    ("f64", {"f64": f64(1)}),
    ("text", {"string": "ab"}),
]
for name, value in SMALL:
    TOPIC.canonical(f"a {name} of an any", "any", value, cells=2)
for name, value in [("uuid", UUID), ("date", 1), ("time", 1), ("timestamp", 1), ("duration", 1)]:
    TOPIC.canonical(f"a {name} of an any", "any", {name: value}, cells=2)
TOPIC.canonical("a decimal of an any", "any", {"decimal": "1/0"}, cells=2 + 1)
TOPIC.canonical("bytes of an any", "any", {"bytes": b"\x01"}, cells=2 + 4)
TOPIC.canonical(
    "a list of bytes of an any", "any", {"list": [{"bytes": b""}, None, {"bytes": b"\x01"}]}, cells=2 + 3 + 3 * 2 + 2 * 4
)
TOPIC.canonical("a map of any to bytes", "map<i8, any>", [[1, {"bytes": b""}]], cells=1 + 3 + (2 + 1 + 2) + 4)
TOPIC.canonical("a list of an any", "any", {"list": [None, True, {"int": 5}]}, cells=2 + 3 + 3 * 2)
TOPIC.canonical("an empty list of an any", "any", {"list": []}, cells=2 + 3)
TOPIC.canonical("a map of an any", "any", {"map": [[{"int": 1}, None], [{"int": 2}, True]]}, cells=2 + 3 + 2 * 6)
TOPIC.canonical("an empty map of an any", "any", {"map": []}, cells=2 + 3)
for name in ("i8", "i16", "i32", "i64", "u16", "u32", "u64"):
    TOPIC.canonical(f"a numeric list of {name} of an any", "any", {f"{name}s": [1, 2, 3]}, cells=2 + 3 + 3)
TOPIC.canonical("a numeric list of f32 of an any", "any", {"f32s": [f32(1)] * 3}, cells=2 + 3 + 3)
TOPIC.canonical("a numeric list of f64 of an any", "any", {"f64s": [f64(1)] * 3}, cells=2 + 3 + 3)
TOPIC.canonical(
    "lists, maps and numbers of an any",
    "any",
    {"list": [{"map": [[{"string": "a"}, {"list": [None]}]]}, {"i8s": [1, 2]}, {"list": []}]},
    cells=2 + (3 + 3 * 2) + (3 + 6) + (3 + 2) + (3 + 2) + 3,
)
TOPIC.canonical("a list of any, with a list in it", "list<any>", [None, {"list": [None]}], cells=1 + 3 + 2 * 2 + 3 + 2)
TOPIC.canonical("a map of any", "map<string, any>", [["a", {"map": []}]], cells=1 + 3 + (2 + 2 + 2) + 3)

# The root is charged before the values, when the blocks and the padding have been read.
TRIPLE = "tuple<i8, bool, i8>"
TOPIC.rejected("the root", TRIPLE, "80 01 01 01", "limit_items", 1, cells=5)
TOPIC.rejected("the root, and nothing of it", TRIPLE, "80", "limit_items", 1, cells=5)
TOPIC.rejected("the root comes before its flags", TRIPLE, "80 02 01 01", "limit_items", 1, cells=5)
TOPIC.rejected("the root within its limit", TRIPLE, "80 02 01 01", "malformed", 1, cells=6)
TOPIC.rejected("the root comes after the blocks", "tuple<string>", "81 02 6162 02", "limit_items", 4, cells=4)
TOPIC.rejected("the root comes after a block that is cut", "tuple<string>", "81 02 61", "truncated", 3, cells=4)
TOPIC.rejected("the root comes after the text limit", "tuple<string>", "81 02 6162 02", "limit_size", 1, cells=4, text_bytes=1)
TOPIC.rejected("the root comes after the padding", "tuple<string>", "89 01 61 000000000000 01", "limit_items", 9, cells=4)
TOPIC.rejected(
    "the root comes after padding that is not zero", "tuple<string>", "89 01 61 000001000000 01", "malformed", 5, cells=4
)
TOPIC.rejected("the root is a recursive struct", CHAIN, "80 00", "limit_items", 1, cells=4)
TOPIC.rejected("the root is no recursive struct", NODE, "80", "limit_items", 1, cells=6)

# At a count: items, then the bytes that must be there, then cells, then everything else.
TOPIC.rejected("a count", "list<i8>", "80 03 010203", "limit_items", 1, cells=6)
TOPIC.rejected("a count of a set", "set<i8>", "80 03 010203", "limit_items", 1, cells=12)
TOPIC.rejected("a count of a map", "map<i8, i8>", "80 02 0102 0102", "limit_items", 1, cells=11)
TOPIC.rejected("an inner count", "list<list<i8>>", "80 02 01 05 02 0506", "limit_items", 4, "$[1]", cells=14)
TOPIC.rejected("a count in a value", "map<i8, list<i8>>", "80 01 01 02 0000", "limit_items", 3, "$[0].value", cells=12)
TOPIC.rejected("a count that lies comes before its cells", "list<i8>", "80 03 0102", "truncated", 4, cells=6)
TOPIC.rejected("a map's count that lies comes before its cells", "map<i8, i8>", "80 02 0102 01", "truncated", 5, cells=11)
TOPIC.rejected("items come before a count that lies", "list<i8>", "80 03 0102", "limit_items", 1, cells=6, items=2)
TOPIC.rejected("cells come before ALIGNED", "list<f64>", "80 08" + "00" * 64, "limit_items", 1, cells=11)
TOPIC.rejected("ALIGNED comes after the cells", "list<f64>", "80 08" + "00" * 64, "malformed", 0, cells=12)
TOPIC.rejected("cells come before the mode", "list<i32>", "80 10 03 0000", "limit_items", 1, cells=19)
TOPIC.rejected("the mode comes after the cells", "list<i32>", "80 10 03 0000", "malformed", 2, cells=20)
TOPIC.rejected("cells come before the flags", "list<bool>", "80 03 0f", "limit_items", 1, cells=6)
TOPIC.rejected("cells come before repeated keys", "set<i8>", "80 02 0101", "limit_items", 1, cells=9)
TOPIC.rejected("repeated keys come after the cells", "set<i8>", "80 02 0101", "malformed", 1, cells=10)
TOPIC.rejected(
    "cells of lists beside each other", "tuple<list<i8>, list<i8>>", "80 01 05 01 05", "limit_items", 3, "$[1]", cells=12
)
TOPIC.rejected("an empty list costs cells too", "list<list<i8>>", "80 03 00 00 00", "limit_items", 4, "$[2]", cells=15)
TOPIC.rejected("a list in a field", "struct Box { n: i8, all: list<string> }", "80 05 01 00", "limit_items", 2, "$.all", cells=9)

# A struct that is entered: depth, then cells, then its row.
TOPIC.rejected("a chain of 3, over the limit", CHAIN, "80 01 01 00", "limit_items", 3, "$.next.next", cells=12)
TOPIC.rejected("the end of a chain, and nothing of it", CHAIN, "80 01 01", "limit_items", 3, "$.next.next", cells=12)
TOPIC.rejected("depth comes before cells", CHAIN, "80 01 01 00", "limit_depth", 3, "$.next.next", cells=12, depth=2)
TOPIC.rejected("cells before depth", CHAIN, "80 01 01 00", "limit_items", 2, "$.next", cells=8, depth=2)
TOPIC.rejected(
    "a struct in an option, over the limit", f"list<option<{POINT}>>", "80 02 02 0202", "limit_items", 3, "$[1]", cells=10
)
TOPIC.rejected("a struct in an option, and nothing of it", f"option<{POINT}>", "80 01", "limit_items", 2, cells=5)
TOPIC.rejected("a tuple in an option, over the limit", "option<tuple<i8, bool>>", "80 01 02 05", "limit_items", 2, cells=5)
TOPIC.rejected(
    "flags of a tuple in an option come after its cells", "option<tuple<i8, bool>>", "80 01 02 05", "malformed", 2, cells=6
)
TOPIC.rejected("a member, over the limit", SHAPE, "80 00" + "00" * 8, "limit_items", 2, cells=4)
TOPIC.rejected("a member, and nothing of it", SHAPE, "80 00", "limit_items", 2, cells=4)
TOPIC.rejected("a member without fields, over the limit", SHAPE, "80 01", "limit_items", 2, cells=3)
TOPIC.rejected("a member that is not there comes before cells", SHAPE, "80 03", "malformed", 1, cells=3)
TOPIC.rejected("the last of empty members", "list<union { struct Nil {} }>", "80 03 00 00 00", "limit_items", 5, "$[2]", cells=15)
TOPIC.rejected("a recursive member", TREE, "80 01 01 00", "limit_items", 3, "$.kids[0]", cells=12)
TOPIC.rejected("a shared struct, over the limit", TEAM, "80 01 00 00 1e", "limit_items", 3, "$[0]", cells=10)
TOPIC.rejected("a shared struct, and nothing of it", TEAM, "80 01 00", "limit_items", 3, "$[0]", cells=10)
TOPIC.rejected("a number not given comes before cells", TEAM, "80 01 01", "malformed", 2, "$[0]", cells=10)
TOPIC.rejected("a second shared struct", TEAM, "80 02 00 00 1e 00 00 1e", "limit_items", 6, "$[1]", cells=17)

# any: at the count of a list or map, which comes after the depth at its tag.
TOPIC.rejected("a list of an any, over the limit", "any", "80 08 02 00 00", "limit_items", 2, cells=8)
TOPIC.rejected("bytes of an any, over the limit", "any", "80 07 01 00", "limit_items", 1, cells=5)
TOPIC.rejected("bytes of an any come before their length", "any", "80 07 8000", "limit_items", 1, cells=5)
TOPIC.rejected("bytes of an any, and nothing of them", "any", "80 07", "limit_items", 1, cells=5)
TOPIC.rejected("a length comes after the cells of bytes of an any", "any", "80 07 8000", "bad_number", 2, cells=6)
TOPIC.rejected("bytes in a list of an any", "any", "80 08 02 0700 0700", "limit_items", 5, "$[1]", cells=16)
TOPIC.rejected("a decimal of an any, over the limit", "any", "80 0a 00 0101", "limit_items", 1, cells=2)
TOPIC.rejected("a decimal of an any, and nothing of it", "any", "80 0a", "limit_items", 1, cells=2)
TOPIC.rejected("a scale comes after the cells of a decimal of an any", "any", "80 0a", "truncated", 2, cells=3)
TOPIC.rejected("a decimal in a list of an any", "any", "80 08 01 0a 00 0101", "limit_items", 3, "$[0]", cells=7)
TOPIC.rejected("a list of an any whose count lies", "any", "80 08 02 00", "truncated", 4, cells=8)
TOPIC.rejected("a map of an any, over the limit", "any", "80 09 01 81 00", "limit_items", 2, cells=10)
TOPIC.rejected("a map of an any whose count lies", "any", "80 09 01 81", "truncated", 4, cells=10)
TOPIC.rejected("a numeric list of an any", "any", "80 10 02 0101", "limit_items", 2, cells=6)
TOPIC.rejected("a numeric list of an any without ALIGNED", "any", "80 18 08" + "00" * 64, "limit_items", 2, cells=12)
TOPIC.rejected("an inner list of an any", "any", "80 08 02 00 08 01 00", "limit_items", 5, "$[1]", cells=13)
TOPIC.rejected("a list as a map's value of an any", "any", "80 09 01 81 08 00", "limit_items", 5, "$[0].value", cells=13)
TOPIC.rejected("depth comes before the cells of an any", "any", "80 08 01 08 01 00", "limit_depth", 3, "$[0]", cells=9, depth=1)
TOPIC.rejected("a key comes after the cells of an any", "any", "80 09 01 02 00", "limit_items", 2, cells=10)

# The default limit: 3,414 bytes that would be 16,779,813 cells.
WEIGHT = 3 + 16 * (3 + 16 * (3 + 16 * 1))
INNER = "struct C { " + ", ".join(f"c{i}: option<i8>" for i in range(16)) + " }"
MIDDLE = f"struct B {{ b0: {INNER}, " + ", ".join(f"b{i}: C" for i in range(1, 16)) + " }"
OUTER = f"struct A {{ a0: {MIDDLE}, " + ", ".join(f"a{i}: B" for i in range(1, 16)) + " }"
MOST = ((1 << 24) - 1 - 3) // WEIGHT
MANY = f"list<{OUTER}>"
TOPIC.rejected("more than the default", MANY, f"80 {varint(MOST + 1)}" + "00" * (MOST + 1), "limit_items", 1)
TOPIC.rejected("as many as the default", MANY, f"80 {varint(MOST)}" + "00" * MOST, "truncated", MOST + 3, "$[6].a10.b10")

# Resolution: weights are the writer's, with the fields that only the reader's struct of that name has.


def resolved(name: str, writer: str, reader: str, written: Any, value: Any, cells: int, at: int, path: str = "$") -> None:
    """Adds a case that is read at the limit, and one that is refused at one cell less, at this offset and path."""
    TOPIC.resolved(name, writer, reader, written, value, cells=cells)
    data = encode(parse(writer), tidy(written)).hex()
    TOPIC.unreadable(f"{name}, one cell less", writer, reader, data, "limit_items", at, path, cells=cells - 1)


POINTS = "list<struct Point { x: i32 }>"
TWO, ONE = [{"x": 1}, {"x": 2}], [{"x": 1}]
resolved(
    "fields that only the reader has",
    POINTS,
    "list<struct Point { x: i32, note: option<string>, from: option<Point>, tags: option<set<uuid>> }>",
    TWO,
    [point | {"note": None, "from": None, "tags": None} for point in TWO],
    1 + 3 + 2 * (3 + 1 + 2 + 1 + 1),
    1,
)
resolved("widened integers", "list<i8>", "list<bigint>", [1, 2], [1, 2], 1 + 3 + 2, 1)
resolved("structs that are options of the reader", POINTS, "list<option<struct Point { x: i32 }>>", TWO, TWO, 1 + 3 + 2 * 4, 1)
resolved(
    "options of structs with a field that only the reader has",
    "list<option<struct Point { x: i32 }>>",
    "list<option<struct Point { x: i32, y: option<i32> }>>",
    [None, {"x": 1}],
    [None, {"x": 1, "y": None}],
    1 + 3 + 2 * 1 + (3 + 1 + 1),
    3,
    "$[1]",
)
resolved(
    "recursive for the reader alone",
    "list<struct Node { n: i8 }>",
    "list<struct Node { n: i8, next: option<Node> }>",
    [{"n": 1}],
    [{"n": 1, "next": None}],
    1 + 3 + (3 + 1 + 1),
    1,
)
resolved(
    "recursive for the writer alone",
    "list<struct Node { n: i8, next: option<Node> }>",
    "list<struct Node { n: i8 }>",
    [{"n": 1, "next": {"n": 2, "next": None}}],
    [{"n": 1}],
    1 + 3 + 1 + 2 * 5,
    4,
    "$[0].next",
)
resolved(
    "a member with a field that only the reader has",
    "union { struct A { n: i8 }, struct B {} }",
    "union { struct A { n: i8, m: option<duration> }, struct B {} }",
    {"A": {"n": 1}},
    {"A": {"n": 1, "m": None}},
    1 + 3 + 1 + 2,
    2,
)
resolved(
    "a root with a field that only the reader has",
    "struct Root { n: i8 }",
    "struct Root { n: i8, m: option<string> }",
    {"n": 1},
    {"n": 1, "m": None},
    3 + 1 + 2,
    1,
)
resolved(
    "a recursive struct with a field that only the reader has",
    CHAIN,
    "struct Chain { next: option<Chain>, m: option<string> }",
    {"next": {"next": None}},
    {"next": {"next": None, "m": None}, "m": None},
    1 + 2 * (3 + 1 + 2),
    2,
    "$.next",
)
ALL = "struct All { old: list<string>, wild: any, point: option<struct Point { x: i32 }>, n: i8 }"
resolved(
    "skipped fields",
    ALL,
    "struct All { n: i8 }",
    {"old": ["a"], "wild": {"list": [None]}, "point": {"x": 1}, "n": 5},
    {"n": 5},
    (3 + 1 + 2 + 1 + 1) + (3 + 2) + (3 + 2) + (3 + 1),
    9,
    "$.point",
)
resolved(
    "a skipped list",
    "struct All { n: i8, old: list<list<string>> }",
    "struct All { n: i8 }",
    {"n": 5, "old": [["a"], []]},
    {"n": 5},
    (3 + 1 + 1) + (3 + 2 * 1) + (3 + 2) + 3,
    7,
    "$.old[1]",
)
resolved(
    "a skipped struct of a name that the reader knows, with a field that only the reader has",
    f"struct All {{ old: {POINTS}, new: Point }}",
    "struct All { new: struct Point { x: i32, y: option<i32> } }",
    {"old": ONE, "new": {"x": 2}},
    {"new": {"x": 2, "y": None}},
    (3 + 1 + (3 + 1 + 1)) + (3 + (3 + 1 + 1)),
    1,
    "$.old",
)
SKIPPED = "struct All { old: list<ref<struct Step { n: u8, before: option<ref<Step>>, names: list<string> }>>, last: ref<Step> }"
LAST = "struct All { last: ref<struct Step { n: u8, before: option<ref<Step>>, names: list<string> }> }"
FIRST = {"ref": 0, "value": {"n": 1, "before": None, "names": ["ab"]}}
SECOND = {"ref": 1, "value": {"n": 2, "before": {"ref": 0}, "names": []}}
resolved(
    "skipped structs that are read again are charged once",
    SKIPPED,
    LAST,
    {"old": [FIRST, SECOND], "last": {"ref": 1}},
    {"last": {"ref": 1, "value": {"n": 2, "before": FIRST, "names": []}}},
    (3 + 1 + 1) + (3 + 2 * 1) + (3 + 3) + (3 + 2) + (3 + 3) + 3,
    14,
    "$.old[1].names",
)
resolved(
    "a skipped struct that is read again with a field that only the reader has",
    SKIPPED,
    "struct All { last: ref<struct Step { n: u8, note: option<string> }> }",
    {"old": [FIRST], "last": {"ref": 0}},
    {"last": {"ref": 0, "value": {"n": 1, "note": None}}},
    (3 + 1 + 1) + (3 + 1) + (3 + 3 + 2) + (3 + 2),
    8,
    "$.old[0].names",
)
