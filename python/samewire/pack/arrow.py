"""The Arrow PyCapsule interface of pyarrow, pandas, polars, DuckDB and others."""

from __future__ import annotations

from typing import Protocol, TypeAlias


class ArrowStream(Protocol):
    """A table, or a reader of batches."""

    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object:
        """Returns a capsule of an `ArrowArrayStream`."""


class ArrowBatch(Protocol):
    """One batch of rows."""

    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]:
        """Returns capsules of an `ArrowSchema` and an `ArrowArray`."""


ArrowTable: TypeAlias = ArrowStream | ArrowBatch
