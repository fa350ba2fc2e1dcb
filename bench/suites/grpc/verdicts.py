"""Each target of `grpc` beside what was measured."""

from __future__ import annotations

from statistics import median

from bench.lab import stats
from bench.lab.record import Key, Run
from bench.lab.stats import Interval
from bench.lab.verdict import Verdict
from bench.lab.words import duration, span, times
from bench.suites.grpc import targets
from bench.suites.grpc.targets import CPU, Growth, Most, Ratio

AREA = LANGUAGE = "grpc"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; none where nothing of the area ran."""
    if not any(key.area == AREA for key in run.cells):
        return []
    return [
        *(_most(run, target) for target in targets.MOST),
        *(_ratio(run, target) for target in targets.RATIOS),
        *(_growth(run, target) for target in targets.GROWTHS),
    ]


def _key(workload: str, op: str, peer: str) -> Key:
    return Key(AREA, workload, op, LANGUAGE, peer)


def _figures(run: Run, key: Key, cpu: bool) -> dict[str, float]:
    cell = run.cells.get(key)
    return {} if cell is None else cell.cpu if cpu else cell.wall


def _said(found: Interval) -> str:
    return f"{times(found.middle)} {f'({span(found.low, found.high)})' if found.low else ''}".strip()


def _most(run: Run, target: Most) -> Verdict:
    found = _figures(run, _key(target.workload, "call", targets.OURS), cpu=True)
    what, wanted = f"{target.workload}: CPU a request", f"<= {duration(target.nanoseconds)}"
    if not found:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    middle = median(found.values())
    return Verdict(LANGUAGE, what, wanted, duration(middle), middle <= target.nanoseconds)


def _ratio(run: Run, target: Ratio) -> Verdict:
    cpu = target.what == CPU
    ours, theirs = (_figures(run, _key(target.workload, target.op, peer), cpu) for peer in (targets.OURS, target.peer))
    kind = target.what if target.op in ("call", target.what) else f"{target.what} {target.op}"
    what, wanted = f"{target.workload}: {kind}, ours / {target.peer}", f">= {target.least:.2f}"
    found = stats.ratio(ours, theirs)
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    return Verdict(LANGUAGE, what, wanted, _said(found), found.middle >= target.least)


def _growth(run: Run, target: Growth) -> Verdict:
    early, late = (_figures(run, _key(target.workload, op, targets.OURS), cpu=False) for op in ("early", "late"))
    what, wanted = f"{target.workload}: memory, late / early", f"<= {target.most:.2f}"
    found = stats.ratio(early, late)
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    return Verdict(LANGUAGE, what, wanted, _said(found), found.middle <= target.most)
