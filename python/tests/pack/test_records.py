"""Record files as programs use them: paths, pipes, files that grow, crash, fill the disk, or lie."""

from __future__ import annotations

import gzip
import importlib
import io
import os
import random
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, BinaryIO, cast

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.pack import RecordReader, RecordWriter
from samewire.pack.records import compression
from samewire.pack.records.blocks import MAGIC, Block, Kind, block, varint
from samewire.pack.records.places import Places, index_of
from samewire.pack.records.walk import walk


@dataclass(slots=True)
class Book:
    name: str
    year: Annotated[int, pack.I32]


@dataclass(slots=True)
class Film:
    name: str
    year: Annotated[int, pack.I32]


def books(number: int) -> list[Book]:
    return [Book(f"book {place}", 1900 + place % 100) for place in range(number)]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "books.records"


def test_reads_what_was_written_in_many_blocks(path: Path) -> None:
    with RecordWriter(path, Book, block_bytes=1000) as out:
        out.write_many(books(5000))
        assert out.records == 5000
    with RecordReader(path, Book) as found:
        assert list(found) == books(5000)
        assert found.count() == 5000
        for number in (4999, 0, 2500, 63):
            found.seek(number)
            assert next(found) == books(5000)[number]
        found.seek(5000)
        assert list(found) == []
        for number in (-1, 5001):
            with pytest.raises(SamewireError, match="misuse"):
                found.seek(number)


def test_without_a_type_records_are_of_the_files_own(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        out.write(Book("Carrie", 1974))
    with RecordReader(path) as found:
        (carrie,) = found
        assert (type(carrie).__name__, carrie.name, carrie.year) == ("Book", "Carrie", 1974)
        assert found.schema.text == "struct Book { name: string, year: i32 }"


def test_an_error_concerns_one_record_alone(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        out.write(Book("Carrie", 1974))
        with pytest.raises(SamewireError) as caught:
            out.write(Book("Cujo", 2**40))
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$.year")
        out.write(Book("Misery", 1987))
    with RecordReader(path, Book) as found:
        assert [book.name for book in found] == ["Carrie", "Misery"]


def test_a_broken_record_is_named_and_read_past(path: Path) -> None:
    good = pack.codec(Book).encode(Book("Carrie", 1974))
    body = varint(3) + pack.frame(good) + pack.frame(b"\x80") + pack.frame(good)
    path.write_bytes(MAGIC + block(Kind.SCHEMA, pack.codec(Book).schema.text.encode()) + block(Kind.RECORDS, body))
    with RecordReader(path, Book) as found:
        assert next(found).name == "Carrie"
        with pytest.raises(SamewireError, match="record 1: "):
            next(found)
        assert next(found).name == "Carrie"
        assert list(found) == []


def test_changes_after_write_do_not_show(path: Path) -> None:
    book = Book("Carrie", 1974)
    with RecordWriter(path, Book) as out:
        out.write(book)
        book.name = "another"
        out.write(book)
    with RecordReader(path, Book) as found:
        assert [book.name for book in found] == ["Carrie", "another"]


def test_a_reader_follows_a_file_that_grows(path: Path) -> None:
    with RecordWriter(path, Book) as out, RecordReader(path, Book, growing=True) as found:
        assert list(found) == []
        for number in range(3):
            out.write(Book(str(number), number))
            assert list(found) == []
            out.flush()
            assert [book.year for book in found] == [number]


def test_appends_after_a_crash_at_any_byte(path: Path) -> None:
    whole = io.BytesIO()
    with RecordWriter(whole, Book) as out:
        for book in books(4):
            out.write(book)
            out.flush()
    data = whole.getvalue()
    for cut in range(len(data) + 1):
        path.write_bytes(data[:cut])
        with RecordWriter(path, Book, append=True) as out:
            kept = out.records
            out.write(Book("last", 1))
        with RecordReader(path, Book) as found:
            assert list(found) == [*books(kept), Book("last", 1)]
            assert found.count() == kept + 1


def test_appending_another_type_is_refused_and_changes_nothing(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        out.write_many(books(3))
    before = path.read_bytes()
    with pytest.raises(SamewireError, match="struct Film here, struct Book there"):
        RecordWriter(path, Film, append=True)
    path.write_bytes(before[:-3] + b"x" + before[-2:])
    with pytest.raises(SamewireError, match="checksum"):
        RecordWriter(path, Book, append=True)


def test_a_file_whose_first_block_seems_not_to_end_is_emptied_only_if_it_is_that_of_the_writer(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        out.write_many(books(3))
    whole = path.read_bytes()
    # A size that the file is too short for: every record would be behind it.
    damaged = whole[:9] + b"\xff\x7f" + whole[11:]
    path.write_bytes(damaged)
    with pytest.raises(SamewireError, match="nothing is cut off") as refused:
        RecordWriter(path, Book, append=True)
    assert (refused.value.code, refused.value.at, path.read_bytes()) == ("malformed", 9, damaged)
    path.write_bytes(whole[:30])
    with pytest.raises(SamewireError, match="nothing is cut off"):
        RecordWriter(path, Film, append=True)
    with RecordWriter(path, Book, append=True) as out:
        out.write_many(books(3))
    assert path.read_bytes() == whole


def start_of_index(file: bytes) -> int:
    return int.from_bytes(file[-12:-4], "little")


def test_a_writer_writes_nothing_that_its_own_limits_refuse() -> None:
    tight = pack.Limits(buffered_bytes=64)
    file = io.BytesIO()
    with RecordWriter(file, Book, block_bytes=40, limits=tight) as out:
        out.write_many(books(120))
        with pytest.raises(SamewireError, match="limit_size"):
            out.write(Book("x" * 70, 1))
        assert out.records == 120
    # An index of forty blocks would be larger than the limit: there is none.
    assert not walk(file, pack.Limits()).indexed
    found = RecordReader(io.BytesIO(file.getvalue()), Book, limits=tight)
    assert found.count() == 120
    found.seek(119)
    assert list(found) == books(120)[119:]
    with pytest.raises(SamewireError, match="misuse"):
        RecordWriter(io.BytesIO(), Book, block_bytes=60, limits=tight)
    with RecordWriter(file, Book, append=True, block_bytes=40, limits=tight) as out:
        assert out.records == 120


def test_an_index_takes_no_more_memory_than_in_the_file() -> None:
    import tracemalloc

    places = Places()
    for number in range(100_000):
        places.add(50 + 9 * number, 3)
    index = Block(Kind.INDEX, 1_000_000, 1_000_003, 1_300_000, places.index_body(1_000_000))
    tracemalloc.start()
    found = index_of(index, 50)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1.5 * len(index.body)
    assert (found.records, list(found)) == (300_000, [(50 + 9 * number, 3) for number in range(100_000)])


@pytest.mark.parametrize(
    ("starts", "fits"), [((53, 62), True), ((53, 61), False), ((52, 62), False), ((53, 92), False), ((53, 91), True), ((), True)]
)
def test_an_index_names_only_blocks_that_can_be_there(starts: tuple[int, ...], fits: bool) -> None:
    places = Places()
    for start in starts:
        places.add(start, 3)
    index = Block(Kind.INDEX, 100, 103, 200, places.index_body(100))
    if fits:
        assert list(index_of(index, 53)) == [(start, 3) for start in starts]
    else:
        with pytest.raises(SamewireError, match="cannot be there"):
            index_of(index, 53)


def test_a_growing_reader_sees_what_an_append_put_in_place_of_an_unfinished_block(path: Path) -> None:
    with RecordWriter(path, Book, block_bytes=1) as out:
        out.write_many(books(3))
    crashed = path.read_bytes()[:80]
    path.write_bytes(crashed)
    last = Book("Misery " * 20, 1987)
    with RecordReader(path, Book, growing=True) as found:
        kept = list(found)
        with RecordWriter(path, Book, append=True) as out:
            assert out.records == len(kept)
            out.write(last)
        assert list(found) == [last]
    # A file that the caller opened has to be opened again.
    path.write_bytes(crashed)
    with path.open("rb") as file:
        found = RecordReader(file, Book, growing=True)
        assert list(found) == kept
        with RecordWriter(path, Book, append=True) as out:
            out.write(last)
        with pytest.raises(SamewireError, match="malformed"):
            list(found)


def test_a_named_pipe_is_followed_without_going_back(path: Path) -> None:
    whole = io.BytesIO()
    with RecordWriter(whole, Book, block_bytes=1) as out:
        out.write_many(books(3))
    os.mkfifo(path)
    thread = threading.Thread(target=path.write_bytes, args=(whole.getvalue()[:80],))
    thread.start()
    with RecordReader(path, Book, growing=True) as found:
        assert list(found) == books(1)
        assert list(found) == []
    thread.join()


def test_a_damaged_size_is_not_taken_for_an_unfinished_block(path: Path) -> None:
    with RecordWriter(path, Book, block_bytes=200) as out:
        head = path.stat().st_size
        out.write_many(books(60))
    whole = path.read_bytes()
    records = whole[: start_of_index(whole)]
    with RecordWriter(path, Book, block_bytes=40) as out:
        out.write_many(books(200))
    whole = path.read_bytes()
    start = start_of_index(whole)
    for data, at in ((records, head), (whole + whole[head:start], start)):
        # One more bit in the size of a block that has others behind it.
        damaged = data[: at + 2] + bytes([data[at + 2] | 0x40]) + data[at + 3 :]
        path.write_bytes(damaged)
        for use in (
            lambda: list(RecordReader(path, Book)),
            lambda: list(RecordReader(path, Book, growing=True)),
            lambda: RecordReader(path, Book).count(),
            lambda: RecordWriter(path, Book, append=True),
        ):
            with pytest.raises(SamewireError, match="its size is damaged") as caught:
                use()
            assert (caught.value.code, caught.value.at) == ("malformed", at + 1)
        assert path.read_bytes() == damaged


def test_zeros_of_a_power_cut_are_told_as_such(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        head = path.stat().st_size
        out.write_many(books(3))
    whole = path.read_bytes()
    with pytest.raises(SamewireError, match=f"power cut .* cut the file to {len(whole)} bytes"):
        list(RecordReader(io.BytesIO(whole + bytes(4096)), Book))
    with pytest.raises(SamewireError, match="the power may have failed"):
        list(RecordReader(io.BytesIO(whole[: head + 20] + bytes(len(whole) - head - 20)), Book))


def test_a_writer_syncs_what_it_has_and_ends_where_that_fails(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RecordWriter(path, Book) as out:
        out.write_many(books(3))
        out.sync()
        assert list(RecordReader(path, Book)) == books(3)

    def fails(descriptor: int) -> None:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(os, "fsync", fails)
    out = RecordWriter(path, Book)
    with pytest.raises(OSError, match="Input/output"):
        out.sync()
    with pytest.raises(SamewireError, match="closed"):
        out.sync()
    with pytest.raises(SamewireError, match="misuse"):
        RecordWriter(io.BytesIO(), Book).sync()


def test_a_pipe_is_read_as_it_comes() -> None:
    reading, writing = os.pipe()

    def write() -> None:
        with os.fdopen(writing, "wb", buffering=0) as file, RecordWriter(file, Book, block_bytes=100) as out:
            out.write_many(books(1000))

    thread = threading.Thread(target=write)
    thread.start()
    with os.fdopen(reading, "rb") as file, RecordReader(file, Book) as found:
        assert list(found) == books(1000)
        with pytest.raises(SamewireError, match="pipe"):
            found.count()
    thread.join()


class FullDisk(io.BytesIO):
    """Takes so many bytes, the last of them in a short write, and then no more."""

    def __init__(self, room: int) -> None:
        super().__init__()
        self.room = room

    def write(self, data: Any) -> int:
        piece = bytes(data)[: self.room - self.tell()]
        if not piece:
            raise OSError(28, "No space left on device")
        return super().write(piece)


def test_a_full_disk_leaves_whole_blocks_and_ends_the_writer() -> None:
    for room in range(60, 400, 7):
        file = FullDisk(room)
        kept = 0
        with pytest.raises(OSError, match="No space"):
            out = RecordWriter(file, Book)
            for book in books(100):
                out.write(book)
                out.flush()
                kept += 1
        if kept:
            with pytest.raises(SamewireError, match="closed"):
                out.write(Book("one more", 1))
            out.close()
        if file.getvalue():
            assert list(RecordReader(io.BytesIO(file.getvalue()), Book)) == books(kept)


def test_a_reader_holds_one_block_at_a_time(path: Path) -> None:
    import tracemalloc

    with RecordWriter(path, Book) as out:
        out.write_many(Book("x" * 1000, 1) for _ in range(20_000))
    assert path.stat().st_size > 20_000_000
    tracemalloc.start()
    with RecordReader(path, Book) as found:
        assert sum(1 for _ in found) == 20_000
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1_500_000


def test_zstd_is_smaller_and_reads_the_same(path: Path) -> None:
    sizes = {}
    for name in (None, "zstd"):
        with RecordWriter(path, Book, compression=name) as out:
            out.write_many(books(3000))
        with RecordReader(path, Book) as found:
            assert list(found) == books(3000)
        sizes[name] = path.stat().st_size
    assert sizes["zstd"] < sizes[None] / 2


def zstd_file(announced: int, data: bytes, count: int = 1) -> io.BytesIO:
    body = varint(count) + varint(announced) + data
    return io.BytesIO(MAGIC + block(Kind.SCHEMA, b"string") + block(Kind.ZSTD, body))


def test_compressed_data_that_lie_are_refused_before_they_are_expanded() -> None:
    zstd = compression.zstd()
    assert zstd is not None
    bomb = zstd.compress(b"\0" * 50_000_000)
    assert len(bomb) < 10_000
    for announced, data in ((10, bomb), (60_000_000, bomb), (3, zstd.compress(b"abc") + b"x"), (3, b"abc"), (3, b"")):
        with pytest.raises(SamewireError) as caught:
            next(RecordReader(zstd_file(announced, data)))
        assert caught.value.code == "malformed", caught.value
    with pytest.raises(SamewireError) as caught:
        next(RecordReader(zstd_file(2000, bomb), limits=pack.Limits(buffered_bytes=1000)))
    assert caught.value.code == "limit_size"


def test_without_zstd_it_says_what_to_install(path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with RecordWriter(path, Book, compression="zstd") as out:
        out.write_many(books(300))

    def missing(name: str) -> Any:
        raise ImportError(name)

    compression.zstd.cache_clear()
    monkeypatch.setattr(importlib, "import_module", missing)
    try:
        with pytest.raises(SamewireError, match="pip install"):
            RecordWriter(path, Book, compression="zstd", append=True)
        with RecordReader(path, Book) as found, pytest.raises(SamewireError, match="pip install"):
            next(found)
    finally:
        compression.zstd.cache_clear()


def mutated(data: bytes, chance: random.Random) -> bytes:
    found = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(found))
        match chance.randrange(4):
            case 0:
                found[place] = chance.randrange(256)
            case 1:
                del found[place : place + chance.randrange(1, 9)]
            case 2:
                found[place:place] = chance.randbytes(chance.randrange(1, 9))
            case 3:
                found[place:place] = found[chance.randrange(len(found)) :][:40]
    return bytes(found)


def sealed(pieces: Iterator[tuple[Kind, bytes]]) -> bytes:
    """A file of these blocks with right checksums, so that mutants reach what is behind them."""
    return MAGIC + b"".join(block(kind, body) for kind, body in pieces)


def test_mutants_end_in_coded_errors() -> None:
    chance = random.Random(20)
    good = varint(2) + pack.frame(pack.codec(Book).encode(Book("Carrie", 1974))) * 2
    text = pack.codec(Book).schema.text.encode()
    file = io.BytesIO()
    with RecordWriter(file, Book, block_bytes=30) as out:
        out.write_many(books(20))
    refused = 0
    for number in range(300):
        if number % 2:
            data = mutated(file.getvalue(), chance)
        else:
            bodies = (
                (kind, mutated(body, chance) if chance.random() < 0.4 else body)
                for kind, body in ((Kind.SCHEMA, text), (Kind.RECORDS, good), (Kind.ZSTD, good), (Kind.INDEX, good))
            )
            data = sealed(bodies)
        for use in (_read_all, _seek, _append):
            try:
                use(data)
            except SamewireError as error:
                assert error.code != "misuse" or "seek" in error.text
                refused += 1
    assert refused > 300


def _read_all(data: bytes) -> None:
    for _ in RecordReader(io.BytesIO(data), limits=pack.Limits(frame_bytes=10_000)):
        pass


def _seek(data: bytes) -> None:
    found = RecordReader(io.BytesIO(data))
    found.seek(found.count() // 2)
    next(found, None)


def _append(data: bytes) -> None:
    with RecordWriter(io.BytesIO(data), Book, append=True) as out:
        out.write(Book("last", 1))


@pytest.mark.parametrize(
    "options",
    [{"compression": "lz4"}, {"block_bytes": 0}, {"block_bytes": True}, {"block_bytes": 2**26 + 1}],
    ids=["compression", "zero", "a boolean", "too many"],
)
def test_impossible_options_are_misuse(path: Path, options: dict[str, Any]) -> None:
    with pytest.raises(SamewireError, match="misuse"):
        RecordWriter(path, Book, **options)
    assert not path.exists()


def test_after_close_it_is_closed(path: Path) -> None:
    with RecordWriter(path, Book) as out:
        out.write(Book("Carrie", 1974))
    out.close()
    with pytest.raises(SamewireError, match="closed"):
        out.write(Book("Cujo", 1981))
    reader = RecordReader(path, Book)
    reader.close()
    for call in (lambda: next(reader), reader.count, lambda: reader.seek(0)):
        with pytest.raises(SamewireError, match="closed"):
            call()


@pytest.mark.parametrize(
    ("data", "says"),
    [
        ('{"naïve": 1}'.encode(), "this looks like JSON: '{\"naïve'; `samewire pack` makes one of it"),
        (gzip.compress(b"x"), "this is compressed by gzip: open it by gzip.open first"),
    ],
)
def test_what_is_no_record_file_says_what_to_do(data: bytes, says: str) -> None:
    with pytest.raises(SamewireError) as raised:
        RecordReader(io.BytesIO(data))
    assert (raised.value.code, raised.value.text) == ("malformed", f"expected a record file, {says}")


def test_a_compressed_record_file_is_read_by_gzip(tmp_path: Path) -> None:
    path = tmp_path / "x.records"
    with RecordWriter(path, int) as out:
        out.write_many(range(3))
    with gzip.open(io.BytesIO(gzip.compress(path.read_bytes()))) as file:
        assert list(RecordReader(cast(BinaryIO, file))) == [0, 1, 2]
