"""Makes a run: builds the runners, starts one process after the other, and keeps each when it has ended."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.lab import machine
from bench.lab.code import hashes
from bench.lab.forecast import Budget, Forecast
from bench.lab.languages import CannotRun, Language, built, offered, own, version, without_options
from bench.lab.places import ROOT
from bench.lab.plan import Job, Plan, jobs
from bench.lab.protocol import OWN, Peer, lines
from bench.lab.record import Header
from bench.lab.store import Folder
from bench.lab.suite import Suite, Workload
from bench.lab.trailing import trailing
from bench.lab.words import gist

TIMEOUT = 600.0
"""Seconds that one process may take."""
GRACE = 5.0
"""Seconds that a process has to end after SIGTERM."""


@dataclass(frozen=True)
class Runner:
    """A language that can run: the command of its runner and the peers that were asked for."""

    language: Language
    command: list[str]
    peers: dict[str, Peer]
    harness: str


@dataclass(frozen=True)
class Value:
    """The user's own value, as runners take it."""

    file: Path
    schema: Path
    about: dict[str, Any]


class Watcher:
    """Told what happens; the lab's progress display is one."""

    def building(self, language: Language) -> None:
        """Before a runner is built."""

    def begins(self, job: Job, done: int, total: int, left: float | None) -> None:
        """Before a process; ``done`` of ``total`` have ended, ``left`` is how many seconds the rest will take, if that is known."""

    def ended(self, job: Job, lines: list[dict[str, Any]]) -> None:
        """After it."""


def prepare(
    languages: Sequence[Language], wanted: Callable[[str], bool], watcher: Watcher
) -> tuple[list[Runner], dict[str, str], dict[str, str]]:
    """Runners that could be built; the versions of what runs them; and by language why others could not."""
    runners, versions, absent = [], {}, {}
    for language in languages:
        watcher.building(language)
        try:
            command = built(language)
            versions[language.name] = version(language)
            found = offered(command)
        except CannotRun as why:
            absent[language.name] = f"{gist(str(why))}; needed: {language.need} (see bench doctor)"
            continue
        runners.append(
            Runner(language, command, {name: peer for name, peer in found.peers.items() if wanted(name)}, found.harness)
        )
    return runners, versions, absent


def header(name: str, plan: Plan, suites: Sequence[Suite], workloads: Sequence[Workload], args: Sequence[str]) -> Header:
    """The header of a run that begins now."""
    commit, dirty = machine.commit()
    return Header(
        name=name,
        started=datetime.now().isoformat(timespec="seconds"),
        args=list(args),
        mode=plan.mode,
        plan=asdict(plan),
        areas=[suite.name for suite in suites],
        workloads=[workload.name for workload in workloads],
        machine=machine.describe(),
        versions={},
        commit=commit,
        dirty=dirty,
        load_before=machine.load(),
        noise=machine.noise(),
    )


def with_runners(head: Header, runners: Sequence[Runner], versions: dict[str, str], absent: dict[str, str]) -> Header:
    """The header with what was found when the runners were built."""
    return replace(
        head,
        versions=versions,
        absent=absent,
        harness={runner.language.name: runner.harness for runner in runners},
        peers={runner.language.name: runner.peers for runner in runners},
        code={
            runner.language.name: hashes(runner.language.sources, runner.peers, dict(runner.language.programs))
            for runner in runners
        },
    )


def planned(
    areas: Sequence[tuple[Suite, list[Workload]]],
    runners: Sequence[Runner],
    plan: Plan,
    every_peer: bool = True,
    full: bool = True,
) -> list[Job]:
    """Every process of a run. A peer carries a workload that it names, and any that is a file.

    Areas take turns, a workload each, so that a budget leaves none of them out. every_peer: also those that the suite leaves out of
    a quick run. full: also what it leaves to a full one.
    """
    found: list[tuple[int, list[Job]]] = []
    for suite, workloads in areas:
        files = [workload.name for workload in workloads if workload.carried]
        offers = {
            runner.language.name: {
                name: [
                    carried
                    for carried in (*peer.workloads, *(files if carries_files(peer) else []))
                    if suite.measures(runner.language.name, carried, name)
                    and (full or suite.in_every(runner.language.name, carried, name))
                ]
                for name, peer in runner.peers.items()
                if not peer.missing and (every_peer or suite.in_quick(runner.language.name, name))
            }
            for runner in runners
            if runner.language.name in suite.languages
        }
        for turn, workload in enumerate(workloads):
            found.append(
                (turn, list(jobs(suite.name, [workload.name], offers, min(plan.rounds, workload.rounds or plan.rounds))))
            )
    return [job for _, some in sorted(found, key=lambda each: each[0]) for job in some]


def carries_files(peer: Peer) -> bool:
    """Whether a peer takes a value from a file: its runner names the workload ``data``."""
    return OWN in peer.workloads


@dataclass
class Runs:
    """The processes of a run. values: by workload, what is carried from a file.

    neighbours: how many processes spin beside each that is measured. alone: where every process is kept a second time, measured
    right before without them, so that both runs see the same weather of a shared machine. areas: what is measured, by name.
    """

    folder: Folder
    plan: Plan
    runners: dict[str, Runner]
    workloads: dict[str, Workload]
    values: dict[str, Value]
    watcher: Watcher
    neighbours: int = 0
    alone: Folder | None = None
    areas: dict[str, Suite] = field(default_factory=dict)
    _reports: dict[tuple[str, str, str], dict[str, list[dict[str, Any]]]] = field(default_factory=dict)
    """Of the first round, by area, language and workload, what each peer said."""
    _commands: dict[tuple[str, str], list[str]] = field(default_factory=dict)

    def all(self, every: Sequence[Job]) -> int:
        """Runs what is not in the folder yet; returns how many processes the budget left out.

        Peers that failed on a workload are not tried again in a later round. KeyboardInterrupt passes through once the running
        process has been ended; what had finished is kept.
        """
        finished: set[Job] = set()
        troubled: set[tuple[str, ...]] = set()
        for job, report in self.folder.processes():
            finished.add(job)
            self._note(job, report)
            if not any("op" in line for line in report):
                troubled.add(job.place)
        forecast = Forecast()
        due = [job for job in every if job not in finished]
        pending = Counter(job.language for job in due)
        budget = Budget(self.plan.budget, due, forecast)
        done, left_out = len(every) - len(due), 0
        for job in due:
            if job.place in troubled or self._trails(job):
                done += 1
            elif not budget.allows(job):
                left_out += 1
            else:
                self.watcher.begins(job, done, len(every), budget.left(pending, job))
                seconds = self._one(job, troubled)
                forecast.ended(job.language, seconds)
                done += 1
            pending[job.language] -= 1
        return left_out

    def _note(self, job: Job, report: list[dict[str, Any]]) -> None:
        if job.round == 0:
            self._reports.setdefault((job.area, job.language, job.workload), {})[job.peer] = report

    def _trails(self, job: Job) -> bool:
        """Whether a peer has its one round and is so far behind that it gets no more."""
        area = self.areas.get(job.area)
        if area is None or not area.trailing or job.round == 0:
            return False
        return job.peer in trailing(self._reports.get((job.area, job.language, job.workload), {}), area.trailing)

    def _one(self, job: Job, troubled: set[tuple[str, ...]]) -> float:
        """Runs a process, twice if it is also measured alone, and keeps what it said; returns the seconds of all.

        The run's own folder is written last: an interrupted pair is made again as a whole.
        """
        before = 0.0
        if self.alone:
            quiet, before = self._timed(job)
            self.alone.append(job, quiet, before)
        with busy(self.neighbours):
            report, seconds = self._timed(job)
        self.folder.append(job, report, seconds)
        self._note(job, report)
        self.watcher.ended(job, report)
        if not any("op" in line for line in report):
            troubled.add(job.place)
        return before + seconds

    def _timed(self, job: Job) -> tuple[list[dict[str, Any]], float]:
        started = time.monotonic()
        report = self.process(job)
        return report, time.monotonic() - started

    def process(self, job: Job) -> list[dict[str, Any]]:
        """The report of one job."""
        language = self.runners[job.language].language
        report = self._started(job, self.plan.samples)
        area = self.areas.get(job.area)
        pays_once = area is None or any(operation.once for operation in area.operations)
        if language.starts and pays_once and any("op" in line for line in report) and job.round < self.plan.once_rounds:
            report += [line for line in self._started(job, 0) if "op" in line]
        return report

    def _own(self, runner: Runner, workload: str, value: Value) -> list[str]:
        """The command for a value from a file; its types are compiled once. Raises CannotRun, each time again."""
        place = runner.language.name, workload
        if place not in self._commands:
            self._commands[place] = own(runner.language, runner.command, value.file, value.schema)
        return self._commands[place]

    def _started(self, job: Job, samples: int) -> list[dict[str, Any]]:
        """One process; a crash or a hang is a line of its own."""
        runner = self.runners[job.language]
        workload = self.workloads[job.workload]
        value = self.values.get(job.workload)
        warm = self.plan.warm * runner.language.warm
        try:
            begin = self._own(runner, job.workload, value) if value else runner.command
        except CannotRun as why:
            return [{"failed": str(why)[-800:]}]
        area = self.areas.get(job.area)
        if area is not None and area.engine_defaults:
            begin = without_options(begin)
        command = [*begin, job.peer, OWN if value else job.workload]
        command += ["--warm", f"{warm:g}", "--samples", str(samples), "--sample", f"{self.plan.sample:g}"]
        if value:
            command += ["--data", str(value.file), "--schema", str(value.schema)]
        try:
            status, out, err = call(command)
        except subprocess.TimeoutExpired:
            return [{"failed": f"no end within {TIMEOUT:.0f} s"}]
        try:
            report = lines(out)
        except ValueError as wrong:
            return [{"failed": f"no report: {wrong}"}]
        digests = {line["digest"] for line in report if "digest" in line}
        if workload.digest and digests != {workload.digest}:
            return [{"failed": _last_words(err) if status else "its reference data differ from the suite's digest"}]
        if status:
            report.append({"failed": _last_words(err)})
        return [line for line in report if "digest" not in line]


def _last_words(text: str) -> str:
    return text.strip()[-800:] or "it ended without a word"


def call(command: Sequence[str], timeout: float | None = None) -> tuple[int, str, str]:
    """Runs a program in a process group of its own, so that an interrupt ends all of it, and only once.

    timeout: in seconds; default: TIMEOUT.
    Returns status, output and errors. Raises subprocess.TimeoutExpired.
    """
    pipe = subprocess.PIPE
    process: subprocess.Popen[str] | None = None
    try:
        with undisturbed():
            process = subprocess.Popen(command, cwd=ROOT, stdout=pipe, stderr=pipe, text=True, start_new_session=True)
        out, err = process.communicate(timeout=TIMEOUT if timeout is None else timeout)
    except BaseException:
        if process is not None:
            with process:
                end(process)
        raise
    return process.returncode, out, err


@contextmanager
def undisturbed() -> Iterator[None]:
    """Holds an interrupt back until what is within is done: between a process's start and our knowing of it, it would be left behind."""
    held: list[int] = []
    signals = (signal.SIGINT, signal.SIGTERM)
    before = {each: signal.signal(each, lambda number, _: held.append(number)) for each in signals}
    try:
        yield
    finally:
        for each, handler in before.items():
            signal.signal(each, handler)
    if held:
        raise KeyboardInterrupt


def end(process: subprocess.Popen[str]) -> None:
    """Ends a process and its children, gently first."""
    for sign, patience in ((signal.SIGTERM, GRACE), (signal.SIGKILL, None)):
        try:
            os.killpg(process.pid, sign)
            process.wait(patience)
        except ProcessLookupError:
            return
        except subprocess.TimeoutExpired:
            continue


@contextmanager
def busy(count: int) -> Iterator[None]:
    """Keeps ``count`` processes spinning beside: what a neighbour on a shared machine does."""
    spinning = "import time\nwhile True:\n    sum(range(10_000))\n"
    neighbours: list[subprocess.Popen[str]] = []
    try:
        for _ in range(count):
            with undisturbed():
                neighbours.append(subprocess.Popen([sys.executable, "-c", spinning], text=True, start_new_session=True))
        yield
    finally:
        for process in neighbours:
            end(process)
