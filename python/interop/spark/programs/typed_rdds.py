"""RDDs of dataclasses, written by pack: a serializer of the whole context, and of one RDD.

usage: typed_rdds.py MASTER FOLDER      (runs in Spark's environment; raises if a result is wrong)
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

from py4j.protocol import Py4JJavaError
from pyspark import SparkConf, SparkContext
from samewire import pack
from samewire.spark import PackSerializer, packed


@dataclass
class Book:
    id: str
    year: Annotated[int, pack.I32]


BOOKS = [Book(str(number), 1900 + number % 100) for number in range(1000)]


def check(found: object, expected: object) -> None:
    """Raises unless a result is the expected one."""
    if found != expected:
        raise AssertionError(f"found {str(found)[:500]}, expected {str(expected)[:500]}")


def with_a_context(master: str) -> None:
    """All RDDs of a context: books are written by pack, keys and sums are pickled."""
    conf = SparkConf().set("spark.ui.enabled", "false")
    with SparkContext(master, "typed", conf=conf, serializer=PackSerializer(Book)) as context:
        rdd = context.parallelize(BOOKS, 4)
        check(rdd.collect(), BOOKS)
        check(rdd.map(lambda book: book.year).sum(), sum(book.year for book in BOOKS))
        check(rdd.filter(lambda book: book.year == 1950).take(1), [Book("50", 1950)])
        decades = rdd.keyBy(lambda book: book.year // 10).mapValues(lambda _: 1).reduceByKey(lambda a, b: a + b)
        check(sorted(decades.collect()), [(190 + number, 100) for number in range(10)])
        check(rdd.map(lambda book: Book(book.id + "x", book.year)).take(2), [Book("0x", 1900), Book("1x", 1901)])
        check([rdd.zip(rdd).count(), rdd.union(rdd).count(), rdd.groupBy(lambda book: book.year).count()], [1000, 2000, 100])
        check(rdd.sortBy(lambda book: -book.year).first().year, 1999)
        try:
            rdd.map(lambda book: Book(book.id, 2**40)).collect()
            raise AssertionError("a year that is no i32 was written")
        except Py4JJavaError as failed:
            check("type_mismatch ($[0].year)" in str(failed), True)


def with_one_rdd(master: str) -> None:
    """One RDD in a context that pickles, cached and shuffled."""
    with SparkContext(master, "typed", conf=SparkConf().set("spark.ui.enabled", "false")) as context:
        books = packed(context.parallelize(BOOKS, 2), Book).cache()
        check(books.collect(), BOOKS)
        check(books.map(lambda book: book.year).max(), 1999)
        check(sorted(books.repartition(3).map(lambda book: int(book.id)).collect()), list(range(1000)))


if __name__ == "__main__":
    with_a_context(sys.argv[1])
    with_one_rdd(sys.argv[1])
