"""The tables of Py4J's study: bytes with their acknowledgement by size, and calls by the number and the size of arguments; then the
placement of both sides, with CPU time.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from bench.lab.record import Key, Run
from bench.lab.reference import Section
from bench.lab.suite import Suite
from bench.lab.words import digits

AREA = "bridge"
SIZES = ("4B", "1KiB", "512KiB", "64MiB", "1GiB")
COUNTS = (*(f"args-{count}" for count in (0, 1, 2, 3, 4, 5, 6, 8)), "text-512KiB", "text-64MiB", "text-256MiB")
PLACES = ("args-0", "apart", "one-core")


def sections(run: Run, area: Suite) -> list[Section]:
    """A table of each kind that was measured, the peers in the order of their first column."""
    every = [
        _milliseconds(run, "Bytes to Java with acknowledgement, ms", SIZES, [f"to-{size}" for size in SIZES]),
        _milliseconds(run, "Bytes from Java, ms", SIZES, [f"from-{size}" for size in SIZES]),
        _milliseconds(run, "Calls by arguments, and with one large text, ms", COUNTS, COUNTS),
        _placement(run),
    ]
    return [section for section in every if section[2]]


def _milliseconds(run: Run, title: str, names: Sequence[str], workloads: Sequence[str]) -> Section:
    found = {peer: [_figure(run, workload, "call", peer) for workload in workloads] for peer in _peers(run, workloads)}
    body = [[peer, *("" if each is None else _short(each / 1e6) for each in line)] for peer, line in found.items()]
    return title, ("", *names), body


def _placement(run: Run) -> Section:
    header = ("", "free µs", "CPU µs", "apart µs", "CPU µs", "one core µs", "CPU µs", "idle, CPU ms/s")
    body = []
    for peer in _peers(run, PLACES[1:]):
        line = [_figure(run, place, op, peer) for place in PLACES for op in ("call", "cpu")]
        idle = _figure(run, "idle", "cpu", peer)
        texts = ["" if each is None else digits(each / 1e3) for each in line]
        body.append([peer, *texts, "" if idle is None else digits(idle / 1e6)])
    return "Where the two sides run: a call without arguments, by the clock and in CPU time of both", header, body


def _peers(run: Run, workloads: Sequence[str]) -> list[str]:
    """Those that carry one of the workloads, the fastest at the first of these first."""
    order: dict[str, tuple[int, float]] = {}
    for place, workload in enumerate(workloads):
        for key in run.cells:
            figure = _figure(run, workload, "call", key.peer) if (key.area, key.workload) == (AREA, workload) else None
            if figure is not None:
                order.setdefault(key.peer, (place, figure))
    return sorted(order, key=lambda peer: order[peer])


def _figure(run: Run, workload: str, op: str, peer: str) -> float | None:
    cell = run.cells.get(Key(AREA, workload, op, AREA, peer))
    return median(cell.wall.values()) if cell and cell.wall else None


def _short(milliseconds: float) -> str:
    """Three digits, of a millisecond's thousandths too."""
    return digits(milliseconds) if milliseconds >= 1 else f"{milliseconds:.3g}"
