"""Unions and structs without fields."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic, f64

TOPIC = Topic("unions", "pack.md#8-types")
SHAPE = "union { struct Circle { r: f64 }, struct Empty {}, struct Rect { w: f64, h: f64, label: option<string> } }"
UNSORTED = "union { struct b { n: i8 }, struct B { n: i8 }, struct a { n: i8 } }"
ONE = "union { struct Only { n: i8 } }"

TOPIC.canonical("the first member", SHAPE, {"Circle": {"r": f64(1.5)}})
TOPIC.canonical("a member without fields", SHAPE, {"Empty": {}})
TOPIC.canonical("the last member", SHAPE, {"Rect": {"w": f64(1), "h": f64(2), "label": "box"}})
TOPIC.both(
    "a list of members",
    f"list<{SHAPE}>",
    [{"Empty": {}}, {"Circle": {"r": f64(1)}}, {"Empty": {}}, {"Rect": {"w": f64(0), "h": f64(-0.0), "label": None}}],
)
for name in ("B", "a", "b"):
    TOPIC.canonical(f"members are sorted: {name}", UNSORTED, {name: {"n": 7}})
TOPIC.canonical("a union of one", ONE, {"Only": {"n": 1}})
TOPIC.canonical("a union of one empty", "list<union { struct Nil {} }>", [{"Nil": {}}] * 3)
TOPIC.canonical(
    "a member that is named elsewhere",
    "struct Scene { first: struct Dot { x: i8 }, all: list<union { Dot, struct Line { a: Dot, b: Dot } }> }",
    {"first": {"x": 1}, "all": [{"Dot": {"x": 2}}, {"Line": {"a": {"x": 3}, "b": {"x": 4}}}]},
)
TOPIC.canonical("an optional union", f"option<{ONE}>", {"Only": {"n": 1}})
TOPIC.canonical("no optional union", f"option<{ONE}>", None)
TOPIC.canonical(
    "flags of members are their own",
    "list<union { struct F { a: bool, b: bool }, struct G { c: option<bool> } }>",
    [{"F": {"a": True, "b": False}}, {"G": {"c": False}}, {"G": {"c": None}}],
)

TOPIC.rejected("a member that is not there", SHAPE, "80 03", "malformed", 1)
TOPIC.rejected("a member far out", SHAPE, "80 ffffffff07", "malformed", 1)
TOPIC.rejected("an index of 2^31", SHAPE, "80 8080808008", "bad_number", 1)
TOPIC.rejected("an index over-long", SHAPE, "80 8100", "bad_number", 1)
TOPIC.rejected("a member cut", SHAPE, "80 00 0000", "truncated", 4, "$.r")
TOPIC.rejected("an index missing", SHAPE, "80", "truncated", 1)
TOPIC.rejected("in a list", f"list<{SHAPE}>", "80 02 01 05", "malformed", 3, "$[1]")
TOPIC.rejected("a field of a member", f"list<{SHAPE}>", "80 01 02 01" + "00" * 16 + "80", "malformed", 20, "$[0].label")
TOPIC.rejected("an unused flag of a member", SHAPE, "80 02 02" + "00" * 16, "malformed", 2)
TOPIC.rejected("a byte after a member without fields", SHAPE, "80 01 00", "trailing", 2)
TOPIC.rejected("a count of empty members that lies", "list<union { struct Nil {} }>", "80 80808002 000000", "truncated", 8)
