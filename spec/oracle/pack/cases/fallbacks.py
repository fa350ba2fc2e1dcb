"""Fallbacks: the symbol that a reader puts for those that it lacks."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic
from spec.oracle.pack.encode import encode
from spec.oracle.pack.parse import parse

TOPIC = Topic("fallbacks", "pack.md#13-resolution")

# The annotation is not part of the canonical text.
for name, text, canonical, annotated in [
    ("a fallback", "enum E { a, b @fallback }", "enum E { a, b }", "enum E { a, b @fallback }"),
    ("symbols in another order", "enum E{b,a\n@fallback\t}", "enum E { a, b }", "enum E { a @fallback, b }"),
    ("a symbol in quotes", 'enum E { "a b" @fallback, "c" }', 'enum E { "a b", c }', 'enum E { "a b" @fallback, c }'),
    ("the only symbol", "enum E { a @fallback }", "enum E { a }", "enum E { a @fallback }"),
    (
        "beside a default and aliases",
        "struct R { e: enum E @alias(D) { x @fallback, y } @alias(f) @default, g: E }",
        "struct R { e: enum E { x, y }, g: E }",
        "struct R { e: enum E @alias(D) { x @fallback, y } @default @alias(f), g: E }",
    ),
    (
        "a fallback in each of two enums",
        "tuple<enum E { a @fallback }, enum F { a, b @fallback }, E>",
        "tuple<enum E { a }, enum F { a, b }, E>",
        "tuple<enum E { a @fallback }, enum F { a, b @fallback }, E>",
    ),
]:
    TOPIC.annotated(name, text, canonical, annotated)
bad = TOPIC.bad_schema
bad("two fallbacks", "enum E { a @fallback, b @fallback }", "malformed", 24)
bad("a fallback twice", "enum E { a @fallback @fallback }", "malformed", 21)
bad("a fallback before the symbol", "enum E { @fallback a }", "malformed", 9)
bad("a fallback of an enum", "enum E @fallback { a }", "malformed", 7)
bad("a fallback behind an enum", "enum E { a } @fallback", "malformed", 13)
bad("a fallback of a field", "struct R { a: i8 @fallback }", "malformed", 17)
bad("a fallback of a struct", "struct R @fallback { a: i8 }", "malformed", 9)
bad("a fallback of an element", "list<enum E { a } @fallback>", "malformed", 18)
bad("a fallback with a list", "enum E { a @fallback(b) }", "malformed", 20)
bad("a text that ends after a fallback", "enum E { a @fallback", "malformed", 20)

# The writer has b and d, which the reader lacks, and the reader's fallback is not the first of its symbols.
WRITER = "enum E { a, b, c, d }"
READER = "enum E { a, c, other @fallback }"
for symbol, read in ("a", "a"), ("b", "other"), ("c", "c"), ("d", "other"):
    TOPIC.resolved(f"the symbol {symbol}", WRITER, READER, symbol, read)
TOPIC.resolved("a fallback that the writer has", "enum E { a, b, other }", "enum E { a, other @fallback }", "other", "other")
TOPIC.resolved("beside a fallback that the writer has", "enum E { a, b, other }", "enum E { a, other @fallback }", "b", "other")
TOPIC.resolved("no symbol in common", "enum E { a, b }", "enum E { other @fallback }", "b", "other")
TOPIC.resolved("an enum with an alias", "enum Old { a, b }", "enum New @alias(Old) { a, z @fallback }", "b", "z")
TOPIC.resolved("an option", f"option<{WRITER}>", f"option<{READER}>", "b", "other")
TOPIC.resolved("null of an option", f"option<{WRITER}>", f"option<{READER}>", None, None)
TOPIC.resolved(
    "that becomes an option", f"struct R {{ e: {WRITER} }}", f"struct R {{ e: option<{READER}> }}", {"e": "d"}, {"e": "other"}
)
TOPIC.resolved("a list", f"list<{WRITER}>", f"list<{READER}>", ["d", "a", "b", "c"], ["other", "a", "other", "c"])
TOPIC.resolved("an array of three", f"tuple<{WRITER}, E, E>", f"tuple<{READER}, E, E>", ["a", "b", "d"], ["a", "other", "other"])
TOPIC.resolved("values of a map", f"map<string, {WRITER}>", f"map<string, {READER}>", [["k", "b"]], [["k", "other"]])
TOPIC.resolved(
    "a member of a union",
    f"union {{ struct A {{ e: {WRITER} }}, struct B {{ e: E }} }}",
    f"union {{ struct A {{ e: {READER} }}, struct B {{ e: E }} }}",
    {"B": {"e": "b"}},
    {"B": {"e": "other"}},
)
TOPIC.resolved(
    "a shared struct",
    f"list<ref<struct S {{ e: {WRITER} }}>>",
    f"list<ref<struct S {{ e: {READER} }}>>",
    [{"ref": 0, "value": {"e": "b"}}, {"ref": 0}],
    [{"ref": 0, "value": {"e": "other"}}, {"ref": 0}],
)
TOPIC.resolved(
    "a recursive struct",
    f"struct S {{ e: {WRITER}, next: option<S> }}",
    f"struct S {{ next: option<S>, e: {READER} }}",
    {"e": "a", "next": {"e": "d", "next": None}},
    {"next": {"next": None, "e": "other"}, "e": "a"},
)
ROWS: list[dict[str, Any]] = [{"x": i, "e": "abcd"[i % 4], "f": None if i % 3 else "abcd"[i % 4]} for i in range(100)]
KNOWN = {"a": "a", "b": "other", "c": "c", "d": "other", None: None}
TOPIC.resolved(
    "columns",
    f"list<struct R {{ x: i32, e: {WRITER}, f: option<E> }}>",
    f"list<struct R {{ x: i64, f: option<{READER}>, e: E }}>",
    ROWS,
    [{"x": row["x"], "f": KNOWN[row["f"]], "e": KNOWN[row["e"]]} for row in ROWS],
)

# Without a fallback, or with the writer's, nothing changes.
TOPIC.unreadable(
    "a fallback of the writer's means nothing", "enum E { a, b @fallback }", "enum E { a }", "80 01", "schema_mismatch", 1
)
TOPIC.unreadable("a symbol that nobody knows", WRITER, READER, "80 04", "malformed", 1)
TOPIC.unreadable(
    "a symbol of another enum that has none",
    f"struct R {{ e: {WRITER}, f: enum F {{ a, b }} }}",
    f"struct R {{ e: {READER}, f: enum F {{ a }} }}",
    "80 01 01",
    "schema_mismatch",
    2,
    "$.f",
)
TOPIC.unresolved("an enum of another name", "enum E { a }", "enum F { a @fallback }", "$")

# Keys do not fall back: two of them could become one.
TOPIC.resolved("keys that the reader has", f"set<{WRITER}>", f"set<{READER}>", ["a", "c"], ["a", "c"])
TOPIC.unreadable("a key of a set", f"set<{WRITER}>", f"set<{READER}>", "80 02 00 01", "schema_mismatch", 3, "$[1]")
TOPIC.unreadable("a key of a map", f"map<{WRITER}, E>", f"map<{READER}, E>", "80 01 03 01", "schema_mismatch", 2, "$[0].key")
TOPIC.resolved("the value beside a key", f"map<{WRITER}, E>", f"map<{READER}, E>", [["a", "d"]], [["a", "other"]])
SETS = "list<struct R {{ x: i32, s: set<{0}>, m: map<E, E> }}>"
for name, keys, entries, at, path in [
    ("a set", ["a", "b"], [], 50, "$[].s[]"),
    ("a map", ["a"], [["b", "b"]], 82, "$[].m[].key"),
]:
    rows = [{"x": str(i), "s": keys, "m": entries} for i in range(100)]
    data = encode(parse(SETS.format(WRITER)), rows).hex()
    TOPIC.unreadable(f"a key of {name} in columns", SETS.format(WRITER), SETS.format(READER), data, "schema_mismatch", at, path)

# Unions. The annotation is not part of the canonical text either.
for name, text, canonical, annotated in [
    (
        "a member that has the name",
        "union { struct A { x: i8 }, struct B { name: string } @fallback }",
        "union { struct A { x: i8 }, struct B { name: string } }",
        "union { struct A { x: i8 }, struct B { name: string } @fallback }",
    ),
    (
        "a member without fields, before others",
        "union{struct B{}\t@fallback\n,struct A{x:i8}}",
        "union { struct A { x: i8 }, struct B {} }",
        "union { struct A { x: i8 }, struct B {} @fallback }",
    ),
    (
        "a member that is defined elsewhere",
        "struct R { u: union { B @fallback, A }, v: union { struct A { x: i8 }, struct B @alias(C) { name: string } } }",
        "struct R { u: union { struct A { x: i8 }, struct B { name: string } }, v: union { A, B } }",
        "struct R { u: union { struct A { x: i8 }, struct B @alias(C) { name: string } @fallback }, v: union { A, B } }",
    ),
    (
        "a name with annotations",
        "union { struct B { name: string @default @alias(label) } @fallback }",
        "union { struct B { name: string } }",
        "union { struct B { name: string @default @alias(label) } @fallback }",
    ),
]:
    TOPIC.annotated(name, text, canonical, annotated)
bad("two members", "union { struct A {} @fallback, struct B {} @fallback }", "malformed", 43)
bad("a member twice", "union { struct A {} @fallback @fallback }", "malformed", 30)
bad("a fallback before the member", "union { @fallback struct A {} }", "malformed", 8)
bad("a fallback of a union", "union { struct A {} } @fallback", "malformed", 22)
bad("a member with another field", "union { struct A { x: string } @fallback }", "malformed", 31)
bad("a member with two fields", "union { struct A { name: string, x: i8 } @fallback }", "malformed", 41)
bad("a member whose name is no string", "union { struct A { name: bytes } @fallback }", "malformed", 33)
bad("a member whose name is optional", "union { struct A { name: option<string> } @fallback }", "malformed", 42)
bad("such a member that is defined elsewhere", "struct R { u: union { A @fallback }, a: struct A { x: i8 } }", "malformed", 24)
bad("a fallback that is no struct", "union { enum E { a } @fallback }", "malformed", 8)
bad("a fallback that is never defined", "union { A @fallback, struct B {} }", "malformed", 8)
bad("another fault before", "union { set<f32>, struct A { x: i8 } @fallback }", "malformed", 8)
bad("another fault behind", "union { struct A { x: i8 } @fallback, B }", "malformed", 27)

SHAPES = "union { struct Arc { x: i32, s: string }, struct Dot {}, struct Line { x: i8 }, struct Zed { name: string } }"
KNOWN_SHAPES = "union { struct Dot {}, struct Line { x: i16 }, struct Unknown { name: string } @fallback }"
ARC, ZED = {"Arc": {"x": 7, "s": "a text"}}, {"Zed": {"name": "zed"}}
UNKNOWN_ARC = {"Unknown": {"name": "Arc"}}
TOPIC.resolved("an unknown member", SHAPES, KNOWN_SHAPES, ARC, UNKNOWN_ARC)
TOPIC.resolved("an unknown member with a field of that name", SHAPES, KNOWN_SHAPES, ZED, {"Unknown": {"name": "Zed"}})
TOPIC.resolved(
    "a fallback whose name has a default", SHAPES, KNOWN_SHAPES.replace("string }", "string @default }"), ARC, UNKNOWN_ARC
)
TOPIC.resolved("a known member", SHAPES, KNOWN_SHAPES, {"Line": {"x": 3}}, {"Line": {"x": 3}})
TOPIC.resolved("a known member without fields", SHAPES, KNOWN_SHAPES, {"Dot": {}}, {"Dot": {}})
TOPIC.resolved(
    "a fallback without fields",
    SHAPES,
    "union { struct Dot {}, struct Unknown {} @fallback }",
    {"Line": {"x": 3}},
    {"Unknown": {}},
)
TOPIC.resolved(
    "a fallback that an older writer put",
    "union { struct Dot {}, struct Unknown { name: string } }",
    KNOWN_SHAPES,
    {"Unknown": {"name": "Arc"}},
    {"Unknown": {"name": "Arc"}},
)
TOPIC.resolved(
    "a list of members",
    f"list<{SHAPES}>",
    f"list<{KNOWN_SHAPES}>",
    [ARC, {"Line": {"x": 1}}, ZED, ARC],
    [UNKNOWN_ARC, {"Line": {"x": 1}}, {"Unknown": {"name": "Zed"}}, UNKNOWN_ARC],
)
TOPIC.resolved("an option of a union", f"option<{SHAPES}>", f"option<{KNOWN_SHAPES}>", ARC, UNKNOWN_ARC)
TOPIC.resolved(
    "a member's new name",
    "struct R { u: union { struct Old { x: i8 }, struct Dot {} }, o: Old }",
    "struct R { u: union { struct Dot {}, struct Unknown { name: string } @fallback }, o: struct New @alias(Old) { x: i8 } }",
    {"u": {"Old": {"x": 1}}, "o": {"x": 2}},
    {"u": {"Unknown": {"name": "New"}}, "o": {"x": 2}},
)
TOPIC.resolved(
    "texts behind an unknown member",
    f"tuple<{SHAPES}, string, string>",
    f"tuple<{KNOWN_SHAPES}, string, string>",
    [ARC, "a text", "more"],
    [UNKNOWN_ARC, "a text", "more"],
)
TOPIC.resolved(
    "a name in quotes",
    'union { struct "a \u20ac" {}, struct B {} }',
    "union { struct B {}, struct Unknown { name: string } @fallback }",
    {"a \u20ac": {}},
    {"Unknown": {"name": "a \u20ac"}},
)
TOPIC.resolved(
    "unknown members in columns",
    f"list<struct R {{ x: i32, u: {SHAPES} }}>",
    f"list<struct R {{ u: {KNOWN_SHAPES}, x: i64 }}>",
    [{"x": i, "u": ARC if i % 3 else {"Dot": {}}} for i in range(100)],
    [{"u": UNKNOWN_ARC if i % 3 else {"Dot": {}}, "x": i} for i in range(100)],
)
NODES = "union { struct Leaf { x: i8 }, struct Node { kids: list<union { Leaf, Node }> } }"
TOPIC.resolved(
    "an unknown member that is recursive",
    NODES,
    "union { struct Leaf { x: i8 }, struct Other { name: string } @fallback }",
    {"Node": {"kids": [{"Node": {"kids": []}}, {"Leaf": {"x": 1}}]}},
    {"Other": {"name": "Node"}},
)
TOPIC.resolved(
    "a shared struct first met in an unknown member",
    "struct R { u: union { struct A { s: ref<struct S { x: i8 }> }, struct B {} }, t: ref<S> }",
    "struct R { u: union { struct B {}, struct C { name: string } @fallback }, t: ref<struct S { x: i16 }> }",
    {"u": {"A": {"s": {"ref": 0, "value": {"x": 5}}}}, "t": {"ref": 0}},
    {"u": {"C": {"name": "A"}}, "t": {"ref": 0, "value": {"x": 5}}},
)

# Nothing changes without a fallback, or with the writer's; and what is unknown is checked.
TOPIC.unreadable(
    "a member beside a writer's fallback",
    "union { struct A {}, struct B {} @fallback }",
    "union { struct B {} }",
    "80 00",
    "schema_mismatch",
    1,
)
TOPIC.unreadable("a member that nobody has", SHAPES, KNOWN_SHAPES, "80 04", "malformed", 1)
TOPIC.unreadable("an unknown member that is cut", SHAPES, KNOWN_SHAPES, "80 00 0e", "truncated", 3, "$.s")
TOPIC.unreadable("an unknown member that is malformed", SHAPES, KNOWN_SHAPES, "80 00 8e 00", "bad_number", 2, "$.x")
TOPIC.unreadable(
    "an unknown member that is too deep",
    NODES,
    "union { struct Leaf { x: i8 }, struct Other { name: string } @fallback }",
    "80 01 01 01 00",
    "limit_depth",
    4,
    "$.kids[0]",
    depth=1,
)
TOPIC.unresolved("a fallback that the writer has with other fields", "union { struct Unknown { x: i8 } }", KNOWN_SHAPES, "$.name")

# The slot of the union takes 1, Line's row 3 + 1, the fallback 3, its name 2 and one more for every 16 characters.
LONG = "union {{ struct {0} {{ x: i8 }}, struct Dot {{}} }}"
for member, reader, cells in [
    ("L" * 16, KNOWN_SHAPES, 1 + 4 + 3 + 2 + 1),
    ("L" * 17, KNOWN_SHAPES, 1 + 4 + 3 + 2 + 2),
    ("L" * 255, KNOWN_SHAPES, 1 + 4 + 3 + 2 + 16),
    ("Long", "union { struct Dot {}, struct Unknown {} @fallback }", 1 + 4 + 3),
]:
    writer = LONG.format(member)
    index = "00" if member < "Dot" else "01"
    value = {"Unknown": {"name": member} if "name" in reader else {}}
    TOPIC.resolved(f"the cells of a name of {len(member)}", writer, reader, {member: {"x": 1}}, value, cells=cells)
    TOPIC.unreadable(f"cells of a name of {len(member)}", writer, reader, f"80 {index} 01", "limit_items", 2, cells=cells - 1)
DEEP = "struct Node { u: union { struct Leaf { x: i8 }, Node } }"
OTHER = "struct Node { u: union { struct Leaf { x: i8 }, struct Other { name: string } @fallback } }"
TOPIC.unreadable("cells of a recursive member", DEEP, OTHER, "80 01 00 02", "limit_items", 2, "$.u", cells=1 + 4 + 4 + 5)
TOPIC.unreadable("depth before cells", DEEP, OTHER, "80 01 00 02", "limit_depth", 2, "$.u", cells=1 + 4 + 4 + 5, depth=1)
