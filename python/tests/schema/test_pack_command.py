"""The command `samewire pack`, and what `samewire cat` prints of its files."""

from __future__ import annotations

import gzip
import io
import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from samewire.cli import main
from samewire.pack import RecordReader
from samewire.schema.infer import Options, infer
from samewire.schema.infer.convert import complete
from samewire.schema.infer.forms import form_of

Row = dict[str, Any]
Captured = pytest.CaptureFixture[str]


def payments(count: int) -> list[Row]:
    """What a service would log: instants as Java writes them, amounts, states, hosts, translations, tags."""
    source = random.Random(11)
    rows = []
    for number in range(count):
        row: Row = {
            "id": f"{source.getrandbits(128):032x}",
            "at": f"2026-03-{number % 28 + 1:02}T10:{number % 60:02}:07"
            + source.choice(["", ".250", ".000001", ".123456789"])
            + "Z",
            "amount": f"{source.randint(-99_999, 99_999) / 100:.2f}",
            "state": source.choice(["OPEN", "PAID", "REFUNDED"]),
            "host": f"web-{source.randint(1, 26):02}.example.com",
            "took": f"PT{source.randint(1, 59)}.{source.randint(1, 9)}S",
            "by": source.choice([None, {"user": "ada", "age": number % 90}]),
            "names": dict.fromkeys(source.sample(["de", "en", "fr", "pt-BR", "ja"], 2), "x"),
            "lines": [{"sku": "007", "count": source.randint(1, 9), "price": 1.5}] * source.randint(0, 3),
            "tags": [],
        }
        if number % 3:
            row["note"] = "naïve"
        rows.append(row)
    return rows


PAYMENT = (
    "struct Payment { id: string, at: timestamp, amount: decimal, state: enum State { OPEN, PAID, REFUNDED }, host: string, "
    "took: duration, by: option<struct By { user: string, age: i32 }>, names: map<string, string>, "
    "lines: list<struct Line { sku: string, count: i32, price: f64 }>, tags: list<any>, note: option<string> }"
)


def lines_of(rows: list[Any]) -> str:
    return "".join(json.dumps(row) + "\n" for row in rows)


def same(value: Any) -> Any:
    """A value with one text for each instant, time and duration."""
    if isinstance(value, dict):
        return {key: same(inner) for key, inner in value.items()}
    if isinstance(value, list):
        return [same(inner) for inner in value]
    form = form_of(value) if isinstance(value, str) else None
    return value if form is None or form.kind in ("decimal", "uuid") else (form.kind, form.value(value))


def packed(path: Path, captured: Captured, *options: str) -> list[Any]:
    """What `cat` prints of what `pack` wrote."""
    out = path.with_suffix(".out")
    assert main(["pack", str(path), "-o", str(out), *options]) == 0, captured.readouterr().err
    captured.readouterr()
    assert main(["cat", "--json", str(out)]) == 0
    return [json.loads(line) for line in captured.readouterr().out.split("\n")[:-1]]


def test_cat_prints_what_was_packed(tmp_path: Path, capsys: Captured) -> None:
    rows = payments(300)
    path = tmp_path / "payments.ndjson"
    path.write_text(lines_of(rows))
    assert main(["pack", str(path)]) == 0
    shown = capsys.readouterr()
    size = (tmp_path / "payments.records").stat().st_size
    share = f"{100 * size / path.stat().st_size:.1f} % of {path.stat().st_size:,}"
    assert shown.out == f"{tmp_path / 'payments.records'}: 300 records, {size:,} bytes ({share})\n"
    assert size < path.stat().st_size / 2
    with RecordReader(tmp_path / "payments.records") as reader:
        assert reader.schema.text == PAYMENT
        assert reader.complete or reader.count() == 300
    assert main(["cat", "--json", str(tmp_path / "payments.records")]) == 0
    printed = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    inferred = infer(rows, Options(name="Payment"))
    assert same(printed) == same(complete(inferred.type, rows))


@pytest.mark.parametrize("compressed", [False, True])
@pytest.mark.parametrize(
    ("name", "text", "records"),
    [
        ("a.json", '[{"a": 1}, {"b": "x"}]', [{"a": 1, "b": None}, {"a": None, "b": "x"}]),
        ("a.json", '{"a": [1, 2]}', [{"a": [1, 2]}]),
        ("a.csv", "a;b\n1;x\n2;\n", [{"a": 1, "b": "x"}, {"a": 2, "b": None}]),
        ("a.ndjson", "[1]\n[]\nnull\n", [[1], [], None]),
        ("a.json", "[]", []),
        ("a.json", '["12.50", "0.0000001"]', ["12.50", "0.0000001"]),
        ("a.json", '["0.0000001", "0.0000002"]', ["0.0000001", "0.0000002"]),
        ("a.json", '[{"class": 1, "a b": 2, "__init__": 3}]', [{"class": 1, "a b": 2, "__init__": 3}]),
    ],
)
def test_formats(name: str, text: str, records: list[Any], compressed: bool, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / (f"{name}.gz" if compressed else name)
    path.write_bytes(gzip.compress(text.encode()) if compressed else text.encode())
    assert packed(path, capsys) == records


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=8) | st.datetimes().map(lambda time: time.isoformat() + "Z") | st.uuids().map(str)
    | st.sampled_from(["2026-02-28T12:00:00.000000001Z", "2026-02-28T12:00:00+02:00", "PT1H", "1.5s", "12:30", "0.125", "7"])
    | st.decimals(-1000, 1000, places=2).map(lambda number: f"{number:f}"),
    lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=4), inner, max_size=5),
    max_leaves=20,
)  # fmt: skip
_ROWS = st.lists(
    st.fixed_dictionaries({"id": st.integers()}, optional={"a": _JSON, "b c": _JSON, "d": st.sampled_from(["x", "y"])}),
    max_size=10,
)


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(rows=_ROWS | st.lists(_JSON, max_size=6), array=st.booleans())
def test_any_rows_come_back(rows: list[Any], array: bool, tmp_path: Path, capsys: Captured) -> None:
    rows = json.loads(json.dumps(rows))
    path = tmp_path / ("rows.json" if array else "rows.ndjson")
    path.write_text(json.dumps(rows) if array or not rows else lines_of(rows), "utf-8")
    printed = packed(path, capsys, *([] if array or rows else ["--format", "json"]))
    assert same(printed) == same(complete(infer(rows, Options(name="Row", unions=False)).type, rows))


def test_unions_are_made_where_they_are_asked_for(tmp_path: Path, capsys: Captured) -> None:
    rows = [
        {"type": "circle", "radius": n, "unit": "m"} if n % 2 else {"type": "square", "side": 2, "up": True} for n in range(200)
    ]
    path = tmp_path / "shapes.ndjson"
    path.write_text(lines_of(rows))
    assert packed(path, capsys)[1] == {"type": "circle", "radius": 1, "unit": "m", "side": None, "up": None}
    assert packed(path, capsys, "--unions")[:2] == [{"Square": {"side": 2, "up": True}}, {"Circle": {"radius": 1, "unit": "m"}}]


def test_notes_what_is_not_kept(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "rows.ndjson"
    path.write_text(
        lines_of([{"at": "2026-01-01T01:00:00+01:00", "t": "12:30:00.5"}, {"at": "2026-01-01T00:00:00Z", "t": "12:30:00.50"}])
    )
    assert main(["pack", str(path)]) == 0
    assert capsys.readouterr().err == (
        "Row.at: written in several ways: the schema keeps the instants, not their offsets; --texts keeps them as text\n"
        "Row.t: written in several ways: the schema keeps the times, not their digits; --texts keeps them as text\n"
    )


TYPE = (
    'struct Book { name: string, price: decimal, kind: enum Kind { novel, "short story" }, sold: map<i32, u64>, at: timestamp }'
)
BOOK: Row = {"name": "Carrie", "price": "12.50", "kind": "novel", "sold": {"1974": 30_000}, "at": "2026-01-01T00:00:00Z"}


@pytest.mark.parametrize("schema", [TYPE, f"list<{TYPE}>"])
def test_takes_a_schema(schema: str, tmp_path: Path, capsys: Captured) -> None:
    path, given_schema = tmp_path / "books.ndjson", tmp_path / "book.schema"
    path.write_text(lines_of([BOOK, BOOK]))
    given_schema.write_text(schema)
    assert packed(path, capsys, "--type", str(given_schema)) == [BOOK, BOOK]
    assert packed(path, capsys, "--type", schema) == [BOOK, BOOK]


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"price": "12,50"}, "type_mismatch ($.price): record 1: expected a decimal number, not '12,50'"),
        ({"kind": "poem"}, "type_mismatch ($.kind): record 1: expected one of the symbols novel, short story, not 'poem'"),
        ({"sold": {"x": 1}}, "type_mismatch ($.sold[0].key): record 1: expected an integer, for a key, not 'x'"),
        ({"sold": {"1974": -1}}, "($.sold[0].value): record 1: -1 is out of range for u64"),
        ({"sold": {"1974": 1, "1975": "x"}}, "($.sold[1].value): record 1: expected an integer, not 'x'"),
        ({"at": "soon"}, "($.at): record 1: expected a timestamp, as 2026-01-31T12:30:00Z, not 'soon'"),
        ({"isbn": "1"}, "($.isbn): record 1: expected a field of struct Book, which has no 'isbn'"),
        ({"name": None}, "($.name): record 1: expected a text, not None"),
    ],
)
def test_what_the_schema_does_not_hold(changed: Row, says: str, tmp_path: Path, capsys: Captured) -> None:
    path, out = tmp_path / "books.ndjson", tmp_path / "books.records"
    out.write_bytes(b"as it was")
    path.write_text(lines_of([BOOK, BOOK | changed]))
    assert main(["pack", str(path), "-o", str(out), "--type", TYPE]) == 1
    error = capsys.readouterr().err
    assert error.startswith(f"samewire: {path}: ")
    assert says in error
    assert out.read_bytes() == b"as it was"
    assert sorted(each.name for each in tmp_path.iterdir()) == ["books.ndjson", "books.records"]


def test_a_missing_field_is_named(tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / "books.json"
    path.write_text('{"name": "Carrie"}')
    assert main(["pack", str(path), "--type", "struct Book { name: string, year: i32, note: option<string> }"]) == 1
    assert "($.year): record 0: expected the field 'year' of struct Book" in capsys.readouterr().err
    assert packed(path, capsys, "--type", "struct Book { name: string, year: i32 @default }") == [{"name": "Carrie", "year": 0}]


def test_standard_input_and_output(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    data = lines_of([{"type": kind, kind: 1, "more": kind} for kind in ("a", "b")] * 40).encode()
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BytesIO(data)))
    assert main(["pack", "-"]) == 2
    assert "-o books.records" in capsys.readouterr().err
    out = tmp_path / "rows.records"
    assert main(["pack", "-", "-o", str(out)]) == 0
    assert f"80 records, {out.stat().st_size:,} bytes" in capsys.readouterr().out
    run = subprocess.run(
        [sys.executable, "-m", "samewire.cli", "pack", "-", "-o", "-"], input=data, capture_output=True, check=False
    )
    assert run.returncode == 0
    assert run.stdout == out.read_bytes()
    assert b"80 records" in run.stderr


def test_a_file_that_exists_is_replaced_only_if_it_is_named(tmp_path: Path, capsys: Captured) -> None:
    path, out = tmp_path / "rows.json", tmp_path / "rows.records"
    path.write_text("[1]")
    out.write_bytes(b"other")
    assert main(["pack", str(path)]) == 1
    assert f"rows.records exists: to replace it, name it by -o {out}" in capsys.readouterr().err
    assert out.read_bytes() == b"other"
    assert main(["pack", str(path), "-o", str(out)]) == 0
    with RecordReader(out) as reader:
        assert list(reader) == [1]


@pytest.mark.parametrize(
    ("name", "text", "options", "says"),
    [
        ("bad.json", '[{"a": }]', [], "bad.json, line 1, column 8: Expecting value"),
        ("bad.ndjson", '{"a": 1}\n{"a"\n', [], "line 2, column 5"),
        ("bad.csv", "a\n1,2\n", [], "line 2: 2 cells under 1 names"),
        ("empty.json", "", [], "empty"),
        ("surrogate.json", '["\\ud800"]', [], "bad_utf8 ($[0])"),
        ("a.json", "[1]", ["--type", "struct"], "malformed"),
        ("a.json", "[1]", ["-o", "/nowhere/a.records"], "No such file"),
    ],
)
def test_failures_are_told(name: str, text: str, options: list[str], says: str, tmp_path: Path, capsys: Captured) -> None:
    path = tmp_path / name
    path.write_text(text)
    assert main(["pack", str(path), *options]) == 1
    error = capsys.readouterr().err
    assert error.startswith("samewire: ")
    assert says in error
    assert [each.name for each in tmp_path.iterdir()] == [name]


def test_an_interrupt_leaves_no_file_and_no_traceback(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: Captured) -> None:
    path = tmp_path / "rows.json"
    path.write_text("[1, 2]")

    def interrupted(*_: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("samewire.schema.packing.RecordWriter.write", interrupted)
    assert main(["pack", str(path)]) == 130
    assert capsys.readouterr().err == ""
    assert [each.name for each in tmp_path.iterdir()] == ["rows.json"]
