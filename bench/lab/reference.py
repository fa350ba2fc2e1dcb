"""A run in the shape of a published table, as the suite's ``table.py`` has it.

The published figures stand beside as history; they come from other machines and never enter a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from bench.lab import suite
from bench.lab.plain import table as plain
from bench.lab.record import Run
from bench.lab.suite import Suite, SuiteError
from bench.lab.tables import markdown

AREAS = {"boopickle": "pack", "grpc": "grpc"}
"""By the name of a published table, the area that reproduces it."""

Section = tuple[str, Sequence[str], list[list[str]]]
"""Title, header and body of a table."""


def tables(run: Run, name: str, as_markdown: bool) -> str:
    """The published table made from a run. Raises SuiteError."""
    if name not in AREAS:
        raise SuiteError(f"there is no reference table {name!r}; there are: {', '.join(AREAS)}")
    area = suite.load(AREAS[name])
    render = markdown if as_markdown else plain
    parts = [f"{title}\n\n{render(header, body)}" for title, header, body in sections(run, area)]
    return "\n".join(parts)


def sections(run: Run, area: Suite) -> list[Section]:
    """What the suite makes of the run, then what was published."""
    made: list[Section] = import_module(f"bench.suites.{area.name}.table").sections(run, area)
    published = area.reference.get("published", [])
    return made + [(f"Published, other machines: {table['where']}", table["header"], table["rows"]) for table in published]
