"""The command ``bench``."""

from __future__ import annotations

import math
import sys
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.markup import escape

from bench.lab import doctor as doctors
from bench.lab import store
from bench.lab.changes import compared
from bench.lab.data import DataError
from bench.lab.languages import TITLES, chosen
from bench.lab.making import RunOptions, measured
from bench.lab.refusal import Refusal
from bench.lab.showing import listed, reported, shown
from bench.lab.soak import soaked
from bench.lab.store import StoreError
from bench.lab.suite import SuiteError


def _examples(*lines: tuple[str, str]) -> str:
    """The foot of a help page: commands, each with what it is for."""
    return "\n\n".join(["Examples:", *(f"  {command}   [dim]{purpose}[/]" for command, purpose in lines)])


app = typer.Typer(
    help="Samewire beside its peers: measure, show, compare, report. bench/README.md tells how figures come about.",
    epilog=_examples(
        ("bench doctor", "what can be measured here, what is missing, how to get it"),
        ("bench run --quick", "a look at everything, in minutes"),
        ("bench run --data my.ndjson", "which library is best for your own data"),
        ("bench show", "the last run again"),
        ("bench report", "the last run as a page"),
    ),
    rich_markup_mode="rich",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
NAMES = ", ".join(TITLES)
PEERS = "only peers whose name holds this text, or fits this pattern: fory, 'samewire-*' (may be repeated)"
out = Console(highlight=False, width=None if sys.stdout.isatty() else 160, soft_wrap=not sys.stdout.isatty())
err = Console(stderr=True, highlight=False)


class Sort(StrEnum):
    """What rows can be sorted by."""

    RATIO = "ratio"
    MEDIAN = "median"
    BYTES = "bytes"
    GZ = "gz"
    PEER = "peer"
    WORKLOAD = "workload"


def _percent(text: str) -> float:
    """A share from ``5%`` or ``5`` or ``0.05``. Raises Refusal."""
    try:
        number = float(text.removesuffix("%"))
    except ValueError:
        number = math.nan
    if not 0.0 <= number < math.inf:
        raise Refusal(f"{text!r} is not a share: 5% or 0.05 is expected")
    return number / 100 if text.endswith("%") or number >= 1 else number


@app.command(
    epilog=_examples(
        ("bench run pack --language jvm --peer samewire --peer fory --workload tree", "ours beside all of Fory's rows"),
        ("bench run --full --language rust --rounds 5", "for quoting; Ctrl-C keeps what has finished"),
        ("bench run --resume", "go on with it"),
        ("bench run --data my.csv --language python", "your own values, with every peer that can carry them"),
    )
)
def run(
    areas: Annotated[list[str] | None, typer.Argument(metavar="AREA", help="default: all")] = None,
    language: Annotated[list[str] | None, typer.Option(help=f"{NAMES} (may be repeated)")] = None,
    workload: Annotated[list[str] | None, typer.Option(help="only this one; bench list names them (may be repeated)")] = None,
    peer: Annotated[list[str] | None, typer.Option(help=PEERS)] = None,
    data: Annotated[
        Path | None, typer.Option(metavar="FILE", help="your own JSON, NDJSON or CSV instead of the workloads")
    ] = None,
    quick: Annotated[
        bool, typer.Option("--quick", help="three short rounds of some workloads: for a look, not for quoting")
    ] = False,
    full: Annotated[
        bool, typer.Option("--full", help="twelve rounds of everything: hours; can be interrupted and resumed")
    ] = False,
    rounds: Annotated[int | None, typer.Option(min=1, help="rounds of fresh processes")] = None,
    budget: Annotated[
        float | None,
        typer.Option(
            metavar="MINUTES", help="end in about this time: leave out workloads and rounds that would not fit (--quick: 7)"
        ),
    ] = None,
    busy: Annotated[int, typer.Option(metavar="N", min=0, help="keep N processes spinning beside, to see what they change")] = 0,
    paired: Annotated[
        bool, typer.Option("--paired", help="with --busy: measure every process also alone, right before: two runs to compare")
    ] = False,
    resume: Annotated[bool, typer.Option("--resume", help="go on with the last run that was interrupted")] = False,
    soak: Annotated[
        bool,
        typer.Option(
            "--soak", help="instead of measuring: clients of three libraries on our gRPC server for ten minutes (or --budget)"
        ),
    ] = False,
) -> None:
    """Measure ours beside peers, each in fresh processes. Without --quick or --full: five rounds of everything.

    Ctrl-C keeps what has finished; --resume goes on. The figures are shown by bench show and bench report.
    """
    if soak:
        raise typer.Exit(soaked(areas or [], budget, out))
    options = RunOptions(
        areas=areas or [],
        languages=language or [],
        workloads=workload or [],
        peers=peer or [],
        data=data,
        quick=quick,
        full=full,
        rounds=rounds,
        budget=budget,
        busy=busy,
        paired=paired,
        resume=resume,
        args=sys.argv[1:],
    )
    raise typer.Exit(measured(options, out))


@app.command("list")
def list_(
    language: Annotated[list[str] | None, typer.Option(help="only peers of this language (may be repeated)")] = None,
) -> None:
    """Areas, workloads and peers, and the runs that there are. Asks every runner, so builds what is not built."""
    listed(chosen(language or []), out)


@app.command(
    epilog=_examples(
        ("bench show --sort ratio --peer samewire", "our rows, the best first"),
        ("bench show RUN LATER --md", "two runs merged: of each language and workload the later one"),
        ("bench show --json", "one object a cell, a stable contract: bench/lab/cells.py"),
        ("bench show --reference boopickle", "operations a second and sizes, published figures beside"),
    )
)
def show(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="default: last; several are merged")] = None,
    language: Annotated[list[str] | None, typer.Option(help="only this one (may be repeated)")] = None,
    workload: Annotated[list[str] | None, typer.Option(help="only this one (may be repeated)")] = None,
    peer: Annotated[list[str] | None, typer.Option(help=PEERS)] = None,
    sort: Annotated[Sort | None, typer.Option(help="default: by workload, operation and language")] = None,
    md: Annotated[bool, typer.Option("--md", help="as Markdown")] = False,
    csv: Annotated[bool, typer.Option("--csv", help="as CSV")] = False,
    json: Annotated[bool, typer.Option("--json", help="as JSON, a stable contract")] = False,
    reference: Annotated[
        str | None, typer.Option(metavar="TABLE", help="in the shape of a published table: boopickle, grpc, redis")
    ] = None,
    targets: Annotated[bool, typer.Option("--targets", help="what had to be reached, and what was")] = False,
) -> None:
    """Show a run, here or stored, without measuring. What makes it less than quotable is said above, with --json and --csv aside.

    A RUN is `last`, the beginning or the end of a name that bench list shows (of several the newest), or a path.
    """
    forms = [name for name, asked in (("md", md), ("csv", csv), ("json", json)) if asked]
    if len(forms) > 1:
        raise Refusal(f"one form at a time: {' or '.join(f'--{name}' for name in forms)}")
    if (reference or targets) and forms not in ([], ["md"]):
        raise Refusal(f"--{forms[0]} is a form of cells: --reference and --targets have --md")
    chosen_rows = (language or [], workload or [], peer or [])
    shown(runs or ["last"], chosen_rows, str(sort or ""), "".join(forms), reference or "", targets, out, err)


@app.command(
    epilog=_examples(
        ("bench compare main last --threshold 5%", "in CI: fails on a loss that is sure and larger than 5 %"),
        ("bench compare IDLE BUSY --within 10%", "how far the ratios of two runs lie apart, by language; --md for a page"),
    )
)
def compare(
    before: Annotated[str, typer.Argument(metavar="A")],
    after: Annotated[str, typer.Argument(metavar="B")],
    threshold: Annotated[str, typer.Option(metavar="PERCENT", help="smaller losses do not count")] = "5%",
    within: Annotated[
        str | None,
        typer.Option(
            metavar="PERCENT", help="instead: how many ratios lie so close together, and which do not; fails if one does not"
        ),
    ] = None,
    md: Annotated[bool, typer.Option("--md", help="as Markdown")] = False,
) -> None:
    """Say what became faster or slower from run A to run B; exit code 1 if something became slower (interval below 1), or gives no result any more.

    Compared are our ratios to the same peer in the same rounds, so that two runs on machines of different speed can be compared.
    """
    raise typer.Exit(compared(before, after, _percent(threshold), _percent(within) if within else None, md, out))


@app.command(epilog=_examples(("bench report RUN LATER --out page.html", "two runs merged into one page")))
def report(
    runs: Annotated[list[str] | None, typer.Argument(metavar="RUN", help="default: last; several are merged")] = None,
    to: Annotated[
        Path | None, typer.Option("--out", metavar="FILE", help="or a folder that there is; default: build/bench/report.html")
    ] = None,
) -> None:
    """Write a run as one HTML page that needs no network."""
    out.print(str(reported(runs or ["last"], to)))


@app.command()
def keep(name: Annotated[str, typer.Argument(metavar="RUN")] = "last") -> None:
    """Store a run as one small file under bench/results, to be committed."""
    out.print(str(store.keep(store.read(store.find(name)))))


@app.command()
def doctor(language: Annotated[list[str] | None, typer.Option(help="only this one (may be repeated)")] = None) -> None:
    """Say what can be measured here, what is missing, and how to get it; exit code 1 if a language cannot run."""
    findings = doctors.examine(chosen(language or []))
    for finding in findings:
        mark = "[green]ok[/]" if finding.fine else "[yellow]! [/]"
        advice = "" if finding.fine else f"\n     [yellow]{escape(finding.advice)}[/]"
        out.print(f"{mark} {escape(finding.what)}: {escape(finding.found)}{advice}", soft_wrap=True)
    raise typer.Exit(int(any(finding.stops for finding in findings)))


def main() -> None:
    """Runs the command; a refusal is one line and exit code 2."""
    try:
        app()
    except OSError as wrong:
        _refuse(f"{wrong.filename}: {wrong.strerror}")
    except (SuiteError, StoreError, DataError, Refusal) as why:
        _refuse(str(why))


def _refuse(text: str) -> None:
    err.print(f"bench: {text}", style="red", markup=False, soft_wrap=True)
    sys.exit(2)


if __name__ == "__main__":
    main()
