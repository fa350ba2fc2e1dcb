"""Sentences and warnings."""

from __future__ import annotations

from typing import Any

import pytest

from bench.lab import suite
from bench.lab.cells import rows, sort
from bench.lab.protocol import Peer
from bench.lab.record import Run
from bench.lab.summary import command, sentence, warnings
from bench.lab.words import allocated, digits, duration, gist, memory, times, verdict
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key

PACK = suite.load("pack")


def test_the_sentence_counts_lines_and_sizes() -> None:
    made = figures.run([100.0] * 5, [250.0] * 5)
    made.cells[key(OURS, "decode", "tree")] = figures.cell([100.0] * 5, 300)
    made.cells[key(THEIRS, "decode", "tree")] = figures.cell([50.0] * 5, 200)
    assert sentence(made, rows(made), PACK) == (
        "pack, in Rust: encode 2.50× (2.50–2.50) and decode 1.12× (1.12–1.12) as fast as the best peer of each line (geometric mean); "
        "of 3 lines 2 faster (95 % interval above 1), 0 the same, 0 not resolved, 1 slower; CPU time; the smallest on 1 of 2 workloads."
    )


def test_without_a_peer_nothing_is_claimed() -> None:
    made = Run(figures.header(), {key(OURS): figures.cell([1.0] * 3)})
    assert sentence(made, rows(made), PACK) == "pack: nothing of ours was measured beside a peer."


def test_a_limit_is_not_a_reference() -> None:
    made = figures.run([100.0] * 5, [250.0] * 5)
    made.cells[key("limit")] = figures.cell([1.0] * 5)
    declared = {**made.header.peers["rust"], "limit": Peer(kind="limit")}
    limited = Run(figures.header(peers={"rust": declared}), made.cells)
    assert {row.reference for row in rows(limited)} == {THEIRS}


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"mode": "quick"}, "Quick mode"),
        ({"busy": 2}, "2 processes of the lab kept the machine busy on purpose"),
        ({"load_before": 3.0}, "load 3.00"),
        ({"load_after": 3.5}, "More was running than there are cores when the run ended (load 3.50)"),
        ({"noise": 0.2}, "equal work differed by 20%"),
        ({"dirty": True}, "differed from commit abcdef1234"),
        ({"commit": ""}, "commit is not known"),
        ({"ended": ""}, "has not ended"),
        ({"absent": {"jvm": "no java"}}, "Not run here: JVM"),
    ],
)
def test_what_makes_figures_less_is_said(changes: dict[str, Any], said: str) -> None:
    made = figures.run([1.0] * 5, [2.0] * 5, **changes)
    assert [said in warning for warning in warnings(made)] == [True]


def test_too_few_rounds_are_said_but_for_what_is_paid_once() -> None:
    assert warnings(figures.run([1.0] * 5, [2.0] * 5)) == []
    made = figures.run([1.0] * 2, [2.0] * 2)
    assert len(warnings(made)) == 1 and "2 rounds" in warnings(made)[0]
    steady = figures.run([1.0] * 5, [2.0] * 5)
    steady.cells[key(OURS, "first")] = figures.cell([1.0])
    assert warnings(steady) == []


def test_the_command_measures_a_line_beside_its_references() -> None:
    made = figures.run([1.0] * 5, [2.0] * 5)
    ours = [row for row in rows(made) if row.ours]
    assert command(made, ours) == f"bench run pack --language rust --workload booksNum --peer {OURS} --peer {THEIRS}"
    made.cells[key("rapid")] = figures.cell([0.5] * 5)
    ours = [row for row in rows(made) if row.ours]
    assert command(made, ours).endswith(f"--peer {OURS} --peer {THEIRS} --peer rapid")
    theirs = [row for row in rows(made) if row.peer == "rapid"]
    assert command(made, theirs).endswith("--workload booksNum --peer rapid")


def test_the_command_for_a_users_own_file_names_it() -> None:
    data = {"workload": "booksNum", "file": "my books.csv"}
    made = figures.run([1.0] * 5, [2.0] * 5, data=data)
    assert " --data 'my books.csv' --peer " in command(made, [row for row in rows(made) if row.ours])


def test_rows_sort_with_what_is_missing_last() -> None:
    made = figures.run([1.0] * 5, [2.0] * 5, absent={"jvm": "no java"})
    ordered = sort(rows(made), "ratio")
    assert [row.peer for row in ordered] == [OURS, OURS, THEIRS, THEIRS, "*"]
    assert [row.bytes for row in sort(rows(made), "bytes")] == [90, 90, 100, 100, None]


def test_figures_for_people() -> None:
    assert [duration(value) for value in (None, 0.5, 999.4, 999.6, 12_345.0, 2e9)] == [
        "",
        "0.50 ns",
        "999 ns",
        "1.00 µs",
        "12.3 µs",
        "2.00 s",
    ]
    assert [digits(value) for value in (9.994, 9.996, 99.96)] == ["9.99", "10.0", "100"]
    assert [memory(value) for value in (None, 48.0, 20_480.0, 50e6)] == ["", "48 B", "20 KiB", "48 MiB"]
    assert [allocated(*both) for both in ((None, None), (216.0, None), (285.0, 2.0), (-3.0, 1.0), (None, 25.0))] == [
        "",
        "216 B",
        "285 B in 2 pieces",
        "0 B in 1 piece",
        "25 pieces",
    ]
    assert times(None) == ""
    assert gist("a\nTypeError: no\n  at x") == "TypeError: no"
    assert gist("a\nb\n") == "b" and gist("") == ""


def test_a_ratio_is_a_figure_only_if_one_side_is_faster() -> None:
    def told(ours: list[float], theirs: list[float]) -> dict[str, str]:
        return {row.peer: verdict(row) for row in rows(figures.run(ours, theirs)) if row.op == "decode"}

    assert told([100.0] * 5, [200.0] * 5) == {OURS: "2.00×", THEIRS: "="}
    assert told([100.0, 90.0, 110.0, 95.0, 105.0], [100.0] * 5) == {OURS: "same", THEIRS: "="}
    assert told([100.0] * 2, [200.0] * 2) == {OURS: "~2.00×", THEIRS: "="}
    assert verdict(rows(Run(figures.header(), {key(OURS): figures.cell([1.0] * 5)}))[0]) == ""
