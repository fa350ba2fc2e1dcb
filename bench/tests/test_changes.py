"""What ``bench compare`` prints of two stored runs, and its exit code."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from rich.console import Console

from bench.lab import store
from bench.lab.changes import compared
from bench.lab.record import ANY, WRONG, Cell, Run
from bench.lab.refusal import Refusal
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key
from bench.tests.test_agreement import BUSY, IDLE, made
from bench.tests.test_compare import noisy


def printed(
    folder: Path, before: Run, after: Run, threshold: float = 0.05, within: float | None = None, md: bool = False
) -> tuple[int, list[str]]:
    """Both runs stored, then compared; the exit code and the lines."""
    one, two = (str(store.keep(run, folder / name)) for name, run in (("a", before), ("b", after)))
    out = io.StringIO()
    status = compared(one, two, threshold, within, md, Console(file=out, width=160))
    return status, out.getvalue().splitlines()


def slow() -> tuple[Run, Run]:
    """Ours needs a fifth more in the second run."""
    return figures.run(noisy(1, 100.0), noisy(2, 200.0)), figures.run(noisy(3, 120.0, 3.0), noisy(4, 200.0, 3.0))


def test_a_sure_loss_fails(tmp_path: Path) -> None:
    before, after = slow()
    status, lines = printed(tmp_path, before, after)
    assert status == 1
    assert [line.split()[:3] for line in lines if line.startswith("slower")] == [["slower", "Rust,", "booksNum"]] * 2
    assert lines[-1] == "2 slower, 0 faster by more than 5%, 0 the same, 0 not comparable"


def test_a_gain_does_not_and_neither_does_a_smaller_loss(tmp_path: Path) -> None:
    before, after = slow()
    status, lines = printed(tmp_path / "gain", after, before)
    assert status == 0 and lines[-1].startswith("0 slower, 2 faster")
    assert printed(tmp_path / "loss", before, after, 0.25)[0] == 0


def test_a_result_that_became_wrong_fails(tmp_path: Path) -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    cells = {each: cell for each, cell in before.cells.items() if each.peer == THEIRS}
    after = Run(before.header, cells | {key(OURS, ANY): Cell(status=WRONG, note="another value")})
    status, lines = printed(tmp_path, before, after)
    assert status == 1
    assert f"wrong result: rust booksNum {OURS}: another value" in lines
    assert printed(tmp_path, before, after, within=0.1)[0] == 1


def test_what_cannot_be_compared_is_counted_and_refused_where_nothing_else_is_there(tmp_path: Path) -> None:
    before, after = figures.run([100.0] * 5, [200.0] * 5), figures.run([100.0] * 5, [200.0] * 5)
    after.cells[key(THEIRS, "encode")].version = "10.0"
    status, lines = printed(tmp_path, before, after)
    assert status == 0 and f"not comparable: {THEIRS} 9.9 and 10.0 (1 cell)" in lines and "1 not comparable" in lines[-1]
    after.cells[key(THEIRS, "decode")].version = "10.0"
    with pytest.raises(Refusal, match="not comparable"):
        printed(tmp_path, before, after)
    with pytest.raises(Refusal, match="no cell of ours in common"):
        printed(tmp_path, before, Run(after.header, {}))


def test_an_idle_run_beside_a_busy_one(tmp_path: Path) -> None:
    status, lines = printed(tmp_path, made(IDLE), made(BUSY, busy=1), within=0.1)
    assert status == 1
    assert lines[0].startswith("A: 2026-01-02") and "B: 1 process of the lab kept the machine busy on purpose." in lines[2]
    assert any(line.startswith("Rust, tree ") and line.endswith("apart") for line in lines)
    assert lines[-1].startswith(
        "2 of 3 ratios within 10% of each other; median difference 5.0%, worst 25.0%; of the 1 further apart"
    )
    assert printed(tmp_path, made(IDLE), made(BUSY, busy=1), within=0.3)[0] == 0


def test_the_same_as_markdown(tmp_path: Path) -> None:
    _, lines = printed(tmp_path, made(IDLE), made(BUSY, busy=1), within=0.1, md=True)
    assert "> B: 1 process of the lab kept the machine busy on purpose." in lines
    assert "| all | 3 | 2 | 5.0% | 25.0% | 1 | 0 |" in lines
    assert f"| Rust, tree | decode | {OURS} | {THEIRS} | 1.00× | 1.00–1.00 | 0.80× | 0.80–0.80 | 25.0% | apart |" in lines
    before, after = slow()
    _, lines = printed(tmp_path, before, after, md=True)
    assert sum(line.startswith("| slower | Rust, booksNum |") for line in lines) == 2
