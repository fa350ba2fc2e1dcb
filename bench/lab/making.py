"""``bench run``: from the options to a finished run, or one that was interrupted."""

from __future__ import annotations

import signal
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from types import FrameType

from rich.console import Console
from rich.markup import escape

from bench.lab import field, machine, run, store, suite
from bench.lab.answer import refused, sentences
from bench.lab.cells import rows, wanted
from bench.lab.data import take
from bench.lab.languages import TITLES, Language, chosen
from bench.lab.plan import FULL, NORMAL, QUICK, Plan
from bench.lab.progress import Display
from bench.lab.record import Header
from bench.lab.refusal import Refusal
from bench.lab.store import Folder
from bench.lab.suite import Suite, Workload
from bench.lab.summary import sentence
from bench.lab.words import gist, plural

INTERRUPTED = 130
"""The exit code of a run that was interrupted, as shells have it."""


@dataclass(frozen=True)
class RunOptions:
    """The options of ``bench run``; budget in minutes."""

    areas: list[str]
    languages: list[str]
    workloads: list[str]
    peers: list[str]
    data: Path | None
    quick: bool
    full: bool
    rounds: int | None
    budget: float | None
    busy: int
    paired: bool
    resume: bool
    args: list[str]

    def plan(self) -> Plan:
        """How much is measured."""
        plan = FULL if self.full else QUICK if self.quick else NORMAL
        return replace(
            plan, rounds=self.rounds or plan.rounds, budget=self.budget * 60 if self.budget is not None else plan.budget
        )


def measured(options: RunOptions, console: Console) -> int:
    """Makes a run, or goes on with one. Returns the exit code."""
    _refuse_what_excludes_itself(options)
    if options.resume:
        folder, head = _unfinished()
        options = replace(options, **head.plan["options"])
    plan = options.plan()
    areas, values = _areas(options)
    workloads = {workload.name: workload for _, some in areas for workload in some}
    if options.resume:
        _same_data(head, values)
    else:
        head = run.header("", plan, [area for area, _ in areas], list(workloads.values()), options.args)
        folder = store.new_folder(datetime.now(), head.commit)
        head = replace(head, name=folder.name, busy=options.busy, plan={**head.plan, "options": _options(options)})
        if options.data:
            head = replace(head, data={**values[head.workloads[0]].about, "workload": head.workloads[0]})
    alone = folder.alone if options.paired else None
    with Display(console) as display:
        try:
            runners, versions, absent = run.prepare(_languages(options, areas), lambda peer: wanted(peer, options.peers), display)
        except KeyboardInterrupt:
            console.print("interrupted before anything was measured: nothing is kept")
            return INTERRUPTED
        _refuse_unknown_peers(options.peers, runners, absent)
        made = run.with_runners(head, runners, versions, absent)
        if options.resume:
            _same_code(head, made)
        full = options.full or bool(options.peers or options.workloads)
        every = run.planned(areas, runners, plan, not options.quick or bool(options.peers), full)
        if not every:
            raise Refusal("nothing to run: no peer of these languages carries these workloads (bench list)" + _reasons(absent))
        head = replace(made, planned=len(every))
        _write_headers(folder, alone, head)
        by_name = {runner.language.name: runner for runner in runners}
        suites = {area.name: area for area, _ in areas}
        work = run.Runs(folder, plan, by_name, workloads, values, display, options.busy, alone, suites)
        try:
            with _terminable():
                left = work.all(every)
        except KeyboardInterrupt:
            done = sum(1 for _ in folder.processes())
            console.print(
                f"interrupted: {done:,} of {len(every):,} processes are kept in {folder.name}; bench run --resume goes on"
            )
            return INTERRUPTED
    _write_headers(folder, alone, replace(head, ended=datetime.now().isoformat(timespec="seconds"), load_after=machine.load()))
    _tell(folder, areas, workloads, left, console)
    if alone:
        console.print(f"bench compare {alone.name} {folder.name} --within 10%", style="dim")
    return 0


def _write_headers(folder: Folder, alone: Folder | None, head: Header) -> None:
    """Writes the headers of a run, and of the one that was measured alone in turn with it."""
    folder.write_header(head)
    if alone:
        alone.write_header(replace(head, name=alone.name, busy=0))


def _refuse_what_excludes_itself(options: RunOptions) -> None:
    if options.quick and options.full:
        raise Refusal("--quick or --full, not both")
    if options.data and options.workloads:
        raise Refusal("--data is measured instead of the workloads: leave --workload out")
    if options.paired and not options.busy:
        raise Refusal("--paired measures every process with busy neighbours and without: say how many, --busy 1")
    asked = _options(options)
    if options.resume and any(asked.values()):
        words = ", ".join(name for name, value in asked.items() if value)
        raise Refusal(f"--resume goes on with what the interrupted run was asked for: leave {words} out")


def _refuse_unknown_peers(words: Sequence[str], runners: Sequence[run.Runner], absent: dict[str, str]) -> None:
    """Raises Refusal for an unknown peer: a misspelt name would cost a run that may take hours."""
    for word in words:
        if not any(wanted(peer, [word]) for runner in runners for peer in runner.peers):
            there = ", ".join(TITLES[runner.language.name] for runner in runners) or "no language that can run"
            raise Refusal(f"no peer is called anything like {word!r} in {there} (bench list names them){_reasons(absent)}")


def _languages(options: RunOptions, areas: Sequence[tuple[Suite, list[Workload]]]) -> list[Language]:
    """The requested languages that measure one of the areas."""
    measuring = {name for area, _ in areas for name in area.languages}
    return [language for language in chosen(options.languages) if language.name in measuring]


def _options(options: RunOptions) -> dict[str, object]:
    """The options that a resumed run takes over."""
    kept = {
        name: getattr(options, name)
        for name in ("areas", "languages", "workloads", "peers", "quick", "full", "rounds", "budget", "busy", "paired")
    }
    return {**kept, "data": str(options.data.resolve()) if options.data else None}


def _unfinished() -> tuple[Folder, Header]:
    for folder in reversed(store.folders()):
        head = folder.header()
        if not head.ended and not folder.is_alone:
            return folder, head
    raise Refusal("no run was interrupted: there is nothing to resume")


def _same_code(head: Header, made: Header) -> None:
    if (head.commit, head.code) != (made.commit, made.code):
        raise Refusal(f"{head.name} was begun with other code ({head.commit}): its figures and new ones do not belong together")


def _same_data(head: Header, values: dict[str, run.Value]) -> None:
    """Raises Refusal unless a resumed run has the same value: rounds of two values cannot be paired."""
    if head.data and values[head.data["workload"]].about["sha256"] != head.data["sha256"]:
        raise Refusal(f"{head.data['file']} has changed since {head.name} began: its figures and new ones do not belong together")


def _reasons(absent: dict[str, str]) -> str:
    return "".join(f"\n{language}: {gist(why)}" for language, why in absent.items())


def _areas(options: RunOptions) -> tuple[list[tuple[Suite, list[Workload]]], dict[str, run.Value]]:
    """The suites that were asked for, each with its workloads; and what workloads carry from files."""
    areas: list[tuple[Suite, list[Workload]]] = []
    if options.data:
        path = Path(options.data)
        own = replace(suite.workload(path), name=path.stem) if path.suffix in suite.DATA_ENDINGS else None
        if own is None:
            raise Refusal(f"{path}: a .json, .ndjson or .csv file is expected")
        areas.append((suite.load((options.areas or ["pack"])[0]), [own]))
    else:
        areas = suite.chosen([suite.load(name) for name in options.areas or suite.names()], options.workloads, options.quick)
    carried = [workload for _, some in areas for workload in some if workload.carried]
    values = {each.name: take(each.data) if each.data else field.take(each) for each in carried}
    return areas, values


class _terminable:  # noqa: N801
    """Makes SIGTERM and SIGINT end a run with what has finished kept; shells start programs in the background deaf to the latter."""

    def __enter__(self) -> None:
        self._before = {each: signal.signal(each, self._interrupt) for each in (signal.SIGTERM, signal.SIGINT)}

    def __exit__(self, *_: object) -> None:
        for each, before in self._before.items():
            signal.signal(each, before)

    @staticmethod
    def _interrupt(_number: int, _frame: FrameType | None) -> None:
        raise KeyboardInterrupt


def _tell(
    folder: Folder, areas: Sequence[tuple[Suite, list[Workload]]], workloads: dict[str, Workload], left: int, console: Console
) -> None:
    """What a run found, in a few lines."""
    made = store.read(folder.path)
    found = rows(made)
    for area, _ in areas:
        console.print(sentence(made, found, area))
    for name, workload in workloads.items():
        if workload.data:
            for line in [*sentences(made, found, name), *refused(found, name)]:
                console.print(line, markup=False, soft_wrap=True)
    for language, why in made.header.absent.items():
        console.print(f"{TITLES.get(language, language)} did not run: {escape(gist(why))}", style="yellow")
    for language, peers in made.header.peers.items():
        for name, peer in peers.items():
            if peer.missing:
                console.print(f"{TITLES.get(language, language)} {name} is missing: {escape(gist(peer.missing))}", style="yellow")
    if left:
        console.print(f"{plural(left, 'process')} were left out to end in time", style="yellow")
    console.print(f"{folder.path.relative_to(folder.path.parents[3])}: bench show, bench report", style="dim")
