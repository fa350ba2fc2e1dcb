"""Two runs beside each other."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest

from bench.lab.compare import broken, compare
from bench.lab.protocol import Peer
from bench.lab.record import ANY, FAILED, Cell, Run
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key


def noisy(seed: int, middle: float, factor: float = 1.0) -> list[float]:
    r = random.Random(seed)
    return [factor * middle * r.gauss(1.0, 0.02) for _ in range(12)]


def test_a_loss_is_found_on_a_machine_that_became_slower() -> None:
    before = figures.run(noisy(1, 100.0), noisy(2, 200.0))
    after = figures.run(noisy(3, 120.0, 3.0), noisy(4, 200.0, 3.0))
    changes = compare(before, after)
    assert len(changes) == 2
    assert all(change.lost(0.05) and not change.won(0.05) and change.reference == THEIRS for change in changes)
    assert changes[0].by is not None and changes[0].by.middle == pytest.approx(1 / 1.2, rel=0.03)
    assert not changes[0].lost(0.25)
    assert all(change.won(0.05) for change in compare(after, before))


def test_noise_is_no_loss() -> None:
    before = figures.run(noisy(1, 100.0), noisy(2, 200.0))
    after = figures.run(noisy(3, 100.0, 2.0), noisy(4, 200.0, 2.0))
    assert not any(change.lost(0.05) or change.won(0.05) or change.distance > 0.1 for change in compare(before, after))


@pytest.mark.parametrize("peer", [OURS, THEIRS])
def test_other_code_is_not_comparable(peer: str) -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    code = {"rust": {**before.header.code["rust"], peer: "changed"}}
    after = Run(replace(before.header, code=code), before.cells)
    assert all(change.by is None and f"measures {peer} differs" in change.why for change in compare(before, after))
    assert not any(change.lost(0.0) for change in compare(before, after))


def test_another_version_of_the_peer_is_not_comparable() -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    after = figures.run([100.0] * 5, [200.0] * 5)
    for op in ("encode", "decode"):
        after.cells[key(THEIRS, op)].version = "10.0"
    assert {change.why for change in compare(before, after)} == {f"not comparable: {THEIRS} 9.9 and 10.0"}


def test_a_peer_that_is_gone_is_not_comparable() -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    cells = {made: cell for made, cell in before.cells.items() if made.peer == OURS}
    cells |= {key("other", op): figures.cell([150.0] * 5) for op in ("encode", "decode")}
    assert {change.why for change in compare(before, Run(before.header, cells))} == {
        f"not comparable: {THEIRS} was not measured in both"
    }


def test_what_is_paid_once_is_no_speed() -> None:
    made = figures.run([100.0] * 5, [200.0] * 5)
    for peer in (OURS, THEIRS):
        made.cells[key(peer, "first")] = figures.cell([5.0] * 5)
    assert {change.row.op for change in compare(made, made)} == {"encode", "decode"}


def test_other_data_of_the_users_are_not_comparable() -> None:
    one, other = (figures.run([100.0] * 5, [200.0] * 5, data={"workload": "booksNum", "sha256": digest}) for digest in "ab")
    assert {change.why for change in compare(one, other)} == {"not comparable: the user's data differ"}
    assert not any(change.why for change in compare(one, one))


def test_what_gives_no_result_any_more_is_found() -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    crash = {key(peer, ANY): Cell(status=FAILED, note="a crash") for peer in (OURS, THEIRS)}
    after = Run(before.header, crash)
    assert [(row.peer, row.status, row.note) for row in broken(before, after)] == [(OURS, FAILED, "a crash")]
    # What was not asked for is not broken, and neither is what never worked.
    assert broken(before, Run(before.header, {})) == []
    assert broken(after, after) == []


def test_the_best_peer_that_both_have_measured_is_compared_with() -> None:
    before = figures.run([100.0] * 5, [200.0] * 5)
    for peer, cost in (("rapid", 150.0), ("limit", 1.0)):
        before.cells[key(peer)] = figures.cell([cost] * 5)
    before.header.peers["rust"]["limit"] = Peer(kind="limit")
    every = figures.run([100.0] * 5, [200.0] * 5)
    every.cells.update({made: before.cells[made] for made in (key("rapid"), key("limit"))})
    without = figures.run([100.0] * 5, [200.0] * 5)
    for after, reference in ((every, "rapid"), (without, THEIRS)):
        (found,) = (change for change in compare(before, after) if change.row.op == "decode")
        assert (found.reference, found.why) == (reference, "") and found.by is not None
