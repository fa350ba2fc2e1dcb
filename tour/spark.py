"""Carries the tour's tables through Spark, on a cluster of two workers, and back: with Py4J and with Samewire, by turns.

usage: python -m tour.spark --python PYTHON [--jar JAR] [--rounds N] [--master MASTER]

A table goes from Python into a record file, by `spark.read.format("samewire")` into the workers, by `.write` into record
files again, and back into Python, where it has to be the table that it was. Then each of its columns is asked for its
smallest and largest value and its count. Exit status 1: a table came back as another, or a program of Spark's failed.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import statistics
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args

from rich.console import Console
from rich.table import Table
from samewire import pack
from samewire.schema.emit.peers import write_files
from samewire.schema.infer.convert import Converter

from tour.datasets import DataSet, default_paths, load
from tour.definitions import python_files
from tour.places import ROOT
from tour.python_hop import module

WORK = ROOT / "build/tour/spark"
PROGRAM = ROOT / "python/interop/spark/programs/carry_tables.py"
#: The libraries that serve `py4j` in Spark's driver.
SIDES = ("py4j", "samewire")
#: Seconds for one program, on a machine that does other work too.
LIMIT = 900


def tables() -> list[DataSet]:
    """The data sets of the tour, but for the one that Spark refuses: titles that are numbers here and there are of type `any`."""
    taken: set[str] = set()
    return [load(path, taken) for path in default_paths(("airports.csv", "flights-*.json"))]


def write(given: DataSet) -> tuple[type[Any], list[Any]]:
    """Writes the record file of a table. Returns the class of its rows, and the rows."""
    types = module(WORK, given.id)
    rows = Converter(given.inferred, vars(types)).to_native(given.value)
    (kind,) = get_args(types.Root)
    with pack.RecordWriter(WORK / f"{given.id}.records", kind) as out:
        out.write_many(rows)
    return kind, rows


def run(side: str, options: argparse.Namespace) -> dict[str, float]:
    """Runs Spark's program once; returns seconds by step. Raises CalledProcessError with its output."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("SPARK_", "PYSPARK_", "SAMEWIRE_"))}
    variables |= {"PYTHONPATH": str(ROOT / "python"), "PYSPARK_PYTHON": options.python, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [options.python, str(PROGRAM), options.master, str(options.jar), str(WORK), side]
    with (WORK / f"{side}.log").open("w") as log:
        done = subprocess.run(command, cwd=WORK, env=variables, stdout=log, stderr=log, timeout=LIMIT, check=False)
    if done.returncode:
        sys.exit(f"tour-spark: the program failed with {side}: see {WORK / f'{side}.log'}")
    seconds: dict[str, float] = json.loads((WORK / f"{side}.json").read_text())["seconds"]
    return seconds


def check(side: str, made: dict[str, tuple[type[Any], list[Any]]]) -> None:
    """Exits if a table that went through Spark has changed."""
    for name, (kind, rows) in made.items():
        came: list[Any] = []
        for file in sorted((WORK / side / name).glob("*.records")):
            reader: pack.RecordReader[Any] = pack.RecordReader(file, kind)
            with reader:
                came += reader
        if came != rows:
            sys.exit(f"tour-spark: {name} came back from Spark with {len(came):,} rows that are not the {len(rows):,} sent")


def shown(rounds: dict[str, list[dict[str, float]]]) -> Table:
    """Medians of all steps, and Samewire's share of Py4J's time, in the order of the steps."""
    table = Table("step", "Py4J s", "Samewire s", "share", title="PySpark on a cluster of two workers")
    for step in rounds["py4j"][0]:
        theirs, ours = (statistics.median(each[step] for each in rounds[side]) for side in SIDES)
        table.add_row(step, f"{theirs:.2f}", f"{ours:.2f}", f"{ours / theirs:.2f}")
    return table


def main() -> int:
    """Returns the exit code."""
    parser = argparse.ArgumentParser(prog="python -m tour.spark", description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--python", required=True, help="a Python with PySpark 4 or 3.5")
    parser.add_argument("--jar", type=Path, default=ROOT / "build/samewire-spark.jar", help="default: build/samewire-spark.jar")
    parser.add_argument("--rounds", type=int, default=3, help="programs of each side, by turns; default 3")
    parser.add_argument("--master", default="local-cluster[2,1,1024]", help="default: local-cluster[2,1,1024]")
    options = parser.parse_args()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    shutil.rmtree(WORK, ignore_errors=True)
    sets = tables()
    write_files(python_files(sets), WORK / "python")
    made = {each.id: write(each) for each in sets}
    schemas = {name: pack.codec(kind).schema.text for name, (kind, _) in made.items()}
    (WORK / "schemas.json").write_text(json.dumps(schemas))
    rounds: dict[str, list[dict[str, float]]] = {side: [] for side in SIDES}
    for number in range(options.rounds):
        for side in SIDES:
            console.print(f"[bold]round {number + 1}[/] {side}")
            rounds[side].append(run(side, options))
            check(side, made)
    answers = [json.loads((WORK / f"{side}.json").read_text())["answers"] for side in SIDES]
    if answers[0] != answers[1]:
        sys.exit(f"tour-spark: Py4J and Samewire give other answers: see {WORK}/*.json")
    console.print(
        f"[bold green]{len(made)} tables came back as they went[/], {sum(len(rows) for _, rows in made.values()):,} rows"
    )
    console.print(shown(rounds))
    return 0


if __name__ == "__main__":
    sys.exit(main())
