"""The option `complete` of record readers: a file that was cut off is noticed, also between two blocks."""

from __future__ import annotations

import io
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
from samewire import pack
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack import RecordReader, RecordWriter
from samewire.pack.records.blocks import BlockScanner


@dataclass(slots=True)
class Book:
    name: str
    year: Annotated[int, pack.I32]


BOOKS = [Book(f"book {place}", 1900 + place) for place in range(12)]


def _file(books: list[Book], before: bytes = b"") -> bytes:
    """A closed file of two records in a block, behind what it holds before."""
    file = io.BytesIO(before)
    with RecordWriter(file, Book, append=bool(before)) as out:
        for start in range(0, len(books), 2):
            out.write_many(books[start : start + 2])
            out.flush()
    return file.getvalue()


def _ends(data: bytes) -> list[int]:
    """Where each block ends, the schema's first."""
    scanner = BlockScanner(Limits())
    scanner.feed(data)
    return [block.end for block in iter(scanner.next, None)]


def _read(data: bytes, *, complete: bool) -> tuple[list[Book], SamewireError | None]:
    books: list[Book] = []
    try:
        for book in RecordReader(io.BytesIO(data), Book, complete=complete):
            books.append(book)  # noqa: PERF402 - those before an error count
    except SamewireError as error:
        return books, error
    return books, None


DATA = _file(BOOKS)
ENDS = _ends(DATA)


def test_a_whole_file_is_complete() -> None:
    assert _read(DATA, complete=True) == (BOOKS, None)
    assert _read(_file([]), complete=True) == ([], None)
    assert _read(_file(BOOKS, before=DATA), complete=True) == (BOOKS + BOOKS, None)


@pytest.mark.parametrize("cut", ENDS[:-1])
def test_a_file_cut_at_a_blocks_end_is_truncated_behind_its_records(cut: int) -> None:
    books = BOOKS[: 2 * ENDS.index(cut)]
    assert _read(DATA[:cut], complete=False) == (books, None)
    found, error = _read(DATA[:cut], complete=True)
    assert found == books
    assert error is not None
    assert (error.code, error.at, error.path) == ("truncated", cut, None)
    assert "expected an index as the last block" in error.text
    assert "complete=True" in error.text


@pytest.mark.parametrize("cut", range(ENDS[-3] + 1, len(DATA)))
def test_a_file_cut_at_any_byte_of_its_last_two_blocks_is_truncated(cut: int) -> None:
    found, error = _read(DATA[:cut], complete=True)
    assert found == (BOOKS if cut >= ENDS[-2] else BOOKS[:-2])
    assert error is not None
    assert (error.code, error.at, error.path) == ("truncated", cut, None)


def test_a_file_that_was_appended_to_needs_the_index_at_its_end() -> None:
    data = _file(BOOKS[:4], before=DATA)
    for cut in [end for end in _ends(data) if len(DATA) < end < len(data)]:
        assert _read(data[:cut], complete=False)[1] is None
        error = _read(data[:cut], complete=True)[1]
        assert error is not None
        assert (error.code, error.at) == ("truncated", cut)


def test_the_error_stays_and_seek_does_not_hide_it(tmp_path: Path) -> None:
    path = tmp_path / "books.records"
    path.write_bytes(DATA[: ENDS[3]])
    with RecordReader(path, Book, complete=True) as reader:
        assert reader.count() == 6
        reader.seek(5)
        assert next(reader) == BOOKS[5]
        for _ in range(2):
            with pytest.raises(SamewireError, match="truncated"):
                next(reader)
    path.write_bytes(DATA)
    with RecordReader(path, Book, complete=True) as reader:
        for number in (12, 5):
            reader.seek(number)
            assert list(reader) == BOOKS[number:]
        reader.seek(0)
        assert list(reader) == BOOKS
    path.write_bytes(_file([]))
    with RecordReader(path, Book, complete=True) as reader:
        reader.seek(0)
        assert list(reader) == []


def test_tables_end_with_the_error() -> None:
    rows = 0
    with pytest.raises(SamewireError, match="truncated"):
        for table in RecordReader(io.BytesIO(DATA[: ENDS[-2]]), complete=True).tables(rows=5):
            rows += len(table)
    assert rows == len(BOOKS)
    tables = RecordReader(io.BytesIO(DATA), complete=True).tables(rows=5)
    assert sum(len(table) for table in tables) == len(BOOKS)


def test_a_growing_file_is_not_complete(tmp_path: Path) -> None:
    # Refused before the file is opened: it need not exist.
    with pytest.raises(SamewireError, match="misuse: expected complete=True or growing=True, got both"):
        RecordReader(tmp_path / "none.records", Book, complete=True, growing=True)
