"""Messages of the tables of pyarrow, pandas, polars and DuckDB. `make interop-arrow` runs this."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import duckdb
import pandas
import polars
import pyarrow
import pytest
from samewire import pack
from samewire.errors import SamewireError
from test_consumers import CODECS, ORDERS, Drawn, Keyed, Line, Order, Side

#: As tables have them: a decimal's scale is that of its column.
SCALED = [replace(one, exact=one.exact.quantize(Decimal(1).scaleb(-18))) for one in ORDERS]
TABLE = pyarrow.table(CODECS[0].table(CODECS[0].encode(ORDERS)))


@dataclass
class Trade:
    """What all four libraries have types for."""

    number: Annotated[int, pack.I32]
    name: str
    note: str | None
    price: float | None
    side: Side
    day: date
    at: datetime
    open: bool
    count: Annotated[int, pack.U8] | None
    lines: list[Line]
    tags: list[str | None]


TRADES = [
    Trade(
        one.number, one.name, one.note, one.price, one.side, one.day, one.at, one.open, i % 256 if i % 3 else None, one.lines,
        one.tags,
    )
    for i, one in enumerate(ORDERS)
]  # fmt: skip
TRADE_CODECS = [pack.codec(list[Trade], profile=profile) for profile in ("compact", "fast")]
TRADE_TABLE = pyarrow.table(TRADE_CODECS[0].table(TRADE_CODECS[0].encode(TRADES)))

trades = TRADE_TABLE
PRODUCERS: dict[str, Callable[[], Any]] = {
    "pyarrow table": lambda: TRADE_TABLE,
    "pyarrow batches": lambda: pyarrow.Table.from_batches(TRADE_TABLE.to_batches(max_chunksize=37)),
    "pyarrow reader": lambda: TRADE_TABLE.to_reader(max_chunksize=64),
    "pyarrow batch": lambda: TRADE_TABLE.to_batches()[0],
    "pyarrow, of rows": lambda: pyarrow.Table.from_pylist(
        [{**vars(one), "side": one.side.name, "lines": [vars(line) for line in one.lines]} for one in TRADES],
        schema=TRADE_TABLE.schema,
    ),
    "pyarrow, sliced": lambda: pyarrow.concat_tables(
        [TRADE_TABLE.slice(0, 11), TRADE_TABLE.slice(11, 200), TRADE_TABLE.slice(211)]
    ),
    "pyarrow, unified and reordered": lambda: TRADE_TABLE.select(TRADE_TABLE.column_names[::-1]).unify_dictionaries(),
    "polars": lambda: polars.DataFrame(TRADE_TABLE),
    "polars, rechunked": lambda: polars.concat([polars.DataFrame(TRADE_TABLE)[:100], polars.DataFrame(TRADE_TABLE)[100:]]),
    "duckdb": lambda: duckdb.sql("select * from trades"),
    "duckdb, with texts as symbols": lambda: duckdb.sql("select * replace (side::varchar as side) from trades"),
    "pandas of arrow": lambda: TRADE_TABLE.to_pandas(types_mapper=pandas.ArrowDtype),
}


@pytest.mark.parametrize("codec", TRADE_CODECS, ids=["compact", "fast"])
@pytest.mark.parametrize("library", PRODUCERS)
def test_tables_of_all_libraries_are_encoded_as_their_rows(library: str, codec: Any) -> None:
    assert codec.encode_table(PRODUCERS[library]()) == codec.encode(TRADES)


@pytest.mark.parametrize("codec", CODECS, ids=["compact", "fast"])
def test_every_type_of_pyarrow_comes_back(codec: Any) -> None:
    assert codec.encode_table(TABLE) == codec.encode(SCALED)
    assert codec.encode_table(TABLE.slice(50, 100)) == codec.encode(SCALED[50:150])
    wide = {
        pyarrow.string(): pyarrow.large_string(), pyarrow.date32(): pyarrow.date64(), pyarrow.binary(): pyarrow.large_binary(),
        pyarrow.int64(): pyarrow.int32(), pyarrow.time64("us"): pyarrow.time64("ns"), pyarrow.duration("us"): pyarrow.duration("ns"),
        pyarrow.timestamp("us", "UTC"): pyarrow.timestamp("ns", "Europe/Zurich"), pyarrow.decimal128(38, 18): pyarrow.decimal256(60, 18),
    }  # fmt: skip
    other = pyarrow.schema([pyarrow.field(one.name, wide.get(one.type, one.type)) for one in TABLE.schema])
    assert other != TABLE.schema
    assert codec.encode_table(TABLE.cast(other)) == codec.encode(SCALED)
    views = TABLE.cast(pyarrow.schema([
        pyarrow.field(one.name, {pyarrow.string(): pyarrow.string_view(), pyarrow.binary(): pyarrow.binary_view()}.get(one.type, one.type))
        for one in TABLE.schema
    ]))  # fmt: skip
    assert codec.encode_table(views) == codec.encode(SCALED)


def test_uuids_maps_and_unions_of_pyarrow() -> None:
    from uuid import UUID

    from test_consumers import Circle, Square

    keyed = pack.codec(list[Keyed])
    data = keyed.encode([Keyed(UUID(int=i), {"b": i, "a": 1} if i % 2 else {}, (i, "t")) for i in range(100)])
    assert keyed.encode_table(pyarrow.table(keyed.table(data))) == data
    assert keyed.encode_table(polars.DataFrame(keyed.table(data)).select("id", "words", "pair")) == data
    drawn = pack.codec(list[Drawn])
    data = drawn.encode([Drawn(Circle(i) if i % 3 else Square(i), [None, Square(i), Circle(i)][i % 3]) for i in range(100)])
    assert drawn.encode_table(pyarrow.table(drawn.table(data))) == data


def test_frames_of_pandas_with_its_own_types() -> None:
    @dataclass
    class Plain:
        number: int
        price: float
        name: str
        at: datetime

    plain = [Plain(i, i / 4, f"name {i}", datetime(2020, 1, 1, tzinfo=UTC) + timedelta(seconds=i)) for i in range(100)]
    codec = pack.codec(list[Plain])
    frame = pandas.DataFrame([vars(one) for one in plain])
    assert codec.encode_table(frame) == codec.encode(plain)
    assert codec.encode_table(frame[frame["number"] % 2 == 0].reset_index(drop=True)) == codec.encode(plain[::2])


def test_a_queue_of_duckdb_is_filtered_and_summed() -> None:
    @dataclass
    class Sum:
        side: str
        total: int
        most: str

    codec = pack.codec(list[Sum])
    found = duckdb.sql("select side::varchar as side, sum(number) as total, max(name) as most from trades group by 1 order by 1")
    wanted = [
        Sum(
            side, sum(one.number for one in TRADES if one.side.name == side),
            max(one.name for one in TRADES if one.side.name == side),
        )
        for side in ("BUY", "SELL")
    ]  # fmt: skip
    assert codec.decode(codec.encode_table(found)) == wanted


def test_nulls_and_types_are_refused_with_row_and_path() -> None:
    codec = TRADE_CODECS[0]

    def refused(table: Any) -> tuple[str, str | None]:
        with pytest.raises(SamewireError) as caught:
            codec.encode_table(table)
        return caught.value.code, caught.value.path

    names = ["a"] * 299 + [None]
    place = TRADE_TABLE.schema.get_field_index("name")
    assert refused(TRADE_TABLE.set_column(place, "name", pyarrow.array(names))) == ("type_mismatch", "$[299].name")
    assert refused(TRADE_TABLE.drop_columns(["name"])) == ("schema_mismatch", "$[].name")
    assert refused(polars.DataFrame(TRADE_TABLE).with_columns(more=1)) == ("schema_mismatch", "$[].more")
    large = TRADE_TABLE.set_column(0, "number", pyarrow.array([2**31] * 300))
    assert refused(large) == ("type_mismatch", "$[0].number")


def test_a_reader_that_fails_is_an_oserror() -> None:
    def batches() -> Any:
        yield from TRADE_TABLE.to_batches(max_chunksize=10)[:3]
        raise ValueError("the source is gone")

    with pytest.raises(OSError, match="the source is gone"):
        TRADE_CODECS[0].encode_table(pyarrow.RecordBatchReader.from_batches(TRADE_TABLE.schema, batches()))


def test_tables_are_written_to_record_files(tmp_path: Path) -> None:
    paths = tmp_path / "one.records", tmp_path / "other.records"
    with pack.RecordWriter(paths[0], Trade, block_bytes=4000) as writer:
        writer.write_many(TRADES)
    with pack.RecordWriter(paths[1], Trade, block_bytes=4000) as writer:
        writer.write_table(polars.DataFrame(TRADE_TABLE)[:100])
        writer.write_table(TRADE_TABLE.slice(100).to_reader(max_chunksize=33))
    assert paths[0].read_bytes() == paths[1].read_bytes()


def test_a_record_file_is_encoded_without_a_library(tmp_path: Path) -> None:
    path = tmp_path / "orders.records"
    with pack.RecordWriter(path, Order) as writer:
        writer.write_many(ORDERS)
    with pack.RecordReader(path, Order) as reader:
        assert CODECS[0].encode_table(reader.tables(rows=64)) == CODECS[0].encode(SCALED)
