"""Each target of `bridge` beside what was measured."""

from __future__ import annotations

from statistics import median

from bench.lab import stats
from bench.lab.record import Key, Run
from bench.lab.verdict import Verdict
from bench.lab.words import duration, span, times
from bench.suites.bridge import targets
from bench.suites.bridge.targets import Most, Ratio

AREA = LANGUAGE = "bridge"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; none where nothing of the area ran."""
    if not any(key.area == AREA for key in run.cells):
        return []
    return [*(_most(run, target) for target in targets.MOST), *(_ratio(run, target) for target in targets.RATIOS)]


def _figures(run: Run, workload: str, op: str, peer: str) -> dict[str, float]:
    cell = run.cells.get(Key(AREA, workload, op, LANGUAGE, peer))
    return {} if cell is None else cell.wall


def _most(run: Run, target: Most) -> Verdict:
    ours = _figures(run, target.workload, target.op, target.ours)
    beyond = _figures(run, target.workload, target.op, target.beyond)
    named = target.op if target.op != "call" else "time"
    more = f" beyond {target.beyond}" if target.beyond else ""
    what = f"{target.workload}: {named}, {target.ours}{more}{' (aim)' if target.aim else ''}"
    wanted = f"<= {_said(target, target.most)}"
    if not ours or (target.beyond and not beyond):
        return Verdict(LANGUAGE, what, wanted, "-", None)
    middle = median(ours.values()) - (median(beyond.values()) if target.beyond else 0.0)
    return Verdict(LANGUAGE, what, wanted, _said(target, middle), middle <= target.most)


def _said(target: Most, figure: float) -> str:
    return f"{figure / 1e6:.1f} MB" if target.op == "memory" else duration(max(figure, 0.0))


def _ratio(run: Run, target: Ratio) -> Verdict:
    ours = _figures(run, target.workload, "call", target.ours)
    theirs = _fastest([_figures(run, target.workload, "call", peer) for peer in target.peers])
    what = f"{target.workload}: speed, {target.ours} / {target.peers[0]}{' (aim)' if target.aim else ''}"
    wanted = f">= {target.least:.2f}"
    found = stats.ratio(ours, theirs)
    if found is None:
        return Verdict(LANGUAGE, what, wanted, "-", None)
    said = f"{times(found.middle)} {f'({span(found.low, found.high)})' if found.low else ''}".strip()
    return Verdict(LANGUAGE, what, wanted, said, found.middle >= target.least)


def _fastest(peers: list[dict[str, float]]) -> dict[str, float]:
    """Of each round the least."""
    return {name: min(peer[name] for peer in peers if name in peer) for name in {name for peer in peers for name in peer}}
