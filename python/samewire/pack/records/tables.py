"""Records as Arrow tables (spec/tables.md, section 4)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from samewire._native import RowTables, Table
from samewire.errors import SamewireError
from samewire.limits import Limits
from samewire.pack.schema import Schema

#: Elements of one Arrow column.
MOST_ROWS = 2**31 - 1

#: Returns the next messages of a file, up to so many, and the number of the first; None at its end.
NextRun = Callable[[int], tuple[int, list[bytes]] | None]


class RecordTables:
    """The records of a file as tables, read on demand; made by `RecordReader.tables`.

    Its stream and its iterators share the reader's position: each continues where the last one stopped.
    """

    __slots__ = ("_next_run", "_rows", "_size")

    def __init__(self, next_run: NextRun, schema: Schema, limits: Limits, rows: Any, time_unit: str, strings: str) -> None:
        """Takes a function that reads messages. rows: the rows of a table."""
        if isinstance(rows, bool) or not isinstance(rows, int) or not 1 <= rows <= MOST_ROWS:
            raise SamewireError("misuse", text=f"rows={rows!r}: expected a number from 1 to {MOST_ROWS}")
        self._rows = RowTables(schema._native, limits, time_unit, strings)
        self._next_run = next_run
        self._size = rows

    def __iter__(self) -> Iterator[Table]:
        gathered = len(self._rows)
        while True:
            try:
                run = self._next_run(self._size - gathered)
            except SamewireError:
                # The file is broken here: return the records before that first.
                if gathered:
                    yield self._rows.take()
                raise
            if run is None:
                break
            number, messages = run
            self._rows.extend(messages, number)
            gathered += len(messages)
            if gathered == self._size:
                yield self._rows.take()
                gathered = 0
        if gathered:
            yield self._rows.take()

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        """A capsule of an `ArrowArrayStream`. The file's own types stay, independent of what is requested."""
        return self._rows.stream(iter(self))

    def __arrow_c_schema__(self) -> object:
        """A capsule of an `ArrowSchema`: a struct of the columns."""
        return self._rows.schema()
