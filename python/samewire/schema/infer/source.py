"""Reads JSON, NDJSON and CSV into the values that JSON has: None, bool, int, float, str, list, dict."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from .content import Content, File, Text
from .csv_rows import Table
from .faults import SourceError
from .json_rows import Elements, Lines, is_value, whole

FORMATS = ("json", "ndjson", "csv")
#: Lines that are checked to distinguish NDJSON from CSV.
_LINES_TOLD: Final = 100


@dataclass(frozen=True)
class Source:
    """One data set.

    value: the whole, or an iterable of its rows, which parses them anew each time. format: one of `FORMATS`. size: bytes.
    """

    value: Any
    format: str
    size: int = 0

    @property
    def is_rows(self) -> bool:
        """Whether `value` is an iterable of rows."""
        return isinstance(self.value, Elements | Lines | Table)

    def loaded(self) -> Any:
        """The value in memory. Rows become a list, which takes ten times the memory of its text."""
        return list(self.value) if self.is_rows else self.value


def read(path: Path, kind: str | None = None) -> Source:
    """Opens a file, `-` for standard input; one that gzip or zstd has compressed too. Rows are read when they are iterated.

    kind: one of `FORMATS`; by default found by the ending (.json, .ndjson, .jsonl, .csv, .tsv, before .gz or .zst),
    else by the first lines. A file called .json may hold a value a line. Of equal names in a JSON object the last
    counts; equal columns of CSV are numbered. Raises SourceError, here and from the rows, SamewireError `unsupported`
    for zstd if this Python has none, and OSError as `open` does.
    """
    content = File(path)
    ending = _by_ending(path)
    if kind is None and ending == "json" and _holds_lines(content):
        kind = "ndjson"
    return _source(content, kind or ending, content.size)


def parse(text: str, kind: str | None, label: str) -> Source:
    """As `read`, for a string. label: its name in errors."""
    return _source(Text(text, label), kind, len(text))


def _source(content: Content, kind: str | None, size: int) -> Source:
    first = _first_sign(content)
    if not first:
        raise SourceError(f"{content.label} is empty: there is nothing to infer a schema from")
    if kind is None:
        kind = _told(content, first)
    if kind == "csv":
        return Source(Table(content), kind, size)
    if kind == "ndjson":
        return Source(Lines(content), kind, size)
    return Source(Elements(content) if first == "[" else whole(content), kind, size)


def _told(content: Content, first: str) -> str:
    """The format of a text, by its first lines."""
    if _holds_lines(content):
        return "ndjson"
    if first in "[{":
        return "json"
    lines = [line for line in islice(content.lines(), 2) if line.strip()]
    return "json" if len(lines) == 1 and is_value(lines[0]) else "csv"


def _holds_lines(content: Content) -> bool:
    """Whether each of the first lines is a value: at least two, or one object or array and the start of another."""
    head = next(content.pieces(), "").lstrip()
    if head[:1] == "[" and "\n" not in head:
        return False  # an array of one line, which may be all there is, and long
    told = 0
    for line in content.lines():
        if line.isspace():
            continue
        if told and line.lstrip()[:1] in "[{":
            return True
        if not is_value(line):
            return False
        told += 1
        if told == _LINES_TOLD:
            break
    return told > 1


def _first_sign(content: Content) -> str:
    for piece in content.pieces():
        if stripped := piece.lstrip():
            return stripped[0]
    return ""


def _by_ending(path: Path) -> str | None:
    endings = {".json": "json", ".geojson": "json", ".ndjson": "ndjson", ".jsonl": "ndjson"}
    if path.suffix.lower() in (".gz", ".zst"):
        path = path.with_suffix("")
    return {**endings, ".csv": "csv", ".tsv": "csv"}.get(path.suffix.lower())
