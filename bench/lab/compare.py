"""Two runs beside each other: what became faster or slower, also on machines of different speed.

Our cells are compared by their ratios to the same peer in their own run, not by their times: a peer's code did not change between
the runs, so a change of both times is a change of the machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from statistics import median

from bench.lab import stats, suite
from bench.lab.cells import Row, is_ours, rows
from bench.lab.protocol import LIMIT
from bench.lab.record import ANY, MISSING, OK, Key, Run
from bench.lab.stats import Interval


@dataclass(frozen=True)
class Change:
    """One cell of both runs. before, after: its ratio to ``reference`` in each run, none where that was not measured.

    by: how many times as fast it became; none with ``why`` if the two are not comparable.
    """

    row: Row
    reference: str
    before: Interval | None
    after: Interval | None
    by: Interval | None
    why: str = ""

    def lost(self, threshold: float) -> bool:
        """Whether it became slower: the whole interval, and by more than ``threshold`` (0.05: 5 %)."""
        return self.by is not None and self.by.below and self.by.middle < 1.0 - threshold

    def won(self, threshold: float) -> bool:
        """Whether it became faster: the whole interval, and by more than ``threshold``."""
        return self.by is not None and self.by.above and self.by.middle > 1.0 + threshold

    @property
    def distance(self) -> float:
        """How far the two ratios lie apart, without regard to intervals and order: 0.1 where the larger is 10 % above the smaller."""
        return max(self.by.middle, 1.0 / self.by.middle) - 1.0 if self.by else 0.0

    @property
    def overlap(self) -> bool | None:
        """Whether the intervals of the two ratios share a value; none where a run has too few rounds for one."""
        ends = [end for side in (self.before, self.after) if side for end in (side.low, side.high) if end is not None]
        return max(ends[0], ends[2]) <= min(ends[1], ends[3]) if len(ends) == 4 else None


def compare(before: Run, after: Run) -> list[Change]:
    """Every row of ours that both runs have, in the order of the later one; costs paid once a process are left out.

    Beside which peer: the best of the first run, or the best of those that both have measured if that one is not among them.
    """
    references = {row.key: row.reference for row in rows(before) if row.reference} | _shared(before, after)
    suites = {area: suite.load(area) for area in after.header.areas}
    mine = [row for row in rows(after) if row.ours and row.ratio and row.key in references]
    return [_change(before, after, row, references[row.key]) for row in mine if not suites[row.area].operation(row.op).once]


def _shared(before: Run, after: Run) -> dict[Key, str]:
    """By cell of ours, the peer that is fastest in the first run of those that both have."""
    fastest: dict[Key, tuple[float, str]] = {}
    for key, cell in before.cells.items():
        there = after.cells.get(key)
        if cell.figures and there and there.figures and not is_ours(key.peer) and before.peer(key).kind != LIMIT:
            place, cost = key._replace(peer=""), (median(cell.figures.values()), key.peer)
            fastest[place] = min(fastest.get(place, cost), cost)
    ours = [key for key in before.cells if is_ours(key.peer) and key._replace(peer="") in fastest]
    return {key: fastest[key._replace(peer="")][1] for key in ours}


def broken(before: Run, after: Run) -> list[Row]:
    """Rows of ours that had figures and now have a reason for having none: a wrong result, a crash."""
    had = {key._replace(op=ANY) for key, cell in before.cells.items() if cell.status == OK}
    return [row for row in rows(after) if row.ours and row.status not in (OK, MISSING) and row.key in had]


def _change(before: Run, after: Run, row: Row, reference: str) -> Change:
    key = row.key
    peer = key._replace(peer=reference)
    old, new = _ratios(before, key, peer), _ratios(after, key, peer)
    sides = [stats.interval(some) if some else None for some in (old, new)]
    why = _not_comparable(before, after, key, peer, bool(old and new))
    return Change(row, reference, sides[0], sides[1], None if why else stats.change(old, new), why)


def _ratios(run: Run, key: Key, peer: Key) -> list[float]:
    both = run.cells.get(key), run.cells.get(peer)
    return stats.within(both[0].figures, both[1].figures) if both[0] and both[1] else []


def _not_comparable(before: Run, after: Run, key: Key, peer: Key, rounds: bool) -> str:
    if _data(before) != _data(after):
        return "not comparable: the user's data differ"
    if not rounds:
        return f"not comparable: {peer.peer} was not measured in both"
    for each in (key, peer):
        if before.code(each) != after.code(each):
            return f"not comparable: the code that measures {each.peer} differs"
    if not is_ours(peer.peer) and before.version(peer) != after.version(peer):
        return f"not comparable: {peer.peer} {before.version(peer)} and {after.version(peer)}"
    if before.cells[key].unit != after.cells[key].unit:
        return "not comparable: the units differ"
    return ""


def _data(run: Run) -> str:
    """The identity of the user's own file; empty without one."""
    return str(run.header.data["sha256"]) if run.header.data else ""
