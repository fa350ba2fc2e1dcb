"""A session of Spark, and what the workloads have it do."""

from __future__ import annotations

import time
from collections.abc import Callable
from importlib import import_module
from typing import Any, NamedTuple

from bench.peers.bridge.sides import Sides
from bench.peers.spark.peer import WrongResult

COLUMNS, SUMS, ROWS = 50, 500, 10_000
NUMBERS = 10
"""Rows of the frame that expressions are built on."""


class Program(NamedTuple):
    """run: what is timed. check: raises WrongResult for what it returned."""

    run: Callable[[], Any]
    check: Callable[[Any], None]


class Session:
    """Spark on `local[2]`. The imports and the start are timed."""

    def __init__(self) -> None:
        begun, own = time.perf_counter_ns(), time.process_time_ns()
        builder = _sql().SparkSession.builder
        for name, value in (("spark.ui.enabled", "false"), ("spark.sql.shuffle.partitions", "2")):
            builder = builder.config(name, value)
        self.spark: Any = builder.master("local[2]").getOrCreate()
        self.spark.sparkContext.setLogLevel("OFF")
        self.wall = time.perf_counter_ns() - begun
        gateway = self.spark.sparkContext._gateway
        self.client: Any = gateway._gateway_client
        self.sides = Sides((gateway.proc.pid,))
        self.cpu = time.process_time_ns() - own + self.sides.others_cpu()

    def close(self) -> None:
        """Ends Spark."""
        process = self.spark.sparkContext._gateway.proc
        self.spark.stop()
        process.stdin.close()
        process.wait(60)

    def program(self, workload: str) -> Program:
        """What a workload does."""
        functions = _sql().functions
        base = self.spark.range(NUMBERS)
        total = sum(range(NUMBERS))
        if workload == "select-50":

            def select() -> Any:
                column = functions.col
                return base.select(*[(column("id") + i).cast("string").alias(f"c{i}") for i in range(COLUMNS)])

            return Program(select, lambda made: expect([*made.first()], [str(i) for i in range(COLUMNS)]))
        if workload == "agg-500":

            def separate() -> Any:
                return base.agg(functions.array(*[functions.sum(functions.col("id")) for _ in range(SUMS)]))

            return Program(separate, lambda made: expect(made.first()[0], [total] * SUMS))
        if workload == "agg-repeated":

            def repeated() -> Any:
                return base.agg(functions.array(*[functions.sum(functions.col("id"))] * SUMS))

            return Program(repeated, lambda made: expect(made.first()[0], [total] * SUMS))
        if workload == "create-10000":
            rows = [(i, f"n{i}", i * 0.5) for i in range(ROWS)]
            names = ["a", "b", "c"]
            return Program(
                lambda: self.spark.createDataFrame(rows, names), lambda made: expect([*map(tuple, made.collect())], rows)
            )
        raise ValueError(f"there is no workload {workload!r}")


def _sql() -> Any:
    return import_module("pyspark.sql")


def expect(found: Any, wanted: Any) -> None:
    """Raises WrongResult if a value is not the one that is expected."""
    if found != wanted:
        raise WrongResult(f"{str(wanted)[:80]} is expected; Spark returned {str(found)[:80]}")
