"""A run in the shape of a published table: an area has one if its ``reference.toml`` names it and its ``table.py`` makes it.

The published figures stand beside as history; they come from other machines and never enter a ratio.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module

from bench.lab import suite
from bench.lab.record import Run
from bench.lab.suite import Suite, SuiteError
from bench.lab.tables import aligned

Section = tuple[str, Sequence[str], list[list[str]]]
"""Title, header and body of a table."""


def areas() -> dict[str, Suite]:
    """By the name of a published table, the area that reproduces it."""
    every = [suite.load(name) for name in suite.names()]
    return {area.reference["table"]: area for area in every if area.reference}


def tables(run: Run, name: str, as_markdown: bool) -> str:
    """The published table made from a run. Raises SuiteError."""
    every = areas()
    if name not in every:
        raise SuiteError(f"there is no reference table {name!r}; there are: {', '.join(every)}")
    parts = [f"{title}\n\n{aligned(header, body, as_markdown)}" for title, header, body in sections(run, every[name])]
    return "\n".join(parts)


def sections(run: Run, area: Suite) -> list[Section]:
    """What the suite makes of the run, then what was published."""
    made: list[Section] = import_module(f"bench.suites.{area.name}.table").sections(run, area)
    published = area.reference.get("published", [])
    return made + [(f"Published, other machines: {table['where']}", table["header"], table["rows"]) for table in published]
