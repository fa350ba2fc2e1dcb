"""Ratios: the median over rounds of what one process did beside what another did in the same round."""

from __future__ import annotations

from statistics import median
from typing import NamedTuple

from bench.pack.results import Key, Results


class Ratio(NamedTuple):
    """How many times as fast: the median over ``rounds`` rounds, the least and the greatest."""

    middle: float
    low: float
    high: float
    rounds: int

    def __str__(self) -> str:
        return f"{self.middle:.2f} ({self.low:.2f}-{self.high:.2f})"


def figures(results: Results, key: Key) -> dict[int, float]:
    """Nanoseconds by round: CPU time, or wall time where there is no CPU clock (Chromium)."""
    return (results.wall if key.language == "chromium" else results.cpu).get(key, {})


def cost(results: Results, key: Key) -> float | None:
    """The median over rounds, nanoseconds per operation."""
    rounds = figures(results, key)
    return median(rounds.values()) if rounds else None


def ratio(results: Results, ours: Key, theirs: Key) -> Ratio | None:
    """Above 1 where ``ours`` is faster; none where the two share no round."""
    mine, other = figures(results, ours), figures(results, theirs)
    each = [other[number] / mine[number] for number in mine if number in other]
    return Ratio(median(each), min(each), max(each), len(each)) if each else None


def is_ours(peer: str) -> bool:
    """Whether a row is Samewire's."""
    return peer.startswith("samewire")


def best_peer(results: Results, key: Key) -> str | None:
    """The fastest peer, by median, at the operation of ``key``; never one of ours."""
    costs = {
        other.peer: cost(results, other)
        for other in results.cpu
        if (other.language, other.shape, other.op) == (key.language, key.shape, key.op) and not is_ours(other.peer)
    }
    return min(costs, key=lambda peer: costs[peer] or float("inf")) if costs else None
