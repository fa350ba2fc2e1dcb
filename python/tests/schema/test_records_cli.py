"""The commands `samewire cat`, `samewire schema` and `samewire diff`."""

from __future__ import annotations

import datetime
import gzip
import io
import json
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Any
from uuid import UUID

import pytest
from samewire import pack
from samewire.cli import main
from samewire.pack import RecordReader, RecordWriter
from samewire.pack.records import compression
from samewire.pack.records.blocks import Kind, block


class Suit(Enum):
    hearts = 1
    spades = 2


@dataclass
class Card:
    suit: Suit


@dataclass
class Note:
    text: str


@dataclass
class Everything:
    count: int
    ratio: float
    price: Decimal
    data: bytes
    key: UUID
    day: datetime.date
    at: datetime.datetime
    took: datetime.timedelta
    clock: datetime.time
    seen: bool | None
    item: Card | Note
    by_year: dict[int, list[str]]
    pair: tuple[int, str]
    rest: Any


EVERYTHING = Everything(
    2**62,
    float("inf"),
    Decimal("1.50"),
    b"\0\xff",
    UUID(int=1),
    datetime.date(2026, 1, 2),
    datetime.datetime(2026, 1, 2, 3, 4, 5, 600, tzinfo=datetime.UTC),
    datetime.timedelta(seconds=-1.5),
    datetime.time(1, 2, 3),
    None,
    Card(Suit.spades),
    {1974: ["Carrie"]},
    (1, "日本"),
    {"a": [1, Decimal(2), b"x", datetime.timedelta(1), datetime.date(2026, 1, 2)]},
)
AS_JSON = {
    "count": 2**62,
    "ratio": "inf",
    "price": "1.50",
    "data": "AP8=",
    "key": "00000000-0000-0000-0000-000000000001",
    "day": "2026-01-02",
    "at": "2026-01-02T03:04:05.0006Z",
    "took": "-1.5s",
    "clock": "01:02:03",
    "seen": None,
    "item": {"Card": {"suit": "spades"}},
    "by_year": {"1974": ["Carrie"]},
    "pair": [1, "日本"],
    "rest": {"a": [1, "2", "eA==", "86400s", "2026-01-02"]},
}


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "x.records"
    with RecordWriter(path, Everything) as out:
        out.write_many([EVERYTHING] * 3)
    return path


def test_cat_prints_json(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cat", str(path), "--json", "--head", "2"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert [json.loads(line) for line in lines] == [AS_JSON, AS_JSON]
    assert "日本" in lines[0]


def test_cat_prints_records_as_python_would(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cat", str(path)]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert len(lines) == 3
    assert lines[0] == (
        f"Everything(count={2**62}, ratio=inf, price=1.50, data=b'\\x00\\xff', key=00000000-0000-0000-0000-000000000001, "
        "day=2026-01-02, at=2026-01-02T03:04:05.0006Z, took=-1.5s, clock=01:02:03, seen=None, item=Card(suit=spades), "
        "by_year={1974: ['Carrie']}, pair=(1, '日本'), rest={'a': [1, '2', 'eA==', '86400s', '2026-01-02']})"
    )


@pytest.mark.parametrize("options", [["--json"], []])
def test_cat_prints_sets_in_the_order_of_their_elements(
    options: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [f"w{number}" for number in range(40)]
    with RecordWriter(tmp_path / "x.records", set[str]) as out:
        out.write(set(words))
    assert main(["cat", str(tmp_path / "x.records"), *options]) == 0
    shown = capsys.readouterr().out
    assert [word.strip("\"'") for word in shown.strip("[]{}\n").split(", ")] == sorted(words)


def test_cat_says_that_a_file_is_cut(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    whole = path.stat().st_size
    with RecordWriter(path, Everything, append=True) as out:
        out.write(EVERYTHING)
    path.write_bytes(path.read_bytes()[: whole + 20])
    assert main(["cat", str(path)]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == 3
    assert shown.err == (
        f"samewire: {path}: printed up to the last whole block; the file ends within a block, at byte {whole + 20}: "
        "it is being written, or was cut off\n"
    )
    assert main(["cat", "--head", "1", str(path)]) == 0
    assert capsys.readouterr().err == ""


def test_cat_says_that_a_file_is_cut_between_blocks(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RecordReader(path) as reader:
        at_first, records, at_last = reader.complete, len(list(reader)), reader.complete
    assert (at_first, at_last) == (False, True)
    index = int.from_bytes(path.read_bytes()[-12:-4], "little")
    path.write_bytes(path.read_bytes()[:index])
    assert main(["cat", str(path)]) == 1
    shown = capsys.readouterr()
    assert len(shown.out.splitlines()) == records
    assert "has no index at its end: it is being written, or was cut off" in shown.err
    with RecordReader(path) as reader:
        assert len(list(reader)) == records
        assert not reader.complete


def test_cat_does_not_take_a_broken_record_for_a_cut_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "x.records"
    with RecordWriter(path, int) as out:
        out.write(1)
    whole = path.read_bytes()
    schema_ends = whole.index(block(Kind.RECORDS, b"\1\2" + pack.codec(int, check=False).encode(1)))
    path.write_bytes(whole[:schema_ends] + block(Kind.RECORDS, b"\1\1" + pack.codec(int, check=False).encode(1)[:1]))
    assert main(["cat", str(path)]) == 1
    shown = capsys.readouterr()
    assert shown.out == ""
    assert "record 0: " in shown.err
    assert "truncated" in shown.err


def test_a_closed_output_is_no_error_of_the_file(path: Path) -> None:
    command = [sys.executable, "-m", "samewire.cli", "cat", str(path)]
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == b""


def test_schema_reads_standard_input(path: Path) -> None:
    command = [sys.executable, "-m", "samewire.cli", "schema", "-"]
    shown = subprocess.run(command, input=path.read_bytes(), capture_output=True, check=True)
    assert shown.stdout.decode() == pack.codec(Everything).schema.text + "\n"


def zstd(data: bytes) -> bytes:
    found = compression.zstd()
    assert found is not None
    return found.compress(data)


@pytest.mark.parametrize("compress", [gzip.compress, zstd])
def test_compressed_files_are_read(
    compress: Callable[[bytes], bytes], path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["cat", "--json", str(path)]) == 0
    lines = capsys.readouterr().out
    packed = path.with_suffix(".packed")
    packed.write_bytes(compress(path.read_bytes()))
    assert main(["cat", "--json", str(packed)]) == 0
    assert capsys.readouterr() == (lines, "")
    assert main(["schema", str(packed)]) == 0
    shown = capsys.readouterr()
    schema = pack.codec(Everything).schema
    assert shown == (schema.text + "\n", f"digest {schema.digest.hex()}\n")
    text = path.with_suffix(".schema")
    text.write_bytes(compress(schema.text.encode()))
    assert main(["diff", str(packed), str(text)]) == 0
    assert capsys.readouterr().out == "the schemas are equal\n"
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(packed.read_bytes()))))
    assert main(["cat", "--json", "-"]) == 0
    assert capsys.readouterr().out == lines
    monkeypatch.setattr("sys.stdin", io.TextIOWrapper(io.BufferedReader(io.BytesIO(packed.read_bytes()))))
    assert main(["emit", "-", "--emit", "python"]) == 0
    assert "class Everything" in capsys.readouterr().out


@pytest.mark.parametrize("compress", [gzip.compress, zstd])
def test_a_compressed_file_that_is_cut_says_so(
    compress: Callable[[bytes], bytes], path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    packed = path.with_suffix(".packed")
    packed.write_bytes(compress(path.read_bytes())[:-9])
    for command, code in ((["cat"], 1), (["schema"], 1), (["emit", "--emit", "java"], 1), (["diff", "i32"], 2)):
        assert main([*command, str(packed)]) == code
        shown = capsys.readouterr().err
        assert f"{packed} is broken: " in shown
        assert len(shown.splitlines()) == 1


def test_schema_prints_the_text(path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["schema", str(path)]) == 0
    shown = capsys.readouterr()
    schema = pack.codec(Everything).schema
    assert shown.out == schema.text + "\n"
    assert shown.err == f"digest {schema.digest.hex()}, 3 records\n"


@pytest.mark.parametrize("command", ["cat", "schema"])
def test_what_is_no_record_file_is_said(command: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "x.json"
    file.write_text('[{"a": 1}]')
    assert main([command, str(file)]) == 1
    assert "this looks like JSON" in capsys.readouterr().err
    assert main([command, str(tmp_path / "none")]) == 1
    assert "No such file" in capsys.readouterr().err


@pytest.mark.parametrize("command", [["emit", "--emit", "java"], ["diff", "i32"]])
@pytest.mark.parametrize(
    ("text", "says"),
    [("\n", "is empty"), ('[{"a": 1}]', "`samewire infer` makes a schema of it"), ("struct", "expected a name")],
)
def test_what_is_no_schema_names_the_file(
    command: list[str], text: str, says: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "x.schema"
    file.write_text(text)
    assert main([*command, str(file)]) in (1, 2)
    shown = capsys.readouterr().err
    assert f": {file}: " in shown
    assert says in shown


OLD = "struct Book { name: string, year: i32 }"
WIDER = "struct Book { name: string, year: i64, author: option<string> }"
GENRE = "struct Book { genre: enum Genre { crime, horror } }"
FALLBACK = "struct Book { genre: enum Genre { crime, horror @fallback } }"
GENRES = "struct Book { genre: option<enum Genre { crime, horror, poetry }> }"
SHAPE = "list<union { struct Dot {} }>"
SHAPES = "list<union { struct Dot {}, struct Line { to: union { Dot, Line } } }>"
RENAMED = "struct Tome @alias(Volume, Book) { label: string @alias(name, title), published: i64 @alias(year) }"
SORT = "struct Book { sort: enum Sort @alias(Genre) { crime } @alias(genre) }"
MORE = "struct Book { name: string, year: i32, author: string }"


@pytest.mark.parametrize(
    ("old", "new", "required", "code", "shown"),
    [
        (OLD, OLD, "both", 0, ["the schemas are equal"]),
        (OLD, WIDER, "new-reads-old", 0, ["$.year: i32 in OLD, i64 in NEW", "OLD wrote: reads it", "NEW wrote: cannot: $.year"]),
        (OLD, WIDER, "both", 1, ["OLD wrote: reads it"]),
        (OLD, WIDER, "old-reads-new", 1, []),
        (WIDER, OLD, "old-reads-new", 0, []),
        (OLD, MORE, "new-reads-old", 1, ["OLD wrote: cannot: $.author", "NEW wrote: reads it"]),
        (OLD, MORE, "old-reads-new", 0, []),
        (OLD, MORE.replace("string }", "string @default }"), "both", 0, ["OLD wrote: reads it", "NEW wrote: reads it"]),
        (WIDER, MORE.replace("string }", "string @default }"), "new-reads-old", 1, ["OLD wrote: cannot: $.year"]),
        (OLD, RENAMED, "new-reads-old", 0, ["OLD wrote: reads it", "NEW wrote: cannot: $: the writer has struct Tome"]),
        (OLD, RENAMED.replace("name, title", "title"), "new-reads-old", 1, ["OLD wrote: cannot: $.label"]),
        (GENRE, SORT, "new-reads-old", 1, ["OLD wrote: only messages without symbol horror at $.sort"]),
        (FALLBACK, GENRE, "both", 0, ["the schemas are equal"]),
        (FALLBACK, GENRE.replace("Genre {", "Genre { poetry, "), "old-reads-new", 0, ["NEW wrote: reads it"]),
        (
            "set<enum Genre { crime @fallback }>",
            "set<enum Genre { crime, poetry }>",
            "old-reads-new",
            1,
            ["NEW wrote: only messages without symbol poetry at $[]"],
        ),
        (
            SHAPE.replace("{} }", "{} @fallback }"),
            SHAPES,
            "old-reads-new",
            0,
            ["NEW wrote: reads it"],
        ),
        (SHAPE, SHAPES, "new-reads-old", 0, ["OLD wrote: reads it", "NEW wrote: only messages without member Line at $[]"]),
        (SHAPE, SHAPES, "both", 1, []),
        ("list<i64>", "list<f64>", "new-reads-old", 1, ["OLD wrote: only messages without i64 that no f64 equals at $[]"]),
        ("list<i32>", "list<f64>", "new-reads-old", 0, ["OLD wrote: reads it", "NEW wrote: cannot: $[]"]),
        (GENRES, GENRE.replace("genre:", "genre: option<").replace("} }", "}> }"), "new-reads-old", 1, ["poetry at $.genre"]),
        (GENRE, GENRES, "new-reads-old", 0, ["OLD wrote: reads it", "NEW wrote: cannot: $.genre"]),
    ],
)
def test_diff(old: str, new: str, required: str, code: int, shown: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", old, new, "--require", required]) == code
    out = capsys.readouterr().out
    for text in shown:
        assert text in out


def test_diff_takes_files(path: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = tmp_path / "everything.schema"
    text.write_text(pack.codec(Everything).schema.text.replace(",", ",\n") + "\n")
    assert main(["diff", str(path), str(text)]) == 0
    assert capsys.readouterr().out == "the schemas are equal\n"
    text.write_text("struct {")
    assert main(["diff", str(path), str(text)]) == 2
    assert "malformed" in capsys.readouterr().err


SYMBOLS = ", ".join(f"s{number}" for number in range(8))
KINDS = f"tuple<enum One {{ {SYMBOLS} }}, map<enum Two {{ a, b }}, set<enum Three {{ c, d }}>>, option<list<ref<struct S {{ x: One }}>>>>"


def test_diff_names_what_a_reader_does_not_know(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["diff", KINDS, KINDS.replace(SYMBOLS, "s0").replace("a, b", "a").replace("c, d", "c")]) == 1
    without = "symbol s1 at $[0], symbol s2 at $[0], symbol s3 at $[0], symbol s4 at $[0], symbol s5 at $[0] and 4 more"
    lines = capsys.readouterr().out.splitlines()
    assert lines[1:] == [
        f"a reader of NEW, what OLD wrote: only messages without {without}",
        "a reader of OLD, what NEW wrote: reads it",
    ]
    assert main(["diff", KINDS, KINDS.replace("a, b", "a").replace("c, d", "c")]) == 1
    assert "without symbol b at $[1][].key, symbol d at $[1][].value[]\n" in capsys.readouterr().out
