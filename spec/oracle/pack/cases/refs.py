"""Structs shared by identity."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("refs", "pack.md#8-types")
TEAM = "list<ref<struct Person { name: string, age: u8 }>>"
TWO = "tuple<ref<struct Cat { n: i8 }>, ref<struct Dog { n: i8 }>, ref<Cat>, ref<Dog>>"
TREE = "ref<struct Node { n: i8, left: option<ref<Node>>, right: option<ref<Node>> }>"


def first(number: int, value: Any) -> Any:
    return {"ref": number, "value": value}


def again(number: int) -> Any:
    return {"ref": number}


ANN = {"name": "Ann", "age": 30}
BOB = {"name": "Bob", "age": 40}
TOPIC.canonical("one shared struct", TEAM, [first(0, ANN)])
TOPIC.both("one struct three times", TEAM, [first(0, ANN), again(0), again(0)])
TOPIC.canonical("two structs in turn", TEAM, [first(0, ANN), first(1, BOB), again(0), again(1)])
TOPIC.canonical("equal structs that are not shared", TEAM, [first(0, ANN), first(1, ANN), again(1)])
TOPIC.canonical("two types share the numbers", TWO, [first(0, {"n": 1}), first(1, {"n": 2}), again(0), again(1)])
TOPIC.canonical(
    "numbered when it ends",
    TREE,
    first(
        2,
        {
            "n": 3,
            "left": first(0, {"n": 1, "left": None, "right": None}),
            "right": first(1, {"n": 2, "left": again(0), "right": again(0)}),
        },
    ),
)
TOPIC.canonical("a diamond", TREE, first(1, {"n": 2, "left": first(0, {"n": 1, "left": None, "right": None}), "right": again(0)}))
TOPIC.canonical(
    "150 references, some of two bytes",
    TEAM,
    [*[first(i, {"name": "ab", "age": i}) for i in range(150)], again(0), again(126), again(127), again(149)],
)
TOPIC.canonical(
    "plain and shared places of a struct",
    "struct Both { plain: struct In { n: i32 }, a: ref<In>, b: ref<In> }",
    {"plain": {"n": 1}, "a": first(0, {"n": 1}), "b": again(0)},
)
TOPIC.canonical("an optional reference", "list<option<ref<struct In { n: i32 }>>>", [None, first(0, {"n": 5}), None, again(0)])
TOPIC.canonical(
    "references as values of a map", "map<string, ref<struct In { n: i32 }>>", [["a", first(0, {"n": 5})], ["b", again(0)]]
)
TOPIC.canonical(
    "texts within a shared struct are written once", TEAM, [first(0, ANN), again(0), first(1, {"name": "Ann", "age": 1})]
)

DEEP: Any = None
for number in range(64):
    DEEP = first(number, {"n": 1, "left": DEEP, "right": None})
TOPIC.canonical("64 references within each other", TREE, DEEP)
DOUBLE: Any = first(0, {"n": 0, "left": None, "right": None})
for number in range(1, 40):
    DOUBLE = first(number, {"n": 1, "left": DOUBLE, "right": again(number - 1)})
TOPIC.canonical("2^40 paths through 40 structs", TREE, DOUBLE)

TOPIC.rejected("a number not given", TEAM, "80 01 01", "malformed", 2, "$[0]")
TOPIC.rejected("the number after the last", TEAM, "81 03 416e6e 02 00 03 1e 02", "malformed", 9, "$[1]")
TOPIC.rejected("a number far out", TEAM, "80 01 ffffffff0f", "malformed", 2, "$[0]")
TOPIC.rejected("a number of 33 bits", TEAM, "80 01 8080808010", "bad_number", 2, "$[0]")
TOPIC.rejected("a number over-long", TEAM, "80 01 8000", "bad_number", 2, "$[0]")
TOPIC.rejected("a number of another type", TWO, "80 00 05 00 06 02", "malformed", 5, "$[2]")
TOPIC.rejected("a number of the other type", TWO, "80 00 05 00 06 01 01", "malformed", 6, "$[3]")
TOPIC.rejected("a struct that refers to itself", TREE, "80 00 01 02 01", "malformed", 4, "$.left")
TOPIC.rejected("a struct that refers to its parent", TREE, "80 00 01 02 00 01 02 01", "malformed", 7, "$.left.left")
TOPIC.rejected("a reference missing", TEAM, "80 01", "truncated", 2)
TOPIC.rejected("a shared struct cut", TEAM, "81 03 416e6e 01 00 03", "truncated", 8, "$[0].age")
TOPIC.rejected("65 references within each other", TREE, "80" + "000101" * 64 + "000000", "limit_depth", 194, "$" + ".left" * 64)
