"""The command ``compare``: what became slower or faster from one run to another, or how far their ratios lie apart."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console

from bench.lab import store
from bench.lab.agreement import APART, Agreement
from bench.lab.compare import Change, broken, compare
from bench.lab.languages import TITLES
from bench.lab.record import Run
from bench.lab.refusal import Refusal
from bench.lab.stamp import stamped
from bench.lab.tables import aligned
from bench.lab.words import digits, plural, span, times

NOTHING_COMMON = "the two runs have no cell of ours in common"
MOVED = ("", "where", "operation", "ours", "beside", "A", "B", "times as fast", "95 %")


def compared(before: str, after: str, threshold: float, within: float | None, md: bool, console: Console) -> int:
    """Prints what changed; returns 1 if something became slower (interval below 1) or is broken, or with ``within`` if ratios lie further apart.

    Raises Refusal where nothing can be compared: silence would look like agreement.
    """
    one, two = store.read(store.find(before)), store.read(store.find(after))
    changes = compare(one, two)
    known = [each for each in changes if each.by is not None]
    trouble = [f"{row.status}: {row.language} {row.workload} {row.peer}: {row.note}" for row in broken(one, two)]
    if not known and not trouble:
        raise Refusal("; ".join(sorted({each.why for each in changes})) or NOTHING_COMMON)
    parts = [_runs(one, two, md)]
    if within is not None and known:
        agreement = Agreement(known, within)
        parts += _tables(agreement, md)
        said, status = agreement.sentence(), int(bool(agreement.apart))
    else:
        lost = [each for each in known if each.lost(threshold)]
        won = [each for each in known if each.won(threshold)]
        body = [_moved("slower", each) for each in _ordered(lost)] + [_moved("faster", each) for each in _ordered(won)]
        parts += [aligned(MOVED, body, md)] if body else []
        same, other = len(known) - len(lost) - len(won), len(changes) - len(known)
        said = f"{len(lost)} slower, {len(won)} faster by more than {threshold:.0%}, {same} the same, {other} not comparable"
        status = int(bool(lost))
    parts.append("\n".join([*_why_not(changes), *trouble, said]))
    console.print("\n".join(parts), markup=False, highlight=False, soft_wrap=True)
    return int(bool(status or trouble))


def _runs(one: Run, two: Run, md: bool) -> str:
    """Which run is which, and what has to be known of each."""
    lines = []
    for letter, run in (("A", one), ("B", two)):
        rounds = plural(run.header.plan["rounds"], "round")
        lines += [f"{letter}: {run.header.name}, {run.header.mode}, {rounds}", *stamped(run, md, f"{letter}: ")]
    return ("\n\n" if md else "\n").join(lines) + "\n"


def _tables(agreement: Agreement, md: bool) -> list[str]:
    """By language, then each pair that is further apart."""
    rest = agreement.rest()
    return [aligned(agreement.header(), agreement.table(), md), *([aligned(APART, rest, md)] if rest else [])]


def _ordered(some: Sequence[Change]) -> list[Change]:
    return sorted(some, key=lambda each: each.by.middle if each.by else 0.0)


def _moved(word: str, change: Change) -> list[str]:
    row, by = change.row, change.by
    sides = [times(side and side.middle) for side in (change.before, change.after)]
    much = [digits(by.middle), span(by.low, by.high)] if by else ["", ""]
    return [word, f"{TITLES.get(row.language, row.language)}, {row.workload}", row.op, row.peer, change.reference, *sides, *much]


def _why_not(changes: Sequence[Change]) -> list[str]:
    """Reasons why cells are not comparable, each with how many it concerns."""
    reasons = [each.why for each in changes if each.why]
    return [f"{why} ({plural(reasons.count(why), 'cell')})" for why in sorted(set(reasons))]
