"""Builds columns and drops them, and counts the objects that both sides keep for one another.

usage: columns.py MASTER FILE COLUMNS

FILE gets a JSON object: counts before, the highest of those in between, and after, and seconds.
"""

from __future__ import annotations

import gc
import json
import sys
import time
from pathlib import Path
from typing import Any

from py4j.finalizer import ThreadSafeFinalizer
from py4j.java_gateway import JavaObject
from pyspark.sql import SparkSession
from pyspark.sql import functions as F  # noqa: N812

#: How often it counts in between.
SAMPLES = 20
#: Seconds that a side may take to tell the other of what it has dropped.
PATIENCE = 60


class Counts:
    """What can be counted of a session, by name."""

    def __init__(self, gateway: Any) -> None:
        self._gateway = gateway
        self._bindings = gateway.java_gateway_server.getGateway()
        self._runtime = gateway.jvm.java.lang.Runtime.getRuntime()
        self._process = int(gateway.jvm.java.lang.ProcessHandle.current().pid())

    def now(self) -> dict[str, int]:
        """Objects that the JVM keeps for Python, in either protocol; proxies of Python's and their finalizers; KiB of memory."""
        dialect = getattr(self._gateway._gateway_client, "dialect", None)
        exported = dialect.statistics()["java"]["exported"] if hasattr(dialect, "statistics") else 0
        return {
            "java objects": max(exported, self._bindings.getBindings().size()),
            "python proxies": sum(isinstance(each, JavaObject) for each in gc.get_objects()),
            "python finalizers": len(ThreadSafeFinalizer.finalizers),
            "python KiB": resident("self"),
            "java KiB": resident(str(self._process)),
        }

    def settled(self, start: dict[str, int]) -> dict[str, int]:
        """The counts once objects are as many as at the start, or have had long enough."""
        end = time.monotonic() + PATIENCE
        while True:
            gc.collect()
            now = self.now()
            if all(now[name] <= start[name] for name in OBJECTS) or time.monotonic() > end:
                return now
            time.sleep(0.2)

    def heap(self) -> int:
        """KiB that the JVM's heap holds after a collection."""
        self._runtime.gc()
        return int((self._runtime.totalMemory() - self._runtime.freeMemory()) // 1024)


OBJECTS = ("java objects", "python proxies", "python finalizers")


def resident(process: str) -> int:
    """KiB of a process in memory."""
    (line,) = [line for line in Path(f"/proc/{process}/status").read_text().splitlines() if line.startswith("VmRSS:")]
    return int(line.split()[1])


def build(columns: int) -> None:
    """Builds columns, of which one at a time is alive."""
    for number in range(columns):
        F.col(f"c{number % 100}") + 1


def main(master: str, file: str, columns: int) -> None:
    spark = SparkSession.builder.master(master).config("spark.ui.enabled", "false").getOrCreate()
    counts = Counts(spark.sparkContext._gateway)
    build(1000)
    counts.settled(counts.now())
    # The second count no longer has what the first one asked for.
    time.sleep(2)
    heap, start = counts.heap(), counts.settled(counts.now())
    highest = dict(start)
    begun = time.monotonic()
    for _ in range(SAMPLES):
        build(columns // SAMPLES)
        now = counts.now()
        highest = {name: max(highest[name], now[name]) for name in now}
    seconds = time.monotonic() - begun
    end = counts.settled(start)
    found = {"start": start, "highest": highest, "end": end, "heap KiB": [heap, counts.heap()], "seconds": round(seconds, 1)}
    Path(file).write_text(json.dumps(found))
    spark.stop()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]))
