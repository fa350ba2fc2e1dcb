"""Statistics on figures whose answers are known."""

from __future__ import annotations

import random
from collections.abc import Callable
from functools import cache

import pytest

from bench.lab import stats

Source = Callable[[random.Random, int], float]
"""What a peer's process finds in a round of that number."""

STEADY: Source = lambda r, _: r.gauss(100.0, 3.0)  # noqa: E731
OUTLIERS: Source = lambda r, _: r.gauss(100.0, 1.0) * (8.0 if r.random() < 0.1 else 1.0)  # noqa: E731
TWO_MODES: Source = lambda r, _: r.choice((100.0, 130.0)) * r.gauss(1.0, 0.01)  # noqa: E731
DRIFT: Source = lambda r, number: (1.0 + number / 5) * r.gauss(100.0, 3.0)  # noqa: E731
SOURCES = {"steady": STEADY, "outliers": OUTLIERS, "two modes": TWO_MODES, "drift": DRIFT}
COUNTS = (3, 5, 12)
EXPERIMENTS = 150


def rounds(r: random.Random, source: Source, count: int, factor: float = 1.0) -> dict[str, float]:
    return {str(number): factor * source(r, number) for number in range(count)}


@cache
def called_different(name: str, count: int) -> int:
    """In how many experiments with two identical peers one of them is called faster."""
    r = random.Random(count)
    different = 0
    for _ in range(EXPERIMENTS):
        found = stats.ratio(rounds(r, SOURCES[name], count), rounds(r, SOURCES[name], count))
        assert found is not None
        different += not found.same
    return different


@pytest.mark.parametrize("name", SOURCES)
@pytest.mark.parametrize("count", COUNTS)
def test_identical_peers_are_the_same(name: str, count: int) -> None:
    """A 95 % interval may err in one of twenty: of 150 experiments in more than 16 only once in a thousand."""
    assert called_different(name, count) <= 16


def test_over_all_such_cases_the_interval_errs_less_often_than_it_says() -> None:
    cases = [called_different(name, count) for name in SOURCES for count in COUNTS]
    assert sum(cases) < 0.05 * EXPERIMENTS * len(cases)


@pytest.mark.parametrize("source", [STEADY, OUTLIERS], ids=["steady", "outliers"])
def test_a_true_difference_is_found_and_lies_in_the_interval(source: Source) -> None:
    r = random.Random(7)
    above = inside = 0
    for _ in range(100):
        found = stats.ratio(rounds(r, source, 12), rounds(r, source, 12, 1.5))
        assert found is not None and found.low is not None and found.high is not None
        above += found.above
        inside += found.low <= 1.5 <= found.high
    assert above >= 90
    assert inside >= 90


def test_drift_does_not_reach_the_ratio() -> None:
    """The machine becomes three times as slow during the run; both peers live through it."""
    r = random.Random(3)
    drift = {str(number): 1.0 + number / 5 for number in range(11)}
    ours = {number: 100.0 * drift[number] * r.gauss(1.0, 0.01) for number in drift}
    theirs = {number: 125.0 * drift[number] * r.gauss(1.0, 0.01) for number in drift}
    found = stats.ratio(ours, theirs)
    assert found is not None and found.low is not None and found.high is not None
    assert found.middle == pytest.approx(1.25, rel=0.02)
    assert found.high - found.low < 0.05


def test_only_shared_rounds_count() -> None:
    found = stats.ratio({"0": 1.0, "1": 1.0, "2": 1.0, "9": 1.0}, {"0": 2.0, "1": 3.0, "2": 4.0, "7": 100.0})
    assert found is not None
    assert (found.middle, found.rounds) == (3.0, 3)
    assert stats.ratio({"0": 1.0}, {"1": 1.0}) is None


@pytest.mark.parametrize("count", [1, 2])
def test_no_side_is_faster_with_too_few_rounds(count: int) -> None:
    found = stats.ratio({str(n): 1.0 for n in range(count)}, {str(n): 5.0 for n in range(count)})
    assert found is not None
    assert (found.middle, found.low, found.high) == (5.0, None, None)
    assert found.same and not found.above


def test_few_rounds_have_wider_intervals_than_their_own_span() -> None:
    found = stats.interval([1.0, 1.1, 1.2])
    assert found.low is not None and found.high is not None
    assert found.low < 1.0 and found.high > 1.2


def test_the_same_figures_give_the_same_interval() -> None:
    figures = [random.Random(5).gauss(10.0, 1.0) + n for n in range(12)]
    assert stats.interval(figures) == stats.interval(figures)


def test_change_of_two_runs() -> None:
    r = random.Random(11)
    before = [2.0 * r.gauss(1.0, 0.02) for _ in range(11)]
    assert stats.change(before, [each * 0.8 for each in before]).below
    assert stats.change(before, [2.0 * r.gauss(1.0, 0.02) for _ in range(11)]).same
    assert stats.change(before[:2], [0.1, 0.1]).same


def test_geometric_mean_of_ratios() -> None:
    found = stats.geometric([stats.Interval(2.0, 1.0, 4.0, 5), stats.Interval(0.5, 0.25, 1.0, 7)])
    assert found.low is not None and found.high is not None
    assert found.middle == pytest.approx(1.0)
    assert found.low == pytest.approx(1 / found.high)
    assert found.high == pytest.approx(2.0 ** (2**0.5 / 2))
    assert stats.geometric([stats.Interval(2.0, None, None, 1)]).low is None


def test_no_figures_are_refused() -> None:
    with pytest.raises(ValueError, match="no figures"):
        stats.interval([])
