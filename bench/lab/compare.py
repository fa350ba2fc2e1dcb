"""Two runs beside each other: what became faster or slower, whatever the machine did in between.

Our cells are compared by their ratios to the same peer in their own run, not by their times: a peer's code did not change between
the runs, so what moved both moved the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bench.lab import stats, suite
from bench.lab.cells import Row, is_ours, rows
from bench.lab.record import Key, Run
from bench.lab.stats import Interval


@dataclass(frozen=True)
class Change:
    """One cell of both runs. by: how many times as fast it became; none with ``why`` if the two are not comparable."""

    row: Row
    reference: str
    before: float
    after: float
    by: Interval | None
    why: str = ""

    def lost(self, threshold: float) -> bool:
        """Whether it became slower, surely and by more than ``threshold`` (0.05: 5 %)."""
        return self.by is not None and self.by.below and self.by.middle < 1.0 - threshold

    def won(self, threshold: float) -> bool:
        """Whether it became faster, surely and by more than ``threshold``."""
        return self.by is not None and self.by.above and self.by.middle > 1.0 + threshold

    @property
    def distance(self) -> float:
        """How far the two ratios lie apart, whatever their intervals: 0.1 is 10 %."""
        return abs(self.by.middle - 1.0) if self.by else 0.0

    def apart(self, share: float) -> bool:
        """Whether they lie further apart than ``share``."""
        return self.distance > share


def compare(before: Run, after: Run) -> list[Change]:
    """Every row of ours that both runs have, in the order of the later one; what is paid once a process is no speed."""
    references = {row.key: row.reference for row in rows(before) if row.reference}
    suites = {area: suite.load(area) for area in after.header.areas}
    mine = [row for row in rows(after) if row.ours and row.ratio and row.key in references]
    return [_change(before, after, row, references[row.key]) for row in mine if not suites[row.area].operation(row.op).once]


def _change(before: Run, after: Run, row: Row, reference: str) -> Change:
    key = row.key
    peer = key._replace(peer=reference)
    old = _ratios(before, key, peer)
    new = _ratios(after, key, peer)
    why = _not_comparable(before, after, key, peer, bool(old and new))
    if why:
        return Change(row, reference, median(old or [0.0]), median(new or [0.0]), None, why)
    return Change(row, reference, median(old), median(new), stats.change(old, new))


def _ratios(run: Run, key: Key, peer: Key) -> list[float]:
    both = run.cells.get(key), run.cells.get(peer)
    return stats.within(both[0].figures, both[1].figures) if both[0] and both[1] else []


def _not_comparable(before: Run, after: Run, key: Key, peer: Key, rounds: bool) -> str:
    for each in (key, peer):
        if before.code(each) != after.code(each):
            return f"not comparable: the code that measures {each.peer} differs"
    if not is_ours(peer.peer) and before.version(peer) != after.version(peer):
        return f"not comparable: {peer.peer} {before.version(peer)} and {after.version(peer)}"
    if before.cells[key].unit != after.cells[key].unit:
        return "not comparable: the units differ"
    if not rounds:
        return f"not comparable: {peer.peer} was not measured in both"
    return ""
