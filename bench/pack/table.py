"""Tables of text, for a terminal or as Markdown."""

from __future__ import annotations

from collections.abc import Callable, Sequence

Render = Callable[[Sequence[str], Sequence[Sequence[str]]], str]


def plain(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns: words to the left, figures to the right."""
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [all(cell == "" or cell[0].isalpha() for cell in column) for column in columns]

    def line(cells: Sequence[str]) -> str:
        parts = zip(cells, widths, words, strict=True)
        return "  ".join(cell.ljust(width) if word else cell.rjust(width) for cell, width, word in parts).rstrip()

    return "\n".join([line(header), "  ".join("-" * width for width in widths), *map(line, rows)]) + "\n"


def markdown(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table of GitHub's Markdown."""
    rule = ["---", *(["--:"] * (len(header) - 1))]
    return "\n".join("| " + " | ".join(cells) + " |" for cells in [header, rule, *rows]) + "\n"


def nanoseconds(value: float | None) -> str:
    """A time with its unit, three digits."""
    if value is None:
        return ""
    for limit, divisor, unit in ((1e3, 1.0, "ns"), (1e6, 1e3, "µs"), (1e9, 1e6, "ms")):
        if value < limit:
            scaled = value / divisor
            return f"{scaled:.{2 if scaled < 10 else 1 if scaled < 100 else 0}f} {unit}"
    return f"{value / 1e9:.2f} s"
