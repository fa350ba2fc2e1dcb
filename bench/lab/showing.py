"""The commands that show runs: ``list``, ``show``, ``report``. Nothing is measured here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from bench.lab import store, suite, tables
from bench.lab.cells import Row, rows, sort, wanted
from bench.lab.languages import TITLES, CannotRun, Language, built, offered
from bench.lab.places import BUILD
from bench.lab.protocol import OWN, Peer
from bench.lab.record import Run
from bench.lab.reference import tables as reference_tables
from bench.lab.refusal import Refusal
from bench.lab.report.page import html
from bench.lab.stamp import stamp
from bench.lab.store import StoreError
from bench.lab.suite import Suite
from bench.lab.verdict import WORDS, counted, verdicts
from bench.lab.words import gist, plural


def listed(languages: Sequence[Language], console: Console) -> None:
    """Areas with workloads, languages with peers and what they carry, runs with what they measured."""
    suites = [suite.load(name) for name in suite.names()]
    for loaded in suites:
        console.print(f"[bold]{loaded.name}[/]: {loaded.about}")
        for workload in loaded.workloads.values():
            console.print(f"  {workload.name:16} {workload.title}: {workload.about}", soft_wrap=True)
    for language in languages:
        try:
            found = offered(built(language))
        except CannotRun as why:
            console.print(f"[bold]{language.name}[/]: [yellow]{escape(gist(str(why)))}[/]")
            continue
        console.print(f"[bold]{language.name}[/]: {found.harness}")
        for name, peer in found.peers.items():
            console.print(
                f"  {name:34} {peer.version:26} {_about(peer, language, suites)}".rstrip(), markup=False, soft_wrap=True
            )
    paths = sorted([*store.kept(), *(folder.path for folder in store.folders())], key=lambda path: path.stem)
    console.print(f"[bold]runs[/]: {'the newest last' if paths else 'none'}")
    for path in paths:
        console.print(f"  {path.stem:34} {_measured(path)}", markup=False, soft_wrap=True)


def _measured(path: Path) -> str:
    """What a run holds, or what is wrong with it."""
    try:
        made = store.read(path)
    except StoreError as why:
        return str(why)
    head = made.header
    about = [
        head.mode,
        f"beside {plural(head.busy, 'busy process')}" if head.busy else "",
        "" if head.ended else "not finished",
        "stored" if path.is_file() else "",
    ]
    return f"{', '.join(filter(None, about))}: {', '.join(made.languages()) or 'nothing'}; {', '.join(made.workloads())}"


def _about(peer: Peer, language: Language, suites: Sequence[Suite]) -> str:
    """What a peer is, or why it is not there."""
    if peer.missing:
        return f"missing: {gist(peer.missing)}"
    flags = [
        peer.kind,
        peer.checks and f"checks {peer.checks}",
        "trusts its input" if peer.trusted else "",
        _carried(peer, language, suites),
    ]
    return ", ".join(filter(None, flags))


def _carried(peer: Peer, language: Language, suites: Sequence[Suite]) -> str:
    """Which of the workloads that its language measures a peer carries, in few words; and whether it takes a user's own file."""
    every = [
        each for loaded in suites if language.name in loaded.languages for each in loaded.workloads.values() if not each.carried
    ]
    there = [each.name for each in every if each.name in peer.workloads]
    absent = [each.name for each in every if each.name not in peer.workloads]
    told = f"not {', '.join(absent)}" if len(absent) < len(there) else f"only {', '.join(there)}"
    return ", ".join(filter(None, [told if absent else "", "your own data" if OWN in peer.workloads else ""]))


def filtered(found: list[Row], languages: Sequence[str], workloads: Sequence[str], peers: Sequence[str]) -> list[Row]:
    """Rows of those languages, workloads and peers; an empty list stands for all."""
    return [
        row
        for row in found
        if (not languages or row.language in languages)
        and (not workloads or row.workload in workloads)
        and wanted(row.peer, peers)
    ]


def in_order(made: Run, found: list[Row]) -> list[Row]:
    """By area, workload, operation and language; in each ours first, then the fastest."""
    suites = {area: suite.load(area) for area in made.header.areas}
    languages = list(TITLES)

    def place(row: Row) -> tuple[object, ...]:
        workloads = list(suites[row.area].workloads)
        workload = workloads.index(row.workload) if row.workload in workloads else len(workloads)
        language = languages.index(row.language) if row.language in languages else len(languages)
        return (
            row.area,
            workload,
            row.workload,
            suites[row.area].rank(row.op),
            language,
            not row.ours,
            row.time or float("inf"),
            row.peer,
        )

    return sorted(found, key=place)


def shown(
    names: Sequence[str],
    only: tuple[Sequence[str], Sequence[str], Sequence[str]],
    by: str,
    form: str,
    reference: str,
    targets: bool,
    console: Console,
    aside: Console,
) -> None:
    """Prints a run; what has to be known of it goes aside where the form is for programs."""
    made = store.read_all(names)
    if reference:
        text = reference_tables(made, reference, form == "md")
    elif targets:
        every = verdicts(made)
        body = [[each.language, each.what, each.wanted, each.measured, WORDS[each.met]] for each in every]
        table = tables.aligned(("", "target", "wanted", "measured (95 %)", ""), body, form == "md")
        text = f"{table}\n{counted(every)}"
    else:
        found = filtered(in_order(made, rows(made)), *only)
        if not found:
            raise Refusal(f"{made.header.name} has no such row: it has {_contents(made)}")
        if by:
            found = sort(found, by)
        if not form:
            stamp(made, form, console, aside)
            console.print(tables.terminal(found, made.header.name, sections=not by))
            console.print(tables_note(made), style="dim")
            return
        text = {"json": tables.as_json, "csv": tables.as_csv, "md": tables.as_markdown}[form](found)
    stamp(made, form, console, aside)
    console.print(text.rstrip("\n"), markup=False, highlight=False, soft_wrap=True)


def _contents(made: Run) -> str:
    workloads = made.workloads()
    return (
        f"the languages {', '.join(made.languages())} and the workloads {', '.join(workloads)}" if workloads else "no rows at all"
    )


def tables_note(made: Run) -> str:
    """What the columns mean."""
    rounds = plural(made.header.plan.get("rounds", 0), "round")
    return (
        f"cpu, wall: median of {rounds}, each a fresh process; ratio: how many times as fast as the best peer, in CPU time where there is one,\n"
        "in the same rounds, 95 % interval; same: the interval includes 1, not resolved: so does one that spans more than 1.5×; ~: too few rounds for an interval"
    )


def reported(names: Sequence[str], to: Path | None) -> Path:
    """Writes the page, in a folder as ``report.html``; returns its path."""
    made = store.read_all(names)
    path = to or BUILD
    path = path / "report.html" if path.is_dir() or not to else path
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html(made, in_order(made, rows(made))), "utf-8")
    except OSError as why:
        raise Refusal(f"{path}: {why.strerror}") from None
    return path
