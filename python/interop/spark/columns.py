"""Builds and drops columns in a session of PySpark, and checks that live objects of both sides return to the start.

usage: columns.py [--spark 4.3|3.5] [--side SIDE] [--columns N]

  --side     one side alone; else samewire, and Py4J with a twentieth of the columns, beside it
  --columns  a million unless said

Exit status 1: on samewire's side one of Python or the JVM keeps more objects than at the start, or kept too many in between,
or memory that the number of columns explains.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import sides

HERE = Path(__file__).parent
OBJECTS = ("java objects", "python proxies", "python finalizers")
#: The most objects that may be alive in between: what Python has dropped and the next command tells of.
MOST = 5_000
#: The most KiB that a side may grow by: an object that a column left would take 100 bytes at the least.
GROWTH = 65_536
#: Seconds for one side, on a machine that does other work too.
LIMIT = 7200


def counted(spark: str, side: str, columns: int) -> dict[str, Any]:
    """What the program counts on one side."""
    folder = sides.ROOT / "build/interop/spark" / spark / "columns" / side
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / "counts.json"
    file.unlink(missing_ok=True)
    command = [str(sides.python_of(spark)), str(HERE / "programs/columns.py"), "local[1]", str(file), str(columns)]
    with (folder / "program.log").open("w") as log:
        subprocess.run(command, cwd=folder, env=sides.variables(side, spark), stdout=log, stderr=log, timeout=LIMIT, check=True)
    found: dict[str, Any] = json.loads(file.read_text())
    return found


def show(side: str, columns: int, found: dict[str, Any]) -> None:
    """Prints the counts."""
    print(f"{side}: {columns:,} columns in {found['seconds']} s", flush=True)
    for name in found["start"]:
        print(
            f"  {name:18} {found['start'][name]:9,} at the start, {found['highest'][name]:9,} at most, {found['end'][name]:9,} after"
        )
    print(f"  {'java heap KiB':18} {found['heap KiB'][0]:9,} at the start, {'':9}          {found['heap KiB'][1]:9,} after")


def faults(found: dict[str, Any]) -> list[str]:
    """What has not returned, a line each."""
    start, highest, end = found["start"], found["highest"], found["end"]
    wrong = [f"{name}: {end[name]} after {start[name]}" for name in OBJECTS if end[name] > start[name]]
    wrong += [f"{name}: {highest[name]} in between" for name in OBJECTS if highest[name] > start[name] + MOST]
    grown = {
        "python KiB": highest["python KiB"] - start["python KiB"],
        "java heap KiB": found["heap KiB"][1] - found["heap KiB"][0],
    }
    return wrong + [f"{name}: {more} more" for name, more in grown.items() if more > GROWTH]


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spark", choices=sides.SPARKS, default=sides.SPARKS[0])
    parser.add_argument("--side", choices=sides.SIDES)
    parser.add_argument("--columns", type=int, default=1_000_000)
    options = parser.parse_args()
    wrong: list[str] = []
    for side in (options.side,) if options.side else ("samewire", "py4j"):
        columns = options.columns if options.side or side == "samewire" else options.columns // 20
        found = counted(options.spark, side, columns)
        show(side, columns, found)
        wrong += faults(found) if side == "samewire" else []
    print("\n".join(wrong) or "live objects of both sides are as many as at the start")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
