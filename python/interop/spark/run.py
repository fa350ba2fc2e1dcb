"""Runs the doctests that PySpark's package carries, with Py4J and with samewire.py4j, and writes TABLE.md.

usage: run.py [--spark 4.3|3.5] [--modules REGEX] [--again] [--limit SECONDS] [--table] [--list]

  --spark    the version of PySpark, 4.3 unless said
  --modules  modules whose names match, of all classic ones (those below pyspark.sql.connect and the like need no Py4J)
  --again    runs what has been run before, too; otherwise a run goes on where the last one ended
  --limit    seconds for one module on one side, 1800 unless said
  --table    runs nothing, writes the table from what has been run
  --list     prints the modules

Each module runs in fresh processes, the two sides one after the other, in one order or the other. Exit status 1: an
example that passes with Py4J does not with samewire.py4j.
"""

from __future__ import annotations

import argparse
import json
import re
import shutil
import sys
from pathlib import Path
from typing import Any

import measured
import sides
import table

HERE = Path(__file__).parent
#: Groups by which modules are run and listed: each name is a prefix, the longest that fits counts.
GROUPS = ("pyspark", "pyspark.sql", "pyspark.ml", "pyspark.mllib", "pyspark.pandas")


def modules(spark: str) -> list[str]:
    """The modules of PySpark that run their doctests as programs: group by group, the short ones first."""
    home = sides.home_of(spark)
    found = []
    for file in home.rglob("*.py"):
        name = ".".join(("pyspark", *file.relative_to(home).with_suffix("").parts)).removesuffix(".__init__")
        if "doctest.testmod(" in file.read_text() and ".connect" not in name:
            found.append((group(name), file.stat().st_size, name))
    return [name for _, _, name in sorted(found)]


def group(module: str) -> int:
    """The number of a module's group."""
    return max(number for number, prefix in enumerate(GROUPS) if (module + ".").startswith(prefix + "."))


def results(spark: str) -> Path:
    """The folder with what has been run."""
    folder = sides.ROOT / "build/interop/spark" / spark
    folder.mkdir(parents=True, exist_ok=True)
    return folder


def judge(spark: str, module: str, side: str, limit: float) -> dict[str, Any]:
    """Runs one module on one side; its record is in a file afterwards, too."""
    base = results(spark) / f"{module}.{side}"
    outcomes, folder = base.with_name(base.name + ".outcomes"), base.with_name(base.name + ".d")
    outcomes.unlink(missing_ok=True)
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    command = [str(sides.python_of(spark)), str(HERE / "doctests.py"), module, str(outcomes)]
    log = base.with_name(base.name + ".log")
    cost = measured.run(command, folder, sides.variables(side, spark), log, limit)
    shutil.rmtree(folder, ignore_errors=True)
    record = {
        "status": cost.status,
        "wall": cost.wall,
        "cpu": cost.cpu,
        "tests": json.loads(outcomes.read_text()) if outcomes.exists() else None,
    }
    outcomes.unlink(missing_ok=True)
    base.with_name(base.name + ".json").write_text(json.dumps(record))
    return record


def run(spark: str, module: str, again: bool, limit: float) -> bool:
    """Runs one module on both sides unless that was done; prints its row. Returns whether samewire does worse."""
    order = sides.SIDES[:: -1 if len(module) % 2 else 1]
    for side in order:
        if again or not (results(spark) / f"{module}.{side}.json").exists():
            judge(spark, module, side, limit)
    row = table.row(results(spark), module)
    print(row.line(), flush=True)
    return row.worse


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--spark", choices=sides.SPARKS, default=sides.SPARKS[0])
    parser.add_argument("--modules", default="")
    parser.add_argument("--again", action="store_true")
    parser.add_argument("--limit", type=float, default=1800)
    parser.add_argument("--table", action="store_true")
    parser.add_argument("--list", action="store_true")
    options = parser.parse_args()
    every = modules(options.spark)
    wanted = [name for name in every if re.search(options.modules, name)]
    if options.list:
        print("\n".join(wanted))
        return 0
    measured.adopt_orphans()
    worse = 0
    if not options.table:
        for side in sides.SIDES:
            sides.make_archive(side, options.spark)
        for module in wanted:
            worse += run(options.spark, module, options.again, options.limit)
    table.write(HERE / "TABLE.md", {spark: results(spark) for spark in sides.SPARKS})
    return 1 if worse else 0


if __name__ == "__main__":
    sys.exit(main())
