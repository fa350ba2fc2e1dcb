"""Reads JSON, NDJSON and CSV, compressed or not, into the values that JSON has: None, bool, int, float, str, list, dict."""

from __future__ import annotations

import codecs
import gzip
import importlib
import json
import sys
import zlib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from samewire.pack.records.blocks import MAGIC

from .csv_rows import Table
from .faults import SourceError

FORMATS = ("json", "ndjson", "csv")
#: How a file of gzip, or of zstd, begins (RFC 1952 section 2.3.1, RFC 8878 section 3.1.1).
_GZIP: Final = b"\x1f\x8b"
_ZSTD: Final = b"\x28\xb5\x2f\xfd"


class _ConstantError(Exception):
    """NaN, Infinity or -Infinity, which Python's parser accepts."""


def _refuse_constant(word: str) -> None:
    raise _ConstantError(word)


@dataclass(frozen=True)
class Source:
    """One data set.

    value: the whole; a list for NDJSON, rows that are parsed again by each iteration for CSV. format: one of `FORMATS`.
    """

    value: Any
    format: str

    def loaded(self) -> Any:
        """The value in memory. For CSV a list of rows, which takes ten times the memory of its text."""
        return list(self.value) if isinstance(self.value, Table) else self.value


def read(path: Path, kind: str | None = None) -> Source:
    """Reads a file, `-` for standard input; one that gzip or zstd has compressed too.

    kind: one of `FORMATS`; by default told by the ending (.json, .ndjson, .jsonl, .csv, .tsv, before .gz or .zst), else by trying
    JSON, then NDJSON, then CSV. A file called .json may hold a value a line. Of equal names in a JSON object the last counts; equal columns of CSV are
    numbered. Raises SourceError, and OSError as `open` does.
    """
    text = _text(path)
    ending = _by_ending(path)
    try:
        return parse(text, kind or ending, str(path))
    except SourceError:
        if kind or ending != "json":
            raise
        try:
            return parse(text, "ndjson", str(path))
        except SourceError:
            pass
        raise


def _text(path: Path) -> str:
    content = _expanded(sys.stdin.buffer.read() if str(path) == "-" else path.read_bytes(), path)
    if content.startswith(MAGIC[:4]):
        raise SourceError(f"{path} is a file of records, which has its schema: print it by samewire schema {path}")
    try:
        return content.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        other = "UTF-16" if content[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "WINDOWS-1252"
        raise SourceError(
            f"{path} is not valid UTF-8 (byte {error.start}); convert it first, perhaps by iconv -f {other} -t UTF-8"
        ) from None


def _expanded(content: bytes, path: Path) -> bytes:
    """What a compressed file holds; any other file's own bytes."""
    try:
        if content.startswith(_GZIP):
            return gzip.decompress(content)
    except (OSError, EOFError, zlib.error) as error:
        raise SourceError(f"{path} is broken: {error}") from None
    if not content.startswith(_ZSTD):
        return content
    zstd = _zstd(path)
    try:
        return zstd.decompress(content)  # type: ignore[no-any-return]
    except zstd.ZstdError as error:
        raise SourceError(f"{path} is broken: {error}") from None


def _zstd(path: Path) -> Any:
    """A module that reads zstd: Python's own has been there since 3.14."""
    for name in ("compression.zstd", "backports.zstd"):
        try:
            return importlib.import_module(name)
        except ImportError:
            pass
    raise SourceError(f"{path} is compressed by zstd, which Python reads from 3.14 on: expand it first, by zstd -d")


def parse(text: str, kind: str | None, label: str) -> Source:
    """As `read`, for a string. label: its name in errors."""
    if not text.strip():
        raise SourceError(f"{label} is empty: there is nothing to infer a schema from")
    if kind == "json":
        return Source(_json(text, label), kind)
    if kind == "ndjson":
        return Source(_ndjson(text, label), kind)
    if kind == "csv":
        return Source(Table(text, label), kind)
    for candidate in ("json", "ndjson"):
        try:
            return parse(text, candidate, label)
        except SourceError:
            if text.lstrip()[:1] in ("[", "{") and candidate == "ndjson":
                raise
    return parse(text, "csv", label)


def _by_ending(path: Path) -> str | None:
    endings = {".json": "json", ".geojson": "json", ".ndjson": "ndjson", ".jsonl": "ndjson"}
    if path.suffix.lower() in (".gz", ".zst"):
        path = path.with_suffix("")
    return {**endings, ".csv": "csv", ".tsv": "csv"}.get(path.suffix.lower())


def _json(text: str, label: str) -> Any:
    return _value(text, label, None)


def _ndjson(text: str, label: str) -> list[Any]:
    return [_value(line, label, number) for number, line in enumerate(text.split("\n"), 1) if line.strip()]


def _value(text: str, label: str, line: int | None) -> Any:
    """The value of a whole file, or of one line."""
    where = label if line is None else f"{label}, line {line}"
    try:
        return json.loads(text, parse_constant=_refuse_constant)
    except _ConstantError as error:
        raise SourceError(f"{where}: {error} is not valid JSON; write null or a number") from None
    except json.JSONDecodeError as error:
        raise SourceError(f"{label}, line {line or error.lineno}, column {error.colno}: {error.msg}") from None
    except RecursionError:
        raise SourceError(f"{where}: nested too deep") from None
    except ValueError:
        # CPython bounds the digits of an integer: parsing takes quadratic time.
        raise SourceError(f"{where}: an integer of more than {sys.get_int_max_str_digits():,} digits; write it as text") from None
