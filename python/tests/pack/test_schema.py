"""Schema text: reading, canonical form, digest, differences (spec/pack.md, sections 2 and 3)."""

from __future__ import annotations

import pytest
from samewire.errors import SamewireError
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
    ('union { struct "！" { a: i8 }, struct "😀" {} }', 'union { struct "😀" {}, struct "！" { a: i8 } }'),
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
    with pytest.raises(SamewireError) as caught:
        Schema.parse(text)
    assert (caught.value.code, caught.value.at) == (code, at)
    assert code in str(caught.value)


def test_too_many_nodes() -> None:
    symbols = ", ".join(f"s{i}" for i in range(65_535))
    assert Schema.parse(f"enum E {{ {symbols} }}").text.count("s") == 65_535
    with pytest.raises(SamewireError) as caught:
        Schema.parse(f"enum E {{ {symbols}, one_more }}")
    assert caught.value.code == "limit_items"


def test_too_long_a_text() -> None:
    assert Schema.parse("i8".ljust(1 << 20)).text == "i8"
    with pytest.raises(SamewireError) as caught:
        Schema.parse("i8".ljust((1 << 20) + 1))
    assert (caught.value.code, caught.value.at) == ("limit_size", 0)


def test_canonical_text_stays_within_the_depth() -> None:
    """Sorting moves Z's inner struct into A, where it is nested deeper."""
    deep = "list<" * 60 + "i8" + ">" * 60
    text = f"union {{ struct Z {{ m: struct M {{ v: {deep} }} }}, struct A {{ m: list<list<M>> }} }}"
    with pytest.raises(SamewireError) as caught:
        Schema.parse(text)
    assert caught.value.code == "limit_depth"


def test_canonical_text_stays_within_the_length() -> None:
    symbols = ",".join(f"s{i:014}" for i in range(65_000))
    text = f"enum E {{{symbols}}}"
    assert len(text) <= 1 << 20
    with pytest.raises(SamewireError) as caught:
        Schema.parse(text)
    assert (caught.value.code, caught.value.at) == ("limit_size", 0)


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


def test_a_difference_as_a_text() -> None:
    mine, theirs = Schema.parse('struct B { "y z": list<i8> }'), Schema.parse('struct B { "y z": list<u8> }')
    assert str(mine.difference(theirs)) == '$["y z"][]: i8 here, u8 there'
    assert mine.difference(Schema.parse(mine.text)) is None
    assert mine != theirs
