"""Recursive types and the limit on depth."""

from __future__ import annotations

from typing import Any

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("depth", "pack.md#8-types")
NODE = "struct Node { name: string, kids: list<Node> }"
CHAIN = "struct Chain { next: option<Chain> }"
COUNTED = "struct Link { n: i8, next: option<Link> }"
EXPR = "struct Neg { of: union { struct Lit { n: i64 }, Neg, struct Sum { a: option<Neg>, b: list<Sum> } } }"


def chain(length: int) -> Any:
    value: Any = None
    for _ in range(length):
        value = {"next": value}
    return value


def tree(depth: int, width: int, name: str = "n") -> Any:
    kids = [tree(depth - 1, width, f"{name}{i}") for i in range(width)] if depth > 1 else []
    return {"name": name, "kids": kids}


TOPIC.both("a tree", NODE, tree(4, 2))
TOPIC.canonical("a tree with equal names", NODE, {"name": "ab", "kids": [{"name": "ab", "kids": []}] * 5})
TOPIC.canonical("one node", NODE, {"name": "", "kids": []})
TOPIC.canonical("a chain of 2", CHAIN, chain(2))
TOPIC.canonical("a chain of 64", CHAIN, chain(64))
TOPIC.canonical("a list of chains of 64", f"list<{CHAIN}>", [chain(64), chain(64)])
TOPIC.canonical("links", COUNTED, {"n": 1, "next": {"n": 2, "next": {"n": 3, "next": None}}})
TOPIC.canonical(
    "mutual recursion",
    "struct A { b: option<struct B { n: i32, a: option<A> }> }",
    {"b": {"n": 1, "a": {"b": {"n": 2, "a": None}}}},
)
TOPIC.canonical(
    "recursion through a map",
    "struct Dir { entries: map<string, Dir> }",
    {"entries": [["usr", {"entries": [["bin", {"entries": []}]]}], ["bin", {"entries": []}]]},
)
TOPIC.canonical(
    "recursion through a union",
    EXPR,
    {"of": {"Sum": {"a": {"of": {"Lit": {"n": 5}}}, "b": [{"a": None, "b": []}, {"a": None, "b": []}]}}},
)
TOPIC.canonical(
    "recursion through a tuple",
    "struct Pt { at: list<tuple<i32, Pt>> }",
    {"at": [[1, {"at": []}], [2, {"at": [[3, {"at": []}]]}]]},
)
TOPIC.canonical(
    "a struct that is not recursive counts nothing",
    "list<struct P1 { q: struct P2 { r: struct P3 { n: i8 } } }>",
    [{"q": {"r": {"n": 1}}}],
)
TOPIC.canonical(
    "recursion begins below the root",
    "struct Top { x: i8, y: struct Rec { up: list<Rec> } }",
    {"x": 1, "y": {"up": [{"up": []}, {"up": [{"up": []}]}]}},
)
TOPIC.canonical("depth is taken off on leaving", f"list<{CHAIN}>", [chain(3), chain(2), chain(3)])

TOPIC.rejected("a chain of 65", CHAIN, "80" + "01" * 64 + "00", "limit_depth", 65, "$" + ".next" * 64)
TOPIC.rejected("a chain of 1,000", CHAIN, "80" + "01" * 999 + "00", "limit_depth", 65, "$" + ".next" * 64)
TOPIC.rejected("a chain of 65 that ends there", CHAIN, "80" + "01" * 64, "limit_depth", 65, "$" + ".next" * 64)
TOPIC.rejected("a chain, depth 1", CHAIN, "80 01 00", "limit_depth", 2, "$.next", depth=1)
TOPIC.rejected("a chain that ends early", CHAIN, "80 0101", "truncated", 3, "$.next.next")
TOPIC.rejected("a tree, depth 2", NODE, "80 00 01 00 01 00 00", "limit_depth", 5, "$.kids[0].kids[0]", depth=2)
TOPIC.rejected(
    "the second of a list of chains", f"list<{CHAIN}>", "80 02 0100 010100", "limit_depth", 6, "$[1].next.next", depth=2
)
TOPIC.rejected("through a union", EXPR, "80 01 01 01 00 02", "limit_depth", 4, "$.of.of.of", depth=3)
TOPIC.rejected("a struct that only holds itself", "struct Endless { me: Endless }", "80", "limit_depth", 1, "$" + ".me" * 64)
TOPIC.rejected(
    "a struct that only holds itself, with bytes", "struct Endless { me: Endless }", "80 00", "limit_depth", 1, "$" + ".me" * 64
)
TOPIC.rejected("lists within an any, 65", "any", "80" + "0801" * 65 + "00", "limit_depth", 129, "$" + "[0]" * 64)
TOPIC.rejected("lists within an any, 10,000", "any", "80" + "0801" * 10_000 + "00", "limit_depth", 129, "$" + "[0]" * 64)
TOPIC.rejected("maps within an any", "any", "80 0901 81 0901 81 00", "limit_depth", 4, "$[0].value", depth=1)
TOPIC.rejected("a list within a map within an any", "any", "80 0901 81 0800", "limit_depth", 4, "$[0].value", depth=1)
TOPIC.rejected(
    "an any within a recursive struct",
    "struct Box { more: option<Box>, it: any }",
    "80 00 0800",
    "limit_depth",
    2,
    "$.it",
    depth=1,
)
TOPIC.rejected("lists beside each other, depth 2", "any", "80 08 03 0800 0800 7e", "malformed", 7, "$[2]", depth=2)
TOPIC.rejected("maps beside each other, depth 2", "any", "80 08 03 0900 0900 7e", "malformed", 7, "$[2]", depth=2)
TOPIC.rejected("chains beside each other, depth 1", f"list<{CHAIN}>", "80 03 00 00 02", "malformed", 4, "$[2]", depth=1)
NESTED: Any = {"list": [{"int": "1"}]}
for _ in range(63):
    NESTED = {"list": [NESTED]}
TOPIC.canonical("64 lists within an any", "any", NESTED)
TOPIC.canonical("numeric lists add no depth", "any", {"list": [{"i32s": [1, 2]}, {"f64s": []}]})
TOPIC.canonical(
    "struct and any share the depth",
    "struct Box { more: option<Box>, it: any }",
    {"more": {"more": None, "it": {"list": [{"list": []}]}}, "it": None},
)
