"""Tables (spec/tables.md): the rows of a table are those that `decode` returns, and so are its errors."""

# Classes that are made at run time stand where types stand.
# mypy: disable-error-code="valid-type"

from __future__ import annotations

import functools
import random
from dataclasses import asdict, dataclass, field, make_dataclass
from datetime import UTC, date, datetime, time, timedelta
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any
from uuid import UUID

import pytest
from arrow_reader import StreamFailed, batches, rows_of, text_bytes, type_of
from hypothesis import given, settings
from hypothesis import strategies as st
from samewire import pack
from samewire.errors import SamewireError
from samewire.pack.records.blocks import MAGIC, Kind, block

#: Below and above the least length of a columnar list.
LENGTHS = (0, 1, 3, 63, 64, 70, 200)


class Side(Enum):
    BUY = 1
    SELL = 2


@dataclass
class Flat:
    a: bool
    b: Annotated[int, pack.I8]
    c: Annotated[int, pack.U16]
    d: int
    e: Annotated[int, pack.U64]
    f: float
    g: Annotated[float, pack.F32]
    h: str
    i: bytes
    j: UUID
    k: Side


@dataclass
class Optional:
    a: bool | None
    b: Annotated[int, pack.I32] | None
    c: float | None
    d: str | None
    e: bytes | None
    f: Side | None
    g: UUID | None
    h: datetime | None


@dataclass
class Timed:
    a: date
    b: time
    c: datetime
    d: timedelta


@dataclass
class Point:
    x: float
    label: str | None


@dataclass
class Nested:
    a: Point
    b: Point | None
    c: list[int]
    d: list[Point] | None
    e: list[str | None]
    f: tuple[int, str]
    g: dict[str, int]
    h: dict[Annotated[int, pack.I32], Point]
    i: list[list[bool]]
    j: set[str]
    k: Decimal
    l: Annotated[int, pack.BIGINT] | None  # noqa: E741


@dataclass
class Circle:
    r: float


@dataclass
class Square:
    side: int
    note: str | None


@dataclass
class Holder:
    shape: Circle | Square
    more: Circle | Square | None
    all: list[Circle | Square]


@dataclass
class Wrapped:
    inner: Holder | None


TEXTS = [
    "",
    "a",
    "short",
    "exactly 12 b",
    "thirteen byte",
    "é" * 7,
    "日本語のテキスト",
    "same as before, and long",
    "x" * 300,
    "😀",
]


def flat(r: random.Random) -> Flat:
    return Flat(
        r.random() < 0.5, r.randint(-128, 127), r.randint(0, 65535), r.randint(-(2**63), 2**63 - 1), r.randint(0, 2**64 - 1),
        r.random(), r.randint(0, 100) / 4, r.choice(TEXTS), r.randbytes(r.randint(0, 20)), UUID(bytes=r.randbytes(16)),
        r.choice(list(Side)),
    )  # fmt: skip


def maybe(r: random.Random, value: Any) -> Any:
    return value if r.random() < 0.6 else None


def instant(r: random.Random) -> datetime:
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=r.randint(-(10**16), 10**16))


def optional(r: random.Random) -> Optional:
    return Optional(
        maybe(r, r.random() < 0.5), maybe(r, r.randint(-5, 5)), maybe(r, 0.5), maybe(r, r.choice(TEXTS)), maybe(r, b"ab"),
        maybe(r, Side.SELL), maybe(r, UUID(int=7)), maybe(r, instant(r)),
    )  # fmt: skip


def timed(r: random.Random) -> Timed:
    return Timed(
        date(1, 1, 1) + timedelta(r.randint(0, 3_000_000)), time(r.randint(0, 23), 5, 6, r.randint(0, 999_999)), instant(r),
        timedelta(microseconds=r.randint(-(10**15), 10**15)),
    )  # fmt: skip


def point(r: random.Random) -> Point:
    return Point(r.random(), maybe(r, r.choice(TEXTS)))


def nested(r: random.Random) -> Nested:
    some = range(r.randint(0, 3))
    return Nested(
        point(r), maybe(r, point(r)), [r.randint(0, 9) for _ in some], maybe(r, [point(r) for _ in range(r.choice([0, 2, 70]))]),
        [maybe(r, "t") for _ in some], (r.randint(0, 3), "u"), {str(i): i for i in some}, {i: point(r) for i in some},
        [[True, False] for _ in some], {r.choice(TEXTS) for _ in some}, Decimal(r.randint(-(10**9), 10**9)).scaleb(-r.randint(0, 9)),
        maybe(r, r.randint(-(10**37), 10**37)),
    )  # fmt: skip


def shape(r: random.Random) -> Circle | Square:
    return Circle(r.random()) if r.random() < 0.5 else Square(r.randint(0, 9), maybe(r, "n"))


def holder(r: random.Random) -> Holder:
    return Holder(shape(r), maybe(r, shape(r)), [shape(r) for _ in range(r.randint(0, 2))])


def wrapped(r: random.Random) -> Wrapped:
    return Wrapped(maybe(r, holder(r)))


MAKERS = {Flat: flat, Optional: optional, Timed: timed, Nested: nested, Holder: holder, Wrapped: wrapped}


def plain(value: Any) -> Any:
    """What a table says of a decoded value."""
    if isinstance(value, dict):
        return [(key, plain(item)) for key, item in value.items()]
    if isinstance(value, Enum):
        return value.name
    if isinstance(value, tuple):
        return {f"f{i}": plain(item) for i, item in enumerate(value)}
    if isinstance(value, list):
        return [plain(item) for item in value]
    if isinstance(value, set):
        return sorted(value)
    if isinstance(value, Flat | Optional | Timed | Point | Nested | Circle | Square | Holder | Wrapped):
        return {name: plain(item) for name, item in vars(value).items()}
    return value


def sets_sorted(row: Any) -> Any:
    return {**row, "j": sorted(row["j"])} if "j" in row and isinstance(row["j"], list) else row


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize("kind", MAKERS)
def test_rows_are_those_that_decode_returns(kind: Any, profile: str) -> None:
    r = random.Random(f"{kind.__name__}{profile}")
    codec = pack.codec(list[kind], profile=profile)
    for length in LENGTHS:
        data = codec.encode([MAKERS[kind](r) for _ in range(length)])
        wanted = [plain(row) for row in codec.decode(data)]
        for table in (codec.table(data), codec.table(data, strings="view")):
            assert len(table) == length
            assert [sets_sorted(row) for row in rows_of(table)] == wanted


def test_types_are_those_of_the_schema() -> None:
    table = pack.codec(list[Nested]).table(pack.codec(list[Nested]).encode([]))
    assert type_of(table).text() == (
        ": +s<a: +s<x: g, label: u?>, b: +s?<x: g, label: u?>, c: +l<item: l>, d: +l?<item: +s<x: g, label: u?>>, "
        "e: +l<item: u?>, f: +s<f0: l, f1: u>, g: +m<entries: +s<key: u, value: l>>, "
        "h: +m<entries: +s<key: i, value: +s<x: g, label: u?>>>, i: +l<item: +l<item: b>>, j: +l<item: u>, "
        "k: d:38,18, l: d:38,0?>"
    )
    assert table.column_names == list("abcdefghijkl")
    timed = type_of(pack.codec(list[Timed]).table(pack.codec(list[Timed]).encode([])))
    assert [column.format for column in timed.children] == ["tdD", "ttu", "tsu:UTC", "tDu"]
    assert type_of(pack.codec(list[Flat]).table(pack.codec(list[Flat]).encode([]))).children[-1].text() == "k: i#"
    union = type_of(pack.codec(list[Holder]).table(pack.codec(list[Holder]).encode([]))).children[0]
    assert (union.format, [member.name for member in union.children]) == ("+ud:0,1", ["Circle", "Square"])


def test_a_table_is_read_again_and_outlives_its_codec() -> None:
    codec = pack.codec(list[Point])
    table = codec.table(bytearray(codec.encode([Point(1.5, "a label that is long")] * 3)))
    del codec
    assert rows_of(table) == rows_of(table) == [{"x": 1.5, "label": "a label that is long"}] * 3
    assert len(list(batches(table))) == 1
    capsule = table.__arrow_c_stream__(requested_schema=table.__arrow_c_schema__())
    del table
    assert "arrow_array_stream" in repr(capsule)


@dataclass
class Mixed:
    a: int
    b: list[dict[str, str]] = field(default_factory=list)
    c: Point | None = None
    d: datetime | None = None
    e: Annotated[bytes, 0] = b""


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize("count", [2, 70])
def test_damaged_messages_fail_as_decode_fails(count: int, profile: str) -> None:
    codec = pack.codec(list[Mixed], profile=profile)
    rows = [
        Mixed(i, [{"k": str(i)}] * (i % 2), Point(i, "p") if i % 3 else None, instant(random.Random(i)), b"x")
        for i in range(count)
    ]
    data = codec.encode(rows)
    r = random.Random(count)

    def outcome(read: Any) -> Any:
        try:
            return read()
        except SamewireError as error:
            return error.code, error.at, error.path

    cut = [data[:end] for end in range(0, len(data), max(1, len(data) // 60))]
    for _ in range(100):
        changed = bytearray(data)
        changed[r.randrange(len(data))] ^= 1 << r.randrange(8)
        cut.append(bytes(changed))
    failed = 0
    for message in cut:
        decoded, read = outcome(lambda m=message: codec.decode(m)), outcome(lambda m=message: rows_of(codec.table(m)))
        if isinstance(decoded, tuple):
            assert read == decoded
            failed += 1
        else:
            assert read == [asdict(row) | {"b": [list(map_.items()) for map_ in row.b]} for row in decoded]
    assert failed > 50


def refused(call: Any) -> SamewireError:
    with pytest.raises(SamewireError) as caught:
        call()
    return caught.value


@dataclass
class Loose:
    a: int
    b: list[Any]


@dataclass
class Tree:
    value: int
    left: Tree | None


@pytest.mark.parametrize(
    ("kind", "path"), [(list[Loose], "$[].b[]"), (list[Tree], "$[]"), (list[int], "$"), (Point, "$"), (dict[str, Point], "$")]
)
def test_types_without_an_arrow_type_are_named(kind: Any, path: str) -> None:
    codec = pack.codec(kind, namespace={"Tree": Tree})
    error = refused(lambda: codec.table(b"\x80\x00"))
    assert (error.code, error.path) == ("unsupported", path)


def nanoseconds(kind: Any) -> Any:
    return make_dataclass("Ticks", [("a", int), ("t", Annotated[int, kind])])


@pytest.mark.parametrize("count", [1, 100])
@pytest.mark.parametrize("kind", [pack.TIMESTAMP, pack.TIME, pack.DURATION])
def test_times_between_two_microseconds_are_refused_or_read_in_nanoseconds(kind: Any, count: int) -> None:
    ticks = nanoseconds(kind)
    codec = pack.codec(list[ticks])
    data = codec.encode([ticks(i, 1_000_000_007 + i) for i in range(count)])
    error = refused(lambda: codec.table(data))
    assert (error.code, error.path) == ("type_mismatch", "$[].t" if count == 100 else "$[0].t")
    assert "time_unit" in (error.text or "")
    wanted = [{"a": i, "t": 1_000_000_007 + i} for i in range(count)]
    assert rows_of(codec.table(data, time_unit="ns")) == wanted
    assert len(pack.codec(list[ticks], times="truncate").table(data)) == count
    unknown: Any = {"time_unit": "ms"}, {"strings": "large"}
    for options in unknown:
        assert refused(lambda o=options: codec.table(data, **o)).code == "misuse"


@pytest.mark.parametrize("count", [1, 100])
def test_decimals_beyond_their_digits_are_refused(count: int) -> None:
    money = make_dataclass("Money", [("a", Decimal)])
    codec = pack.codec(list[money])
    for value in ("1e-19", "1e20", "123456789012345678901"):
        error = refused(lambda v=value: codec.table(codec.encode([money(Decimal(v))] * count)))
        assert (error.code, error.path) == ("type_mismatch", "$[].a" if count == 100 else "$[0].a")
    for value in ("1e-18", "99999999999999999999.999999999999999999", "-1e19", "0e-900"):
        assert rows_of(codec.table(codec.encode([money(Decimal(value))] * count))) == [{"a": Decimal(value)}] * count


def test_absent_structs_are_charged_for_the_room_of_their_columns() -> None:
    wide = make_dataclass("Wide", [(f"f{i}", int) for i in range(200)])
    holder = make_dataclass("Sparse", [("a", int), ("w", wide | None)])
    rows = [holder(i, None) for i in range(1000)]
    codec = pack.codec(list[holder], limits=pack.Limits(cells=20_000))
    data = codec.encode(rows)
    assert codec.decode(data) == rows
    error = refused(lambda: codec.table(data))
    assert (error.code, error.path) == ("limit_items", "$[].w")


def test_a_dictionary_of_long_texts_takes_no_more_than_its_texts() -> None:
    line = make_dataclass("Line", [("t", str)])
    codec = pack.codec(list[line], limits=pack.Limits(cells=50_000))
    data = codec.encode([line("xy"[i % 2] * 10_000) for i in range(2_000)])
    assert len(data) < 21_000
    assert text_bytes(codec.table(data, strings="view")) == 2 * 10_000
    error = refused(lambda: codec.table(data))
    assert (error.code, error.path) == ("limit_items", "$")
    assert "view" in (error.text or "")


OPTIONAL = st.one_of(st.none(), st.text(max_size=20))


@settings(max_examples=30, deadline=None)
@given(st.lists(st.tuples(st.floats(allow_nan=False), OPTIONAL), max_size=90), st.sampled_from(["compact", "fast"]))
def test_any_rows_come_back(rows: list[tuple[float, str | None]], profile: str) -> None:
    codec = pack.codec(list[Point], profile=profile)
    data = codec.encode([Point(*row) for row in rows])
    for strings in ("utf8", "view"):
        assert rows_of(codec.table(data, strings=strings)) == [{"x": x, "label": label} for x, label in rows]


def record_file(path: Path, count: int) -> list[Flat]:
    rows = [flat(random.Random(i)) for i in range(count)]
    with pack.RecordWriter(path, Flat, block_bytes=2000) as writer:
        for row in rows:
            writer.write(row)
    return rows


def test_record_files_are_tables_of_so_many_rows(tmp_path: Path) -> None:
    rows = [plain(row) for row in record_file(tmp_path / "flat.records", 100)]
    with pack.RecordReader(tmp_path / "flat.records") as reader:
        assert next(reader).h == rows[0]["h"]
        tables = reader.tables(rows=33)
        assert [column.name for column in type_of(tables).children] == list("abcdefghijk")
        assert [len(table) for table in tables] == [33, 33, 33]
        assert list(tables) == []
        reader.seek(50)
        first = next(iter(tables))
        assert rows_of(first) == rows[50:83]
        assert [row for batch in batches(tables) for row in batch] == rows[83:]
        wrong: list[Any] = [0, 2**31, 2.5, True, "many"]
        for rows in wrong:
            assert refused(functools.partial(reader.tables, rows=rows)).code == "misuse"


def test_a_broken_record_is_named_and_the_next_ones_are_read(tmp_path: Path) -> None:
    codec = pack.codec(Point, check=False)
    messages = [codec.encode(Point(i, None))[: -(i == 2) or None] for i in range(6)]
    body = bytes([len(messages)]) + b"".join(map(pack.frame, messages))
    path = tmp_path / "points.records"
    path.write_bytes(MAGIC + block(Kind.SCHEMA, codec.schema.text.encode()) + block(Kind.RECORDS, body))
    with pack.RecordReader(path) as reader:
        tables = reader.tables(rows=2)
        with pytest.raises(SamewireError, match="record 2") as caught:
            list(tables)
        assert caught.value.code == "truncated"
        assert [rows_of(table) for table in tables] == [[{"x": 4.0, "label": None}, {"x": 5.0, "label": None}]]
    with pack.RecordReader(path) as reader, pytest.raises(StreamFailed, match=r"truncated.*record 2"):
        list(batches(reader.tables()))


def test_a_table_checks_what_decode_checks_before_the_values() -> None:
    codec = pack.codec(list[Point], require_digest=True)
    bare = pack.codec(list[Point], check=False).encode([Point(1, None)])
    for message in (bare, b"", b"\x00", pack.codec(list[Side]).encode([])):
        errors = [refused(lambda c=call, m=message: c(m)) for call in (codec.decode, codec.table)]
        assert errors[0].code == errors[1].code
        assert (errors[0].at, errors[0].path) == (errors[1].at, errors[1].path)
    small = pack.codec(list[Point], limits=pack.Limits(items=2))
    message = pack.codec(list[Point]).encode([Point(1, None)] * 3)
    assert refused(lambda: small.table(message)).code == refused(lambda: small.decode(message)).code == "limit_items"
    text: Any = "text"
    with pytest.raises(TypeError, match="takes bytes"):
        codec.table(text)


def test_a_resolving_decoder_has_no_tables() -> None:
    decoder = pack.codec(list[Point]).resolve("list<struct Point { label: option<string>, x: f64 }>")
    error = refused(lambda: decoder.table(b""))
    assert (error.code, "the codec of the writer's schema" in (error.text or "")) == ("misuse", True)
