"""Tables of aligned text."""

from __future__ import annotations

from collections.abc import Sequence


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Aligned columns: words to the left, figures to the right."""
    columns = list(zip(header, *rows, strict=True))
    widths = [max(map(len, column)) for column in columns]
    words = [all(cell == "" or cell[0].isalpha() for cell in column) for column in columns]

    def line(cells: Sequence[str]) -> str:
        parts = zip(cells, widths, words, strict=True)
        return "  ".join(cell.ljust(width) if word else cell.rjust(width) for cell, width, word in parts).rstrip()

    return "\n".join([line(header), "  ".join("-" * width for width in widths), *map(line, rows)]) + "\n"
