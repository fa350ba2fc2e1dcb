"""A run in the shape of a published table: ops/s, size and size after gzip, each with its share of the best row.

The published figures stand beside as history; they come from other machines and never enter a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from bench.lab import suite
from bench.lab.languages import TITLES
from bench.lab.plain import table as plain
from bench.lab.protocol import LIMIT
from bench.lab.record import Key, Run
from bench.lab.suite import Suite, SuiteError
from bench.lab.tables import markdown

AREAS = {"boopickle": "pack"}
"""By the name of a published table, the area that reproduces it."""

HEADER = ("", "ops/s", "%", "size", "%", "size.gz", "%")


def tables(run: Run, name: str, as_markdown: bool) -> str:
    """The published table made from a run. Raises SuiteError."""
    if name not in AREAS:
        raise SuiteError(f"there is no reference table {name!r}; there are: {', '.join(AREAS)}")
    area = suite.load(AREAS[name])
    render = markdown if as_markdown else plain
    parts = [f"{title}\n\n{render(header, body)}" for title, header, body in sections(run, area)]
    return "\n".join(parts)


def sections(run: Run, area: Suite) -> list[tuple[str, Sequence[str], list[list[str]]]]:
    """Title, header and body of each table: for every language, shape and direction, then the buffer pool, then what was published."""
    found: list[tuple[str, Sequence[str], list[list[str]]]] = []
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
    if pool := _pool(run):
        found.append(("Buffer pool", ("", "workload", "statistic", "value"), pool))
    published = area.reference.get("published", [])
    return found + [(f"Published, other machines: {table['where']}", table["header"], table["rows"]) for table in published]


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


def _pool(run: Run) -> list[list[str]]:
    found: dict[tuple[str, str, str], Any] = {}
    for key, cell in run.cells.items():
        for name, value in cell.stats.items():
            found[key.peer, key.workload, name] = value
    return [[*place, f"{value:,}" if isinstance(value, int | float) else str(value)] for place, value in found.items()]
