"""Tables as the libraries that people have read them: pyarrow, pandas, polars, DuckDB. `make interop-arrow` runs this."""

from __future__ import annotations

import io
import subprocess
import sys
from dataclasses import asdict, dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import duckdb
import pandas
import polars
import pyarrow
import pytest
from pyarrow import parquet
from samewire import pack
from samewire.errors import SamewireError


class Side(Enum):
    BUY = 1
    SELL = 2


@dataclass
class Line:
    name: str
    count: Annotated[int, pack.I32] | None


@dataclass
class Order:
    number: int
    name: str
    note: str | None
    price: float | None
    side: Side
    day: date
    at: datetime
    tick: time
    took: timedelta
    open: bool
    exact: Decimal
    first: Line | None
    lines: list[Line]
    tags: list[str | None]
    raw: bytes


def order(i: int) -> Order:
    long = ["short", "a text that is longer than twelve", "é" * 9, "日本語のとても長いテキスト"][i % 4]
    line = Line(long, i if i % 2 else None)
    return Order(
        i, f"{long}{i}", long if i % 3 else None, i / 8 if i % 5 else None, Side.BUY if i % 7 else Side.SELL,
        date(2020, 1, 1) + timedelta(i), datetime(2020, 1, 1, tzinfo=UTC) + timedelta(microseconds=i * 1001), time(1, 2, 3, i),
        timedelta(seconds=i), i % 2 == 0, Decimal(i).scaleb(-2), line if i % 3 else None, [line] * (i % 3), ["x", None][: i % 3],
        bytes([i % 256]),
    )  # fmt: skip


def plain(one: Order) -> dict[str, Any]:
    return {**asdict(one), "side": one.side.name}


ORDERS = [order(i) for i in range(300)]
ROWS = [plain(one) for one in ORDERS]
CODECS = [pack.codec(list[Order], profile=profile) for profile in ("compact", "fast")]


@pytest.fixture(params=CODECS, ids=["compact", "fast"])
def table(request: pytest.FixtureRequest) -> Any:
    return request.param.table(request.param.encode(ORDERS))


def test_pyarrow_reads_the_rows(table: Any) -> None:
    read = pyarrow.table(table)
    read.validate(full=True)
    assert read.to_pylist() == ROWS
    assert read.schema == pyarrow.schema(table)
    assert pyarrow.RecordBatchReader.from_stream(table).read_all() == read


def test_pyarrow_writes_parquet_and_ipc(table: Any) -> None:
    read = pyarrow.table(table)
    sink = io.BytesIO()
    with pyarrow.ipc.new_stream(sink, read.schema) as writer:
        writer.write_table(read)
    assert pyarrow.ipc.open_stream(sink.getvalue()).read_all().to_pylist() == ROWS
    file = io.BytesIO()
    parquet.write_table(read, file)
    assert parquet.read_table(io.BytesIO(file.getvalue())).to_pylist() == ROWS


def test_polars_reads_the_rows(table: Any) -> None:
    assert polars.DataFrame(table).drop("raw").to_dicts() == [{k: v for k, v in row.items() if k != "raw"} for row in ROWS]


def test_pandas_reads_columns(table: Any) -> None:
    frame = pyarrow.table(table).to_pandas()
    assert list(frame["name"]) == [row["name"] for row in ROWS]
    assert frame["number"].sum() == sum(row["number"] for row in ROWS)
    if hasattr(pandas.DataFrame, "from_arrow"):
        assert list(pandas.DataFrame.from_arrow(table)["name"]) == [row["name"] for row in ROWS]


def test_duckdb_queries_the_rows(table: Any) -> None:
    orders = table
    assert len(orders) == 300
    found = duckdb.sql("select side::varchar, sum(number), max(name) from orders group by 1 order by 1").fetchall()
    assert found == [
        (side, sum(r["number"] for r in ROWS if r["side"] == side), max(r["name"] for r in ROWS if r["side"] == side))
        for side in ("BUY", "SELL")
    ]
    lines, counts = sum(len(r["lines"]) for r in ROWS), sum((r["first"] or {}).get("count") or 0 for r in ROWS)
    assert duckdb.sql("select sum(len(lines)), sum(first.count) from orders").fetchall() == [(lines, counts)]


@dataclass
class Keyed:
    id: UUID
    words: dict[str, int]
    pair: tuple[int, str]


@dataclass
class Circle:
    r: float


@dataclass
class Square:
    side: int


@dataclass
class Drawn:
    shape: Circle | Square
    other: Circle | Square | None


def test_uuids_maps_and_unions_in_pyarrow() -> None:
    keyed = pack.codec(list[Keyed])
    rows = [Keyed(UUID(int=i), {"a": i} if i % 2 else {}, (i, "t")) for i in range(100)]
    read = pyarrow.table(keyed.table(keyed.encode(rows)))
    read.validate(full=True)
    assert read.column("id").to_pylist() == [row.id for row in rows]
    assert read.column("words").to_pylist() == [list(row.words.items()) for row in rows]
    assert read.column("pair").to_pylist() == [{"f0": row.pair[0], "f1": "t"} for row in rows]
    drawn = pack.codec(list[Drawn])
    shapes = [Drawn(Circle(i) if i % 3 else Square(i), [None, Square(i), Circle(i)][i % 3]) for i in range(100)]
    read = pyarrow.table(drawn.table(drawn.encode(shapes)))
    read.validate(full=True)
    assert read.to_pylist() == [asdict(row) for row in shapes]


def test_record_files_are_streams(tmp_path: Path) -> None:
    path = tmp_path / "orders.records"
    with pack.RecordWriter(path, Order, block_bytes=1000) as writer:
        for one in ORDERS:
            writer.write(one)
    with pack.RecordReader(path) as reader:
        batches = pyarrow.RecordBatchReader.from_stream(reader.tables(rows=70))
        assert [batch.num_rows for batch in batches] == [70, 70, 70, 70, 20]
    with pack.RecordReader(path) as reader:
        assert polars.DataFrame(reader.tables(rows=64))["number"].to_list() == list(range(300))
    with pack.RecordReader(path) as reader:
        orders = pyarrow.RecordBatchReader.from_stream(reader.tables(rows=64))
        assert orders is not None
        assert duckdb.sql("select count(*), sum(number) from orders").fetchall() == [(300, sum(range(300)))]


def test_a_broken_file_is_the_consumers_error(tmp_path: Path) -> None:
    path = tmp_path / "orders.records"
    with pack.RecordWriter(path, Order, block_bytes=1000) as writer:
        for one in ORDERS:
            writer.write(one)
    path.write_bytes(path.read_bytes()[:-900])
    with pack.RecordReader(path) as reader, pytest.raises((pyarrow.ArrowInvalid, OSError), match="truncated"):
        pyarrow.table(reader.tables())
    with pack.RecordReader(path) as reader, pytest.raises(SamewireError) as caught:
        list(reader.tables())
    assert caught.value.code == "truncated"


@pytest.mark.parametrize(("form", "read"), [("arrow", pyarrow.ipc.open_file), ("parquet", parquet.ParquetFile)])
def test_cat_writes_files_of_other_programs(form: str, read: Any, tmp_path: Path) -> None:
    path = tmp_path / "orders.records"
    with pack.RecordWriter(path, Order) as writer:
        for one in ORDERS:
            writer.write(one)
    command = [sys.executable, "-m", "samewire.cli", "cat", "--to", form, str(path)]
    for options, count in ([], 300), (["--head", "7"], 7):
        piped = subprocess.run([*command, *options], stdout=subprocess.PIPE, check=True).stdout
        found = read(io.BytesIO(piped))
        found = found.read_all() if form == "arrow" else found.read()
        assert found.to_pylist() == ROWS[:count]
