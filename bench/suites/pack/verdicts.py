"""Each target of `pack` beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from statistics import median

from bench.lab.cells import Row, against_cell, rows
from bench.lab.record import Key, Run
from bench.lab.verdict import Verdict
from bench.lab.words import span, times
from bench.suites.pack import targets
from bench.suites.pack.targets import Longest, Size, Speed

AREA = "pack"


def verdicts(run: Run) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; those of languages that did not run are left out."""
    found = rows(run)
    ran = {key.language for key in run.cells}
    every = [*_sizes(found, run), *(_speed(run, found, target) for target in targets.SPEEDS)]
    every += [_longest(run, target) for target in targets.FIRST_USE]
    return [verdict for verdict in every if verdict.language in ran or verdict.language == "size"]


def _sizes(found: Sequence[Row], run: Run) -> Iterator[Verdict]:
    for target in targets.SIZES:
        yield _size(found, target)
    for shape in targets.REFERENCE:
        yield _smallest(found, shape)
    for profile in (targets.COMPACT, targets.FAST):
        yield _same_bytes(run, profile)


def _ours(found: Sequence[Row], shape: str, profile: str) -> list[int]:
    return [row.bytes for row in found if row.bytes and row.workload == shape and row.peer.startswith(profile)]


def _size(found: Sequence[Row], target: Size) -> Verdict:
    most = max(_ours(found, target.shape, targets.COMPACT), default=None)
    met = None if most is None else most <= target.most
    return Verdict("size", f"{target.shape}, compact", f"<= {target.most} B", "-" if most is None else f"{most} B", met)


def _smallest(found: Sequence[Row], shape: str) -> Verdict:
    peers = {(row.bytes, f"{row.language} {row.peer}") for row in found if row.bytes and row.workload == shape and not row.ours}
    sizes = _ours(found, shape, targets.COMPACT)
    wanted = f"<= {targets.ALLOWED_OVER_SMALLEST} B over the smallest peer" if shape == "doubles" else "<= smallest peer"
    if not peers or not sizes:
        return Verdict("size", f"{shape}, compact", wanted, "-", None)
    least, name = min(peers)
    allowed = least + (targets.ALLOWED_OVER_SMALLEST if shape == "doubles" else 0)
    return Verdict("size", f"{shape}, compact", wanted, f"{max(sizes)} B, {name} {least} B", max(sizes) <= allowed)


def _same_bytes(run: Run, profile: str) -> Verdict:
    hashes: dict[str, set[str]] = {}
    for key, cell in run.cells.items():
        if cell.sha256 and key.peer.startswith(profile):
            hashes.setdefault(key.workload, set()).add(cell.sha256)
    differing = sorted(shape for shape, some in hashes.items() if len(some) > 1)
    measured = f"differ on {', '.join(differing)}" if differing else f"the same on {len(hashes)} shapes"
    return Verdict("size", f"{profile}: bytes of all languages", "the same", measured, None if not hashes else not differing)


def _speed(run: Run, found: Sequence[Row], target: Speed) -> Verdict:
    ours = Key(AREA, target.shape, target.op, target.language, target.ours)
    theirs = target.theirs
    if theirs == targets.BEST:
        references = [row.reference for row in found if row.key._replace(peer="") == ours._replace(peer="") and row.reference]
        theirs = references[0] if references else targets.BEST
    measured = _ratio(run, ours, ours._replace(op=target.their_op, peer=theirs))
    their_op = "" if target.op == target.their_op else f" {target.their_op}"
    what = f"{target.shape} {target.op}, {target.ours} / {theirs}{their_op}"
    if measured is None:
        return Verdict(target.language, what, f">= {target.least:.2f}", "-", None)
    middle, interval = measured
    return Verdict(target.language, what, f">= {target.least:.2f}", f"{times(middle)} {interval}".strip(), middle >= target.least)


def _ratio(run: Run, ours: Key, theirs: Key) -> tuple[float, str] | None:
    if ours not in run.cells or theirs not in run.cells:
        return None
    found = against_cell(run, ours, theirs)
    return None if found is None else (found.middle, f"({span(found.low, found.high)})" if found.low else "")


def _longest(run: Run, target: Longest) -> Verdict:
    cell = run.cells.get(Key(AREA, target.shape, target.op, target.language, target.ours))
    what = f"{target.shape}, first use of the type"
    if cell is None or not cell.figures:
        return Verdict(target.language, what, f"<= {target.most:.0f} ms", "-", None)
    milliseconds = median(cell.figures.values()) / 1e6
    return Verdict(target.language, what, f"<= {target.most:.0f} ms", f"{milliseconds:.0f} ms", milliseconds <= target.most)
