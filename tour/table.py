"""The table of one data set in the terminal."""

from __future__ import annotations

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tour.results import HOPS, Refused, Report, Row
from tour.summary import means

NOTE = (
    "CPU time, median of {rounds} rounds in which all formats take turns; × is the time beside Samewire compact in the same "
    "language. Samewire, protobuf, msgspec and Fory carry dates and enums as such, the others as text."
)


def duration(nanoseconds: float) -> str:
    """Three digits and a unit."""
    for unit, size in (("s", 1e9), ("ms", 1e6), ("µs", 1e3)):
        if nanoseconds >= 0.9995 * size:
            value = nanoseconds / size
            return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f} {unit}"
    return f"{nanoseconds:.0f} ns"


def times(value: float) -> str:
    """A ratio."""
    return f"{value:.2f}×" if value < 9.995 else f"{value:.0f}×"


def summary(reports: list[Report]) -> Table:
    """All data sets in one table."""
    shown = Table(title="All data sets, geometric means", title_justify="left", box=SIMPLE_HEAD)
    for heading in ("", "format"):
        shown.add_column(heading)
    for heading in ("bytes", "encode", "decode", "data sets"):
        shown.add_column(heading, justify="right", no_wrap=True)
    language = ""
    for mean in means(reports):
        if mean.language != language:
            shown.add_section()
        figures = (times(mean.size), times(mean.encode), times(mean.decode), str(mean.sets))
        first = "" if mean.language == language else HOPS[mean.language]
        shown.add_row(first, mean.name, *figures, style="bold" if first else "")
        language = mean.language
    return shown


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
        times(row.encode_median / first.encode_median),
        duration(row.decode_median),
        times(row.decode_median / first.decode_median),
    ]
