"""A list of values of one type."""

from __future__ import annotations

from typing import Any, Generic, TypeVar

from ..steps import Operations, operation
from .names import Name, argument, shown
from .steps import OnAsyncClient, OnClient, Steps, integer
from .values import Values

T = TypeVar("T")


class ListSteps(Operations, Generic[T]):
    """A list of values of one type; made by `client.typed_list`.

    What cannot be read raises StoredValueError, which names the key and keeps the bytes, also those that a pop took out.
    """

    def __init__(self, client: Any, values: Values[T], key: Name) -> None:
        """Made by `client.typed_list`. client: its replies are bytes."""
        self._client = client
        self._values = values
        self._key = key if isinstance(key, bytes) else argument(key)
        self._where = shown(key)

    @operation
    def push(self, *values: T) -> Steps[int]:
        """Appends values to the right end, in their order, and returns the list's length."""
        return self._push("RPUSH", values)

    @operation
    def push_left(self, *values: T) -> Steps[int]:
        """Puts values before the left end, one after the other, so that the last is first. Returns the list's length."""
        return self._push("LPUSH", values)

    def _push(self, command: str, values: tuple[T, ...]) -> Steps[int]:
        if not values:
            return (yield from integer("LLEN", self._key))
        data = list(map(self._values.encode, values))
        yield from self._values.ready()
        return (yield from integer(command, self._key, *data))

    @operation
    def pop(self, timeout: float | None = None) -> Steps[T | None]:
        """Takes the value at the right end and returns it, or None if the list is empty.

        timeout: seconds to wait for a value; 0 waits without end.
        """
        return self._pop("RPOP", timeout)

    @operation
    def pop_left(self, timeout: float | None = None) -> Steps[T | None]:
        """Takes the value at the left end, as `pop`."""
        return self._pop("LPOP", timeout)

    def _pop(self, command: str, timeout: float | None) -> Steps[T | None]:
        if timeout is None:
            return (yield from self._one(command, self._key))
        found = yield ("B" + command, self._key, timeout)
        return None if found is None else (yield from self._values.decode(self._where, found[1]))

    def _one(self, *command: object) -> Steps[T | None]:
        """The value that a command returns, or None."""
        data = yield command
        return None if data is None else (yield from self._values.decode(self._where, data))

    @operation
    def get(self, index: int) -> Steps[T | None]:
        """Returns the value at an index, from 0, or from −1 at the right end; None if there is none."""
        return self._one("LINDEX", self._key, index)

    @operation
    def set(self, index: int, value: T) -> Steps[None]:
        """Replaces the value at an index. Raises ResponseError if there is none."""
        data = self._values.encode(value)
        yield from self._values.ready()
        yield ("LSET", self._key, index, data)

    @operation
    def range(self, start: int = 0, stop: int = -1) -> Steps[list[T]]:
        """Returns the values from one index to another, both included; all of them by default."""
        data: list[bytes] = yield ("LRANGE", self._key, start, stop)
        values = yield from self._values.decode_all((f"{self._where}[{start + i}]" for i in range(len(data))), data)
        return values

    @operation
    def length(self) -> Steps[int]:
        """Returns the number of values."""
        return integer("LLEN", self._key)

    @operation
    def trim(self, start: int, stop: int) -> Steps[None]:
        """Deletes all values but those from one index to another, both included."""
        yield ("LTRIM", self._key, start, stop)


class TypedList(ListSteps[T], OnClient):
    __doc__ = ListSteps.__doc__


class AsyncTypedList(ListSteps[T], OnAsyncClient):
    """As `TypedList`, with an asyncio client."""
