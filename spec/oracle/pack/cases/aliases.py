"""Aliases: what a reader calls by another name than the writer."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("aliases", "pack.md#13-resolution")

# The annotation is not part of the canonical text.
for name, text, canonical, annotated in [
    ("an alias of a field", "struct R { a: i32 @alias(b) }", "struct R { a: i32 }", "struct R { a: i32 @alias(b) }"),
    ("several, in their order", "struct R{a:i32@alias ( z,b )}", "struct R { a: i32 }", "struct R { a: i32 @alias(z, b) }"),
    (
        "an alias of an option",
        "struct R { a: option<i32> @alias(b) }",
        "struct R { a: option<i32> }",
        "struct R { a: option<i32> @alias(b) }",
    ),
    (
        "the default comes first",
        "struct R { a: i32 @alias(b) @default, c: i8 @default @alias(d) }",
        "struct R { a: i32, c: i8 }",
        "struct R { a: i32 @default @alias(b), c: i8 @default @alias(d) }",
    ),
    (
        "aliases of types",
        "struct R @alias(Q) { e: enum E @alias(D, C) { x }, s: struct S @alias(T) { e: E }, t: S }",
        "struct R { e: enum E { x }, s: struct S { e: E }, t: S }",
        "struct R @alias(Q) { e: enum E @alias(D, C) { x }, s: struct S @alias(T) { e: E }, t: S }",
    ),
    (
        "an alias of a struct without fields",
        "union { struct A @alias(B) {} }",
        "union { struct A {} }",
        "union { struct A @alias(B) {} }",
    ),
    (
        "aliases that are quoted",
        'struct R { a: i8 @alias("b", "a b", "i8", "\\"") }',
        "struct R { a: i8 }",
        'struct R { a: i8 @alias(b, "a b", "i8", "\\"") }',
    ),
    (
        "an alias of one struct is a field of another",
        "struct R { a: i8 @alias(b), s: struct S @alias(a) { b: i8 @alias(a) } }",
        "struct R { a: i8, s: struct S { b: i8 } }",
        "struct R { a: i8 @alias(b), s: struct S @alias(a) { b: i8 @alias(a) } }",
    ),
]:
    TOPIC.annotated(name, text, canonical, annotated)
bad = TOPIC.bad_schema
bad("no alias", "struct R { a: i32 @alias }", "malformed", 25)
bad("no alias in brackets", "struct R { a: i32 @alias() }", "malformed", 25)
bad("a bracket that stays open", "struct R { a: i32 @alias(b }", "malformed", 27)
bad("a comma before the bracket", "struct R { a: i32 @alias(b,) }", "malformed", 27)
bad("an alias that is a sign", "struct R { a: i32 @alias(:) }", "malformed", 25)
bad("an annotation twice", "struct R { a: i32 @alias(b) @alias(c) }", "malformed", 28)
bad("an alias twice", "struct R { a: i32 @alias(b, b) }", "malformed", 28)
bad("an alias that is the field's name", "struct R { a: i32 @alias(a) }", "malformed", 25)
bad("an alias of two fields", "struct R { a: i32 @alias(c), b: i32 @alias(c) }", "malformed", 43)
bad("an alias that is a field before", "struct R { a: i32, b: i32 @alias(a) }", "malformed", 33)
bad("an alias that is a field behind", "struct R { a: i32 @alias(b), b: i32 }", "malformed", 29)
bad("an alias that is the type's name", "struct R @alias(R) { a: i8 }", "malformed", 16)
bad("an alias that is a type before", "struct R { e: enum E @alias(R) { x } }", "malformed", 28)
bad("an alias that is a type behind", "struct R @alias(E) { e: enum E { x } }", "malformed", 29)
bad("an alias of two types", "struct R @alias(Q) { e: enum E @alias(Q) { x } }", "malformed", 38)
bad("an alias in place of a type", "struct R @alias(Q) { q: option<Q> }", "malformed", 31)
bad("an alias of a use", "struct R { e: enum E { x }, f: list<E @alias(D)> }", "malformed", 38)
bad("an alias of a symbol", "enum E { a @alias(b) }", "malformed", 11)
bad("a default of a type", "struct R @default { a: i8 }", "malformed", 9)
bad("brackets alone", "struct R { a: (i8) }", "malformed", 14)
bad("a text that ends in an alias", "struct R { a: i32 @alias(b", "malformed", 26)

# Fields.
TOPIC.resolved(
    "a field", "struct R { old: i8, x: i8 }", "struct R { x: i8, new: i8 @alias(old) }", {"old": 1, "x": 2}, {"x": 2, "new": 1}
)
TOPIC.resolved(
    "a field of the own name comes first",
    "struct R { old: string, new: i8 }",
    "struct R { new: i8 @alias(old) }",
    {"old": "a text", "new": 1},
    {"new": 1},
)
for name, fields, value in [("the first", "b: i8, c: i8", {"b": 1, "c": 2}), ("the second", "c: i8, d: i8", {"c": 1, "d": 2})]:
    TOPIC.resolved(f"{name} of several aliases", f"struct R {{ {fields} }}", "struct R { a: i8 @alias(b, c) }", value, {"a": 1})
TOPIC.resolved(
    "and widened", "struct R { old: i8 }", "struct R { new: f64 @alias(old) }", {"old": 3}, {"new": "4008000000000000"}
)
TOPIC.resolved(
    "neither name, but a default",
    "struct R { x: i8 }",
    "struct R { x: i8, new: i8 @default @alias(old) }",
    {"x": 1},
    {"x": 1, "new": 0},
)
TOPIC.resolved(
    "null of an alias", "struct R { old: option<i8> }", "struct R { new: i8 @default @alias(old) }", {"old": None}, {"new": 0}
)
TOPIC.resolved(
    "neither name, but an option",
    "struct R { x: i8 }",
    "struct R { x: i8, new: option<i8> @alias(old) }",
    {"x": 1},
    {"x": 1, "new": None},
)
TOPIC.resolved("fields that change their names", "struct R { a: i8, b: string }", "struct R { c: string @alias(b), d: i8 @alias(a) }",
    {"a": 1, "b": "two"}, {"c": "two", "d": 1})  # fmt: skip
TOPIC.resolved(
    "a field in a list",
    "list<struct R { old: string }>",
    "list<struct R { new: string @alias(old) }>",
    [{"old": "one"}, {"old": "one"}],
    [{"new": "one"}, {"new": "one"}],
)
TOPIC.resolved(
    "a field in columns",
    "list<struct R { x: i32, old: string }>",
    "list<struct R { new: string @alias(old), x: i64 }>",
    [{"x": i, "old": f"text {i % 7}"} for i in range(600)],
    [{"new": f"text {i % 7}", "x": i} for i in range(600)],
)
TOPIC.resolved(
    "a name in quotes", 'struct R { "old name": i8 }', 'struct R { new: i8 @alias("old name") }', {"old name": 1}, {"new": 1}
)
TOPIC.unresolved("an alias of the writer's means nothing", "struct R { new: i8 @alias(old) }", "struct R { old: i8 }", "$.old")
TOPIC.unresolved("neither name", "struct R { x: i8 }", "struct R { new: i8 @alias(old) }", "$.new")
TOPIC.unresolved("an alias of another type", "struct R { old: string }", "struct R { new: i8 @alias(old) }", "$.new")
TOPIC.unresolved("the own name of another type", "struct R { new: string, old: i8 }", "struct R { new: i8 @alias(old) }", "$.new")
TOPIC.unreadable(
    "a malformed value",
    "struct R { old: list<bool> }",
    "struct R { new: list<bool> @alias(old) }",
    "80 01 02",
    "malformed",
    2,
    "$.new",
)

# Types.
TOPIC.resolved("a struct", "struct Old { a: i8 }", "struct New @alias(Old) { a: i16 }", {"a": 1}, {"a": 1})
TOPIC.resolved("an enum", "enum Old { a, b }", "enum New @alias(Older, Old) { b }", "b", "b")
TOPIC.unreadable("a symbol of an enum", "enum Old { a, b }", "enum New @alias(Old) { b }", "80 00", "schema_mismatch", 1)
TOPIC.resolved(
    "a struct that stands twice",
    "struct R { a: struct Old { x: i8 }, b: list<Old> }",
    "struct R { a: struct New @alias(Old) { y: i8 @alias(x) }, b: list<New> }",
    {"a": {"x": 1}, "b": [{"x": 2}]},
    {"a": {"y": 1}, "b": [{"y": 2}]},
)
TOPIC.resolved(
    "a recursive struct",
    "struct Old { n: i8, next: option<Old> }",
    "struct New @alias(Old) { next: option<New>, m: i8 @alias(n) }",
    {"n": 1, "next": {"n": 2, "next": None}},
    {"next": {"next": None, "m": 2}, "m": 1},
)
# Members keep the places of the writer's names.
MEMBERS = "union { struct A { x: i8 }, struct B { y: string } }"
RENAMED = "union { struct B { y: string }, struct C @alias(A) { x: i8 } }"
TOPIC.resolved("a member that changes places", MEMBERS, RENAMED, {"A": {"x": 1}}, {"C": {"x": 1}})
TOPIC.resolved("its neighbour", MEMBERS, RENAMED, {"B": {"y": "b"}}, {"B": {"y": "b"}})
TOPIC.resolved(
    "the same, the other way",
    RENAMED,
    "union { struct A @alias(C) { x: i8 }, struct B { y: string } }",
    {"C": {"x": 1}},
    {"A": {"x": 1}},
)
TOPIC.resolved(
    "members that are skipped",
    f"list<struct R {{ u: {MEMBERS}, n: i8 }}>",
    "list<struct R { n: i8, s: option<struct C @alias(A) { x: i8 }> }>",
    [{"u": {"A": {"x": 1}}, "n": 2}, {"u": {"B": {"y": "b"}}, "n": 3}],
    [{"n": 2, "s": None}, {"n": 3, "s": None}],
)
TOPIC.resolved("a shared struct", "list<ref<struct Old { x: string }>>", "list<ref<struct New @alias(Old) { y: string @alias(x) }>>",
    [{"ref": 0, "value": {"x": "one"}}, {"ref": 0}], [{"ref": 0, "value": {"y": "one"}}, {"ref": 0}])  # fmt: skip
TOPIC.resolved(
    "a type of the own name comes first",
    "struct R { a: struct New { x: i8 }, b: struct Old { x: i8 } }",
    "struct R { a: struct New @alias(Old) { x: i8 } }",
    {"a": {"x": 1}, "b": {"x": 2}},
    {"a": {"x": 1}},
)
TOPIC.unresolved(
    "an alias beside the own name",
    "struct R { a: struct New { x: i8 }, b: struct Old { x: i8 } }",
    "struct R { b: struct New @alias(Old) { x: i8 } }",
    "$.b",
)
TOPIC.unresolved("a struct for an enum", "enum Old { a }", "struct New @alias(Old) { a: i8 }", "$")
TOPIC.unresolved("another struct", "struct Other { a: i8 }", "struct New @alias(Old) { a: i8 }", "$")

# The row of a struct that is known by an alias takes what the reader's defaults take: 3 + 1 + 2, and one for the string's token.
for cells, fits in (6, True), (5, False):
    writer, reader = "struct Old { a: i8 }", "struct New @alias(Old) { a: i8, s: string @default }"
    if fits:
        TOPIC.resolved("the cells of a default", writer, reader, {"a": 1}, {"a": 1, "s": ""}, cells=cells)
    else:
        TOPIC.unreadable("cells of a default", writer, reader, "80 01", "limit_items", 1, cells=cells)
