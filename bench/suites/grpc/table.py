"""The reference's table of gRPC servers under h2load: requests a second and CPU time a request, for every shape of load."""

from __future__ import annotations

from statistics import median
from typing import Any

from bench.lab import stats
from bench.lab.record import OK, Cell, Key, Run
from bench.lab.reference import Section
from bench.lab.suite import Suite
from bench.lab.words import digits

HEADER = ("", "req/s", "×", "CPU µs", "× less", "mean ms", "first byte ms", "spread", "MiB")
"""×: beside the base in the same rounds. Mean time of a request, and of a connection until its first byte; how far the rates of
connections spread (standard deviation); resident memory after the load."""


def sections(run: Run, area: Suite) -> list[Section]:
    """A table for each shape that was measured."""
    made = [(shape, _body(run, area, shape)) for shape in area.reference["shapes"]]
    base = area.reference["base"]
    return [(f"{area.workloads[shape].title}, beside {base}", HEADER, body) for shape, body in made if body]


def _body(run: Run, area: Suite, shape: str) -> list[list[str]]:
    cells = {
        key.peer: cell
        for key, cell in run.cells.items()
        if (key.area, key.workload, key.op, cell.status) == (area.name, shape, "call", OK) and cell.cpu
    }
    base = cells.get(area.reference["base"])
    order = sorted(cells, key=lambda peer: median(cells[peer].cpu.values()))
    return [_line(run, Key(area.name, shape, "call", "grpc", peer), cells[peer], base) for peer in order]


def _line(run: Run, key: Key, cell: Cell, base: Cell | None) -> list[str]:
    return [
        f"{key.peer} {run.version(key)}".strip(),
        f"{1e9 / median(cell.wall.values()):,.0f}",
        _beside(cell.wall, base.wall if base else {}),
        digits(median(cell.cpu.values()) / 1e3),
        _beside(cell.cpu, base.cpu if base else {}),
        _told(cell, "mean", 1e6),
        _told(cell, "first", 1e6),
        f"{100 * cell.stats['spread']:.1f}%" if "spread" in cell.stats else "",
        _told(cell, "rss", 2**20),
    ]


def _beside(ours: dict[str, float], base: dict[str, float]) -> str:
    each = stats.within(ours, base)
    return f"{digits(median(each))}×" if each else ""


def _told(cell: Cell, name: str, divisor: float) -> str:
    found: Any = cell.stats.get(name)
    return "" if found is None else digits(found / divisor)
