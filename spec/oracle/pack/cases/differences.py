"""The first difference of two schemas."""

from __future__ import annotations

from spec.oracle.pack.cases.table import Topic

TOPIC = Topic("differences", "pack.md#the-first-difference")

differ = TOPIC.differ
NODE = "struct Node { name: string, kids: list<Node> }"

differ("the same scalar", "i32", "i32")
differ("the same struct", "struct B { id: string, year: i32 }", "struct B { id: string, year: i32 }")
differ("the same recursive struct", NODE, NODE)
differ("the same in another form", "union { struct B { b: i8 }, struct A { b: B } }", "union{struct A{b:struct B{b:i8}},B}")
differ("symbols in another order", "enum E { b, a }", "enum E { a, b }")

differ("an integer widened", "i32", "i64", "$", "i32", "i64")
differ("a float widened", "list<f32>", "list<f64>", "$[]", "f32", "f64")
differ("another scalar", "struct B { y: string }", "struct B { y: bytes }", "$.y", "string", "bytes")
differ("bytes and a list of u8", "bytes", "list<u8>", "$", "bytes", "list")
differ("a list and a set", "struct B { y: list<i8> }", "struct B { y: set<i8> }", "$.y", "list", "set")
differ("an option made", "struct B { y: i32 }", "struct B { y: option<i32> }", "$.y", "i32", "option")
differ("an option taken away", "option<i8>", "i8", "$", "option", "i8")
differ("within an option", "option<i8>", "option<u8>", "$", "i8", "u8")
differ("a struct and a reference to it", "struct S { a: i8 }", "ref<struct S { a: i8 }>", "$", "struct S", "ref")
differ("within a reference", "ref<struct S { a: i8 }>", "ref<struct S { a: u8 }>", "$.a", "i8", "u8")
differ("keys of a map", "map<i8, i8>", "map<u8, u8>", "$[].key", "i8", "u8")
differ("values of a map", "map<i8, i8>", "map<i8, u8>", "$[].value", "i8", "u8")
differ("elements of a set", "list<set<i8>>", "list<set<u8>>", "$[][]", "i8", "u8")
differ("elements of a tuple", "tuple<i8, i16, i8>", "tuple<i8, u8, u8>", "$[1]", "i16", "u8")
differ("a longer tuple", "tuple<i8, i8>", "tuple<u8, i8, i8>", "$", "tuple of 2", "tuple of 3")

differ("a struct renamed", "list<struct A { x: i8 }>", "list<struct B { y: u8 }>", "$[]", "struct A", "struct B")
differ("a struct and an enum of one name", "struct A { a: i8 }", "enum A { a }", "$", "struct A", "enum A")
differ("an enum renamed", "enum A { a }", "enum B { b }", "$", "enum A", "enum B")
differ(
    "names as schema text spells them",
    'struct "list" { x: i8 }',
    'struct "two words" { x: i8 }',
    "$",
    'struct "list"',
    'struct "two words"',
)

differ("a field more there, at the end", "struct B { y: i32 }", "struct B { y: i32, z: i8 }", "$.z", "nothing", "i8")
differ("a field more here, at the end", "struct B { y: i32, z: list<i8> }", "struct B { y: i32 }", "$.z", "list", "nothing")
differ("a field more there, first", "struct B { y: i32 }", "struct B { a: i8, y: i32 }", "$.a", "nothing", "i8")
differ("a field more here, between", "struct B { a: i8, b: i8, c: i8 }", "struct B { a: i8, c: i8 }", "$.b", "i8", "nothing")
differ(
    "an optional field more is a difference too",
    "struct B { y: i8 }",
    "struct B { y: i8, z: option<i8> }",
    "$.z",
    "nothing",
    "option",
)
differ("a field renamed", "struct B { y: i32, z: i8 }", "struct B { year: i32, z: i8 }", "$.y", "i32", "nothing")
differ("two fields exchanged", "struct B { a: i8, b: i8 }", "struct B { b: i8, a: i8 }", "$.a", "place 0", "place 1")
differ(
    "fields in another order",
    "struct B { a: i8, b: i8, c: i8, d: i8 }",
    "struct B { a: i8, c: i8, d: i8, b: u8 }",
    "$.b",
    "place 1",
    "place 3",
)
differ(
    "what is missing before what is moved",
    "struct B { a: i8, b: i8 }",
    "struct B { c: i8, a: i8, b: i8 }",
    "$.c",
    "nothing",
    "i8",
)
differ(
    "what is moved before what is missing",
    "struct B { a: i8, b: i8 }",
    "struct B { b: i8, a: i8, c: i8 }",
    "$.a",
    "place 0",
    "place 1",
)
differ("a type before the next name", "struct B { a: i8, b: i8 }", "struct B { a: u8, c: i8 }", "$.a", "i8", "u8")
differ("a field's name in quotes", 'struct B { "y z": list<i8> }', 'struct B { "y z": list<u8> }', '$["y z"][]', "i8", "u8")
differ("a field that is a keyword", 'struct B { "list": i8 }', 'struct B { "list": u8 }', "$.list", "i8", "u8")

differ("a symbol more here", "list<enum E { a, b }>", "list<enum E { a }>", "$[]", "symbol b", "nothing")
differ("a symbol renamed, before", "enum E { b }", "enum E { a }", "$", "nothing", "symbol a")
differ("a symbol renamed, after", "enum E { a }", "enum E { b }", "$", "symbol a", "nothing")
differ("symbols by UTF-16 units", 'enum E { "\uffff" }', 'enum E { "\U0001f600" }', "$", "nothing", 'symbol "\U0001f600"')
differ(
    "a member more there",
    "union { struct A {}, struct C {} }",
    "union { struct A {}, struct B {}, struct C {} }",
    "$",
    "nothing",
    "member B",
)
differ("a member more here", "union { struct A {}, struct B {} }", "union { struct A {} }", "$", "member B", "nothing")
differ(
    "within a member, before one that is missing",
    "union { struct A { x: i8 }, struct B {} }",
    "union { struct A { x: u8 } }",
    "$.x",
    "i8",
    "u8",
)
differ(
    "a member that is missing, before one that differs",
    "union { struct A {}, struct B { x: i8 } }",
    "union { struct B { x: u8 } }",
    "$",
    "member A",
    "nothing",
)
differ("a union and its struct", "union { struct A { x: i8 } }", "struct A { x: i8 }", "$", "union", "struct A")

differ("beyond a recursion", "struct N { n: list<N>, a: i8 }", "struct N { n: list<N>, a: u8 }", "$.a", "i8", "u8")
differ("where a recursion begins", "struct N { n: list<N> }", "struct N { n: set<i8> }", "$.n", "list", "set")
differ(
    "a recursion that ends",
    "struct N { n: list<N> }",
    "struct N { n: list<struct M { n: i8 }> }",
    "$.n[]",
    "struct N",
    "struct M",
)
differ(
    "two structs within each other",
    "struct A { b: list<struct B { a: list<A>, x: i8 }> }",
    "struct A { b: list<struct B { a: list<A>, x: i16 }> }",
    "$.b[].x",
    "i8",
    "i16",
)
differ(
    "a struct is compared where it first stands",
    "tuple<struct P { x: i8 }, list<P>>",
    "tuple<struct P { x: u8 }, list<P>>",
    "$[0].x",
    "i8",
    "u8",
)
differ(
    "a struct that first stands elsewhere there",
    "tuple<i8, struct P { x: i8 }, P>",
    "tuple<struct P { x: i8 }, P, P>",
    "$[0]",
    "i8",
    "struct P",
)
