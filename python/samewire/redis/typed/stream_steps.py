"""The operations of a typed stream, for blocking and asyncio clients. An entry has one field, `value`."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Generic, TypeVar

from samewire.errors import SamewireError

from ..exceptions import ResponseError
from ..steps import Operations, operation
from .entry import Entry
from .error import StoredValueError
from .names import Name, argument, shown
from .steps import Command, Steps, integer
from .values import Values

T = TypeVar("T")

FIELD = b"value"


class StreamSteps(Operations, Generic[T]):
    """A stream of values of one type; made by `client.typed_stream`.

    Entries are read as `Entry` objects with `id` and `value`. `value` raises StoredValueError if it cannot be read, so that
    the other entries of a batch are not lost.
    """

    def __init__(self, client: Any, values: Values[T], key: Name) -> None:
        """Made by `client.typed_stream`. client: its replies are bytes."""
        self._client = client
        self._values = values
        self._key = key if isinstance(key, bytes) else argument(key)
        self._where = shown(key)

    @operation
    def add(self, value: T, *, entry_id: str = "*", maxlen: int | None = None, exact: bool = False) -> Steps[str]:
        """Appends a value and returns its id.

        maxlen: older entries beyond so many are dropped, whole blocks of them unless `exact`.
        """
        data = self._values.encode(value)
        yield from self._values.ready()
        bound: Command = () if maxlen is None else ("MAXLEN", "=" if exact else "~", maxlen)
        return _text((yield ("XADD", self._key, *bound, entry_id, FIELD, data)))

    @operation
    def range(
        self, start: str = "-", stop: str = "+", *, count: int | None = None, reverse: bool = False
    ) -> Steps[list[Entry[T]]]:
        """Returns the entries from one id to another, both included; `reverse` from the last to the first."""
        order: Command = ("XREVRANGE", self._key, stop, start) if reverse else ("XRANGE", self._key, start, stop)
        return (yield from self._entries((yield (*order, *_counted(count)))))

    @operation
    def read(self, after: str = "0", *, count: int | None = None, timeout: float | None = None) -> Steps[list[Entry[T]]]:
        """Returns the entries behind an id.

        after: "$" for entries that come while the call waits. timeout: seconds to wait if there are none; 0 without end.
        """
        found = yield ("XREAD", *_counted(count), *_blocking(timeout), "STREAMS", self._key, after)
        return (yield from self._entries(_of_one(found)))

    def _last(self) -> Steps[str]:
        """The id of the last entry, "0-0" if there is none."""
        found = yield ("XREVRANGE", self._key, "+", "-", "COUNT", 1)
        return _text(found[0][0]) if found else "0-0"

    @operation
    def length(self) -> Steps[int]:
        """Returns the number of entries."""
        return integer("XLEN", self._key)

    @operation
    def delete(self, *ids: str) -> Steps[int]:
        """Deletes entries and returns how many there were."""
        return (yield from integer("XDEL", self._key, *ids)) if ids else 0

    @operation
    def create_group(self, group: str, start: str = "$") -> Steps[bool]:
        """Creates a group of consumers, and the stream if there is none. Returns False if the group is there already.

        start: the id behind which the group reads; "$" new entries only, "0" all.
        """
        try:
            yield ("XGROUP CREATE", self._key, group, start, "MKSTREAM")
        except ResponseError as error:
            if "BUSYGROUP" in str(error):
                return False
            raise
        return True

    @operation
    def read_group(
        self,
        group: str,
        consumer: str,
        *,
        count: int | None = None,
        timeout: float | None = None,
        pending: bool = False,
    ) -> Steps[list[Entry[T]]]:
        """Returns entries that no consumer of the group has been given yet; they are pending until `ack`.

        timeout: seconds to wait if there are none; 0 without end. pending: this consumer's pending entries instead.
        """
        blocking = () if pending else _blocking(timeout)
        ids = "0" if pending else ">"
        found = yield ("XREADGROUP", "GROUP", group, consumer, *_counted(count), *blocking, "STREAMS", self._key, ids)
        return (yield from self._entries(_of_one(found)))

    @operation
    def ack(self, group: str, *ids: str) -> Steps[int]:
        """Says that entries are done; returns how many were pending."""
        return (yield from integer("XACK", self._key, group, *ids)) if ids else 0

    @operation
    def claim(self, group: str, consumer: str, *, idle: float, count: int = 100) -> Steps[list[Entry[T]]]:
        """Takes over entries that have been pending for `idle` seconds, and returns about `count` of them."""
        cursor, entries = "0-0", []
        while True:
            found = yield ("XAUTOCLAIM", self._key, group, consumer, round(idle * 1000), cursor, "COUNT", count)
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
            return Entry(entry_id, (yield from self._values.decode(where, data)))
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
