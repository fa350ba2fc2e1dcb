"""Native names are valid, idiomatic, deterministic and unique."""

from __future__ import annotations

import keyword
import re

import pytest
from samewire.pack.schema import Schema
from samewire.schema.emit import java, python, rust
from samewire.schema.emit.casing import camel, pascal, snake, upper, words
from samewire.schema.emit.naming import Idiom
from samewire.schema.emit.type_names import TypeNames, union_label

WORDS = [
    ("release_date", ["release", "date"]),
    ("US DVD Sales", ["US", "DVD", "Sales"]),
    ("MPAARating", ["MPAA", "Rating"]),
    ("parseHTTPResponse2x", ["parse", "HTTP", "Response2x"]),
    ("PG-13", ["PG", "13"]),
    ("mp3", ["mp3"]),
    ("naïve Größe", ["naive", "Gro", "udf", "e"]),
    ("日本", ["u65e5", "u672c"]),
    ("!", ["u21"]),
    ("🙂", ["u1f642"]),
]


@pytest.mark.parametrize(("name", "expected"), WORDS)
def test_words(name: str, expected: list[str]) -> None:
    assert words(name) == expected


def test_cases() -> None:
    assert [convert("1st PG-13 hit") for convert in (snake, upper, camel, pascal)] == [
        *("n1st_pg_13_hit", "N1ST_PG_13_HIT", "n1stPg13Hit", "N1stPg13Hit")
    ]
    assert len(snake("x" * 255)) == 60


ALL = [java.idioms("Outer"), python.IDIOMS, rust.IDIOMS]
NASTY = [
    *("class", "Class", "self", "Self", "list", "List", "type", "a b", "a_b", "aB", "A_B", "a-b", "a.b", "_", "__x__", "x_"),
    *("1", "12", "€", "é", "e", "E", "日本", "\x00", '"', "\\", "toString", "hashCode", "String", "Object", "int", "Vec"),
    *("fn", "match", "None", "True", "null", "Option", "TypeRef", "Root", "pack", "mro", "name", "Outer", "日" * 255, "x" * 255),
    *("x" * 254 + "y", "dt", "Annotated", "r#type", "$", "$$", "a$b", " ", "\t", "union", "struct", "😀"),
]


@pytest.mark.parametrize("idioms", ALL)
@pytest.mark.parametrize("kind", ["types", "fields", "symbols"])
def test_nasty_names_become_legal_and_stay_apart(idioms: object, kind: str) -> None:
    idiom: Idiom = getattr(idioms, kind)
    native = idiom.allot(NASTY)
    assert list(native) == NASTY
    assert len(set(native.values())) == len(NASTY)
    for name in native.values():
        assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,69}", name)
        assert name not in idiom.reserved
    assert idiom.allot(NASTY) == native
    # An idiomatic name stays unchanged in every order.
    kept = {name for name in NASTY if native[name] == name}
    assert kept <= {name for name, given in idiom.allot(NASTY[::-1]).items() if given == name}


def test_no_python_keyword_is_a_field() -> None:
    native = python.IDIOMS.fields.allot(keyword.kwlist)
    assert not set(native.values()) & set(keyword.kwlist)


def test_union_labels() -> None:
    assert union_label(("Circle",)) == "Just Circle"
    assert union_label(("Circle", "Square")) == "Circle Or Square"
    assert len(pascal(union_label(tuple(f"Member{i}" for i in range(300))))) <= 60


def test_unions_and_tuples_give_way_to_types() -> None:
    schema = Schema.parse(
        "tuple<union { struct A {}, struct B {} }, struct AOrB { x: i8 }, struct Tuple1 { x: tuple<i8> }, union { A, B }>"
    )
    names = TypeNames(schema, java.idioms("Outer"))
    assert list(names.types.values()) == ["A", "B", "AOrB", "Tuple1"]
    assert list(names.union_names.values()) == ["AOrB2"]
    assert list(names.tuple_names.values()) == ["Tuple12", "Tuple2"]
    assert names.memberships("A") == ["AOrB2"]
    assert names.memberships("AOrB") == []
