"""Record files: values of one type, with their schema, in a file (spec/records.md)."""

from __future__ import annotations

from .reader import RecordReader
from .writer import RecordWriter

__all__ = ["RecordReader", "RecordWriter"]
