"""Each target of `redis_jvm` beside what was measured."""

from __future__ import annotations

from bench.lab import stats
from bench.lab.record import Cell, Key, Run
from bench.lab.verdict import Verdict
from bench.suites.redis_jvm import targets
from bench.suites.redis_jvm.targets import Bytes, Ratio

AREA, LANGUAGE = "redis_jvm", "redis-jvm"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; none where nothing of the area ran."""
    if not any(key.area == AREA for key in run.cells):
        return []
    return [*(_ratio(run, target) for target in targets.RATIOS), *(_bytes(run, target) for target in targets.MOST)]


def _cell(run: Run, workload: str, op: str, peer: str) -> Cell | None:
    return run.cells.get(Key(AREA, workload, op, LANGUAGE, peer))


def _ratio(run: Run, target: Ratio) -> Verdict:
    ours = _cell(run, target.workload, target.op, target.ours)
    theirs = _cell(run, target.beside or target.workload, target.op, target.peer)
    what = f"{target.workload} {target.op}: time, {target.ours} / {target.beside or target.peer}{_aim(target.aim)}"
    wanted = f"<= {target.most:.2f}"
    # Of their speed in ours, as everywhere in the lab; a share of time is its inverse.
    found = stats.ratio(ours.wall, theirs.wall) if ours and theirs else None
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    share = 1 / found.middle
    between = f" ({1 / found.high:.2f} to {1 / found.low:.2f})" if found.low and found.high else ""
    return Verdict(LANGUAGE, what, wanted, f"{share:.2f}{between}", share <= target.most)


def _bytes(run: Run, target: Bytes) -> Verdict:
    cell = _cell(run, target.workload, target.op, target.ours)
    what = f"{target.workload} {target.op}: bytes allocated, {target.ours}{_aim(target.aim)}"
    wanted = f"<= {target.most:,.0f} B"
    if cell is None or cell.heap is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    return Verdict(LANGUAGE, what, wanted, f"{cell.heap:,.0f} B", cell.heap <= target.most)


def _aim(aim: bool) -> str:
    return " (aim)" if aim else ""
