"""A list of values of one type."""

from __future__ import annotations

from typing import Generic, TypeVar

from .names import Name, argument, shown
from .steps import AsyncClient, Client, Steps, integer, run, run_async
from .values import Values

T = TypeVar("T")

#: Bytes of values after which a command takes no more.
CHUNK_BYTES = 1 << 20


class ListSteps(Generic[T]):
    """What a typed list does, without I/O."""

    def __init__(self, values: Values[T], key: Name) -> None:
        self.values = values
        self.key = key if isinstance(key, bytes) else argument(key)
        self._where = shown(key)

    def push(self, command: str, values: tuple[T, ...]) -> Steps[int]:
        if not values:
            return (yield from integer("LLEN", self.key))
        data = list(map(self.values.encode, values))
        yield from self.values.ready()
        return (yield from integer(command, self.key, *data))

    def one(self, *command: object) -> Steps[T | None]:
        """The value that a command returns, or None."""
        data = yield command
        return None if data is None else (yield from self.values.decode(self._where, data))

    def waited(self, command: str, timeout: float) -> Steps[T | None]:
        """The value of a blocking command, which returns it with its key."""
        found = yield (command, self.key, timeout)
        return None if found is None else (yield from self.values.decode(self._where, found[1]))

    def pop(self, command: str, timeout: float | None) -> Steps[T | None]:
        return self.one(command, self.key) if timeout is None else self.waited("B" + command, timeout)

    def range(self, start: int, stop: int) -> Steps[list[T]]:
        data: list[bytes] = yield ("LRANGE", self.key, start, stop)
        values = yield from self.values.decode_all((f"{self._where}[{start + i}]" for i in range(len(data))), data)
        return values

    def set(self, index: int, value: T) -> Steps[None]:
        data = self.values.encode(value)
        yield from self.values.ready()
        yield ("LSET", self.key, index, data)


class TypedList(Generic[T]):
    """A list of values of one type; made by `client.typed_list`.

    What cannot be read raises StoredValueError, which names the key and keeps the bytes, also those that a pop took out.
    """

    def __init__(self, client: Client, steps: ListSteps[T]) -> None:
        """Made by `client.typed_list`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    def push(self, *values: T) -> int:
        """Appends values to the right end, in their order, and returns the list's length."""
        return run(self._client, self._steps.push("RPUSH", values))

    def push_left(self, *values: T) -> int:
        """Puts values before the left end, one after the other, so that the last is first. Returns the list's length."""
        return run(self._client, self._steps.push("LPUSH", values))

    def pop(self, timeout: float | None = None) -> T | None:
        """Takes the value at the right end and returns it, or None if the list is empty.

        timeout: seconds to wait for a value; 0 waits without end.
        """
        return run(self._client, self._steps.pop("RPOP", timeout))

    def pop_left(self, timeout: float | None = None) -> T | None:
        """Takes the value at the left end, as `pop`."""
        return run(self._client, self._steps.pop("LPOP", timeout))

    def get(self, index: int) -> T | None:
        """Returns the value at an index, from 0, or from −1 at the right end; None if there is none."""
        return run(self._client, self._steps.one("LINDEX", self._steps.key, index))

    def set(self, index: int, value: T) -> None:
        """Replaces the value at an index. Raises ResponseError if there is none."""
        run(self._client, self._steps.set(index, value))

    def range(self, start: int = 0, stop: int = -1) -> list[T]:
        """Returns the values from one index to another, both included; all of them by default."""
        return run(self._client, self._steps.range(start, stop))

    def length(self) -> int:
        """Returns the number of values."""
        return run(self._client, integer("LLEN", self._steps.key))

    def trim(self, start: int, stop: int) -> None:
        """Deletes all values but those from one index to another, both included."""
        run(self._client, integer("LTRIM", self._steps.key, start, stop))


class AsyncTypedList(Generic[T]):
    """As `TypedList`, with an asyncio client."""

    def __init__(self, client: AsyncClient, steps: ListSteps[T]) -> None:
        """Made by `client.typed_list`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    async def push(self, *values: T) -> int:
        """As `TypedList.push`."""
        return await run_async(self._client, self._steps.push("RPUSH", values))

    async def push_left(self, *values: T) -> int:
        """As `TypedList.push_left`."""
        return await run_async(self._client, self._steps.push("LPUSH", values))

    async def pop(self, timeout: float | None = None) -> T | None:
        """As `TypedList.pop`. Other tasks' commands do not wait behind it."""
        return await run_async(self._client, self._steps.pop("RPOP", timeout))

    async def pop_left(self, timeout: float | None = None) -> T | None:
        """As `TypedList.pop_left`. Other tasks' commands do not wait behind it."""
        return await run_async(self._client, self._steps.pop("LPOP", timeout))

    async def get(self, index: int) -> T | None:
        """As `TypedList.get`."""
        return await run_async(self._client, self._steps.one("LINDEX", self._steps.key, index))

    async def set(self, index: int, value: T) -> None:
        """As `TypedList.set`."""
        await run_async(self._client, self._steps.set(index, value))

    async def range(self, start: int = 0, stop: int = -1) -> list[T]:
        """As `TypedList.range`."""
        return await run_async(self._client, self._steps.range(start, stop))

    async def length(self) -> int:
        """As `TypedList.length`."""
        return await run_async(self._client, integer("LLEN", self._steps.key))

    async def trim(self, start: int, stop: int) -> None:
        """As `TypedList.trim`."""
        await run_async(self._client, integer("LTRIM", self._steps.key, start, stop))
