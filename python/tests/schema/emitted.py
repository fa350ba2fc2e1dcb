"""Schemas that try every type and every difficult name of the emitters."""

from __future__ import annotations

from samewire.pack.schema import Schema

SCALARS = (
    *("bool", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64", "bigint", "f32", "f64", "decimal"),
    *("string", "bytes", "uuid", "date", "time", "timestamp", "duration", "any"),
)

TEXTS = [
    *SCALARS,
    *(f"list<{kind}>" for kind in SCALARS),
    *(f"option<{kind}>" for kind in SCALARS if kind != "any"),
    "struct All { " + ", ".join(f'"{kind}": {kind}' for kind in SCALARS) + " }",
    "struct Some { " + ", ".join(f'"{kind}": option<{kind}>' for kind in SCALARS if kind != "any") + " }",
    "struct Arrays { " + ", ".join(f'"{kind}": option<list<{kind}>>' for kind in SCALARS) + " }",
    "tuple<" + ", ".join(SCALARS) + ">",
    "tuple<option<bool>>",
    "set<enum Color { red, green }>",
    "map<bigint, map<enum Color { red, green }, set<date>>>",
    "map<string, option<list<tuple<i8, option<u16>>>>>",
    "union { struct Only {} }",
    "option<union { struct A {}, struct B { x: i8 } }>",
    "list<union { struct A { type: i8 }, struct B { next: union { A, B } } }>",
    "struct Node { name: string, kids: list<Node>, next: option<Node> }",
    "struct Never { again: Never }",
    "struct A { b: option<struct B { a: tuple<i8, option<A>> }> }",
    "struct Shape { inner: union { struct Circle { of: option<Shape> }, struct Point {} }, more: map<string, Shape> }",
    "struct Owner { pet: ref<struct Pet { owner: option<ref<Owner>>, name: string }>, pets: list<ref<Pet>> }",
    'struct class { class: i8, "Class": i16, "a b": i32, a_b: i64, aB: u8, "\\u0000": any }',
    'enum "Self" { class, "a b", a_b, "A-B", "1", "€", "日本", "\\"", "\\\\", "\\u000a", self, None, name, mro, "😀" }',
    'struct String { Object: struct "List" { "Optional": struct Vec { "TypeRef": struct Root { x: i8 } } }, Map: i8 }',
    'struct Proto { "__proto__": i8, constructor: string, toString: bool, hashCode: i32, "1": u8, wait: f64 }',
    "struct Event @alias(Happening) { genre: enum Genre @alias(Sort) { crime, other @fallback } @alias(kind), what: union { "
    "struct Moved { to: string }, struct Unknown { name: string } @fallback }, only: union { struct Lost {} @fallback }, "
    "pages: i32 @default }",
    "struct Wide { " + ", ".join(f"field_{i}: i64" for i in range(300)) + " }",
]

SCHEMAS = {f"s{index}": Schema.parse(text) for index, text in enumerate(TEXTS)}
