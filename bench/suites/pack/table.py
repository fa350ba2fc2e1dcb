"""BooPickle's table: ops/s, size and size after gzip, each with its share of the best row."""

from __future__ import annotations

from statistics import median
from typing import Any

from bench.lab.languages import TITLES
from bench.lab.protocol import LIMIT
from bench.lab.record import Key, Run
from bench.lab.reference import Section
from bench.lab.suite import Suite

HEADER = ("", "ops/s", "%", "size", "%", "size.gz", "%")


def sections(run: Run, area: Suite) -> list[Section]:
    """For every language, shape and direction a table, then the buffer pool."""
    found: list[Section] = []
    for language in run.languages():
        for op in ("encode", "decode"):
            for shape in area.reference.get("shapes", []):
                if body := _body(run, Key(area.name, shape, op, language, "")):
                    title = area.workloads[shape].title if shape in area.workloads else shape
                    found.append(
                        (
                            f"{TITLES.get(language, language)}, {'encoding' if op == 'encode' else 'decoding'}: {title}",
                            HEADER,
                            body,
                        )
                    )
    if pool := _pool(run, area):
        found.append(("Buffer pool", ("", "workload", "statistic", "value"), pool))
    return found


def _body(run: Run, place: Key) -> list[list[str]]:
    cells = {key.peer: cell for key, cell in run.cells.items() if key._replace(peer="") == place and cell.wall}
    cells = {peer: cell for peer, cell in cells.items() if run.peer(place._replace(peer=peer)).kind != LIMIT}
    if not cells:
        return []
    rates = {peer: 1e9 / median(cell.figures.values()) for peer, cell in cells.items()}
    fastest = max(rates.values())
    sizes = [cell.bytes for cell in cells.values() if cell.bytes]
    packed = [cell.gz for cell in cells.values() if cell.gz]
    return [
        [
            peer,
            f"{rates[peer]:,.0f}",
            _share(rates[peer], fastest),
            *_size(cells[peer].bytes, sizes),
            *_size(cells[peer].gz, packed),
        ]
        for peer in sorted(cells, key=lambda peer: -rates[peer])
    ]


def _size(size: int | None, all_sizes: list[int]) -> list[str]:
    return [f"{size:,}", _share(size, min(all_sizes))] if size else ["", ""]


def _share(part: float, whole: float) -> str:
    return f"{100 * part / whole:,.0f}%"


def _pool(run: Run, area: Suite) -> list[list[str]]:
    found: dict[tuple[str, str, str], Any] = {}
    for key, cell in run.cells.items():
        if key.area == area.name:
            for name, value in cell.stats.items():
                found[key.peer, key.workload, name] = value
    return [[*place, f"{value:,}" if isinstance(value, int | float) else str(value)] for place, value in found.items()]
