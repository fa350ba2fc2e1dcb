"""A user's own file: read once, the same for every peer, and an answer in one sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from bench.lab.answer import refused, sentences
from bench.lab.cells import rows
from bench.lab.data import DataError, take
from bench.lab.protocol import Peer
from bench.lab.record import ANY, CANNOT, WRONG, Cell, Run
from bench.tests import figures
from bench.tests.figures import cell, key

ROWS: list[dict[str, Any]] = [{"name": "é", "at": "2024-02-29", "size": None}, {"name": "b", "at": "2024-03-01", "size": 7}]
COMPLETE = '[{"name":"é","at":"2024-02-29","size":null},{"name":"b","at":"2024-03-01","size":7}]'
FIXED = "Rust fixed: cannot carry it: it is made for the reference data"
FILES = {
    "own.json": json.dumps(ROWS),
    "own.ndjson": "".join(json.dumps({k: v for k, v in row.items() if v is not None}) + "\n" for row in ROWS),
    "own.csv": "name,at,size\né,2024-02-29,\nb,2024-03-01,7\n",
}


@pytest.mark.parametrize("name", FILES)
def test_every_format_becomes_the_same_value_and_schema(tmp_path: Path, name: str) -> None:
    (tmp_path / name).write_text(FILES[name], "utf-8")
    value = take(tmp_path / name, tmp_path / "data")
    assert value.file.read_text("utf-8") == COMPLETE
    assert value.schema.read_text("utf-8") == "list<struct Own { name: string, at: string, size: option<i32> }>\n"
    assert (value.about["file"], value.about["items"], value.about["json_bytes"]) == (name, 2, len(COMPLETE.encode()))


def test_another_content_is_another_folder(tmp_path: Path) -> None:
    path = tmp_path / "own.json"
    path.write_text("[1]")
    first = take(path, tmp_path / "data")
    path.write_text("[2]")
    assert take(path, tmp_path / "data").file != first.file


@pytest.mark.parametrize(
    ("text", "said"),
    [("[1", "line 1"), (" \n", "is empty"), ("[]", "no record"), ("[NaN]", "NaN"), ('["\\ud800"]', "own.json: bad_utf8")],
)
def test_a_file_that_cannot_be_read_is_refused(tmp_path: Path, text: str, said: str) -> None:
    path = tmp_path / "own.json"
    path.write_text(text)
    with pytest.raises(DataError, match=said):
        take(path, tmp_path / "data")
    with pytest.raises(DataError, match="No such file"):
        take(tmp_path / "none.json", tmp_path / "data")


def test_the_answer_is_one_sentence_a_language() -> None:
    cells = {}
    for peer, size, encode, decode in (
        ("samewire-compact", 900, 50.0, 70.0),
        ("rapid", 2000, 20.0, 90.0),
        ("limit", 1, 1.0, 1.0),
    ):
        cells[key(peer, "encode", "mine")] = cell([encode] * 3, size)
        cells[key(peer, "decode", "mine")] = cell([decode] * 3, size)
    cells[key("narrow", ANY, "mine")] = Cell(status=CANNOT, note="no nulls\nin lists")
    declared = {"limit": Peer(kind="limit"), "fixed": Peer(["event"])}
    cells[key("broken", ANY, "mine")] = Cell(status=WRONG, note="another value")
    run = Run(figures.header(peers={"rust": declared}, data={"workload": "mine"}), cells)
    found = rows(run)
    assert sentences(run, found, "mine") == [
        "For mine, in Rust: smallest samewire-compact (900 B), fastest to encode rapid (20.0 ns), fastest to decode samewire-compact (70.0 ns)."
    ]
    assert refused(found, "mine") == ["Rust narrow: cannot carry it: in lists", "Rust broken: wrong result: another value", FIXED]
