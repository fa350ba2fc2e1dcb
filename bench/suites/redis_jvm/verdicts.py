"""Each target of `redis_jvm` beside what was measured."""

from __future__ import annotations

from bench.lab import stats
from bench.lab.record import Cell, Key, Run
from bench.lab.verdict import Verdict
from bench.suites.redis_jvm import targets
from bench.suites.redis_jvm.targets import Bytes, Ratio

AREA = "redis_jvm"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``, on each JDK of which anything ran."""
    ran = {key.language for key in run.cells if key.area == AREA}
    return [
        verdict
        for language in targets.LANGUAGES
        if language in ran
        for verdict in (
            *(_ratio(run, language, target) for target in targets.RATIOS),
            *(_bytes(run, language, target) for target in targets.MOST),
        )
    ]


def _cell(run: Run, language: str, workload: str, op: str, peer: str) -> Cell | None:
    return run.cells.get(Key(AREA, workload, op, language, peer))


def _ratio(run: Run, language: str, target: Ratio) -> Verdict:
    ours = _cell(run, language, target.workload, target.op, target.ours)
    theirs = _cell(run, language, target.beside or target.workload, target.op, target.peer)
    kind = "CPU time" if target.cpu else "time"
    what = f"{target.workload} {target.op}: {kind}, {target.ours} / {target.beside or target.peer}{_aim(target.aim)}"
    wanted = f"<= {target.most:.2f}"
    # Of their speed in ours, as everywhere in the lab; a share of time is its inverse.
    found = stats.ratio(*((each.cpu if target.cpu else each.wall) for each in (ours, theirs))) if ours and theirs else None
    if found is None:
        return Verdict(language, what, wanted, "-", None)
    share = 1 / found.middle
    between = f" ({1 / found.high:.2f} to {1 / found.low:.2f})" if found.low and found.high else ""
    return Verdict(language, what, wanted, f"{share:.2f}{between}", share <= target.most)


def _bytes(run: Run, language: str, target: Bytes) -> Verdict:
    cell = _cell(run, language, target.workload, target.op, target.ours)
    what = f"{target.workload} {target.op}: bytes allocated, {target.ours}{_aim(target.aim)}"
    wanted = f"<= {target.most:,.0f} B"
    if cell is None or cell.heap is None:
        return Verdict(language, what, wanted, "-", None)
    return Verdict(language, what, wanted, f"{cell.heap:,.0f} B", cell.heap <= target.most)


def _aim(aim: bool) -> str:
    return " (aim)" if aim else ""
