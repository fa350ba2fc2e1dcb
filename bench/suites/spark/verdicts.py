"""Each target of `spark` beside what was measured."""

from __future__ import annotations

from bench.lab import stats
from bench.lab.record import Key, Run
from bench.lab.verdict import Verdict
from bench.lab.words import span, times
from bench.suites.spark.targets import SHARES, Share

AREA = LANGUAGE = "spark"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``, for each operation; none where nothing of the area ran."""
    if not any(key.area == AREA for key in run.cells):
        return []
    return [_share(run, target, op) for target in SHARES for op in ("call", "cpu")]


def _share(run: Run, target: Share, op: str) -> Verdict:
    ours, theirs = (_figures(run, target.workload, op, peer) for peer in ("samewire", "py4j"))
    named = "time" if op == "call" else "CPU"
    what = f"{target.workload}: {named}, samewire / py4j{' (aim)' if target.aim else ''}"
    wanted = f"<= {target.most:.2f}"
    # A ratio of the lab's is how many times quicker ours is: a share is its inverse.
    found = stats.ratio(theirs, ours)
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    said = f"{times(found.middle)} {f'({span(found.low, found.high)})' if found.low else ''}".strip()
    return Verdict(LANGUAGE, what, wanted, said, found.middle <= target.most)


def _figures(run: Run, workload: str, op: str, peer: str) -> dict[str, float]:
    cell = run.cells.get(Key(AREA, workload, op, LANGUAGE, peer))
    return {} if cell is None else cell.wall
