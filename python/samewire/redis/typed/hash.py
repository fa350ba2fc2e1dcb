"""A hash whose fields hold values of one type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from . import swap
from .deletion import Deletion
from .names import Items, Name, argument, pairs, several, shown, text
from .steps import AsyncClient, Client, Steps, integer, run, run_async
from .swap import FIELD, Swap
from .values import Values

T = TypeVar("T")
D = TypeVar("D")

#: Fields of one HSET or HMGET, and the bytes of values after which a command takes no more.
FIELDS, CHUNK_BYTES = 1024, 1 << 20
#: Fields that the server looks at in one call of a scan.
SCANNED = 500


class HashSteps(Generic[T]):
    """What a typed hash does, without I/O."""

    def __init__(self, values: Values[T], key: Name) -> None:
        self.values = values
        self.key = key if isinstance(key, bytes) else argument(key)

    def where(self, field: Name) -> str:
        return f"{shown(self.key)}[{shown(field)}]"

    def get(self, field: Name, default: Any) -> Steps[Any]:
        data = yield ("HGET", self.key, _field(field))
        if data is None:
            return default
        return (yield from self.values.decode(self.where(field), data))

    def put(self, field: Name, value: T, nx: bool) -> Steps[bool]:
        data = self.values.encode(value)
        yield from self.values.ready()
        return bool((yield ("HSETNX" if nx else "HSET", self.key, _field(field), data)))

    def delete(self, fields: tuple[Name, ...]) -> Steps[int]:
        return (yield from integer("HDEL", self.key, *map(_field, fields))) if fields else 0

    def exists(self, field: Name) -> Steps[bool]:
        return bool((yield ("HEXISTS", self.key, _field(field))))

    def length(self) -> Steps[int]:
        return integer("HLEN", self.key)

    def fields(self) -> Steps[list[str]]:
        return list(map(text, (yield ("HKEYS", self.key))))

    def put_many(self, items: Items[T]) -> Steps[int]:
        count, waiting = 0, 0
        arguments: list[Any] = []
        for field, value in pairs(items):
            data = self.values.encode(value)
            arguments += (_field(field), data)
            count += 1
            waiting += len(data)
            if waiting >= CHUNK_BYTES or len(arguments) >= 2 * FIELDS:
                yield from self._write(arguments)
                arguments, waiting = [], 0
        if arguments:
            yield from self._write(arguments)
        return count

    def _write(self, arguments: list[Any]) -> Steps[None]:
        yield from self.values.ready()
        yield ("HSET", self.key, *arguments)

    def get_many(self, fields: Iterable[Name]) -> Steps[list[T | None]]:
        values: list[T | None] = []
        left = iter(several(fields))
        while chunk := list(islice(left, FIELDS)):
            data = yield ("HMGET", self.key, *map(_field, chunk))
            values += yield from self.values.decode_all(map(self.where, chunk), data)
        return values

    def all(self) -> Steps[dict[str, T]]:
        held: dict[bytes, bytes] = yield ("HGETALL", self.key)
        fields = list(map(text, held))
        values: list[Any] = yield from self.values.decode_all(map(self.where, fields), held.values())
        return dict(zip(fields, values, strict=True))

    def page(self, cursor: int, match: str, count: int) -> Steps[tuple[int, list[tuple[str, T]]]]:
        following, held = yield ("HSCAN", self.key, cursor, "MATCH", argument(match), "COUNT", count)
        fields = held.items() if isinstance(held, dict) else zip(held[::2], held[1::2], strict=True)
        found = [(text(field), data) for field, data in fields]
        values: list[Any] = yield from self.values.decode_all(
            (self.where(field) for field, _ in found), [data for _, data in found]
        )
        return int(following), [(field, value) for (field, _), value in zip(found, values, strict=True)]

    def swap(self, field: Name) -> Swap[T]:
        name = _field(field)
        return Swap(self.values, self.where(field), ("HGET", self.key, name), FIELD, self.key, name)


def _field(field: Name) -> Name:
    return field if isinstance(field, bytes) else argument(field)


class TypedHash(Generic[T]):
    """A hash whose fields hold values of one type; made by `client.typed_hash`.

    Fields are texts or bytes. What cannot be read raises StoredValueError, which names key and field and keeps the bytes.
    """

    def __init__(self, client: Client, steps: HashSteps[T]) -> None:
        """Made by `client.typed_hash`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    @overload
    def get(self, field: Name, default: None = None) -> T | None: ...
    @overload
    def get(self, field: Name, default: D) -> T | D: ...
    def get(self, field: Name, default: object = None) -> object:
        """Returns the value of a field, or `default` if there is none."""
        return run(self._client, self._steps.get(field, default))

    def put(self, field: Name, value: T, *, nx: bool = False) -> bool:
        """Writes a field and returns whether it is new. nx: write only if it is."""
        return run(self._client, self._steps.put(field, value, nx))

    def delete(self, *fields: Name) -> int:
        """Deletes fields and returns how many there were."""
        return run(self._client, self._steps.delete(fields))

    def exists(self, field: Name) -> bool:
        """Whether there is such a field."""
        return run(self._client, self._steps.exists(field))

    def length(self) -> int:
        """Returns the number of fields."""
        return run(self._client, self._steps.length())

    def fields(self) -> list[str]:
        """Returns the names of all fields."""
        return run(self._client, self._steps.fields())

    def put_many(self, items: Items[T]) -> int:
        """Writes many fields, in chunks, and returns how many. Not atomic beyond 1,024 fields or 1 MiB of values."""
        return run(self._client, self._steps.put_many(items))

    def get_many(self, fields: Iterable[Name]) -> list[T | None]:
        """Returns the values in the order of their fields, None where there is none."""
        return run(self._client, self._steps.get_many(fields))

    def all(self) -> dict[str, T]:
        """Returns all fields with their values, read at one moment."""
        return run(self._client, self._steps.all())

    def items(self, match: str = "*", *, count: int = SCANNED) -> Iterator[tuple[str, T]]:
        """Returns an iterator over fields and values, in no order, for hashes too large for `all`.

        match: a pattern of the server for fields. count: how many fields the server looks at in each call.
        """
        cursor = 0
        while True:
            cursor, found = run(self._client, self._steps.page(cursor, match, count))
            yield from found
            if cursor == 0:
                return

    def update(self, field: Name, change: Callable[[T | None], T | Deletion]) -> T | None:
        """As `Store.update`, for a field."""
        return swap.update(self._client, self._steps.swap(field), change)


class AsyncTypedHash(Generic[T]):
    """As `TypedHash`, with an asyncio client."""

    def __init__(self, client: AsyncClient, steps: HashSteps[T]) -> None:
        """Made by `client.typed_hash`. client: its replies are bytes."""
        self._client = client
        self._steps = steps

    @overload
    async def get(self, field: Name, default: None = None) -> T | None: ...
    @overload
    async def get(self, field: Name, default: D) -> T | D: ...
    async def get(self, field: Name, default: object = None) -> object:
        """As `TypedHash.get`."""
        return await run_async(self._client, self._steps.get(field, default))

    async def put(self, field: Name, value: T, *, nx: bool = False) -> bool:
        """As `TypedHash.put`."""
        return await run_async(self._client, self._steps.put(field, value, nx))

    async def delete(self, *fields: Name) -> int:
        """As `TypedHash.delete`."""
        return await run_async(self._client, self._steps.delete(fields))

    async def exists(self, field: Name) -> bool:
        """As `TypedHash.exists`."""
        return await run_async(self._client, self._steps.exists(field))

    async def length(self) -> int:
        """As `TypedHash.length`."""
        return await run_async(self._client, self._steps.length())

    async def fields(self) -> list[str]:
        """As `TypedHash.fields`."""
        return await run_async(self._client, self._steps.fields())

    async def put_many(self, items: Items[T]) -> int:
        """As `TypedHash.put_many`."""
        return await run_async(self._client, self._steps.put_many(items))

    async def get_many(self, fields: Iterable[Name]) -> list[T | None]:
        """As `TypedHash.get_many`."""
        return await run_async(self._client, self._steps.get_many(fields))

    async def all(self) -> dict[str, T]:
        """As `TypedHash.all`."""
        return await run_async(self._client, self._steps.all())

    async def items(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[tuple[str, T]]:
        """As `TypedHash.items`."""
        cursor = 0
        while True:
            cursor, found = await run_async(self._client, self._steps.page(cursor, match, count))
            for pair in found:
                yield pair
            if cursor == 0:
                return

    async def update(self, field: Name, change: Callable[[T | None], T | Deletion | Awaitable[T | Deletion]]) -> T | None:
        """As `Store.update`, for a field. change: a function or a coroutine function."""
        return await swap.update_async(self._client, self._steps.swap(field), change)
