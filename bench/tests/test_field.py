"""Field corpora: what is shaped, what is refused, and that the sets are what their files say."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from samewire.pack.schema import Schema

from bench.lab import field, suite
from bench.lab.field import FieldError
from bench.lab.shaping import ShapeError, shaped
from bench.peers import building
from bench.peers.own import typed
from bench.suites.field import telemetry

FIELD = suite.load("field")
SHAPES: list[tuple[str, Any, Any]] = [
    ("timestamp", 1372701600500, "2013-07-01T18:00:00.500000Z"),
    ("timestamp", "Sun Aug 31 00:29:15 +0900 2014", "2014-08-30T15:29:15Z"),
    ("timestamp", "2001/01/01 00:47", "2001-01-01T00:47:00Z"),
    ("date", "Nov 09 1972", "1972-11-09"),
    ("f64", 7, 7.0),
    ("string", 1776, "1776"),
    ("list<i32>", 1, [1]),
    ("list<i32>", None, []),
    ("map<string, i32>", [], {}),
    ("struct S { a: option<i32>, b: list<i32> }", {}, {"a": None, "b": []}),
    ("struct S { a: i32, next: option<S> }", {"a": 1, "next": {"a": 2}}, {"a": 1, "next": {"a": 2, "next": None}}),
]
REFUSED = [
    ("i32", "1", "$: int expected, 1 came"),
    ("list<struct S { a: i32 }>", [{"a": 1}, {"a": 1, "b": 2}], "$[1]: S has no field 'b'"),
    ("struct S { a: i32 }", {}, "$.a: int expected, None came"),
    ("enum E { a, b }", "c", "$: 'c' is not a symbol of E"),
    ("map<string, date>", {"x": "yesterday"}, "$.x: 'yesterday' is not a time in a known form"),
]


@pytest.mark.parametrize(("schema", "value", "expected"), SHAPES)
def test_published_json_is_spelled_in_one_way(schema: str, value: Any, expected: Any) -> None:
    found = shaped(Schema.parse(schema), value)
    assert (found, type(found)) == (expected, type(expected))


@pytest.mark.parametrize(("schema", "value", "said"), REFUSED)
def test_a_value_that_does_not_fit_is_refused_with_its_place(schema: str, value: Any, said: str) -> None:
    with pytest.raises(ShapeError) as refused:
        shaped(Schema.parse(schema), value)
    assert str(refused.value) == said


def test_a_half_is_held_out_and_the_sets_are_of_different_kinds() -> None:
    published = [each for each in FIELD.workloads.values() if not each.rows]
    assert len(published) >= 10
    assert len([each for each in published if each.held_out]) >= len(published) / 2
    assert [each.rows for each in FIELD.workloads.values() if each.rows] == [1_000, 10_000, 100_000]


@pytest.mark.parametrize("name", FIELD.workloads)
def test_every_schema_is_read_and_every_set_is_installed(name: str) -> None:
    workload = FIELD.workloads[name]
    assert workload.schema is not None
    assert Schema.parse(workload.schema.read_text("utf-8").strip()).text
    assert workload.rows or (workload.schema.parents[1] / "node_modules" / workload.source).is_file()


def test_telemetry_is_the_same_every_time_and_fits_its_schema() -> None:
    schema = FIELD.workloads["telemetry-1k"].schema
    assert schema is not None
    rows = telemetry.rows(50)
    assert rows == telemetry.rows(80)[:50]
    assert shaped(Schema.parse(schema.read_text("utf-8").strip()), rows) == rows


@pytest.mark.parametrize("name", ["tweets", "weather", "mime"])
def test_a_set_is_carried_as_a_file_with_its_own_message(tmp_path: Path, name: str) -> None:
    value = field.take(FIELD.workloads[name], tmp_path)
    assert value.about["items"] == len(json.loads(value.file.read_text("utf-8")))
    assert typed("node", ["node"], value.file, value.schema) == ["node"]
    assert 0 < value.file.with_name("value.pack").stat().st_size < value.about["json_bytes"] / 2
    assert field.take(FIELD.workloads[name], tmp_path) == value


def test_data_that_are_not_there_say_how_to_get_them(tmp_path: Path) -> None:
    absent = replace(FIELD.workloads["weather"], source="vega-datasets/data/none.csv")
    with pytest.raises(FieldError, match="make peers"):
        field.take(absent, tmp_path)


def test_engines_run_with_their_defaults() -> None:
    assert FIELD.engine_defaults
    folder = building.PEERS / "java"
    jvm = building.without_options(["java", f"@{folder / 'jvm.options'}", "-cp", "x", "Main"])
    assert jvm[-3:] == ["-cp", "x", "Main"]
    assert "-Djmh.ignoreLock=true" in jvm
    assert not [word for word in jvm if word.startswith(("-Xm", "-Xbatch", "@"))]
    v8 = [line for line in (building.PEERS / "node" / "v8.options").read_text().splitlines() if line.startswith("--")]
    assert building.without_options(["node", *v8, "--expose-gc", "main.mjs"]) == ["node", "--expose-gc", "main.mjs"]
