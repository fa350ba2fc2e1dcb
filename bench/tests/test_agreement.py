"""How far two runs agree, on ratios that are known."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from bench.lab.agreement import Agreement
from bench.lab.compare import compare
from bench.lab.record import Run
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key

ROUNDS = 12
IDLE = {("rust", "booksNum"): 2.0, ("rust", "tree"): 1.0, ("python", "booksNum"): 1.5}
BUSY = {("rust", "booksNum"): 2.1, ("rust", "tree"): 0.8, ("python", "booksNum"): 1.5}


def made(ratios: Mapping[tuple[str, str], float], **changes: object) -> Run:
    """A run in which ours decodes exactly so many times as fast as the rival, in every round."""
    cells = {}
    for (language, workload), ratio in ratios.items():
        cells[key(OURS, "decode", workload, language)] = figures.cell([100.0] * ROUNDS)
        cells[key(THEIRS, "decode", workload, language)] = figures.cell([100.0 * ratio] * ROUNDS)
    return Run(figures.header(**changes), cells)


def agreement(before: Run, after: Run, share: float = 0.1) -> Agreement:
    return Agreement(compare(before, after), share)


def test_ratios_are_counted_and_the_median_and_the_worst_difference_told() -> None:
    found = agreement(made(IDLE), made(BUSY))
    assert (found.within, len(found.pairs)) == (2, 3)
    assert (found.middle, found.worst) == pytest.approx((0.05, 0.25))
    assert found.sentence() == (
        "2 of 3 ratios within 10% of each other; median difference 5.0%, worst 25.0%; "
        "of the 1 further apart 0 have 95 % intervals that overlap"
    )


def test_every_language_has_a_line_and_all_together() -> None:
    found = agreement(made(IDLE), made(BUSY))
    assert found.header()[2] == "within 10%"
    assert found.table() == [
        ["Python", "1", "1", "0.0%", "0.0%", "0", ""],
        ["Rust", "2", "1", "15.0%", "25.0%", "1", "0"],
        ["all", "3", "2", "5.0%", "25.0%", "1", "0"],
    ]
    alone = {place: ratio for place, ratio in IDLE.items() if place[0] == "python"}
    assert [line[0] for line in agreement(made(alone), made(alone)).table()] == ["Python"]


def test_what_lies_further_apart_is_named_with_both_ratios() -> None:
    found = agreement(made(IDLE), made(BUSY), 0.04)
    assert found.rest() == [
        ["Rust, tree", "decode", OURS, THEIRS, "1.00×", "1.00–1.00", "0.80×", "0.80–0.80", "25.0%", "apart"],
        ["Rust, booksNum", "decode", OURS, THEIRS, "2.00×", "2.00–2.00", "2.10×", "2.10–2.10", "5.0%", "apart"],
    ]


def test_the_order_of_the_runs_does_not_matter() -> None:
    there, back = agreement(made(IDLE), made(BUSY)), agreement(made(BUSY), made(IDLE))
    assert (there.within, there.middle, there.worst) == pytest.approx((back.within, back.middle, back.worst))
    # Of two runs one of which reads 10.5 % more, neither order may call it 10 %: 1 / 1.105 is 0.905.
    one, other = {("rust", "tree"): 1.0}, {("rust", "tree"): 1.105}
    assert agreement(made(one), made(other)).within == agreement(made(other), made(one)).within == 0


def spread(low: float, rounds: int = ROUNDS) -> Run:
    """A run whose ratios in the single rounds lie evenly between ``low`` and one more."""
    theirs = [100.0 * (low + number / (rounds - 1)) for number in range(rounds)]
    return Run(figures.header(), {key(OURS): figures.cell([100.0] * rounds), key(THEIRS): figures.cell(theirs)})


@pytest.mark.parametrize(
    ("after", "overlap", "word"),
    [(spread(1.2), True, "overlap"), (spread(3.0), False, "apart"), (spread(1.2, 2), None, "too few rounds")],
)
def test_intervals_that_share_a_value_overlap(after: Run, overlap: bool | None, word: str) -> None:
    found = agreement(spread(1.0), after)
    assert [each.overlap for each in found.apart] == [overlap]
    assert found.overlapping == (overlap is True)
    assert found.rest()[0][-1] == word
