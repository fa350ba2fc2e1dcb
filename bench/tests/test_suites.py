"""What suites say: data that every language makes alike, targets of workloads that exist, and how files are found."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from bench.lab import suite
from bench.lab.cells import rows
from bench.lab.losses import UNKNOWN, larger, slower
from bench.lab.suite import SuiteError
from bench.lab.verdict import verdicts
from bench.peers.python import reference
from bench.suites.pack import targets
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key

PACK = suite.load("pack")


@pytest.mark.parametrize("name", reference.SHAPES)
def test_the_data_have_the_committed_digest(name: str) -> None:
    assert reference.digest(reference.make(name)) == PACK.workloads[name].digest


def test_every_shape_is_a_workload_and_has_a_title() -> None:
    assert set(PACK.workloads) == set(reference.SHAPES)
    assert all(workload.title and workload.about and workload.items for workload in PACK.workloads.values())
    assert [workload.name for workload in suite.choose(PACK.workloads, [], quick=True)][:2] == ["booksNum", "tree"]


def test_targets_and_reference_name_known_workloads() -> None:
    named = {size.shape for size in targets.SIZES} | {speed.shape for speed in targets.SPEEDS}
    assert named | set(PACK.reference["shapes"]) <= set(PACK.workloads)


def test_targets_beside_what_was_measured() -> None:
    made = figures.run([100.0] * 5, [300.0] * 5)
    cell = made.cells.pop(key(THEIRS))
    made.cells[key("bitcode")] = cell
    made.cells[key(OURS, "borrowed")] = figures.cell([100.0] * 5, 90, sha256="a")
    said = {(verdict.what, verdict.met) for verdict in verdicts(made)}
    assert ("booksNum borrowed, samewire-compact / bitcode decode", True) in said
    assert ("booksNum borrowed, samewire-compact / postcard decode", None) in said
    assert ("booksNum, compact", True) in said


def test_where_we_lose_names_the_reason_and_who_does_not() -> None:
    made = figures.run([300.0] * 5, [100.0] * 5)
    made.cells[key("samewire-fast", "encode")] = figures.cell([50.0] * 5, 130)
    found = slower(rows(made), PACK)
    assert {(loss.row.op, loss.better) for loss in found} == {("encode", "samewire-fast"), ("decode", "")}
    assert {loss.reason == UNKNOWN for loss in found} == {False}
    assert {loss.reason for loss in slower(rows(made), replace(PACK, reasons=()))} == {UNKNOWN}
    assert larger(rows(made), PACK) == []


def test_where_we_are_larger_the_smallest_peer_is_named() -> None:
    made = figures.run([100.0] * 5, [100.0] * 5)
    for made_key, cell in made.cells.items():
        cell.bytes = 196 if made_key.peer == OURS else 183
    found = larger(rows(made), PACK)
    assert [(each.bytes, each.smallest, each.smallest_peer) for each in found] == [(196, 183, "rival (rust)")]


@pytest.mark.parametrize("text", ["title = ", 'title = "x"', 'title = "x"\nabout = "y"\norder = 1\ncolour = 3'])
def test_a_wrong_workload_file_is_named(tmp_path: Path, text: str) -> None:
    path = tmp_path / "wrong.toml"
    path.write_text(text)
    with pytest.raises(SuiteError, match=r"wrong\.toml"):
        suite.workload(path)
