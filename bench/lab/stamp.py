"""Warnings about a run, shown wherever its figures are: read them before you quote one."""

from __future__ import annotations

from rich.console import Console

from bench.lab.record import Run
from bench.lab.summary import warnings


def stamped(run: Run, md: bool, about: str = "") -> list[str]:
    """A line for each warning, as Markdown's quotations or for a terminal."""
    return [f"{'> ' if md else '! '}{about}{warning}" for warning in warnings(run)]


def stamp(run: Run, form: str, console: Console, aside: Console) -> None:
    """Prints them: above what people read; aside (to standard error) where a program reads the figures, as JSON and CSV."""
    lines = stamped(run, form == "md")
    if lines:
        to = aside if form in ("json", "csv") else console
        to.print("\n".join(lines), style="" if form == "md" else "yellow", markup=False, highlight=False, soft_wrap=True)
        if form == "md":
            to.print()
