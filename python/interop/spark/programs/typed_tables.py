"""Record files as tables, and messages in columns: what Python wrote is a row in the JVM, and the other way round.

usage: typed_tables.py MASTER FOLDER JAR      (runs in Spark's environment; raises if a result is wrong)
"""

from __future__ import annotations

import datetime as dt
import shutil
import sys
import uuid
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from enum import Enum
from pathlib import Path
from typing import Annotated, Any

from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as PySpark's documentation has it)
from samewire import pack
from samewire.spark import from_pack, to_pack


class Genre(Enum):
    NOVEL = 1
    POEM = 2


@dataclass
class Row:
    """What a struct of Spark's without a name is."""

    id: str
    year: Annotated[int, pack.I32]


@dataclass
class Author:
    name: str
    born: dt.date | None


@dataclass
class Circle:
    radius: float


@dataclass
class Square:
    side: float


@dataclass
class Book:
    id: str
    year: Annotated[int, pack.I32]
    copies: Annotated[int, pack.U64]
    shelf: Annotated[int, pack.U8]
    price: Decimal
    sold: dt.datetime
    took: dt.timedelta
    key: uuid.UUID
    genre: Genre
    author: Author
    editors: list[Author]
    tags: set[str]
    counts: dict[str, int | None]
    place: tuple[int, str]
    cover: Circle | Square
    note: str | None
    data: bytes
    opens: dt.time


CODEC = pack.codec(Book)
START = dt.datetime(2026, 1, 1, tzinfo=dt.UTC)


def book(number: int) -> Book:
    """A book that differs from all others."""
    return Book(
        str(number),
        1900 + number % 100,
        2**64 - 1 - number,
        number % 256,
        Decimal("12.50"),
        START + dt.timedelta(seconds=number, microseconds=1),
        dt.timedelta(seconds=-number, microseconds=5),
        uuid.UUID(int=number),
        Genre.POEM if number % 3 else Genre.NOVEL,
        Author(f"author {number}", None if number % 2 else dt.date(1950, 1, 2)),
        [Author("é€😀", dt.date(1, 1, 1))] * (number % 3),
        {f"t{number % 5}", "b"},
        {"a": number, "b": None},
        (number, str(number)),
        Circle(1.5) if number % 2 else Square(2.0),
        None if number % 2 else "note",
        b"\0\xff",
        dt.time(1, 2, 3, 4),
    )


BOOKS = [book(number) for number in range(3000)]


def check(found: object, expected: object) -> None:
    """Raises unless a result is the expected one."""
    if found != expected:
        raise AssertionError(f"found {str(found)[:500]}, expected {str(expected)[:500]}")


def refused(code: str, query: Callable[[], object]) -> None:
    """Raises unless a query fails with an error whose text has a code and path."""
    try:
        query()
    except Exception as failed:
        if code not in str(failed):
            raise
        return
    raise AssertionError(f"nothing was refused with {code}")


def read(folder: Path) -> list[Book]:
    """All books in a folder, as Python reads them, ordered."""
    found: list[Book] = []
    for file in sorted(folder.glob("*.records")):
        with pack.RecordReader(file, CODEC) as reader:
            found.extend(reader)
    return sorted(found, key=lambda book: int(book.id))


def tables(spark: SparkSession, folder: Path) -> None:
    """A folder of files that Python has written, as a table and written again."""
    source, copy = folder / "books", folder / "copy"
    source.mkdir()
    for number in range(2):
        with pack.RecordWriter(source / f"{number}.records", CODEC) as out:
            for one in BOOKS[number::2]:
                out.write(one)
    table = spark.read.format("samewire").option("splitBytes", 50_000).load(str(source))
    check(table.rdd.getNumPartitions() > 4, True)
    check([table.count(), table.where("year = 1950").count(), table.select("author.name").distinct().count()], [3000, 30, 3000])
    row = table.where("id = '7'").first()
    assert row is not None
    check([row.copies, row.shelf, row.price, row.key, row.genre], [2**64 - 8, 7, Decimal("12.5"), str(uuid.UUID(int=7)), "POEM"])
    check(
        [row.place["_2"], row.cover.Circle.radius, row.cover.Square, sorted(row.tags), row.counts],
        ["7", 1.5, None, ["b", "t2"], {"a": 7, "b": None}],
    )
    check([row.took, row.editors[0].name, row.opens], [dt.timedelta(seconds=-7, microseconds=5), "é€😀", 3_723_000_004_000])
    check(table.agg(F.sum("copies")).first()[0], sum(one.copies for one in BOOKS))
    plan = table.select("year", "id")._jdf.queryExecution().toString()
    check("samewire records, columns year, id" in plan or "samewire records, columns id, year" in plan, True)

    writer = table.write.format("samewire").option("name", "Book")
    writer.mode("append").save(str(copy))
    check(read(copy), BOOKS)
    check([file.name for file in copy.iterdir() if not file.name.startswith(("part-", "."))], [])
    (first, *_) = copy.glob("*.records")
    with pack.RecordReader(first) as reader:
        check(reader.schema.text, CODEC.schema.text)
    table.limit(10).write.format("samewire").option("name", "Book").option("compression", "zstd").mode("overwrite").save(
        str(copy)
    )
    check(spark.read.format("samewire").load(str(copy)).count(), 10)

    failing = table.select(F.when(F.col("id") == "2999", F.raise_error(F.lit("stop"))).otherwise(F.col("id")).alias("id"))
    before = sorted(copy.iterdir())
    refused("stop", lambda: failing.write.format("samewire").mode("append").save(str(copy)))
    check(sorted(copy.iterdir()), before)


def refusals(spark: SparkSession, folder: Path) -> None:
    """What has no place on the other side is refused with its path."""

    @dataclass
    class Loose:
        name: str
        parts: list[Any]

    loose = folder / "loose.records"
    with pack.RecordWriter(loose, Loose) as out:
        out.write(Loose("a", []))
    refused("unsupported in $.parts[0]", lambda: spark.read.format("samewire").load(str(loose)))
    fine = folder / "fine.records"
    with pack.RecordWriter(fine, pack.codec(Annotated[int, pack.TIMESTAMP])) as moments:
        moments.write(1)
    refused("type_mismatch in $", lambda: spark.read.format("samewire").load(str(fine)).collect())
    target = str(folder / "refused")
    write = lambda frame: frame.write.format("samewire").mode("append").save(target)  # noqa: E731
    refused("unsupported in $.at", lambda: write(spark.sql("select timestamp_ntz'2026-01-01 00:00:00' as at")))
    narrow = spark.sql("select 300S as shelf").write.format("samewire").option("schema", "struct Row { shelf: u8 }")
    refused("type_mismatch in $.shelf", lambda: narrow.mode("append").save(target))
    lost = spark.sql("select 1 as a, 2 as b").write.format("samewire").option("schema", "struct Row { a: i32 }")
    refused("schema_mismatch in $.b", lambda: lost.mode("append").save(target))


def columns(spark: SparkSession) -> None:
    """Messages of Python's become rows in the JVM, and rows messages for Python."""
    messages = spark.createDataFrame([(bytearray(CODEC.encode(one)),) for one in BOOKS[:100]] + [(None,)], "message binary")
    books = messages.select(from_pack("message", Book).alias("book"))
    check(books.where("book.year = 1950").select("book.author.name").first(), ("author 50",))
    check(books.where("book is null").count(), 1)
    again = books.where("book is not null").select(to_pack("book", Book).alias("message")).collect()
    check(sorted((CODEC.decode(row.message) for row in again), key=lambda one: int(one.id)), BOOKS[:100])
    same = books.where("book.id = '7'").select((to_pack("book", Book) == to_pack("book", CODEC.schema)).alias("same")).first()
    check(same, (True,))
    derived = spark.sql("select to_pack(named_struct('id', 'a', 'year', 1)) as message").first()
    assert derived is not None
    check(bytes(derived.message), pack.codec(Row).encode(Row("a", 1)))
    refused("truncated", lambda: spark.sql("select from_pack(x'c0', 'struct Book { id: string }')").collect())


if __name__ == "__main__":
    place = Path(sys.argv[2], "files")
    shutil.rmtree(place, ignore_errors=True)
    place.mkdir()
    builder = SparkSession.builder.master(sys.argv[1]).config("spark.ui.enabled", "false").config("spark.jars", sys.argv[3])
    builder = builder.config("spark.sql.session.timeZone", "UTC").config("spark.default.parallelism", 4)
    session = builder.config("spark.sql.extensions", "io.samewire.spark.SamewireExtensions").getOrCreate()
    columns(session)
    tables(session, place)
    refusals(session, place)
    session.stop()
