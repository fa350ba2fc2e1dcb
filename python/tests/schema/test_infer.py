"""Inference: the schema of each kind of data."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest
from samewire.errors import SamewireError
from samewire.schema.infer import Options, SourceError, infer, name_from, parse, read

UUIDS = ["01234567-89ab-cdef-0123-456789abcdef", "00000000-0000-0000-0000-000000000000"]
INFERRED: list[tuple[Any, str]] = [
    (True, "bool"),
    (1, "i32"),
    ((1 << 30) - 1, "i32"),
    (1 << 30, "i64"),
    (1 << 63, "u64"),
    (-(1 << 63) - 1, "bigint"),
    (1 << 64, "bigint"),
    (1.5, "f64"),
    ("x", "string"),
    (None, "any"),
    ([], "list<any>"),
    ({}, "map<string, any>"),
    ([1, 2.5], "list<f64>"),
    ([(1 << 53) + 1, 2.5], "list<any>"),
    ([1, "x"], "list<any>"),
    ([1, True], "list<any>"),
    ([1, None], "list<option<i32>>"),
    ([[1], [], None], "list<option<list<i32>>>"),
    ([[], [None]], "list<list<any>>"),
    ({"a": 1, "b c": None}, 'struct Record { a: i32, "b c": any }'),
    ([{"a": 1}, {"b": "x"}, {"a": None}], "list<struct Record { a: option<i32>, b: option<string> }>"),
    ([{"a": {"b": 1}}, {"a": {"c": 2}}], "list<struct Record { a: struct A { b: option<i32>, c: option<i32> } }>"),
    ({"items": [{"x": 1}]}, "struct Record { items: list<struct Item { x: i32 }> }"),
    ({"": 1, "x": 2}, "map<string, i32>"),
    ({"x" * 256: 1}, "map<string, i32>"),
    ({str(i): i for i in range(33)}, "map<string, i32>"),
    ({"z": 1, "10": 2, "9": 3, "01": 4}, 'struct Record { "9": i32, "10": i32, z: i32, "01": i32 }'),
    ("2024-02-29", "date"),
    ("2023-02-29", "string"),
    ("2024/02/29", "date"),
    ("2024-02/29", "string"),
    ("Jun 12 1998", "date"),
    ("Jan 99 1998", "string"),
    ("Jan 0 1998", "string"),
    (["Jan 12 1998", "Jan 5 1998", "Jan 13 1998"], "list<date>"),
    (["Jan 5 1998", "Jan 12 1998", "Jan 05 1998"], "list<string>"),
    (["Jan 12 1998", "1998-01-12"], "list<string>"),
    ({"a": {f"k{i}": f"Jan {i % 28 + 1} 1998" for i in range(40)}}, "struct Record { a: map<string, date> }"),
    ({"a": {f"k{i}": f"Jan {i % 28 + 1:02} 1998" for i in range(40)}}, "struct Record { a: map<string, date> }"),
    ("2024-02-29T12:00:00Z", "timestamp"),
    ("2024-02-29 12:00", "timestamp"),
    ("2024-02-29T12:00:00.123456", "timestamp"),
    ("2024-02-29T12:00:00.123456789Z", "timestamp"),
    ("2024-02-29T12:00:00.1234567890Z", "string"),
    (["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.250Z", "2024-02-29T12:00:00.000250Z"], "list<timestamp>"),
    (["2024-02-29T12:00:00", "2024-02-29T12:00:00.250000"], "list<timestamp>"),
    (["2024-02-29T12:00:00.250000", "2024-02-29T12:00:00.250"], "list<timestamp>"),
    (["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.25Z"], "list<timestamp>"),
    (["2024-02-29T12:00:00.250000Z", "2024-02-29T12:00:00.250"], "list<string>"),
    (["2024-02-29T12:00:00Z", "2024-02-29 12:00:00Z"], "list<string>"),
    (["2024-02-29T12:00:00Z", "soon"], "list<string>"),
    (["2024-02-29T12:00:60Z"], "list<string>"),
    (["12.50", "0.99", "-100.00"], "list<decimal>"),
    (["12.50", "12.5"], "list<string>"),
    ([f"{number / 8:g}" for number in range(16)], "list<decimal>"),
    ([f"{number / 8:g}" for number in range(15)], "list<string>"),
    ([f"{number / 32:g}" for number in range(32)], "list<string>"),
    (["12.50", "+12.50"], "list<string>"),
    (["12.50", "1.25e1"], "list<string>"),
    (["007", "008"], "list<string>"),
    ({"version": "1.2"}, "struct Record { version: string }"),
    (["12.50", "012.50"], "list<string>"),
    (["-0.00", "12.50"], "list<string>"),
    (["3", "4"], "list<string>"),
    ("2024-02-29T12:00:00+01:00", "timestamp"),
    ("2024-02-29 12:00-0330", "timestamp"),
    ("2024-02-29T12:00:00+01", "timestamp"),
    ("2024-02-29T12:00:00+24:00", "string"),
    ("2024-02-29T12:00:00+01:60", "string"),
    ("0001-01-01T00:00:00+00:01", "string"),
    ("9999-12-31T23:59:59-00:01", "string"),
    (["2024-02-29T12:00:00+01:00", "2024-07-29T12:00:00+02:00"], "list<timestamp>"),
    (["2024-02-29T12:00:00+01:00", "2024-02-29T12:00:00Z"], "list<timestamp>"),
    (["2024-02-29T12:00:00+01:00", "2024-02-29T12:00:00"], "list<string>"),
    (["2024-02-29 12:00:00+00", "2024-02-29 12:00:00.5+00"], "list<timestamp>"),
    (["2024-02-29 12:00:00+01", "2024-02-29 12:00:00+0530"], "list<timestamp>"),
    ("2024-02-29T12:00:00+1", "string"),
    ("2024-02-29T12:00:00+24", "string"),
    (["2024-02-29 12:00:00,250", "2024-02-29 12:00:00,5"], "list<timestamp>"),
    ("2024-02-29T12:00:00,", "string"),
    ("2024-02-29T12:00,5", "string"),
    ("1/31/2020", "string"),
    ("31/01/2020", "string"),
    ("31.01.2020", "string"),
    ("January 31, 2020", "date"),
    ("Jan 31, 2020", "date"),
    ("31 January 2020", "date"),
    ("5 Jun 1998 10:30", "timestamp"),
    ("Janu 31 2020", "string"),
    ("September 31, 2020", "string"),
    (["May 31 2020", "June 5 2020", "April 12 2020"], "list<date>"),
    (["May 31 2020", "Jun 5 2020", "Apr 12 2020"], "list<date>"),
    (["May 31 2020", "June 5 2020", "Apr 12 2020"], "list<string>"),
    (["May 31 2020", "May 5, 2020"], "list<string>"),
    (["31 May 2020", "05 June 2020", "5 June 2020"], "list<string>"),
    ("2024-02-29T25:00:00Z", "string"),
    ("12:30", "time"),
    ("12:30:59.5", "time"),
    (["12:30", "12:30:59"], "list<time>"),
    ("12:30:59.123456789", "time"),
    ("12:30Z", "string"),
    (["PT8H6M12.345S", "PT0S", "PT-0.5S"], "list<duration>"),
    (["P1DT2H", "PT3M"], "list<duration>"),
    (["1.500s", "90s"], "list<duration>"),
    (["PT1H", "90s"], "list<string>"),
    ("P30D", "string"),
    ("P1Y2M", "string"),
    ("PT", "string"),
    ("P1DT", "string"),
    ("2024-02-29T", "string"),
    (["2024-02-29", "2024-03-01T00:00:00"], "list<string>"),
    (["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.5Z"], "list<timestamp>"),
    (UUIDS, "list<uuid>"),
    (UUIDS[0].upper(), "string"),
    (["red", "blue"] * 101, "list<enum Record { blue, red }>"),
    (["red", "blue"] * 100, "list<string>"),
    ([*["red"] * 300, *["blue"] * 299], "list<string>"),
    ([*["red", "blue"] * 300, "green"], "list<string>"),
    (["red"] * 100, "list<string>"),
]


@pytest.mark.parametrize(("value", "schema"), INFERRED)
def test_inferred(value: Any, schema: str) -> None:
    assert infer(value).schema.text == schema


NUMBERS = {str(i): {"x": i, "y": "a"} for i in (7, 11)}
DAYS = {f"2024-01-{day:02}": day for day in range(1, 4)}
POINT = {"x": 1, "y": 2.5}
SHAPES: list[tuple[Any, str]] = [
    ({"seats": NUMBERS}, "struct Record { seats: map<string, struct Seat { x: i32, y: string }> }"),
    ({"days": DAYS}, "struct Record { days: map<string, i32> }"),
    ([{"2019": 1, "2020": 2}] * 3, 'list<struct Record { "2019": i32, "2020": i32 }>'),
    ({"7": 1, "11": "x"}, 'struct Record { "7": i32, "11": string }'),
    ({"t": {f"k{i}": POINT for i in range(8)}}, "struct Record { t: map<string, struct T { x: i32, y: f64 }> }"),
    ([{"at": [i, i + 0.5]} for i in range(16)], "list<struct Record { at: tuple<f64, f64> }>"),
    ([{"at": [i, i + 0.5]} for i in range(15)], "list<struct Record { at: list<f64> }>"),
    ([*([[1, 2]] * 16), [1]], "list<list<i32>>"),
    ([[1, 2, 3, 4]] * 16, "list<tuple<i32, i32, i32, i32>>"),
    ([[1, 2, 3, 4, 5]] * 16, "list<list<i32>>"),
    ([["a", "b"]] * 16, "list<list<string>>"),
    ([[1, None]] * 16, "list<list<option<i32>>>"),
    ({"from": POINT, "to": POINT}, "struct Record { from: struct From { x: i32, y: f64 }, to: From }"),
    ({"from": POINT, "to": [None, POINT]}, "struct Record { from: struct From { x: i32, y: f64 }, to: list<option<From>> }"),
    (
        {"from": POINT, "to": {"x": 1 << 40, "y": 0.5}},
        "struct Record { from: struct From { x: i32, y: f64 }, to: struct To { x: i64, y: f64 } }",
    ),
    (
        {"from": POINT, "to": {"x": "1", "y": 0.5}},
        "struct Record { from: struct From { x: i32, y: f64 }, to: struct To { x: string, y: f64 } }",
    ),
]


@pytest.mark.parametrize(("value", "schema"), SHAPES)
def test_shapes(value: Any, schema: str) -> None:
    assert infer(value).schema.text == schema


def test_keys_that_grow_with_the_rows_are_data() -> None:
    rows = [{"names": {f"{chr(97 + i)}x": "x", f"{chr(97 + i * 7 % 12)}x": "y"}} for i in range(12)] * 2
    assert "names: struct Names {" in infer(rows).schema.text, "the later half has no new key"
    rows = [{"names": {f"l{i}": "x", f"l{i + 1}": "y"}} for i in range(20)]
    assert infer(rows).schema.text == "list<struct Record { names: map<string, string> }>"


def test_a_tweet_in_a_tweet_is_one() -> None:
    inner = {"id": 1, "text": "x", "lang": "de", "likes": 3, "user": "a"}
    assert infer([inner | {"retweeted": inner}, inner], Options(name="Tweet")).schema.text == (
        "list<struct Tweet { id: i32, text: string, lang: string, likes: i32, user: string, retweeted: option<Tweet> }>"
    )


def test_long_lists_of_numbers_are_named() -> None:
    rows = [{"short": [1.5] * 5, "long": [1.5] * 128, "deep": [[[2] * 200]], "texts": ["a"] * 200}, {"long": [], "short": []}]
    inferred = infer([*rows, *rows[:1]])
    assert inferred.long_fields == {("Record", "long"), ("Record", "deep")}
    assert infer([1] * 128).long_fields == {("", "")}
    assert infer([1] * 127).long_fields == set()


def test_many_differing_keys_are_a_map() -> None:
    rows = [{"votes": {f"user{i}": i, f"user{i + 1}": 1.5}} for i in range(40)]
    assert infer(rows).schema.text == "list<struct Record { votes: map<string, f64> }>"


def test_wide_rows_are_structs() -> None:
    rows = [{f"c{i}": i for i in range(100)} for _ in range(3)]
    assert infer(rows).schema.text.startswith("list<struct Record { c0: i32, c1: i32, ")


def test_trees_contain_themselves() -> None:
    leaf = {"name": "leaf", "size": 3}
    tree = {"name": "root", "children": [{"name": "a", "children": [leaf, leaf]}, leaf]}
    assert infer(tree, Options(name="Node")).schema.text == (
        "struct Node { name: string, children: option<list<Node>>, size: option<i32> }"
    )


def test_chains_contain_themselves() -> None:
    chain: Any = None
    for number in range(30):
        chain = {"value": number, "next": chain}
    assert infer(chain, Options(name="Link")).schema.text == "struct Link { value: i32, next: option<Link> }"


def test_objects_alike_under_another_key_are_not_recursive() -> None:
    value = {"id": 1, "name": "x", "owner": {"id": 2, "name": "y"}}
    assert infer(value).schema.text == ("struct Record { id: i32, name: string, owner: struct Owner { id: i32, name: string } }")


def test_deep_data_ends_in_any() -> None:
    value: Any = 1
    for _ in range(40):
        value = [value]
    assert infer(value).schema.text == "list<" * 24 + "any" + ">" * 24


def test_too_deep_data_is_refused() -> None:
    value: Any = 1
    for _ in range(100_000):
        value = [value]
    with pytest.raises(SamewireError) as caught:
        infer(value)
    assert caught.value.code == "limit_depth"


def test_names_of_structs_and_enums_stay_apart() -> None:
    rows = [
        {"kind": kind, "part": {"kind": kind + "-", "part": 1}, "parts": [{"x": 1}], "map": {"list": {"y": 1}}}
        for kind in ("a", "b", "c") * 80
    ]
    assert infer(rows).schema.text == (
        'list<struct Record { kind: enum Kind { a, b, c }, part: struct Part { kind: enum PartKind { "a-", "b-", "c-" }, '
        'part: i32 }, parts: list<struct RecordPart { x: i32 }>, "map": struct Map { "list": struct List { y: i32 } } }>'
    )


def test_equal_enums_are_one() -> None:
    rows = [{"a": {"unit": unit}, "b": {"unit": unit, "n": 1}} for unit in ("m", "s") * 101]
    assert "unit: enum Unit { m, s } }, b: struct B { unit: Unit" in infer(rows).schema.text


def test_options() -> None:
    rows = [{"day": "2024-01-01", "n": n, "kind": "ab"[n % 2]} for n in range(20)]
    chosen = Options(name="Row", texts=False, enums=0, ints="tight", tuples=False)
    assert infer([[1, 2]] * 20, chosen).schema.text == "list<list<u8>>"
    assert infer(rows, chosen).schema.text == "list<struct Row { day: string, n: u8, kind: string }>"
    for low, high, kind in [
        (-1, 127, "i8"), (0, 256, "u16"), (-1, 200, "i16"), (0, 1 << 16, "u32"), (-1, 1 << 31, "i64"), (0, 1 << 63, "u64"),
    ]:  # fmt: skip
        assert infer([low, high], chosen).schema.text == f"list<{kind}>"


def test_lone_surrogates_are_refused() -> None:
    with pytest.raises(SamewireError) as caught:
        infer(json.loads('["ok", "\\ud800"]'))
    assert caught.value.code == "bad_utf8"


@pytest.mark.parametrize(
    ("text", "code", "path"),
    [
        ('{"\\ud800": 1}', "bad_utf8", "$"),
        ('[{"a b": ["x", {"c": "\\udfff"}]}]', "bad_utf8", '$[0]["a b"][1].c'),
        ('[{"a": 1.5}, {"a": 1e999}]', "bad_number", "$[1].a"),
        ("-1e999", "bad_number", "$"),
    ],
)
def test_what_no_language_could_read_back_is_refused_with_its_place(text: str, code: str, path: str) -> None:
    with pytest.raises(SamewireError) as caught:
        infer(json.loads(text))
    assert (caught.value.code, caught.value.path) == (code, path)


def test_a_json_file_may_hold_a_value_a_line(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text('{"a": 1}\n{"a": 2}\n', "utf-8")
    assert (read(path).format, len(read(path).loaded())) == ("ndjson", 2)
    with pytest.raises(SourceError, match="line 2, column 1"):
        read(path, "json")
    path.write_text('{"a": 1,}\n', "utf-8")
    with pytest.raises(SourceError, match=r"line 1, column [89]"):
        read(path)


@pytest.mark.parametrize(("encoding", "says"), [("utf-16", "-f UTF-16"), ("latin-1", "-f WINDOWS-1252")])
def test_another_encoding_is_named(tmp_path: Path, encoding: str, says: str) -> None:
    path = tmp_path / "own.csv"
    path.write_bytes("name\nJosé\n".encode(encoding))
    with pytest.raises(SourceError, match=f"iconv {says} -t UTF-8"):
        read(path)


def test_the_byte_that_is_not_utf_8_is_counted_from_the_start(tmp_path: Path) -> None:
    path = tmp_path / "own.ndjson"
    path.write_bytes(b'"x"\n' * 200_000 + '"ä"'.encode("latin-1"))
    with pytest.raises(SourceError, match="byte 800001"):
        read(path).loaded()


def test_formats_are_told_apart() -> None:
    assert parse('{"a": 1}\n{"a": 2}\n', None, "data").format == "ndjson"
    assert parse('{"a": 1}', None, "data").format == "json"
    assert parse("a,b\n1,2\n", None, "data").format == "csv"


@pytest.mark.parametrize(
    ("stem", "name"),
    [
        ("movies", "Movie"),
        ("flights-2k", "Flight"),
        ("cities", "City"),
        ("boxes", "Box"),
        ("sp500-2000", "Sp500"),
        ("2024", "Record"),
    ],
)
def test_name_from_a_file(stem: str, name: str) -> None:
    assert name_from(stem) == name


@pytest.mark.parametrize(
    ("text", "kind", "says"),
    [
        ('{"a": }', "json", "line 1, column 7"),
        ('{"a": 1}\n{"a"\n', "ndjson", "line 2, column 5"),
        ('{"a": 1}\n{"a"\n', None, "line 2, column 5"),
        ("[NaN]", "json", "NaN is not valid JSON"),
        ("1\n-Infinity\n", "ndjson", "line 2: -Infinity is not valid JSON"),
        ("[1" + "0" * 5_000 + "]", "json", "more than 4,300 digits"),
        ("1\n1" + "0" * 5_000, "ndjson", "line 2: an integer"),
        ("[" * 100_000, "json", "nested too deep"),
        ("a,b\n1,2,3\n", None, "line 2: 3 cells under 2 names"),
        ("", "csv", "empty"),
        (" \n", "json", "empty"),
        ("\n\n", "ndjson", "empty"),
        ("", None, "empty"),
    ],
)
def test_refused_sources(text: str, kind: str | None, says: str) -> None:
    with pytest.raises(SourceError, match=re.escape(says)):
        parse(text, kind, "data").loaded()
