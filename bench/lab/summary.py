"""A run in words: one sentence an area, and what has to be known before a figure is quoted."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from bench.lab import machine, stats
from bench.lab import suite as suites
from bench.lab.cells import Row
from bench.lab.languages import TITLES
from bench.lab.losses import larger
from bench.lab.record import MISSING, OK, Run
from bench.lab.stats import Interval
from bench.lab.suite import Suite
from bench.lab.words import listed, plural, span, times


def lead(found: Sequence[Row], suite: Suite) -> list[Row]:
    """The rows that stand for all of ours: of each language and workload one peer, at the operations that are whole."""
    ours = wholes(found, suite)
    chosen: list[Row] = []
    for language in dict.fromkeys(row.language for row in ours):
        of = [row for row in ours if row.language == language]
        names = {row.peer for row in of}
        leads = [name for name in suite.leads(language) if name in names] or [min(names)]
        for workload in dict.fromkeys(row.workload for row in of):
            there = {row.peer for row in of if row.workload == workload}
            first = next((name for name in leads if name in there), None)
            chosen += [row for row in of if (row.workload, row.peer) == (workload, first)]
    return chosen


def wholes(found: Sequence[Row], suite: Suite) -> list[Row]:
    """Ours that have a ratio, at the operations that are whole."""
    whole = {operation.name for operation in suite.operations if operation.whole}
    return [row for row in found if row.ours and row.area == suite.name and row.op in whole and row.ratio is not None]


def mean(some: Sequence[Row]) -> Interval:
    """The geometric mean of rows' ratios, at least one."""
    return stats.geometric([Interval(row.ratio or 1.0, row.ratio_low, row.ratio_high, 0) for row in some])


def means(some: Sequence[Row]) -> str:
    """The geometric mean of each operation's ratios, at least one row."""
    parts = []
    for op in dict.fromkeys(row.op for row in some):
        of = mean([row for row in some if row.op == op])
        interval = f" ({span(of.low, of.high)})" if of.low is not None else ""
        parts.append(f"{op} {times(of.middle)}{interval}")
    return listed(parts)


def clocked(some: Sequence[Row]) -> str:
    """What the times of rows are."""
    kinds = {row.cpu_median is not None for row in some}
    return "CPU time" if kinds == {True} else "wall time" if kinds == {False} else "CPU time, wall time where there is no other"


def sentence(run: Run, found: Sequence[Row], suite: Suite) -> str:
    """What the area's leading rows say, all languages together."""
    some = lead(found, suite)
    if not some:
        return f"{suite.title}: nothing of ours was measured beside a peer."
    faster, slower, same = sum(row.faster for row in some), sum(row.slower for row in some), sum(row.same for row in some)
    clock = clocked(some)
    languages = [TITLES.get(name, name) for name in dict.fromkeys(row.language for row in some)]
    # Calls over a network have one runner, called as the area is.
    where = "" if languages == [TITLES.get(suite.name)] else f", in {listed(languages)}"
    text = (
        f"{suite.title}{where}: {means(some)} as fast as the best peer of each line (geometric mean); "
        f"of {plural(len(some), 'line')} {faster} faster (95 % interval above 1), {same} the same, "
        f"{len(some) - faster - slower - same} not resolved, {slower} slower; {clock}"
    )
    here = [row for row in found if row.area == suite.name and row.bytes]
    sized = {row.workload for row in here if row.ours} & {row.workload for row in here if not row.ours}
    if sized:
        smallest = len(sized) - len(larger(found, suite))
        text += f"; the smallest on {smallest} of {plural(len(sized), 'workload')}"
    return text + "."


def warnings(run: Run) -> list[str]:
    """What makes the figures less than they could be."""
    head = run.header
    found = []
    if head.mode == "quick":
        found.append("Quick mode: few short rounds of some workloads. For a look, not for quoting.")
    if head.busy:
        found.append(f"{plural(head.busy, 'process')} of the lab kept the machine busy on purpose.")
    elif head.load_before >= machine.BUSY_LOAD:
        found.append(
            f"The machine was at work when the run began (load {head.load_before:.2f}): ratios stand, times are too long."
        )
    if not head.busy and head.load_after is not None and head.load_after >= head.machine["cores"] + 1:
        found.append(
            f"More was running than there are cores when the run ended (load {head.load_after:.2f}): others were at work."
        )
    if head.noise >= machine.NOISY:
        much = f"by {head.noise:.0%}" if head.noise < 1 else "by more than 100%"
        found.append(f"The machine is unsteady: equal work differed {much}.")
    if head.dirty:
        found.append(f"The work tree differed from commit {head.commit}.")
    if not head.commit:
        found.append("The commit is not known: the run was made outside a repository.")
    if not head.ended:
        found.append("The run has not ended: bench run --resume goes on with it.")
    once = {operation.name for area in head.areas for operation in suites.load(area).operations if operation.once}
    rounds = min((len(cell.wall) for key, cell in run.cells.items() if cell.status == OK and key.op not in once), default=0)
    if 0 < rounds < stats.FEWEST:
        found.append(f"Some cells have {plural(rounds, 'round')}: too few for an interval, marked ~.")
    if head.absent:
        found.append(f"Not run here: {', '.join(TITLES.get(name, name) for name in head.absent)}.")
    return found


def troubles(found: Sequence[Row]) -> list[Row]:
    """Cells without figures, by language and peer, each with its reason; what is missing comes last."""
    return sorted((row for row in found if row.status != OK), key=lambda row: (row.status == MISSING, row.language, row.peer))


def command(run: Run, line: Sequence[Row]) -> str:
    """What measures a peer's rows of one workload again, beside the references of all of them."""
    row, data = line[0], run.header.data
    what = ["--data", data["file"]] if data and row.workload == data["workload"] else ["--workload", row.workload]
    words = ["bench", "run", row.area, "--language", row.language, *what]
    for peer in dict.fromkeys([row.peer, *(each.reference for each in line if each.reference)]):
        words += ["--peer", peer]
    return shlex.join(words)
