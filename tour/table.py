"""The table of one data set in the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tour.results import HOPS, Refused, Report, Row


def duration(nanoseconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= size:
            return f"{nanoseconds / size:.3g} {unit}" if nanoseconds < 1000 * size else f"{nanoseconds / size:.0f} {unit}"
    return f"{nanoseconds:.0f} ns"


def ratio(time: float, ours: float) -> str:
    """How many times as long as Samewire's compact profile in the same language."""
    value = time / ours if ours else 0.0
    return f"{value:.2f}×" if value < 10 else f"{value:.0f}×"


def table(title: str, name: str, reports: list[Report]) -> Table:
    """name: of the data set in the reports."""
    shown = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", "format"):
        shown.add_column(heading)
    for heading in ("bytes", "gzipped", "encode", "×", "decode", "×"):
        shown.add_column(heading, justify="right", no_wrap=True)
    for report in reports:
        shown.add_section()
        rows, first = report.sets[name], report.ours(name)
        best = min(row.bytes for row in rows if isinstance(row, Row))
        for row in rows:
            language = HOPS[report.language] if row is first else ""
            if isinstance(row, Refused):
                shown.add_row(language, row.name, "refuses", style="dim")
            else:
                shown.add_row(language, *_cells(row, first, best), style="bold" if row is first else "")
    return shown


def _cells(row: Row, first: Row, best: int) -> list[str]:
    size = f"{row.bytes:,}"
    return [
        row.name,
        f"[green]{size}[/]" if row.bytes == best else size,
        f"{row.gzipped:,}",
        duration(row.encode_median),
        ratio(row.encode_median, first.encode_median),
        duration(row.decode_median),
        ratio(row.decode_median, first.decode_median),
    ]
