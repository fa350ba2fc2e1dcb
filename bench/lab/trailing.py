"""Peers that are far behind on a workload: more rounds of them are not worth their time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median
from typing import Any

from bench.lab.cells import is_ours


def trailing(reports: Mapping[str, Sequence[Mapping[str, Any]]], factor: float) -> set[str]:
    """The peers whose every operation takes more than ``factor`` times the best peer's CPU time.

    reports: by peer, the lines of its process. Ours never are, nor are they what others are compared with.
    """
    times = {
        peer: {line["op"]: median(line["cpu"]) for line in lines if line.get("cpu")}
        for peer, lines in reports.items()
        if not is_ours(peer)
    }
    best: dict[str, float] = {}
    for of in times.values():
        for op, time in of.items():
            best[op] = min(time, best.get(op, time))
    return {peer for peer, of in times.items() if of and all(time > factor * best[op] for op, time in of.items())}
