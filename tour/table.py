"""The table of one data set in the terminal."""

from __future__ import annotations

from collections.abc import Sequence

from rich.box import SIMPLE_HEAD
from rich.table import Table

from tour.results import HOPS, Refused, Report, Row
from tour.summary import means


def note(rounds: int) -> str:
    """How the figures were measured."""
    return (
        f"CPU time, median of {rounds} {'round' if rounds == 1 else 'rounds'} in which all formats take turns; × is the time beside "
        "Samewire compact in the same language. Samewire, protobuf, msgspec and Fory carry dates and enums as such, the others as text. With Valkey, each row has a key of its own: "
        "encode is writing all of them, decode reading all, in the client's CPU time."
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
    shown = _headed("All data sets, geometric means", ("bytes", "encode", "decode", "data sets"))
    language = ""
    for mean in means(reports):
        first = mean.language != language
        language = mean.language
        if first:
            _begin(shown, language)
        figures = (times(mean.size), times(mean.encode), times(mean.decode), str(mean.sets))
        shown.add_row(mean.name, *figures, style="bold" if first else "")
    return shown


def table(title: str, name: str, reports: list[Report]) -> Table:
    """name: of the data set in the reports."""
    shown = _headed(title, ("bytes", "gzipped", "encode", "×", "decode", "×"))
    for report in reports:
        _begin(shown, report.language)
        rows, first = report.sets[name], report.ours(name)
        best = min(row.bytes for row in rows if isinstance(row, Row))
        for row in rows:
            if isinstance(row, Refused):
                shown.add_row(row.name, "refuses", style="dim")
            else:
                shown.add_row(*_cells(row, first, best), style="bold" if row is first else "")
    return shown


def _headed(title: str, figures: Sequence[str]) -> Table:
    """Narrow enough for 80 columns: the languages stand above their formats."""
    shown = Table(title=title, title_justify="left", box=SIMPLE_HEAD, pad_edge=False, collapse_padding=True)
    shown.add_column("format")
    for heading in figures:
        shown.add_column(heading, justify="right", no_wrap=True)
    return shown


def _begin(shown: Table, language: str) -> None:
    shown.add_section()
    shown.add_row(HOPS[language], style="bold cyan")


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
