"""`samewire cat --to`: records in formats of other programs."""

from __future__ import annotations

import csv
import io
import json
import sys
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from pathlib import Path

import pytest
from samewire.cli import main
from samewire.pack import RecordWriter


@dataclass
class Line:
    name: str
    count: int | None


@dataclass
class Order:
    number: int
    day: date
    price: Decimal
    note: str | None
    lines: list[Line]


ORDERS = [
    Order(1, date(2026, 1, 2), Decimal("1.50"), 'with "quotes", a comma\nand a line', [Line("é", None)]),
    Order(2, date(2026, 1, 3), Decimal(-3), None, []),
]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    path = tmp_path / "orders.records"
    with RecordWriter(path, Order) as out:
        out.write_many(ORDERS)
    return path


def test_csv_has_a_header_and_json_where_a_cell_is_no_scalar(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    assert main(["cat", "--to", "csv", str(path)]) == 0
    rows = list(csv.reader(io.StringIO(capsysbinary.readouterr().out.decode())))
    assert rows[0] == ["number", "day", "price", "note", "lines"]
    assert rows[1][:4] == ["1", "2026-01-02", "1.50", ORDERS[0].note]
    assert json.loads(rows[1][4]) == [{"name": "é", "count": None}]
    assert rows[2] == ["2", "2026-01-03", "-3", "", "[]"]
    assert main(["cat", "--to", "csv", "--head", "1", str(path)]) == 0
    assert len(list(csv.reader(io.StringIO(capsysbinary.readouterr().out.decode())))) == 2


def test_csv_of_a_file_that_is_cut_says_so(path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    whole = path.stat().st_size
    with RecordWriter(path, Order, append=True) as out:
        out.write_many(ORDERS)
    path.write_bytes(path.read_bytes()[: whole + 20])
    assert main(["cat", "--to", "csv", str(path)]) == 1
    shown = capsysbinary.readouterr()
    assert shown.out.startswith(b"number,day")
    assert b"\n2,2026-01-03,-3,,[]\n" in shown.out
    assert b"printed up to the last whole block" in shown.err


def test_csv_needs_columns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with RecordWriter(tmp_path / "x.records", list[int]) as out:
        out.write([1])
    assert main(["cat", "--to", "csv", str(tmp_path / "x.records")]) == 1
    assert "expected records of a struct, not list<i64>" in capsys.readouterr().err


@pytest.mark.parametrize("form", ["arrow", "parquet"])
def test_what_needs_pyarrow_says_so(
    form: str, path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    assert main(["cat", "--to", form, str(path)]) == 1
    assert f"--to {form} needs the package pyarrow" in capsys.readouterr().err


def test_one_format_at_a_time(path: Path) -> None:
    with pytest.raises(SystemExit) as ended:
        main(["cat", "--to", "csv", "--json", str(path)])
    assert ended.value.code == 2
