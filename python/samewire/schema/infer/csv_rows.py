"""Rows of CSV: a line of names, then cells; every column gets one type by its content."""

from __future__ import annotations

import csv
import re
from collections.abc import Callable, Iterator
from math import isfinite
from typing import Any

from .content import Content
from .faults import SourceError

#: The part of the line of names in which the delimiter is searched.
_HEAD = 1 << 16
_QUOTED = re.compile(r'"[^"]*"')
_LONGEST_CELL = (1 << 31) - 1
_INTEGER = re.compile(r"-?(?:0|[1-9][0-9]{0,99})")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]*)(?:\.[0-9]+)?|\.[0-9]+)(?:[eE][+-]?[0-9]{1,3})?")
_DIGITS = re.compile(r"[0-9]+")


class Table:
    """Rows of CSV by the names of the first line; empty cells, and missing ones of a short row, are null.

    The text is read once for the types of the columns, and again by each iteration: no rows are kept.
    """

    def __init__(self, content: Content) -> None:
        """Raises SourceError, and OSError as `open` does."""
        self._content = content
        self._delimiter = _delimiter(content)
        rows = self._cells()
        self.names = _headers(next(rows))
        columns = [_Column() for _ in self.names]
        undecided = list(enumerate(columns))
        empty = True
        for row in rows:
            empty = False
            if undecided:
                width = len(row)
                undecided = [each for each in undecided if each[0] >= width or each[1].see(row[each[0]])]
        if empty:
            raise SourceError(f"{content.label} has names but no rows: there is nothing to infer a schema from")
        self._readers = [column.reader() for column in columns]

    def __iter__(self) -> Iterator[dict[str, Any]]:
        names, readers = self.names, self._readers
        rows = self._cells()
        next(rows)
        for row in rows:
            row += [""] * (len(names) - len(row))
            yield {name: read(cell) if cell else None for name, read, cell in zip(names, readers, row, strict=True)}

    def _cells(self) -> Iterator[list[str]]:
        """The line of names, then the rows, empty lines left out. Raises SourceError."""
        reader = csv.reader(self._content.lines(universal=True), delimiter=self._delimiter, strict=True)
        names, label = 0, self._content.label
        try:
            while (row := _next(reader)) is not None:
                if not row:
                    continue
                names = names or len(row)
                if len(row) > names:
                    raise SourceError(f"{label}, line {reader.line_num}: {len(row)} cells under {names} names")
                yield row
        except csv.Error as error:
            raise SourceError(f"{label}, line {reader.line_num}: {error}") from None


def _next(reader: Iterator[list[str]]) -> list[str] | None:
    """The next row. The module `csv` limits cells, for the whole process; here a cell may be as long as a string."""
    before = csv.field_size_limit(_LONGEST_CELL)
    try:
        return next(reader, None)
    finally:
        csv.field_size_limit(before)


def _delimiter(content: Content) -> str:
    """The most frequent of four delimiters among the names, outside of quotes."""
    head = ""
    for piece in content.pieces():
        head += piece[:_HEAD]
        if len(head) >= _HEAD:
            break
    first = _QUOTED.sub("", head[:_HEAD].lstrip("\r\n"))
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


class _Column:
    """What the cells of a column, empty ones apart, can all be read as: numbers and booleans only if all are; `007` is text."""

    __slots__ = ("booleans", "integers", "numbers")

    def __init__(self) -> None:
        self.integers = self.numbers = self.booleans = True

    def see(self, cell: str) -> bool:
        """Whether any type other than text is still possible."""
        if cell:
            if self.integers:
                self.integers = _INTEGER.fullmatch(cell) is not None and cell != "-0"
            if self.numbers:
                self.numbers = _is_number(cell)
            if self.booleans:
                self.booleans = cell.lower() in ("true", "false")
        return self.integers or self.numbers or self.booleans

    def reader(self) -> Callable[[str], Any]:
        """What reads a cell that is not empty."""
        return int if self.integers else float if self.numbers else _is_true if self.booleans else str


def _is_number(cell: str) -> bool:
    return _NUMBER.fullmatch(cell) is not None and len("".join(_DIGITS.findall(cell))) <= 18 and isfinite(float(cell))


def _is_true(cell: str) -> bool:
    return cell.lower() == "true"
