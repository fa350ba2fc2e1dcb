"""Data converted to typed values and back, with the definitions emitted for it."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire import pack
from samewire.schema.emit.python import emit
from samewire.schema.infer import Options, infer
from samewire.schema.infer.convert import Converter, complete
from test_emit_python import define


def carried(value: Any) -> Any:
    """`value` inferred, typed, encoded, decoded, and made JSON again; and the typed value."""
    inferred = infer(value)
    types = define(emit(inferred.schema, fine=inferred.fine_fields), "converted")
    converter = Converter(inferred, vars(types))
    typed = converter.to_native(value)
    codec = pack.codec(types.Root)
    assert codec.schema.text == inferred.schema.text
    assert codec.decode(codec.encode(typed)) == typed
    assert converter.to_json(typed) == complete(inferred.type, value)
    return typed


def test_typed_rows() -> None:
    rows = [
        {"Grade": "a", "when": "2024-02-29", "at": "2024-01-01T00:00:00.5Z", "kind": "x y", "score": 1, "tags": ["a"]},
        {"Grade": "b", "when": None, "at": "2024-01-01T00:00:00.0Z", "kind": "z", "score": 1.5, "tags": []},
    ] * 101
    first = carried(rows)[0]
    assert first.grade.name == "a"
    assert first.when == dt.date(2024, 2, 29)
    assert first.at == dt.datetime(2024, 1, 1, 0, 0, 0, 500_000, dt.UTC)
    assert first.kind.name == "X_Y"
    assert first.score == 1.0
    assert first.tags == ["a"]


def test_trees_maps_and_mixtures() -> None:
    tree = {"name": "r", "kids": [{"name": "a", "kids": [{"name": "b"}]}, {"name": "c", "kids": None}]}
    assert carried(tree).kids[0].kids[0].name == "b"
    counts = {f"k{i}": i for i in range(50)}
    assert carried(counts) == counts
    carried([1, "x", None, {"y": [True, 2.5, 1 << 70]}, [[]]])


def test_missing_becomes_null() -> None:
    inferred = infer([{"a": 1}, {"b": {"c": "x"}}])
    assert complete(inferred.type, [{"a": 1}, {"b": {}}]) == [{"a": 1, "b": None}, {"a": None, "b": {"c": None}}]


NASTY: list[Any] = [
    [{"class": 1, "a b": 2, "a_b": 3, "日本": "x", "__proto__": 4, "1": 5, "0": 6, "def": None, "list": [1], "int": 7}],
    {"id": {"id": {"id": 1, "x": 2}, "x": 1}},
    [{"t": "12:30"}, {"t": "23:59"}],
    ["Jun 12 1998", "Jun 5 1998"],
    ["Jun 12 1998", "Jun 05 1998"],
    ["Jun 12 1998 10:30", "Jun 5 1998 10:30"],
    ["May 12, 1998", "December 05, 1998"],
    ["12 May 1998", "5 Jun 1998", "31 May 2020"],
    ["2024-02-29T23:30:00+05:30", "2024-03-01T00:30:00+05:30"],
    ["2024-03-01 00:30:00.125-0800", "2024-02-29 23:30:00.250-0800"],
    ["2024-02-29T23:30-00:00"],
    [{"u": "01234567-89ab-cdef-0123-456789abcdef"}],
    [{"n": 1 << 63}, {"n": 0}],
    [{"n": 1 << 64}, {"n": -1}],
    [{"e": "class"}, {"e": "None"}, {"e": "mro"}, {"e": "日本"}, {"e": "a-b"}] * 50,
    [{"at": "2024-02-29T12:00:00.123456789Z"}, {"at": None}, {"at": "2024-02-29T12:00:00+05:30"}],
    ["2024-03-01 00:30:00.5+00", "2024-02-29 23:30:00+00", "2024-02-29 23:30:00.25+00"],
    ["2024-03-01 00:30:00-03", "2024-03-01 00:30:00.123456-03"],
    ["2024-03-01 00:30:00,250", "2024-03-01 00:30:00,001"],
    ["2024-03-01 00:30:00", "2024-03-01 00:30:00,001"],
    ["2024-03-01T00:30:00,25Z", "2024-03-01T00:30:00.25Z"],
    ["12:30:59,5", "12:30:00"],
    ["12:30", "12:30:59.000000001"],
    ["23:59:59.999999999"],
    ["PT8H6M12.345S", "PT0S", "PT-0.5S", "PT-1H-30M", "PT24H"],
    ["P1DT2H", "PT3M", "-P3DT0.000000001S"],
    ["1.500s", "-90s", "0s"],
    ["2024-02-29T12:00Z", "2024-02-29T12:00:01Z", "2024-02-29T12:00:01.5+01:00"],
    ["0001-01-01T00:00:00Z", "9999-12-31T23:59:59.999999999Z"],
    ["1969-12-31T23:59:59.999999999Z", "1969-12-31T23:59:59Z"],
    [f"{number / 8:g}" for number in range(-16, 16)],
    [{"at": [i, 0.5], "to": {"at": [1, i]}} for i in range(16)],
    {"from": {"x": 1, "y": None}, "to": [{"x": None, "y": "b"}]},
    {"id": 1, "sub": {"x": {"id": 2, "sub": None}}},
    [],
    {},
    None,
    [{}],
    [{}, {"a": {}}],
    "🙂",
]


@pytest.mark.parametrize("value", NASTY)
def test_nasty(value: Any) -> None:
    carried(value)


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(1 << 70), 1 << 70) | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=8)
    | st.dates().map(str) | st.uuids().map(str) | st.datetimes().map(lambda time: time.isoformat() + "Z")
    | st.sampled_from(["2024-02-29T12:00:00Z", "2024-02-29T12:00:00.250Z", "2024-02-29T12:00:00.000250+02:00", "2024-02-29T12:00:00.25Z"])
    | st.sampled_from(["2024-02-29T12:00:00.000000001Z", "PT1H", "PT-0.5S", "1.5s", "12:30", "12:30:00.5", "7", "0.125"])
    | st.decimals(-1000, 1000, places=2).map(lambda number: f"{number:f}"),
    lambda inner: st.lists(inner, max_size=6) | st.dictionaries(st.text(max_size=4), inner, max_size=5),
    max_leaves=25,
)  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(_JSON)
def test_any_json_comes_back(value: Any) -> None:
    value = json.loads(json.dumps(value))
    carried(value)


@settings(max_examples=60, deadline=None)
@given(st.lists(st.fixed_dictionaries({}, optional={"a": _JSON, "b c": _JSON, "d": st.sampled_from(["x", "y"])}), max_size=12))
def test_any_rows_come_back(rows: Any) -> None:
    carried(json.loads(json.dumps(rows)))


def test_options_change_types_not_data() -> None:
    rows = [{"day": "2024-01-01", "kind": "ab"[n % 2]} for n in range(400)]
    inferred = infer(rows, Options(texts=False, enums=0))
    assert complete(inferred.type, rows) == rows
