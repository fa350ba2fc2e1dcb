"""Medians and ratios with their intervals.

A process gives one figure a round. Figures of one round were taken one after the other, so a ratio is formed *within* a round
and the median over rounds is taken of these: a machine that grows slower during a run moves both sides of each ratio.

The interval is the 95 % percentile bootstrap of the median, seeded, so that the same figures give the same interval everywhere,
and expanded for samples of this size (Hesterberg, "What Teachers Should Know About the Bootstrap", 2015, section 5.3).
With few rounds no bootstrap can be wide enough (at three rounds the widest, least to greatest, covers 75 %): below
``FEW`` rounds it is widened to Student's 95 % interval of the logarithms. Below ``FEWEST`` there is no interval at all, and
nothing is called faster or slower.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import cache
from statistics import median
from typing import NamedTuple

import numpy
from numpy.typing import NDArray

RESAMPLES = 4_000
SEED = 20_261
FEWEST = 3
FEW = 9

_STUDENT = {1: 12.71, 2: 4.303, 3: 3.182, 4: 2.776, 5: 2.571, 6: 2.447, 7: 2.365, 8: 2.306, 9: 2.262, 10: 2.228}
"""The 97.5 % point of Student's distribution by degrees of freedom."""


class Interval(NamedTuple):
    """A median and its 95 % interval; ``low`` and ``high`` are none where rounds are too few for one."""

    middle: float
    low: float | None
    high: float | None
    rounds: int

    @property
    def same(self) -> bool:
        """Whether 1 cannot be excluded: of a ratio, whether neither side may be called faster."""
        return self.low is None or self.high is None or self.low <= 1.0 <= self.high

    @property
    def above(self) -> bool:
        """Whether the whole interval is above 1."""
        return not self.same and self.middle > 1.0

    @property
    def below(self) -> bool:
        """Whether the whole interval is below 1."""
        return not self.same and self.middle < 1.0


ONE = Interval(1.0, 1.0, 1.0, 0)
"""A thing beside itself."""


def interval(values: Sequence[float]) -> Interval:
    """The median of positive figures, one a round, with its interval. Raises ValueError for no figures."""
    if not values:
        raise ValueError("a median of no figures")
    return _interval(tuple(values))


@cache
def _interval(values: tuple[float, ...]) -> Interval:
    """Kept: a row is formed again for each table that shows it (README and RESULTS.md form each three times)."""
    middle = median(values)
    if len(values) < FEWEST:
        return Interval(middle, None, None, len(values))
    low, high = _percentiles(_resampled(values), len(values))
    if len(values) < FEW:
        logs = numpy.log(numpy.asarray(values, dtype=float))
        center, reach = float(logs.mean()), _reach(logs)
        low, high = min(low, math.exp(center - reach)), max(high, math.exp(center + reach))
    return Interval(middle, low, high, len(values))


def ratio(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Interval | None:
    """How many times as fast ``ours`` is, from figures by round: above 1 it is faster. None where they share no round."""
    each = within(ours, theirs)
    return interval(each) if each else None


def within(ours: Mapping[str, float], theirs: Mapping[str, float]) -> list[float]:
    """``theirs`` divided by ``ours`` in every round that both have."""
    return [theirs[number] / ours[number] for number in ours if number in theirs]


def change(before: Sequence[float], after: Sequence[float]) -> Interval:
    """``after`` as a multiple of ``before``: medians of figures that do not belong together in pairs."""
    middle = median(after) / median(before)
    rounds = min(len(before), len(after))
    if rounds < FEWEST:
        return Interval(middle, None, None, rounds)
    low, high = _percentiles(_resampled(after, 1) / _resampled(before), rounds)
    if rounds < FEW:
        old, new = (numpy.log(numpy.asarray(side, dtype=float)) for side in (before, after))
        center, reach = float(new.mean() - old.mean()), math.hypot(_reach(old), _reach(new))
        low, high = min(low, math.exp(center - reach)), max(high, math.exp(center + reach))
    return Interval(middle, low, high, rounds)


def geometric(each: Sequence[Interval]) -> Interval:
    """The geometric mean of ratios that were measured apart from each other, at least one.

    Its interval has the half-widths of the single ones, in logarithms, added as errors that know nothing of each other.
    """
    middle = math.exp(sum(math.log(one.middle) for one in each) / len(each))
    rounds = min(one.rounds for one in each)
    squares = 0.0
    for one in each:
        if one.low is None or one.high is None:
            return Interval(middle, None, None, rounds)
        squares += (math.log(one.high / one.low) / 2) ** 2
    reach = math.exp(math.sqrt(squares) / len(each))
    return Interval(middle, middle / reach, middle * reach, rounds)


@cache
def _choices(count: int, stream: int) -> NDArray[numpy.int64]:
    """Which figures each resample draws: the same for every cell, so that cells can be compared."""
    return numpy.random.default_rng([SEED, stream]).integers(0, count, (RESAMPLES, count))


def _resampled(values: Sequence[float], stream: int = 0) -> NDArray[numpy.float64]:
    """The median of each resample. An interval of twelve figures takes 0.35 ms; with numpy.median, which partitions, 1.75 ms."""
    count = len(values)
    drawn = numpy.asarray(values, dtype=float)[_choices(count, stream)]
    drawn.sort(axis=1)
    medians: NDArray[numpy.float64] = (drawn[:, (count - 1) // 2] + drawn[:, count // 2]) / 2
    return medians


def _percentiles(medians: NDArray[numpy.float64], rounds: int) -> tuple[float, float]:
    share = 100 * _tail(rounds)
    low, high = numpy.percentile(medians, [share, 100 - share])
    return float(low), float(high)


def _tail(rounds: int) -> float:
    """The share of resamples to leave out on each side: 2.5 % for very many rounds, less for few."""
    reach = math.sqrt(rounds / (rounds - 1)) * _student(rounds - 1)
    return math.erfc(reach / math.sqrt(2)) / 2


def _student(freedom: int) -> float:
    """The 97.5 % point of Student's distribution, to the third digit."""
    return _STUDENT.get(freedom) or 1.96 + 2.5 / freedom


def _reach(logs: NDArray[numpy.float64]) -> float:
    freedom = len(logs) - 1
    return _student(freedom) * float(logs.std(ddof=1)) / math.sqrt(len(logs))
