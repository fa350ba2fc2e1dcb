"""Each target beside what was measured."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from bench.pack import targets
from bench.pack.results import Key, Results
from bench.pack.stats import best_peer, cost, is_ours, ratio
from bench.pack.targets import Longest, Size, Speed


class Verdict(NamedTuple):
    """``met`` is none where something needed was not measured."""

    language: str
    what: str
    wanted: str
    measured: str
    met: bool | None


def verdicts(results: Results) -> list[Verdict]:
    """Every target, in the order of ``targets.py``; those of languages that did not run are left out."""
    ran = {key.language for key in results.cpu}
    every = [*_sizes(results), *(_speed(results, target) for target in targets.SPEEDS)]
    every += [_longest(results, target) for target in targets.FIRST_USE]
    return [verdict for verdict in every if verdict.language in ran or verdict.language == "size"]


def _sizes(results: Results) -> Iterator[Verdict]:
    for target in targets.SIZES:
        yield _size(results, target)
    for shape in targets.REFERENCE:
        yield _smallest(results, shape)
    for profile in (targets.COMPACT, targets.FAST):
        yield _same_bytes(results, profile)


def _ours(results: Results, shape: str, profile: str) -> dict[str, int]:
    return {
        f"{language} {peer}": encoding.size
        for (language, of, peer), encoding in results.encodings.items()
        if of == shape and peer.startswith(profile)
    }


def _size(results: Results, target: Size) -> Verdict:
    sizes = _ours(results, target.shape, targets.COMPACT).values()
    most = max(sizes, default=None)
    met = None if most is None else most <= target.most
    return Verdict("size", f"{target.shape}, compact", f"<= {target.most} B", "-" if most is None else f"{most} B", met)


def _smallest(results: Results, shape: str) -> Verdict:
    peers = {
        (encoding.size, f"{language} {peer}")
        for (language, of, peer), encoding in results.encodings.items()
        if of == shape and not is_ours(peer)
    }
    sizes = _ours(results, shape, targets.COMPACT).values()
    wanted = f"<= {targets.ALLOWED_OVER_SMALLEST} B over the smallest peer" if shape == "doubles" else "<= smallest peer"
    if not peers or not sizes:
        return Verdict("size", f"{shape}, compact", wanted, "-", None)
    least, name = min(peers)
    allowed = least + (targets.ALLOWED_OVER_SMALLEST if shape == "doubles" else 0)
    return Verdict("size", f"{shape}, compact", wanted, f"{max(sizes)} B, {name} {least} B", max(sizes) <= allowed)


def _same_bytes(results: Results, profile: str) -> Verdict:
    differing = []
    compared = 0
    for shape in {shape for _, shape, _ in results.encodings}:
        hashes = {
            encoding.sha256 for (_, of, peer), encoding in results.encodings.items() if of == shape and peer.startswith(profile)
        }
        compared += len(hashes) > 0
        if len(hashes) > 1:
            differing.append(shape)
    measured = f"differ on {', '.join(sorted(differing))}" if differing else f"the same on {compared} shapes"
    return Verdict("size", f"{profile}: bytes of all languages", "the same", measured, None if not compared else not differing)


def _speed(results: Results, target: Speed) -> Verdict:
    ours = Key(target.language, target.shape, target.ours, target.op)
    theirs = target.theirs
    if theirs == targets.BEST:
        theirs = best_peer(results, ours) or targets.BEST
    measured = ratio(results, ours, Key(target.language, target.shape, theirs, target.their_op))
    their_op = "" if target.op == target.their_op else f" {target.their_op}"
    what = f"{target.shape} {target.op}, {target.ours} / {theirs}{their_op}"
    met = None if measured is None else measured.middle >= target.least
    return Verdict(target.language, what, f">= {target.least:.2f}", str(measured or "-"), met)


def _longest(results: Results, target: Longest) -> Verdict:
    nanoseconds = cost(results, Key(target.language, target.shape, target.ours, target.op))
    what = f"{target.shape}, first use of the type"
    if nanoseconds is None:
        return Verdict(target.language, what, f"<= {target.most:.0f} ms", "-", None)
    milliseconds = nanoseconds / 1e6
    return Verdict(target.language, what, f"<= {target.most:.0f} ms", f"{milliseconds:.0f} ms", milliseconds <= target.most)
