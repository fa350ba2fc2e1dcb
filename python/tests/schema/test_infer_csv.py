"""CSV: cells, delimiters, and the type of each column."""

from __future__ import annotations

import csv
import re
import tracemalloc
from typing import Any

import pytest
from samewire.errors import SamewireError
from samewire.schema.infer import Options, SourceError, infer
from samewire.schema.infer.content import Text
from samewire.schema.infer.csv_rows import Table


def csv_rows(text: str, label: str) -> list[dict[str, Any]]:
    return list(Table(Text(text, label)))


def test_columns_are_typed_by_content() -> None:
    text = (
        "id,code,price,when,ok,note,mixed,id\n"
        '1,007,1.50,2024-01-01,true,"a ""b""",1,x\n'
        "2,012,-3e2,2024-01-02,False,,x,y\n"
        "3,,,2024-01-03,true,ünï,2.5\n"
    )
    rows = csv_rows(text, "data")
    assert rows[0] == {
        "id": 1,
        "code": "007",
        "price": 1.5,
        "when": "2024-01-01",
        "ok": True,
        "note": 'a "b"',
        "mixed": "1",
        "id 2": "x",
    }
    assert infer(rows, Options(name="Sale")).schema.text == (
        "list<struct Sale { id: i32, code: option<string>, price: option<f64>, when: date, ok: bool, "
        'note: option<string>, mixed: string, "id 2": option<string> }>'
    )


@pytest.mark.parametrize(
    ("text", "rows"),
    [
        ("a;b\n1;2\n", [{"a": 1, "b": 2}]),
        ("a\tb\n1\t2\n", [{"a": 1, "b": 2}]),
        ("a|b\n1|2", [{"a": 1, "b": 2}]),
        (",b\n1,2\n", [{"column 1": 1, "b": 2}]),
        ('"a;b;c",d\n1,2\n', [{"a;b;c": 1, "d": 2}]),
        ('"two;\nlines;",d\n1,2\n', [{"two;\nlines;": 1, "d": 2}]),
        ("\n\r\na;b\n\n1,5;2\n", [{"a": "1,5", "b": 2}]),
        ("a,b\r\n1,x\r\n", [{"a": 1, "b": "x"}]),
        ("a,b\r1,x\r2,y\r", [{"a": 1, "b": "x"}, {"a": 2, "b": "y"}]),
        ("a,b\n1\n", [{"a": 1, "b": None}]),
        ('a\n"one\r\ntwo"\n', [{"a": "one\r\ntwo"}]),
        ("a\nx\u2028y\x0bz\n", [{"a": "x\u2028y\x0bz"}]),
    ],
)
def test_cells(text: str, rows: list[dict[str, Any]]) -> None:
    assert csv_rows(text, "data") == rows


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        (("1", "-20"), [1, -20]),
        (("1", "2.5"), [1.0, 2.5]),
        ((".097", "-.5", "1"), [0.097, -0.5, 1.0]),
        (("1e999", "1"), ["1e999", "1"]),
        (("1.", "2."), ["1.", "2."]),
        (("+1", "+2"), ["+1", "+2"]),
        (("-0", "1"), [-0.0, 1.0]),
        (("1.0000000000000000001",), ["1.0000000000000000001"]),
        (("TRUE", "false"), [True, False]),
    ],
)
def test_columns(cells: tuple[str, ...], column: list[Any]) -> None:
    assert [row["a"] for row in csv_rows("a\n" + "\n".join(cells), "data")] == column


def test_a_cell_may_be_as_long_as_the_file() -> None:
    bound = csv.field_size_limit()
    cell = "x" * (bound + 1)
    assert csv_rows(f"a\n{cell}\n", "data") == [{"a": cell}]
    assert csv.field_size_limit() == bound


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a,b\n1,2,3\n", "data, line 2: 3 cells under 2 names"),
        ('a,b\n"1\n2",2\n1,2,3\n', "data, line 4: 3 cells under 2 names"),
        ('a,b\n1,"2\n', "data, line 2: unexpected end of data"),
        ('a,b\n1,"2"x\n', "data, line 2: ',' expected after '\"'"),
        ("a,b\n", "data has names but no rows"),
    ],
)
def test_refused(text: str, says: str) -> None:
    with pytest.raises(SourceError, match=re.escape(says)):
        csv_rows(text, "data")


def test_rows_are_read_anew_each_time() -> None:
    table = Table(Text("a,b\n1,x\n2,\n", "data"))
    assert list(zip(table, table, strict=True)) == [(row, row) for row in ({"a": 1, "b": "x"}, {"a": 2, "b": None})]
    assert infer(table, Options(name="Row")).schema == infer(list(table), Options(name="Row")).schema


def test_the_place_of_what_cannot_be_read_back() -> None:
    with pytest.raises(SamewireError) as caught:
        infer(Table(Text("a,b\n1,x\n2,\ud800\n", "data")))
    assert (caught.value.code, caught.value.path) == ("bad_utf8", "$[1].b")


def test_a_schema_is_inferred_in_the_memory_of_the_text() -> None:
    text = "id,name,price\n" + "".join(f"{i},item {i},{i}.5\n" for i in range(40_000))
    tracemalloc.start()
    try:
        schema = infer(Table(Text(text, "data")), Options(name="Item")).schema
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert schema.text == "list<struct Item { id: i32, name: string, price: f64 }>"
    assert peak < len(text) // 4
