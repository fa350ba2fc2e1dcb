"""LaserDisc's tables: operations a second at each shape, with the bytes that one allocates, beside the base."""

from __future__ import annotations

from statistics import median

from bench.lab import stats
from bench.lab.languages import TITLES
from bench.lab.record import OK, Cell, Run
from bench.lab.reference import Section
from bench.lab.suite import Suite
from bench.lab.words import digits

HEADER = ("", "ops/s", "ns", "×", "bytes allocated")
"""×: as many as the base in the same rounds."""


def sections(run: Run, area: Suite) -> list[Section]:
    """A table for each JDK, shape and direction that was measured, the fastest first."""
    found: list[Section] = []
    for language in area.languages:
        for shape in area.reference["shapes"]:
            for op in ("decode", "encode", "call"):
                body = _body(run, area, language, shape, op)
                found += [(f"{TITLES[language]}: {area.workloads[shape].title}, {op}", HEADER, body)] if body else []
    return found


def _body(run: Run, area: Suite, language: str, shape: str, op: str) -> list[list[str]]:
    cells = {
        key: cell
        for key, cell in run.cells.items()
        if (key.area, key.language, key.workload, key.op, cell.status) == (area.name, language, shape, op, OK) and cell.wall
    }
    base = next((cell for key, cell in cells.items() if key.peer == area.reference["base"]), None)
    order = sorted(cells, key=lambda key: median(cells[key].wall.values()))
    return [[f"{key.peer} {run.version(key)}".strip(), *_line(cells[key], base)] for key in order]


def _line(cell: Cell, base: Cell | None) -> list[str]:
    wall = median(cell.wall.values())
    beside = stats.within(cell.wall, base.wall) if base else []
    held = "" if cell.heap is None else f"{cell.heap:,.0f}"
    return [f"{1e9 / wall:,.0f}", digits(wall), f"{digits(median(beside))}×" if beside else "", held]
