"""Carries a data set through every language and times it beside what people use today.

usage: python -m tour [--data PATH]...
"""

from __future__ import annotations

import argparse
import sys
import time
from pathlib import Path

from rich.console import Console
from rich.markup import escape
from samewire.errors import SamewireError
from samewire.schema.infer import SourceError

from tour.building import BuildError, build_all
from tour.datasets import DataSet, default_paths, load
from tour.definitions import write_all
from tour.hops import HopError, carry
from tour.page import write_page
from tour.places import ROOT
from tour.plan import Plan, PlannedSet
from tour.results import HOPS, read_report, write_results
from tour.table import note, summary, table


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="python -m tour", description=__doc__.splitlines()[0])
    parser.add_argument("--data", type=Path, action="append", metavar="PATH", help="JSON, NDJSON or CSV; default: vega-datasets")
    parser.add_argument("--work", type=Path, default=ROOT / "build/tour", metavar="DIR", help="default: build/tour")
    parser.add_argument("--warm", type=float, default=0.1, metavar="SECONDS", help="warm-up of each operation")
    parser.add_argument("--rounds", type=int, default=5, help="each operation is timed once in each; default 5")
    parser.add_argument("--round", type=float, default=0.012, metavar="SECONDS", help="length of one measurement")
    return parser.parse_args()


def tour(paths: list[Path], work: Path, warm: float, rounds: int, round_seconds: float, console: Console) -> None:
    """The whole tour. Raises SourceError, SamewireError, OSError, BuildError, HopError."""
    begun = time.perf_counter()
    taken: set[str] = set()
    sets = [load(path, taken) for path in paths]
    work.mkdir(parents=True, exist_ok=True)
    for each in sets:
        console.print(f"[bold]{escape(each.title)}[/], {each.items:,} items")
        console.print(escape(each.inferred.schema.text), style="dim", soft_wrap=True)
    plan = Plan(tuple(PlannedSet(each.id, each.outer) for each in sets), warm, rounds, round_seconds)
    write_all(sets, work, plan)
    console.print("[bold]compiling[/] the definitions: javac, tsc, cargo")
    build_all(work)
    carry(work, lambda what: console.print(f"[bold]hop[/] {what}"))
    console.print("[bold green]same bytes after every hop, same values at the end[/]\n")
    _show(sets, work, rounds, console)
    console.print(f"{work / 'index.html'}: the same as a page ({time.perf_counter() - begun:.0f} s)")


def _show(sets: list[DataSet], work: Path, rounds: int, console: Console) -> None:
    reports = [read_report(work, language) for language in HOPS]
    for each in sets:
        console.print(table(f"{each.title}, {each.items:,} items", each.id, reports))
    console.print(summary(reports))
    console.print(note(rounds) + "\n", style="dim")
    write_results(work / "results.json", reports)
    write_page(work / "index.html", sets, reports, rounds)


def main() -> int:
    """Returns the exit code."""
    arguments = _arguments()
    paths = arguments.data or default_paths()
    console = Console(highlight=False, width=None if sys.stdout.isatty() else 100)
    if not paths:
        console.print("the data of the tour is not installed: run `make tour`, or give --data", style="red")
        return 1
    try:
        tour(paths, arguments.work, arguments.warm, arguments.rounds, arguments.round, console)
    except (SourceError, SamewireError, BuildError, HopError, OSError) as error:
        console.print(f"tour: {escape(str(error))}", style="red", soft_wrap=True)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
