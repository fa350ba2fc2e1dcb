"""Figures as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from bench.lab.cells import Row


def duration(value: float | None) -> str:
    """Nanoseconds with three digits and a unit."""
    if value is None:
        return ""
    for limit, divisor, unit in ((999.5, 1.0, "ns"), (999.5e3, 1e3, "µs"), (999.5e6, 1e6, "ms")):
        if value < limit:
            return f"{digits(value / divisor)} {unit}"
    return f"{digits(value / 1e9)} s"


def figure(value: float | None, unit: str) -> str:
    """A cell's figure: a time, or memory where its unit is ``B``."""
    return memory(value) if unit == "B" else duration(value)


def digits(value: float) -> str:
    """Three digits."""
    return f"{value:.{2 if value < 9.995 else 1 if value < 99.95 else 0}f}"


def times(value: float | None) -> str:
    """A ratio."""
    return "" if value is None else f"{digits(value)}×"


def span(low: float | None, high: float | None) -> str:
    """A ratio's interval."""
    return "" if low is None or high is None else f"{digits(low)}–{digits(high)}"


def verdict(row: Row) -> str:
    """A row's ratio in a word or a figure: never a winner where there is none."""
    if row.ratio is None:
        return ""
    if row.peer == row.reference:
        return "="
    if row.ratio_low is None:
        return f"~{times(row.ratio)}"
    return "same" if row.same else "not resolved" if row.unresolved else times(row.ratio)


def count(value: int | None) -> str:
    """A number with separators."""
    return "" if value is None else f"{value:,}"


def memory(value: float | None) -> str:
    """Bytes with a unit."""
    if value is None:
        return ""
    for limit, divisor, unit in ((1e4, 1.0, "B"), (1e7, 1024.0, "KiB")):
        if value < limit:
            return f"{value / divisor:,.0f} {unit}"
    return f"{value / 2**20:,.0f} MiB"


def allocated(held: float | None, pieces: float | None) -> str:
    """Memory of one run of an operation: bytes and pieces, as far as the language reports them."""
    told = [] if held is None else [memory(max(held, 0.0))]
    if pieces is not None:
        told.append(f"{'in ' if told else ''}{plural(round(pieces), 'piece')}")
    return " ".join(told)


def plural(number: int, noun: str) -> str:
    """A number and its noun."""
    ending = "" if number == 1 else "es" if noun.endswith("s") else "s"
    return f"{number:,} {noun}{ending}"


def listed(parts: Sequence[str]) -> str:
    """Things, at least one, with an "and" before the last."""
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"


def gist(text: str) -> str:
    """The most informative line of a tool's last output: the last one with an error, or else the last."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    telling = [line for line in lines if "error" in line.lower()]
    return (telling or lines or [""])[-1][:300]
