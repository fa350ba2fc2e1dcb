"""Spark's part of `make tour-spark`: reads record files as tables, writes them again, and asks their columns.

usage: carry_tables.py MASTER JAR WORK py4j|samewire      (runs in Spark's environment)

Reads the schemas of the tables from WORK/schemas.json. Writes WORK/SIDE.json: seconds by step, and the answers.
"""

from __future__ import annotations

import json
import shutil
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

if sys.argv[4] == "samewire":
    from samewire.bridge import install_as_py4j

    install_as_py4j()

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812 (as PySpark's documentation has it)

#: Times that each table is asked: what a program pays once is paid in the first.
ASKED = 5


def columns(table: DataFrame) -> DataFrame:
    """The smallest, the largest and the number of values of each column."""
    of_each = ((function, name) for name in table.columns for function in (F.min, F.max, F.count))
    return table.agg(*(function(F.col(f"`{name}`")).alias(str(number)) for number, (function, name) in enumerate(of_each)))


def main(master: str, jar: str, work: Path, side: str) -> None:
    seconds: dict[str, float] = {}
    answers: dict[str, list[str]] = {}

    @contextmanager
    def step(name: str) -> Iterator[None]:
        begun = time.perf_counter()
        yield
        seconds[name] = round(time.perf_counter() - begun, 3)

    shutil.rmtree(work / side, ignore_errors=True)
    with step("start"):
        builder = SparkSession.builder.master(master).config("spark.jars", jar).config("spark.ui.enabled", "false")
        spark = builder.getOrCreate()
        spark.range(10).count()
    for name, schema in json.loads((work / "schemas.json").read_text()).items():
        table = spark.read.format("samewire").load(str(work / f"{name}.records"))
        with step(f"{name}: through the workers"):
            table.write.format("samewire").option("schema", schema).mode("append").save(str(work / side / name))
        with step(f"{name}: {3 * len(table.columns)} answers, {ASKED} times"):
            for _ in range(ASKED):
                answers[name] = [str(value) for value in columns(table).collect()[0]]
    spark.stop()
    (work / f"{side}.json").write_text(json.dumps({"seconds": seconds, "answers": answers}))


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], Path(sys.argv[3]), sys.argv[4])
