"""Rows of CSV: a line of names, then cells; every column gets one type by its content."""

from __future__ import annotations

import csv
import re
from math import isfinite
from typing import Any

from .faults import SourceError

#: Where the delimiter is looked for: a line of names that is longer has it more than once here.
_HEAD = 1 << 16
_QUOTED = re.compile(r'"[^"]*"')
_LINE = re.compile(r"[^\r\n]*(?:\r\n?|\n)|[^\r\n]+")
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,99})")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_DIGITS = re.compile(r"[0-9]+")


def csv_rows(text: str, label: str) -> list[dict[str, Any]]:
    """Rows by the names of the first line; empty cells, and those that a short row lacks, are null.

    label: what errors call the file. Raises SourceError.
    """
    names, rows = _cells(text, label)
    columns = [_column([row[i] if i < len(row) else "" for row in rows]) for i in range(len(names))]
    rows.clear()  # a file's cells take many times its length
    return [dict(zip(names, cells, strict=True)) for cells in zip(*columns, strict=True)]


def _cells(text: str, label: str) -> tuple[list[str], list[list[str]]]:
    """The names, and the rows below them, empty lines left out."""
    reader = csv.reader((match[0] for match in _LINE.finditer(text)), delimiter=_delimiter(text), strict=True)
    # The module bounds a cell, for the whole process; here the file's own length does.
    bound = csv.field_size_limit(len(text))
    try:
        filled = filter(None, reader)
        names = _headers(next(filled))
        rows: list[list[str]] = []
        for row in filled:
            if len(row) > len(names):
                raise SourceError(f"{label}, line {reader.line_num}: {len(row)} cells under {len(names)} names")
            rows.append(row)
    except csv.Error as error:
        raise SourceError(f"{label}, line {reader.line_num}: {error}") from None
    finally:
        csv.field_size_limit(bound)
    if not rows:
        raise SourceError(f"{label} has names but no rows: there is nothing to infer a schema from")
    return names, rows


def _delimiter(text: str) -> str:
    """The one of four that stands most often among the names, quoted ones apart."""
    first = _QUOTED.sub("", text[:_HEAD].lstrip("\r\n"))
    return max(",\t;|", key=re.split("[\r\n]", first, maxsplit=1)[0].count)


def _headers(cells: list[str]) -> list[str]:
    names: list[str] = []
    for index, cell in enumerate(cells, 1):
        base = cell.strip() or f"column {index}"
        name, number = base, 2
        while name in names:
            name, number = f"{base} {number}", number + 1
        names.append(name)
    return names


def _column(cells: list[str]) -> list[Any]:
    """A column is of numbers or booleans only if all its cells are; `007` and the like are text."""
    given = [cell for cell in cells if cell]
    if all(_INTEGER.fullmatch(cell) and cell != "-0" for cell in given):
        return [int(cell) if cell else None for cell in cells]
    if all(_NUMBER.fullmatch(cell) and len("".join(_DIGITS.findall(cell))) <= 18 and isfinite(float(cell)) for cell in given):
        return [float(cell) if cell else None for cell in cells]
    lower = {cell.lower() for cell in given}
    if lower <= {"true", "false"}:
        return [cell.lower() == "true" if cell else None for cell in cells]
    return [cell or None for cell in cells]
