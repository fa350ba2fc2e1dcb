"""Runs on disk: nothing is lost, nothing is invented."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

import pytest

from bench.lab import store
from bench.lab.cells import rows
from bench.lab.plan import Job
from bench.lab.record import Run
from bench.lab.store import Folder, StoreError, find, folders, keep, new_folder, read
from bench.tests import figures
from bench.tests.figures import OURS, key, lines

JOB = Job("pack", "booksNum", 0, "rust", OURS)


def folder(path: Path) -> Folder:
    made = Folder(path)
    made.write_header(figures.header())
    return made


def test_a_line_that_a_crash_cut_off_does_not_count(tmp_path: Path) -> None:
    made = folder(tmp_path / "run")
    made.append(JOB, lines(100.0)[2:], 1.0)
    with (made.path / store.JOURNAL).open("a") as file:
        file.write('{"area": "pack", "workl')
    assert [job for job, _ in made.processes()] == [JOB]
    assert len(read(made.path).cells) == 2


def test_a_kept_run_says_the_same(tmp_path: Path) -> None:
    made = figures.run([100.0, 101.0, 102.0], [200.0, 205.0, 207.0])
    made.cells[key(OURS)].stats = {"misses": 2}
    made.cells[key(OURS)].allocs = 48.0
    path = keep(made, tmp_path)
    assert path.parent.name == "some-cpu-2-cores"
    back = read(path)
    assert back.header == made.header
    assert rows(back) == rows(made)
    assert back.cells[key(OURS)].stats == {"misses": 2}
    assert back.cells[key(OURS)].allocs == 48.0
    assert keep(back, tmp_path).read_text() == path.read_text()


def test_runs_are_found_by_name_and_end(tmp_path: Path) -> None:
    runs, results = tmp_path / "runs", tmp_path / "results"
    with pytest.raises(StoreError, match="no run yet"):
        find("last", runs, results)
    first = new_folder(datetime(2026, 1, 1), "aaaaaaaaaa", runs)
    first.write_header(figures.header(name=first.name))
    second = new_folder(datetime(2026, 1, 1), "aaaaaaaaaa", runs)
    second.write_header(figures.header(name=second.name))
    assert second.name == f"{first.name}-2"
    assert [each.name for each in folders(runs)] == [first.name, second.name]
    assert find("last", runs, results) == second.path
    assert find("aaaaaaa", runs, results) == first.path
    assert find("2026-01", runs, results) == second.path
    assert find(first.name, runs, results) == first.path
    assert find(str(first.path), runs, results) == first.path
    kept = keep(figures.run([1.0], [2.0], name="2026-01-01-000000-bbbbbbb"), results)
    assert find("2026-01", runs, results) == kept
    later = new_folder(datetime(2026, 1, 2), "aaaaaaaaaa", runs)
    later.write_header(figures.header(name=later.name))
    assert find("2026-01", runs, results) == later.path
    with pytest.raises(StoreError, match="bench list"):
        find("other", runs, results)


@pytest.mark.parametrize("content", ["", "{}", "[1]", '{"cells": '])
def test_a_damaged_file_is_refused(tmp_path: Path, content: str) -> None:
    path = tmp_path / "run.json"
    path.write_text(content)
    with pytest.raises(StoreError):
        read(path)


def test_rounds_of_two_runs_are_never_paired() -> None:
    first = figures.run([100.0] * 3, [200.0] * 3)
    second = Run(figures.header(name="later"), {key(OURS): figures.cell([50.0] * 3)})
    merged = first.merged(second)
    assert merged.cells == second.cells
    other = Run(figures.header(), {key(OURS, workload="tree"): figures.cell([50.0] * 3)})
    assert set(first.merged(other).cells) == {*first.cells, *other.cells}


def test_a_kept_run_has_the_fields_of_the_record(tmp_path: Path) -> None:
    made = figures.run([100.0, 101.0, 102.0], [200.0, 205.0, 207.0])
    made.cells[key(OURS)].allocs, made.cells[key(OURS)].heap = 2.0, 48.0
    stored = json.loads(keep(made, tmp_path).read_text("utf-8"))
    assert stored.keys() >= {
        *("schema", "machine", "versions", "commit", "dirty", "load_before", "load_after", "noise", "started", "args", "cells"),
    }
    assert stored["machine"].keys() == {"cpu", "cores", "governor", "kernel", "mem"}
    (cell,) = (each for each in stored["cells"] if (each["peer"], each["op"]) == (OURS, "decode"))
    assert cell.keys() >= {
        "area",
        "workload",
        "op",
        "language",
        "peer",
        "version",
        "code_hash",
        "unit",
        "rounds",
        "bytes",
        "gz",
        "status",
    }
    assert (cell["allocs"], cell["heap"], cell["code_hash"], cell["version"]) == (2.0, 48.0, "aaaa", "0.1.0")
    # Raw: CPU and wall time of every round, and nothing computed of them.
    assert {number: cpu for number, (cpu, _) in cell["rounds"].items()} == {"0": 100.0, "1": 101.0, "2": 102.0}
    assert all(wall == pytest.approx(1.1 * cpu) for cpu, wall in cell["rounds"].values())


def test_a_merged_run_is_no_better_than_its_parts() -> None:
    looked = figures.run([100.0] * 3, [200.0] * 3, mode="quick", busy=1, load_before=4.0, noise=0.3, commit="other")
    full = Run(figures.header(), {key(OURS, workload="tree"): figures.cell([50.0] * 3)})
    for merged in (looked.merged(full), full.merged(looked)):
        head = merged.header
        assert (head.mode, head.busy, head.load_before, head.noise) == ("quick", 1, 4.0, 0.3)
        assert set(head.commit.split(", ")) == {"other", full.header.commit}
    assert not full.merged(Run(figures.header(ended=""), looked.cells)).header.ended
    # A look of which nothing is left does not count.
    again = figures.run([100.0] * 5, [200.0] * 5)
    assert (looked.merged(again).header.mode, looked.merged(again).header.noise) == ("full", 0.01)
