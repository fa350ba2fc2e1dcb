"""Each target of `redis` beside what was measured."""

from __future__ import annotations

from statistics import median

from bench.lab import stats
from bench.lab.record import Key, Run
from bench.lab.verdict import Verdict
from bench.lab.words import span, times
from bench.suites.redis import targets
from bench.suites.redis.targets import CPU, Most, Ratio

AREA = LANGUAGE = "redis"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; none where nothing of the area ran."""
    if not any(key.area == AREA for key in run.cells):
        return []
    return [*(_most(run, target) for target in targets.MOST), *(_ratio(run, target) for target in targets.RATIOS)]


def _figures(run: Run, workload: str, op: str, peer: str, cpu: bool) -> dict[str, float]:
    cell = run.cells.get(Key(AREA, workload, op, LANGUAGE, peer))
    return {} if cell is None else cell.cpu if cpu else cell.wall


def _most(run: Run, target: Most) -> Verdict:
    found = _figures(run, target.workload, "memory", targets.OURS, cpu=False)
    what, wanted = f"{target.workload}: growth of the client", f"<= {target.bytes / 1e6:.0f} MB"
    if not found:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    middle = median(found.values())
    return Verdict(LANGUAGE, what, wanted, f"{middle / 1e6:.1f} MB", middle <= target.bytes)


def _ratio(run: Run, target: Ratio) -> Verdict:
    peers = (target.ours, target.peer)
    ours, theirs = (_figures(run, target.workload, target.op, peer, target.what == CPU) for peer in peers)
    what = f"{target.workload}: {target.what}, {target.ours} / {target.peer}{' (aim)' if target.aim else ''}"
    wanted = f">= {target.least:.2f}"
    found = stats.ratio(ours, theirs)
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    said = f"{times(found.middle)} {f'({span(found.low, found.high)})' if found.low else ''}".strip()
    return Verdict(LANGUAGE, what, wanted, said, found.middle >= target.least)
