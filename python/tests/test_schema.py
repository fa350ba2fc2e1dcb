"""Schema text: reading, canonical form, digest, differences (spec/pack.md, sections 2 and 3)."""

from __future__ import annotations

import pytest
from samewire.pack.errors import PackError
from samewire.pack.schema import Enum, Field, List, Named, Scalar, Schema, Struct, Union

CANONICAL = [
    ("i32", "i32"),
    (" list < option<\tu8\r\n> > ", "list<option<u8>>"),
    ("struct A{a:i8,b:map<string,A>}", "struct A { a: i8, b: map<string, A> }"),
    ("enum E{b,a,B}", "enum E { B, a, b }"),
    ('struct "list"{"a b":i8,"c":u8}', 'struct "list" { "a b": i8, c: u8 }'),
    ('struct "\\u001f\\"\\\\"{x:i8}', 'struct "\\u001f\\"\\\\" { x: i8 }'),
    ("tuple<A, struct A { x: i8 }>", "tuple<struct A { x: i8 }, A>"),
    (
        "union { struct Z { m: struct M { v: i8 } }, struct A { m: M }, struct E {} }",
        "union { struct A { m: struct M { v: i8 } }, struct E {}, struct Z { m: M } }",
    ),
    # UTF-16 puts U+1F600 (a surrogate pair) before U+FF01.
    ('enum E { "！", "😀" }', 'enum E { "😀", "！" }'),
    ("list<ref<struct S { o: option<ref<S>> }>>", "list<ref<struct S { o: option<ref<S>> }>>"),
]


@pytest.mark.parametrize(("text", "canonical"), CANONICAL)
def test_canonical(text: str, canonical: str) -> None:
    schema = Schema.parse(text)
    assert schema.text == canonical
    assert Schema.parse(schema.text) == schema
    assert Schema.parse(canonical.encode()).digest == schema.digest
    assert Schema.of(schema.root).text == canonical


REFUSED = [
    ("", "malformed", 0),
    ("list<", "malformed", 5),
    ("list<i8", "malformed", 7),
    ("i8 i8", "malformed", 3),
    ("tuple<i8;i8>", "malformed", 8),
    ("option<any>", "malformed", 7),
    ("option<option<i8>>", "malformed", 7),
    ("set<f64>", "malformed", 4),
    ("map<struct A { x: i8 }, i8>", "malformed", 4),
    ("list<X>", "malformed", 5),
    ("tuple<set<f64>, X>", "malformed", 10),
    ("tuple<set<f64>, X", "malformed", 17),
    ("struct A { a: i8, a: i8 }", "malformed", 18),
    ("enum A { a, a }", "malformed", 12),
    ("union { struct A {}, A }", "malformed", 21),
    ("union { i8, struct A {} }", "malformed", 8),
    ("tuple<struct A { x: i8 }, struct A { x: i8 }>", "malformed", 33),
    ("struct A {}", "malformed", 0),
    ("list<union { struct E {}, struct A { e: E } }>", "malformed", 40),
    ("ref<enum E { a }>", "malformed", 4),
    ("struct list { a: i8 }", "malformed", 7),
    ('struct "" { a: i8 }', "malformed", 7),
    ('"é\\x"', "malformed", 0),
    ('list<"é', "malformed", 8),
    ('struct "\\u0041" { a: i8 }', "malformed", 7),
    (f"struct {'a' * 256} {{ a: i8 }}", "malformed", 7),
    ("list<" * 64 + "list<", "limit_depth", 64 * 5 + 4),
    (f"tuple<{', '.join(['i8'] * 256)}>", "malformed", 6 + 255 * 4),
    ("i8" + " " * (1 << 20), "limit_size", 0),
    (b"enum \xff { a }", "bad_utf8", 5),
]


@pytest.mark.parametrize(("text", "code", "at"), REFUSED)
def test_refused(text: str | bytes, code: str, at: int) -> None:
    with pytest.raises(PackError) as caught:
        Schema.parse(text)
    assert (caught.value.code, caught.value.at) == (code, at)
    assert code in str(caught.value)


def test_too_many_nodes() -> None:
    symbols = ", ".join(f"s{i}" for i in range(65_536))
    with pytest.raises(PackError) as caught:
        Schema.parse(f"enum E {{ {symbols} }}")
    assert caught.value.code == "limit_items"


def test_canonical_text_stays_within_the_depth() -> None:
    """Sorting moves Z's inner struct into A, deeper than it stood."""
    deep = "list<" * 60 + "i8" + ">" * 60
    text = f"union {{ struct Z {{ m: struct M {{ v: {deep} }} }}, struct A {{ m: list<list<M>> }} }}"
    with pytest.raises(PackError) as caught:
        Schema.parse(text)
    assert caught.value.code == "limit_depth"


def test_tree_and_definitions() -> None:
    schema = Schema.parse("list<struct N { k: enum K { a }, n: list<N>, u: union { struct E {} } }>")
    assert isinstance(schema.root, List)
    node = schema.root.item
    assert node == Struct(
        "N",
        (
            Field("k", Enum("K", ("a",))),
            Field("n", List(Named("N"))),
            Field("u", Union((Struct("E", ()),))),
        ),
    )
    assert list(schema.definitions) == ["N", "K", "E"]
    assert schema.definition(Named("N")) is schema.definitions["N"]
    assert schema.definition(Scalar("i8")) == Scalar("i8")


def test_digest_is_fnv1a() -> None:
    # FNV-1a of "bool" and of "string", checked with an independent implementation.
    def fnv(data: bytes) -> int:
        value = 14695981039346656037
        for byte in data:
            value = ((value ^ byte) * 1099511628211) % (1 << 64)
        return value

    for text in ("bool", "string", 'struct "é" { a: i8 }'):
        assert Schema.parse(text).digest == fnv(text.encode()).to_bytes(8, "big")


DIFFERENCES = [
    ("i32", "i64", "$: i32 here, i64 there"),
    ("list<struct B { y: i32 }>", "list<struct B { y: i64 }>", "$[].y: i32 here, i64 there"),
    ("struct B { y: i32 }", "struct C { y: i32 }", "$: struct B here, struct C there"),
    ("struct B { y: i32 }", "struct B { y: i32, z: i8 }", "$: nothing here, field z there"),
    ("struct B { y: i32 }", 'struct B { "y z": i32 }', '$: field y here, field "y z" there'),
    ('struct B { "y z": list<i8> }', 'struct B { "y z": list<u8> }', '$["y z"][]: i8 here, u8 there'),
    ("map<i8, i8>", "map<i8, u8>", "$[].value: i8 here, u8 there"),
    ("map<i8, i8>", "map<u8, i8>", "$[].key: i8 here, u8 there"),
    ("tuple<i8, i8>", "tuple<i8, u8>", "$[1]: i8 here, u8 there"),
    ("tuple<i8>", "tuple<i8, u8>", "$: tuple of 1 here, tuple of 2 there"),
    ("enum E { a, c }", "enum E { a, b, c }", "$: symbol c here, symbol b there"),
    ("option<i8>", "i8", "$: option here, i8 there"),
    (
        "union { struct A {}, struct B { x: i8 } }",
        "union { struct A {}, struct B { x: u8 } }",
        "$.x: i8 here, u8 there",
    ),
    (
        "union { struct A {}, struct B {} }",
        "union { struct A {}, struct C {} }",
        "$: member B here, member C there",
    ),
    ("struct N { n: list<N>, a: i8 }", "struct N { n: list<N>, a: u8 }", "$.a: i8 here, u8 there"),
    ("ref<struct S { a: i8 }>", "ref<struct S { a: u8 }>", "$.a: i8 here, u8 there"),
]


@pytest.mark.parametrize(("here", "there", "expected"), DIFFERENCES)
def test_first_difference(here: str, there: str, expected: str) -> None:
    mine, theirs = Schema.parse(here), Schema.parse(there)
    assert str(mine.difference(theirs)) == expected
    assert mine.difference(Schema.parse(mine.text)) is None
    assert mine != theirs
