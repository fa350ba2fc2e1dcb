"""Processes: order, what a report may say, budgets, and going on after an interruption."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from bench.lab import run as running
from bench.lab.plan import QUICK, Job, jobs
from bench.lab.record import ANY, CANNOT, FAILED, OK, WRONG
from bench.lab.run import Runs, Watcher, planned
from bench.lab.store import Folder, read
from bench.lab.suite import Suite, Workload
from bench.tests import figures
from bench.tests.figures import calls, key, lines, runner

PLAN = replace(QUICK, rounds=2)
BOOKS = Workload("booksNum", "books", "", 1, digest="d1")
SUITE = Suite("pack", "pack", "", ("rust",), (), {"booksNum": BOOKS}, {}, (), "", ("rust/*-dedup",), (), {})


def work(tmp_path: Path, script: dict[str, list[dict[str, Any]]], **language: Any) -> tuple[Runs, list[Job]]:
    made = runner(tmp_path, script, **language)
    folder = Folder(tmp_path / "run")
    folder.write_header(figures.header())
    runs = Runs(folder, PLAN, {"rust": made}, {"booksNum": BOOKS}, {}, Watcher())
    return runs, planned([(SUITE, [BOOKS])], [made], PLAN)


def test_the_order_rotates_and_workloads_are_outermost() -> None:
    found = list(jobs("pack", ["w", "v"], {"rust": {"a": ["v", "w"], "b": ["w"], "c": ["v", "w"]}}, 2))
    assert [(job.workload, job.round, job.peer) for job in found] == [
        *[("w", 0, peer) for peer in "abc"],
        *[("w", 1, peer) for peer in "bca"],
        *[("v", 0, peer) for peer in "ac"],
        *[("v", 1, peer) for peer in "ca"],
    ]


def test_figures_become_cells(tmp_path: Path) -> None:
    runs, every = work(tmp_path, {"a": [*lines(100.0), {"stats": {"misses": 3}}], "b": lines(250.0)})
    assert runs.all(every) == 0
    cell = read(runs.folder.path).cells[key("a", "encode")]
    assert (cell.cpu, cell.bytes, cell.version, cell.status) == ({"0": 100.0, "1": 100.0}, 4, "1.0", OK)
    assert read(runs.folder.path).cells[key("a", "decode")].stats == {"misses": 3}
    assert calls(tmp_path)[0] == "a booksNum --warm 0.3 --samples 3 --sample 0.02"


def test_a_peer_far_behind_gets_one_round_where_the_suite_says_so(tmp_path: Path) -> None:
    near, far = [*lines(100.0)], [*lines(500.0)]
    for factor, rounds in ((0.0, 2), (3.0, 1)):
        script = {"samewire": far, "a": near, "b": far, "limit-like": [*lines(120.0)]}
        (folder := tmp_path / str(factor)).mkdir()
        runs, every = work(folder, script)
        runs.areas["pack"] = replace(SUITE, trailing=factor)
        assert runs.all(every) == 0
        cells = read(runs.folder.path).cells
        found = {peer: len(cells[key(peer, "encode")].cpu) for peer in script}
        assert found == {"samewire": 2, "a": 2, "b": rounds, "limit-like": 2}


def test_areas_take_turns(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": []})
    made.peers["a"].workloads.extend(["tree", "calls"])
    tree, calls = replace(BOOKS, name="tree"), replace(BOOKS, name="calls")
    found = planned([(SUITE, [BOOKS, tree]), (replace(SUITE, name="grpc"), [calls])], [made], replace(PLAN, rounds=1))
    assert [(job.area, job.workload) for job in found] == [("pack", "booksNum"), ("grpc", "calls"), ("pack", "tree")]


def test_runners_measure_only_their_own_areas(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": []})
    assert planned([(replace(SUITE, languages=("jvm",)), [BOOKS])], [made], PLAN) == []


def test_a_quick_run_leaves_out_what_others_stand_for(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": [], "a-dedup": []})
    assert {job.peer for job in planned([(SUITE, [BOOKS])], [made], PLAN, every_peer=False)} == {"a"}
    assert {job.peer for job in planned([(SUITE, [BOOKS])], [made], PLAN)} == {"a", "a-dedup"}


def test_a_suite_may_leave_out_a_peer_on_a_workload(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": [], "b": []})
    made.peers["a"].workloads.append("tree")
    found = planned([(replace(SUITE, left_out=("rust/book*/a",)), [BOOKS, replace(BOOKS, name="tree")])], [made], PLAN)
    assert {(job.peer, job.workload) for job in found} == {("a", "tree"), ("b", "booksNum")}


def test_a_suite_may_leave_what_takes_long_to_a_full_run(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": [], "b": []})
    area = replace(SUITE, full_only=("rust/book*/a",))
    assert {job.peer for job in planned([(area, [BOOKS])], [made], PLAN, full=False)} == {"b"}
    assert {job.peer for job in planned([(area, [BOOKS])], [made], PLAN)} == {"a", "b"}


def test_a_workload_may_need_fewer_rounds(tmp_path: Path) -> None:
    made = runner(tmp_path, {"a": []})
    steady = replace(BOOKS, rounds=1)
    assert [job.round for job in planned([(SUITE, [steady])], [made], PLAN)] == [0]


def test_what_is_paid_once_has_a_process_of_its_own(tmp_path: Path) -> None:
    runs, every = work(tmp_path, {"a": lines(100.0)}, starts=True)
    runs.all(every)
    assert ["--samples 0" in call for call in calls(tmp_path)] == [False, True, False]


@pytest.mark.parametrize(
    ("report", "status", "note"),
    [
        ([{"digest": "d1"}, {"version": "1", "hex": "00"}, {"wrong": "another value"}], WRONG, "another value"),
        ([{"digest": "d1"}, {"cannot": "no unions"}], CANNOT, "no unions"),
        ([{"digest": "d2"}, *lines(1.0)[1:]], FAILED, "its reference data differ from the suite's digest"),
        ([{"digest": "d1"}, {"exit": "a crash"}], FAILED, "a crash"),
        ([{"exit": 3}], FAILED, "it ended without a word"),
    ],
)
def test_anything_but_figures_is_a_status(tmp_path: Path, report: list[dict[str, Any]], status: str, note: str) -> None:
    runs, every = work(tmp_path, {"a": report, "b": lines(1.0)})
    runs.all(every)
    cells = read(runs.folder.path).cells
    assert {made.op for made in cells if made.peer == "a"} == {ANY}
    assert (cells[key("a", ANY)].status, cells[key("a", ANY)].note) == (status, note)
    # No second try in the second round; the other peer is not touched by it.
    assert [call.split()[0] for call in calls(tmp_path)] == ["a", "b", "b"]


def test_a_process_that_hangs_is_ended(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(running, "TIMEOUT", 0.5)
    runs, every = work(tmp_path, {"a": [{"sleep": 60}]})
    runs.all(every)
    assert read(runs.folder.path).cells[key("a", ANY)].note.startswith("no end within")


def test_words_that_are_no_report(tmp_path: Path) -> None:
    runs, every = work(tmp_path, {"a": ["a line of text"]})  # type: ignore[list-item]
    runs.all(every)
    assert "has to be a JSON object" in read(runs.folder.path).cells[key("a", ANY)].note


class Interrupter(Watcher):
    """Presses Ctrl-C when the third process begins."""

    def begins(self, job: Job, done: int, total: int, left: float | None) -> None:
        if done == 2:
            raise KeyboardInterrupt


def test_a_run_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    runs, every = work(tmp_path, {"a": lines(100.0), "b": lines(200.0)})
    runs.watcher = Interrupter()
    with pytest.raises(KeyboardInterrupt):
        runs.all(every)
    assert len(list(runs.folder.processes())) == 2
    runs.watcher = Watcher()
    assert runs.all(every) == 0
    assert len(calls(tmp_path)) == len(every) == 4
    assert read(runs.folder.path).cells[key("b")].cpu == {"0": 200.0, "1": 200.0}
    assert runs.all(every) == 0
    assert len(calls(tmp_path)) == 4


def paired(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> tuple[Runs, list[Job], list[int]]:
    """A run of two peers beside three neighbours and without, and how many neighbours there were at each process."""
    runs, every = work(tmp_path, {"a": lines(100.0), "b": lines(200.0)})
    runs.neighbours, runs.alone = 3, runs.folder.alone
    runs.alone.write_header(figures.header())
    now, seen = 0, []

    @contextmanager
    def busy(count: int) -> Iterator[None]:
        nonlocal now
        now = count
        yield
        now = 0

    original = running.call

    def call(command: Sequence[str]) -> tuple[int, str, str]:
        seen.append(now)
        return original(command)

    monkeypatch.setattr(running, "busy", busy)
    monkeypatch.setattr(running, "call", call)
    return runs, every, seen


def test_a_pair_of_runs_takes_turns(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, every, seen = paired(tmp_path, monkeypatch)
    assert runs.all(every) == 0
    assert seen == [0, 3] * 4
    assert runs.alone is not None and runs.alone.is_alone
    assert [job for job, _ in runs.alone.processes()] == [job for job, _ in runs.folder.processes()] == every


def test_half_a_pair_is_made_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    runs, every, seen = paired(tmp_path, monkeypatch)
    original = running.call

    def call(command: Sequence[str]) -> tuple[int, str, str]:
        if len(seen) == 3:
            raise KeyboardInterrupt
        return original(command)

    with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt):
        patch.setattr(running, "call", call)
        runs.all(every)
    assert runs.alone is not None
    assert (len(list(runs.alone.processes())), len(list(runs.folder.processes()))) == (2, 1)
    assert runs.all(every) == 0
    assert read(runs.alone.path).cells[key("b")].cpu == read(runs.folder.path).cells[key("b")].cpu == {"0": 200.0, "1": 200.0}


def test_a_budget_leaves_out_what_does_not_fit_but_never_the_first_round(tmp_path: Path) -> None:
    runs, first = work(tmp_path, {"a": lines(100.0)})
    runs.plan = replace(PLAN, budget=0.0)
    runs.workloads["tree"] = replace(BOOKS, name="tree")
    later = [job._replace(workload="tree") for job in first]
    assert runs.all([*first, *later]) == 3
    assert [(job.workload, job.round) for job, _ in runs.folder.processes()] == [("booksNum", 0)]


def test_an_interrupt_while_a_process_is_started_leaves_none_behind(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    original = subprocess.Popen

    def interrupted(*words: Any, **options: Any) -> subprocess.Popen[str]:
        process = original(*words, **options)
        started.append(process.pid)
        os.kill(os.getpid(), signal.SIGINT)
        return process

    monkeypatch.setattr(subprocess, "Popen", interrupted)
    with pytest.raises(KeyboardInterrupt):
        running.call([sys.executable, "-c", "import time; time.sleep(60)"])
    assert len(started) == 1
    assert not Path(f"/proc/{started[0]}").exists()


def test_busy_neighbours_end_with_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[int] = []
    original = running.end

    def end(process: subprocess.Popen[str]) -> None:
        assert process.poll() is None
        started.append(process.pid)
        original(process)

    monkeypatch.setattr(running, "end", end)
    with running.busy(2):
        assert not started
    assert len(started) == 2
    assert not any(Path(f"/proc/{pid}").exists() for pid in started)
