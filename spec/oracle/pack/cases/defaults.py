"""Defaults: fields that the writer lacks, and null in a field that the reader requires.

The types of the vectors declare as default the zero of a field's type where the schema says `@default`.
"""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic, f32, f64

TOPIC = Topic("defaults", "pack.md#13-resolution")


def struct(fields: str) -> str:
    return f"struct R {{ {fields} }}"


# The annotation is not part of the canonical text.
for name, text, canonical, annotated in [
    ("a default", "struct R { a: i32 @default }", "struct R { a: i32 }", "struct R { a: i32 @default }"),
    (
        "white space around a default",
        "struct R{a:i32\n@default\t,b:i8}",
        "struct R { a: i32, b: i8 }",
        "struct R { a: i32 @default, b: i8 }",
    ),
    (
        "a default of an option says nothing",
        "struct R { a: option<i32> @default }",
        "struct R { a: option<i32> }",
        "struct R { a: option<i32> }",
    ),
    (
        "defaults of every kind of type",
        "struct R { a: list<i8> @default, b: S @default, s: struct S { x: any @default } @default }",
        "struct R { a: list<i8>, b: struct S { x: any }, s: S }",
        "struct R { a: list<i8> @default, b: struct S { x: any @default } @default, s: S @default }",
    ),
    (
        "members in another order, with defaults",
        "union { struct B { n: i8 @default }, struct A { m: i8 } }",
        "union { struct A { m: i8 }, struct B { n: i8 } }",
        "union { struct A { m: i8 }, struct B { n: i8 @default } }",
    ),
]:
    TOPIC.annotated(name, text, canonical, annotated)
bad = TOPIC.bad_schema
bad("an annotation that does not exist", "struct R { a: i32 @none }", "malformed", 18)
bad("an annotation twice", "struct R { a: i32 @default @default }", "malformed", 27)
bad("an annotation before the type", "struct R { a: @default i32 }", "malformed", 14)
bad("an annotation of a symbol", "enum E { a @default }", "malformed", 11)
bad("an annotation of an element", "list<i32 @default>", "malformed", 9)
bad("an annotation of the root", "i32 @default", "malformed", 4)
bad("an annotation of a member", "union { struct A {} @default }", "malformed", 20)
bad("an annotation with white space inside", "struct R { a: i32 @ default }", "malformed", 18)
bad("an annotation in upper case", "struct R { a: i32 @Default }", "malformed", 18)
bad("an annotation in place of a name", "struct @default { a: i32 }", "malformed", 7)
bad("a text that ends after an annotation", "struct R { a: i32 @default", "malformed", 26)

# A field that only the reader has.
EVERY = "b: bool, i: i64, u: u8, f: f32, d: f64, s: string, x: bytes, l: list<i32>, t: set<i8>, m: map<string, i8>, z: bigint"
DEFAULTED = EVERY.replace(", ", " @default, ").replace("string @default, i8", "string, i8") + " @default"
ZERO = {
    "b": False, "i": 0, "u": 0, "f": f32(0), "d": f64(0), "s": "", "x": b"", "l": [], "t": [], "m": [], "z": 0,
}  # fmt: skip
TOPIC.resolved("fields that only the reader has", struct("a: i8"), struct(f"a: i8, {DEFAULTED}"), {"a": 1}, {"a": 1} | ZERO)
TOPIC.resolved("a field before others", struct("a: i8"), struct("n: i32 @default, a: i8"), {"a": 1}, {"n": 0, "a": 1})
TOPIC.unresolved("a field without default behind one with", struct("a: i8"), struct("n: i8 @default, a: i8, o: i8"), "$.o")
TOPIC.resolved(
    "in the elements of a list",
    f"list<{struct('a: i8')}>",
    f"list<{struct('a: i8, s: string @default')}>",
    [{"a": 1}, {"a": 2}],
    [{"a": 1, "s": ""}, {"a": 2, "s": ""}],
)

# Null in a field that the reader requires.
OPTIONS = struct(
    ", ".join(
        f"{part.split(': ', 1)[0]}: option<{part.split(': ', 1)[1]}>"
        for part in EVERY.replace("string, i8", "string; i8").split(", ")
    ).replace(";", ",")
)
NULLS = dict.fromkeys(ZERO)
GIVEN = {
    "b": True, "i": -5, "u": 7, "f": f32(1.5), "d": f64(2.5), "s": "text", "x": b"ab", "l": [1], "t": [2], "m": [["k", 3]],
    "z": 1 << 70,
}  # fmt: skip
TOPIC.resolved("null in every type", OPTIONS, struct(DEFAULTED), NULLS, ZERO)
TOPIC.resolved("a value in every type", OPTIONS, struct(DEFAULTED), GIVEN, GIVEN)
TOPIC.resolved("null beside flags", struct("a: option<i8>, b: bool, c: option<i8>"), struct("c: i8 @default, b: bool, a: i8 @default"),
    {"a": None, "b": True, "c": 4}, {"c": 4, "b": True, "a": 0})  # fmt: skip
TOPIC.resolved(
    "present and widened",
    struct("a: option<i32>, b: option<i64>"),
    struct("a: i64 @default, b: f64 @default"),
    {"a": 5, "b": 6},
    {"a": 5, "b": f64(6)},
)
TOPIC.resolved("an option stays one", struct("a: option<i8>"), struct("a: option<i16> @default"), {"a": None}, {"a": None})
TOPIC.resolved(
    "in a recursive struct",
    "struct Node { n: option<i8>, kids: list<Node> }",
    "struct Node { n: i16 @default, kids: list<Node> }",
    {"n": 1, "kids": [{"n": None, "kids": []}]},
    {"n": 1, "kids": [{"n": 0, "kids": []}]},
)
TOPIC.resolved(
    "in a member of a union",
    "union { struct A { n: option<i8> }, struct B {} }",
    "union { struct A { n: i8 @default }, struct B {} }",
    {"A": {"n": None}},
    {"A": {"n": 0}},
)
PAIR = "struct Pair { x: i8, y: i8 }"
ROWS: list[dict[str, Any]] = [
    {
        "n": i,
        "a": None if i % 3 else i,
        "s": None if i % 5 else f"t{i % 9}",
        "l": None,
        "p": None if i % 2 else {"x": i % 100, "y": 1},
    }
    for i in range(600)
]
TOPIC.resolved(
    "null in columns",
    f"list<struct R {{ n: i32, a: option<i32>, s: option<string>, l: option<list<i8>>, p: option<{PAIR}> }}>",
    f"list<struct R {{ p: option<{PAIR}>, l: list<i8> @default, s: string @default, a: f64 @default, n: i32, m: i8 @default }}>",
    ROWS,
    [{"p": row["p"], "l": [], "s": row["s"] or "", "a": f64(row["a"] or 0), "n": row["n"], "m": 0} for row in ROWS],
)
TOPIC.unresolved("an option to what it holds, without a default", struct("a: option<i8>"), struct("a: i8"), "$.a")
TOPIC.unresolved("an option within", struct("a: option<list<i8>>"), struct("a: i8 @default"), "$.a")
TOPIC.unresolved("an option of an element", struct("a: list<option<i8>>"), struct("a: list<i8> @default"), "$.a[]")
TOPIC.unresolved("the root", "option<i8>", "i8", "$")
TOPIC.unreadable(
    "a value that is malformed", struct("a: option<bool>"), struct("a: bool @default"), "80 01 02", "malformed", 2, "$.a"
)
TOPIC.unreadable("an unused flag", struct("a: option<i8>"), struct("a: i8 @default"), "80 02", "malformed", 1)
TOPIC.unreadable(
    "a number that the float lacks",
    struct("a: option<u64>"),
    struct("a: f32 @default"),
    "80 01 ffffffffffffffffff01",
    "bad_number",
    2,
    "$.a",
)

# The slot weight of a field that may take its default is added to the row: 3 + 1 + 6 for the option, 6 for the default.
for cells, fits in (16, True), (15, False):
    writer, reader = struct("n: i8, p: option<bytes>"), struct("n: i8, p: bytes @default")
    if fits:
        TOPIC.resolved(
            "the cells of a default, and of a value", writer, reader, {"n": 1, "p": b"ab"}, {"n": 1, "p": b"ab"}, cells=cells
        )
        TOPIC.resolved(
            "the cells of a default, and of null", writer, reader, {"n": 1, "p": None}, {"n": 1, "p": b""}, cells=cells
        )
    else:
        TOPIC.unreadable("cells of a default", writer, reader, "80 00 02", "limit_items", 1, cells=cells)
