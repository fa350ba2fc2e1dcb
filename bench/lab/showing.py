"""The commands that show runs: ``list``, ``show``, ``compare``, ``report``. Nothing is measured here."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.markup import escape

from bench.lab import plain, store, suite, tables
from bench.lab.cells import Row, rows, sort, wanted
from bench.lab.compare import Change, compare
from bench.lab.languages import TITLES, CannotRun, Language, built, offered
from bench.lab.places import BUILD
from bench.lab.record import Run
from bench.lab.reference import tables as reference_tables
from bench.lab.refusal import Refusal
from bench.lab.report.page import html
from bench.lab.summary import warnings
from bench.lab.verdict import WORDS, counted, verdicts
from bench.lab.words import digits, gist, plural, span, times

NOTHING_COMMON = "the two runs have no cell of ours in common"


def listed(languages: Sequence[Language], console: Console) -> None:
    """Areas with workloads, languages with peers, runs."""
    for name in suite.names():
        loaded = suite.load(name)
        console.print(f"[bold]{name}[/]: {loaded.about}")
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
            flags = [peer.kind, peer.checks and f"checks {peer.checks}", "trusts its input" if peer.trusted else "", peer.missing]
            line = f"  {name:34} {peer.version:26} {', '.join(filter(None, flags))}"
            console.print(line.rstrip(), markup=False, soft_wrap=True)
    paths = [*store.kept(), *(folder.path for folder in store.folders())]
    console.print(f"[bold]runs[/]: {', '.join(path.stem for path in paths) or 'none'}", soft_wrap=True)


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
) -> None:
    """Prints a run."""
    made = store.read_all(names)
    if reference:
        _print(reference_tables(made, reference, form == "md"), console)
        return
    if targets:
        every = verdicts(made)
        body = [[each.language, each.what, each.wanted, each.measured, WORDS[each.met]] for each in every]
        header = ("", "target", "wanted", "measured (95 %)", "")
        text = tables.markdown(header, body) if form == "md" else plain.table(header, body)
        _print(f"{text}\n{counted(every)}", console)
        return
    found = filtered(in_order(made, rows(made)), *only)
    if not found:
        raise Refusal(f"{made.header.name} has no such row: it has {_contents(made)}")
    if by:
        found = sort(found, by)
    if form:
        render = {"json": tables.as_json, "csv": tables.as_csv, "md": tables.as_markdown}[form]
        _print(render(found), console)
        return
    for warning in warnings(made):
        console.print(f"! {warning}", style="yellow", markup=False)
    console.print(tables.terminal(found, made.header.name, sections=not by))
    console.print(tables_note(made), style="dim")


def _contents(made: Run) -> str:
    workloads = dict.fromkeys(key.workload for key in made.cells)
    return (
        f"the languages {', '.join(made.languages())} and the workloads {', '.join(workloads)}" if workloads else "no rows at all"
    )


def tables_note(made: Run) -> str:
    """What the columns mean."""
    rounds = plural(made.header.plan.get("rounds", 0), "round")
    return (
        f"cpu, wall: median of {rounds}, each a fresh process; ratio: how many times as fast as the best peer, in CPU time where told,\n"
        "in the same rounds, 95 % interval; same: the interval includes 1; ~: too few rounds for an interval"
    )


def _print(text: str, console: Console) -> None:
    console.print(text.rstrip("\n"), markup=False, highlight=False, soft_wrap=True)


def compared(before: str, after: str, threshold: float, within: float | None, console: Console) -> int:
    """Prints what changed; answers 1 if something surely became slower, or with ``within`` if ratios lie further apart."""
    one, two = store.read(store.find(before)), store.read(store.find(after))
    changes = compare(one, two)
    lost = [each for each in changes if each.lost(threshold)]
    won = [each for each in changes if each.won(threshold)]
    other = [each for each in changes if each.by is None]
    if within is not None:
        return _within(changes, within, console)
    for title, some in ((f"slower by more than {threshold:.0%}", lost), (f"faster by more than {threshold:.0%}", won)):
        for change in sorted(some, key=lambda each: each.by.middle if each.by else 0.0):
            console.print(f"{title}: {_line(change)}", soft_wrap=True)
    for why in sorted({each.why for each in other}):
        console.print(f"{why} ({plural(sum(each.why == why for each in other), 'cell')})", style="yellow", soft_wrap=True)
    same = len(changes) - len(lost) - len(won) - len(other)
    console.print(f"{len(lost)} slower, {len(won)} faster, {same} the same, {len(other)} not comparable")
    if not changes:
        raise Refusal(NOTHING_COMMON)
    return int(bool(lost))


def _within(changes: Sequence[Change], share: float, console: Console) -> int:
    known = [each for each in changes if each.by is not None]
    if not known:
        raise Refusal("; ".join(sorted({each.why for each in changes})) or NOTHING_COMMON)
    apart = sorted((each for each in known if each.apart(share)), key=lambda each: -each.distance)
    for change in apart:
        console.print(f"apart by more than {share:.0%}: {_line(change)}", soft_wrap=True)
    distances = sorted(each.distance for each in known)
    middle, most = distances[len(distances) // 2], distances[-1]
    console.print(
        f"{len(known) - len(apart)} of {len(known)} ratios within {share:.0%} of each other; half differ by less than {middle:.1%}, the worst by {most:.1%}"
    )
    return int(bool(apart))


def _line(change: Change) -> str:
    key, by = change.row.key, change.by
    moved = f"{times(change.before)} → {times(change.after)} of {change.reference}"
    much = f", by {digits(by.middle)}" if by else ""
    interval = f" ({span(by.low, by.high)})" if by and by.low is not None else ""
    return f"{key.language} {key.workload} {key.op} {key.peer}: {moved}{much}{interval}"


def reported(names: Sequence[str], to: Path | None) -> Path:
    """Writes the page; answers its path."""
    made = store.read_all(names)
    path = to or BUILD / "report.html"
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(html(made, in_order(made, rows(made))), "utf-8")
    except OSError as why:
        raise Refusal(f"{path}: {why.strerror}") from None
    return path
