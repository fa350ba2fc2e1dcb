"""The reference's tables of clients: time of a call or command by the clock and in CPU time, and memory, for every workload."""

from __future__ import annotations

from statistics import median

from bench.lab import stats
from bench.lab.record import OK, Cell, Key, Run
from bench.lab.reference import Section
from bench.lab.suite import Suite
from bench.lab.words import digits

HEADER = ("", "a second", "µs", "×", "CPU µs", "× less", "client MiB", "server B")
"""×: beside the base in the same rounds. CPU time is the client's. How far the client grew, and what the server holds of a book."""
BASES = ("redis-py", "redis-py-asyncio", "hiredis-py", "redis-py-json")
"""What others are set beside: the first that was measured."""


def sections(run: Run, area: Suite) -> list[Section]:
    """A table for each workload that was measured, the fastest client first."""
    found: list[Section] = []
    for workload in area.reference["shapes"]:
        body = _body(run, area, workload)
        if body:
            found.append((area.workloads[workload].title, HEADER, body))
    return found


def _body(run: Run, area: Suite, workload: str) -> list[list[str]]:
    cells = {
        key.peer: cell
        for key, cell in run.cells.items()
        if (key.area, key.workload, key.op, cell.status) == (area.name, workload, "call", OK) and cell.cpu
    }
    base = next((cells[peer] for peer in BASES if peer in cells), None)
    order = sorted(cells, key=lambda peer: median(cells[peer].wall.values()))
    return [_line(run, Key(area.name, workload, "call", "redis", peer), cells[peer], base) for peer in order]


def _line(run: Run, key: Key, cell: Cell, base: Cell | None) -> list[str]:
    wall, cpu = median(cell.wall.values()), median(cell.cpu.values())
    return [
        f"{key.peer} {run.version(key)}".strip(),
        f"{1e9 / wall:,.0f}",
        digits(wall / 1e3),
        _beside(cell.wall, base.wall if base else {}),
        digits(cpu / 1e3),
        _beside(cell.cpu, base.cpu if base else {}),
        _held(run, key._replace(op="memory"), 2**20),
        _held(run, key._replace(op="server"), 1),
    ]


def _beside(ours: dict[str, float], base: dict[str, float]) -> str:
    each = stats.within(ours, base)
    return f"{digits(median(each))}×" if each else ""


def _held(run: Run, key: Key, unit: int) -> str:
    cell = run.cells.get(key)
    return digits(median(cell.wall.values()) / unit) if cell and cell.wall else ""
