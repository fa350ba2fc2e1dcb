"""Tables of a run's rows: for the terminal, as Markdown, CSV and JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Sequence
from dataclasses import fields

from rich.box import SIMPLE_HEAD
from rich.table import Table
from rich.text import Text

from bench.lab import plain
from bench.lab.cells import Row
from bench.lab.languages import TITLES
from bench.lab.record import OK
from bench.lab.words import count, figure, span, verdict

HEADER = ("workload", "op", "language", "peer", "bytes", "gzip", "cpu", "wall", "ratio", "95 %")
WORDS = 4
"""Columns of ``HEADER`` that hold words; the others hold figures."""


def as_json(found: Sequence[Row]) -> str:
    """A list of cells with the contract's fields."""
    return json.dumps([row.as_json() for row in found], indent=1, ensure_ascii=False)


def as_csv(found: Sequence[Row]) -> str:
    """The contract's fields, one cell a line."""
    out = io.StringIO()
    writer = csv.DictWriter(out, [field.name for field in fields(Row)], lineterminator="\n")
    writer.writeheader()
    writer.writerows(row.as_json() for row in found)
    return out.getvalue()


def cells(row: Row) -> list[str]:
    """A row's texts under ``HEADER``."""
    head = [row.workload, row.op, TITLES.get(row.language, row.language), row.peer]
    if row.status != OK:
        return [*head, "", "", row.status, "", "", ""]
    interval = "" if row.peer == row.reference else span(row.ratio_low, row.ratio_high)
    return [
        *head,
        count(row.bytes),
        count(row.gz),
        figure(row.cpu_median, row.unit),
        figure(row.median, row.unit),
        verdict(row),
        interval,
    ]


def markdown(header: Sequence[str], body: Iterable[Sequence[str]], words: int = 1) -> str:
    """A table of GitHub's Markdown; the first ``words`` columns stand to the left."""
    rule = [*(["---"] * words), *(["--:"] * (len(header) - words))]
    lines = [header, rule, *body]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines) + "\n"


def aligned(header: Sequence[str], body: Sequence[Sequence[str]], as_markdown: bool) -> str:
    """A table as Markdown, or as aligned text."""
    return markdown(header, body) if as_markdown else plain.table(header, body)


def as_markdown(found: Sequence[Row]) -> str:
    """One table of all."""
    return markdown(HEADER, (cells(row) for row in found), WORDS)


def terminal(found: Sequence[Row], title: str, sections: bool) -> Table:
    """A table with ours in bold, faster in green, slower in red; sections: a line between cells that are not of the same work."""
    shown = Table(title=title, title_justify="left", box=SIMPLE_HEAD)
    for index, name in enumerate(HEADER):
        shown.add_column(name, justify="left" if index < WORDS else "right", no_wrap=index >= WORDS)
    last = None
    for row in found:
        group = (row.workload, row.op, row.language)
        if sections and last is not None and group != last:
            shown.add_section()
        texts = cells(row)
        color = "green" if row.ours and row.faster else "red" if row.ours and row.slower else ""
        styled: list[str | Text] = [*texts[:8], Text(texts[8], style=color), Text(texts[9], style="dim")]
        shown.add_row(*styled, style="bold" if row.ours else "dim" if row.status != OK else "")
        last = group
    return shown
