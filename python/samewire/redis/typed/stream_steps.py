"""What a typed stream does, without I/O. An entry has one field, `value`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from samewire.errors import SamewireError

from ..exceptions import ResponseError
from .entry import Entry
from .error import StoredValueError
from .names import Name, argument, shown
from .steps import Command, Steps
from .values import Values

T = TypeVar("T")

FIELD = b"value"


class StreamSteps(Generic[T]):
    """Entries of one stream. The methods are those of `TypedStream`."""

    def __init__(self, values: Values[T], key: Name) -> None:
        self.values = values
        self.key = key if isinstance(key, bytes) else argument(key)
        self._where = shown(key)

    def add(self, value: T, entry_id: str, maxlen: int | None, exact: bool) -> Steps[str]:
        data = self.values.encode(value)
        yield from self.values.ready()
        bound: Command = () if maxlen is None else ("MAXLEN", "=" if exact else "~", maxlen)
        return _text((yield ("XADD", self.key, *bound, entry_id, FIELD, data)))

    def range(self, start: str, stop: str, count: int | None, reverse: bool) -> Steps[list[Entry[T]]]:
        order: Command = ("XREVRANGE", self.key, stop, start) if reverse else ("XRANGE", self.key, start, stop)
        return (yield from self._entries((yield (*order, *_counted(count)))))

    def read(self, after: str, count: int | None, timeout: float | None) -> Steps[list[Entry[T]]]:
        found = yield ("XREAD", *_counted(count), *_blocking(timeout), "STREAMS", self.key, after)
        return (yield from self._entries(_of_one(found)))

    def last(self) -> Steps[str]:
        """The id of the last entry, "0-0" if there is none."""
        found = yield ("XREVRANGE", self.key, "+", "-", "COUNT", 1)
        return _text(found[0][0]) if found else "0-0"

    def create_group(self, group: str, start: str) -> Steps[bool]:
        try:
            yield ("XGROUP CREATE", self.key, group, start, "MKSTREAM")
        except ResponseError as error:
            if "BUSYGROUP" in str(error):
                return False
            raise
        return True

    def read_group(
        self, group: str, consumer: str, count: int | None, timeout: float | None, pending: bool
    ) -> Steps[list[Entry[T]]]:
        blocking = () if pending else _blocking(timeout)
        ids = "0" if pending else ">"
        found = yield ("XREADGROUP", "GROUP", group, consumer, *_counted(count), *blocking, "STREAMS", self.key, ids)
        return (yield from self._entries(_of_one(found)))

    def claim(self, group: str, consumer: str, idle: float, count: int) -> Steps[list[Entry[T]]]:
        cursor, entries = "0-0", []
        while True:
            found = yield ("XAUTOCLAIM", self.key, group, consumer, round(idle * 1000), cursor, "COUNT", count)
            cursor = _text(found[0])
            entries += yield from self._entries(found[1])
            if entries or cursor == "0-0":
                return entries

    def _entries(self, found: Iterable[Any]) -> Steps[list[Entry[T]]]:
        entries: list[Entry[T]] = []
        for entry_id, fields in found:
            if entry_id is not None:  # deleted while it was pending
                entries.append((yield from self._entry(_text(entry_id), fields)))
        return entries

    def _entry(self, entry_id: str, fields: dict[bytes, bytes] | None) -> Steps[Entry[T]]:
        where = f"{self._where} entry {entry_id}"
        data = (fields or {}).get(FIELD)
        try:
            if data is None or len(fields or {}) != 1:
                names = ", ".join(map(repr, fields or {})) or "no field"
                raise StoredValueError(
                    SamewireError("malformed", text=f"expected the field 'value' alone, found {names}"), where, b""
                )
            return Entry(entry_id, (yield from self.values.decode(where, data)))
        except StoredValueError as error:
            return Entry(entry_id, None, error)


def _text(found: bytes | str) -> str:
    return found if isinstance(found, str) else found.decode()


def _counted(count: int | None) -> Command:
    return () if count is None else ("COUNT", count)


def _blocking(timeout: float | None) -> Command:
    return () if timeout is None else ("BLOCK", round(timeout * 1000))


def _of_one(found: Any) -> Any:
    """The entries of the one stream in a reply of XREAD, whichever of redis-py's shapes the client's options choose."""
    if not found:
        return ()
    entries = next(iter(found.values())) if isinstance(found, dict) else found[0][1]
    return entries[0] if entries and isinstance(entries[0], list) and entries[0] and isinstance(entries[0][0], tuple) else entries
