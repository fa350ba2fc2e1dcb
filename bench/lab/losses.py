"""Where we are behind, with the reason: every row of ours that is slower (interval below 1) or larger than the best peer."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from bench.lab.cells import Row, is_ours
from bench.lab.suite import Suite

UNKNOWN = "no reason is written down yet"


@dataclass(frozen=True)
class Loss:
    """One row of ours that is behind. better: another row of ours that is not, for the same work; empty if there is none."""

    row: Row
    reason: str
    better: str


@dataclass(frozen=True)
class Larger:
    """Bytes of ours beside the smallest peer's, in any language."""

    workload: str
    peer: str
    bytes: int
    smallest: int
    smallest_peer: str
    reason: str


def slower(found: Sequence[Row], suite: Suite) -> list[Loss]:
    """Rows whose interval is wholly below 1, the worst first; costs paid once a process are left out."""
    ours = [row for row in found if row.ours and row.area == suite.name and not suite.operation(row.op).once]
    losses = []
    for row in ours:
        if row.slower:
            others = [
                other for other in ours if other.key._replace(peer=row.peer) == row.key and not other.slower and other.ratio
            ]
            better = max(others, key=lambda other: other.ratio or 0.0).peer if others else ""
            reason = suite.reason(row.language, row.workload, row.peer, row.op)
            losses.append(Loss(row, reason or UNKNOWN, better))
    return sorted(losses, key=lambda loss: loss.row.ratio or 0.0)


def larger(found: Iterable[Row], suite: Suite) -> list[Larger]:
    """Workloads where our smallest encoding is larger than the smallest peer's."""
    smallest: dict[tuple[str, bool], tuple[int, str, str]] = {}
    for row in found:
        if row.bytes and row.area == suite.name:
            place, encoding = (row.workload, is_ours(row.peer)), (row.bytes, row.peer, row.language)
            smallest[place] = min(smallest.get(place, encoding), encoding)
    behind = []
    for (workload, ours), (size, peer, language) in smallest.items():
        least = smallest.get((workload, False))
        if ours and least and size > least[0]:
            reason = suite.reason(language, workload, peer, "bytes")
            behind.append(Larger(workload, peer, size, least[0], f"{least[1]} ({least[2]})", reason or UNKNOWN))
    return sorted(behind, key=lambda each: each.smallest / each.bytes)
