"""The suite of PySpark: its targets, and what its runner checks. Spark itself is not needed."""

from __future__ import annotations

import pytest

from bench.lab import suite
from bench.lab.record import Cell, Key, Run
from bench.lab.verdict import verdicts
from bench.peers import building
from bench.peers.spark.peer import WORKLOADS, WrongResult
from bench.peers.spark.programs import expect
from bench.suites.spark import targets
from bench.tests import figures

AREA = suite.load("spark")


def by_clock(figure: float) -> Cell:
    return Cell(unit="ns/op", wall=dict.fromkeys("012", figure))


def test_targets_name_known_workloads() -> None:
    assert {target.workload for target in targets.SHARES} == set(AREA.workloads)
    assert tuple(AREA.workloads) == WORKLOADS


def test_targets_are_shares_of_py4j_in_the_same_rounds() -> None:
    told = {("call", "samewire"): 30e6, ("call", "py4j"): 100e6, ("cpu", "samewire"): 50e6, ("cpu", "py4j"): 100e6}
    found = {Key("spark", "select-50", op, "spark", peer): by_clock(figure) for (op, peer), figure in told.items()}
    run = Run(figures.header(areas=["spark"], peers={}), found)
    said = {verdict.what: (verdict.measured.split("×")[0], verdict.met) for verdict in verdicts(run)}
    assert said["select-50: time, samewire / py4j"] == ("0.30", True)
    assert said["select-50: CPU, samewire / py4j"] == ("0.50", False)
    assert said["select-50: time, samewire / py4j (aim)"] == ("0.30", False)
    assert said["start: time, samewire / py4j"] == ("-", None)


def test_a_run_of_everything_leaves_it_out() -> None:
    assert not any(AREA.in_every("spark", workload, peer) for workload in WORKLOADS for peer in ("samewire", "py4j"))


def test_a_wrong_result_says_what_came() -> None:
    expect([1, 2], [1, 2])
    with pytest.raises(WrongResult, match=r"\[1, 2\] is expected; Spark returned \[1, 3\]"):
        expect([1, 3], [1, 2])


def test_without_pyspark_it_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch, tmp_path: object) -> None:
    monkeypatch.setattr(building, "ROOT", tmp_path)
    with pytest.raises(building.BuildError, match="make build/spark"):
        building.spark()
