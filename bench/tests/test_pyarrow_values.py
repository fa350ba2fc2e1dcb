"""Parquet as a peer: values come back with their own types, and what has no columns is refused. `make pyarrow` runs this."""

from __future__ import annotations

from typing import Any

import pytest
from samewire.pack.schema import Schema

from bench.peers.python.own import OwnForm
from bench.peers.python.peer import Workload

ROW = {
    "at": "2024-03-01T06:00:00.000125Z",
    "day": "1999-12-31",
    "level": "warn",
    "seconds": 0.25,
    "tags": {"region": "eu-west-1"},
    "spans": [{"name": "auth", "length": None}],
    "count": None,
}
STRUCT = """struct Reading {
  at: timestamp, day: date, level: enum Level { info, warn }, seconds: f64, tags: map<string, string>,
  spans: list<struct Span { name: string, length: option<i32> }>, count: option<u8>
}"""
CARRIED = [
    (f"list<{STRUCT}>", [ROW, {**ROW, "count": 255, "tags": {}, "spans": []}]),
    (f"map<string, {STRUCT}>", {"a": ROW, "b": {**ROW, "count": 0}}),
    ("list<struct S { id: uuid }>", [{"id": "b9d8d9c4-0f3e-4a54-9d0a-3a1f6a0f0b11"}]),
    ("map<string, option<i64>>", {"a": 2**62, "b": None}),
]
REFUSED = [
    ("list<i32>", [1], "a Parquet file is a table"),
    ("struct S { a: i32 }", {"a": 1}, "a Parquet file is a table"),
    ("list<struct Node { next: option<Node> }>", [{"next": None}], "Parquet has no columns for"),
]


@pytest.mark.parametrize(("text", "value"), CARRIED)
def test_values_come_back_with_their_types(text: str, value: Any) -> None:
    form, peer = prepared(text, value)
    native = form.build("data", value)
    assert peer.decode(peer.encode(native)) == native


@pytest.mark.parametrize(("text", "value", "said"), REFUSED)
def test_what_has_no_columns_is_refused(text: str, value: Any, said: str) -> None:
    with pytest.raises(TypeError, match=said):
        prepared(text, value)


def prepared(text: str, value: Any) -> Any:
    """The value in the form of the peer, and the peer set up for its type."""
    from bench.peers.python.with_pyarrow import ROWS

    form = OwnForm("dicts", value, Schema.parse(text))
    return form, ROWS["pyarrow-parquet"].prepare(Workload("data", form.type_of("data"), form.classes, value))
