"""A hash whose fields hold values of one type."""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from itertools import islice
from typing import Any, Generic, TypeVar, overload

from ..steps import Operations, operation
from . import swap
from .deletion import Deletion
from .names import Items, Name, argument, pairs, several, shown, text
from .steps import OnAsyncClient, OnClient, Steps, integer, run, run_async
from .swap import FIELD, Swap
from .values import Values

T = TypeVar("T")
D = TypeVar("D")

#: Fields of one HSET or HMGET, and the bytes of values after which a command takes no more.
FIELDS, CHUNK_BYTES = 1024, 1 << 20
#: Fields that the server looks at in one call of a scan.
SCANNED = 500


class HashSteps(Operations, Generic[T]):
    """A hash whose fields hold values of one type; made by `client.typed_hash`.

    Fields are texts or bytes. What cannot be read raises StoredValueError, which names key and field and keeps the bytes.
    """

    def __init__(self, client: Any, values: Values[T], key: Name) -> None:
        """Made by `client.typed_hash`. client: its replies are bytes."""
        self._client = client
        self._values = values
        self._key = key if isinstance(key, bytes) else argument(key)

    def _where(self, field: Name) -> str:
        return f"{shown(self._key)}[{shown(field)}]"

    def _get(self, field: Name, default: Any) -> Steps[Any]:
        data = yield ("HGET", self._key, _field(field))
        if data is None:
            return default
        return (yield from self._values.decode(self._where(field), data))

    @operation
    def put(self, field: Name, value: T, *, nx: bool = False) -> Steps[bool]:
        """Writes a field and returns whether it is new. nx: write only if it is."""
        data = self._values.encode(value)
        yield from self._values.ready()
        return bool((yield ("HSETNX" if nx else "HSET", self._key, _field(field), data)))

    @operation
    def delete(self, *fields: Name) -> Steps[int]:
        """Deletes fields and returns how many there were."""
        return (yield from integer("HDEL", self._key, *map(_field, fields))) if fields else 0

    @operation
    def exists(self, field: Name) -> Steps[bool]:
        """Whether there is such a field."""
        return bool((yield ("HEXISTS", self._key, _field(field))))

    @operation
    def length(self) -> Steps[int]:
        """Returns the number of fields."""
        return integer("HLEN", self._key)

    @operation
    def fields(self) -> Steps[list[str]]:
        """Returns the names of all fields."""
        return list(map(text, (yield ("HKEYS", self._key))))

    @operation
    def put_many(self, items: Items[T]) -> Steps[int]:
        """Writes many fields, in chunks, and returns how many. Not atomic beyond 1,024 fields or 1 MiB of values."""
        count, size = 0, 0
        arguments: list[Any] = []
        for field, value in pairs(items):
            data = self._values.encode(value)
            arguments += (_field(field), data)
            count += 1
            size += len(data)
            if size >= CHUNK_BYTES or len(arguments) >= 2 * FIELDS:
                yield from self._write(arguments)
                arguments, size = [], 0
        if arguments:
            yield from self._write(arguments)
        return count

    def _write(self, arguments: list[Any]) -> Steps[None]:
        yield from self._values.ready()
        yield ("HSET", self._key, *arguments)

    @operation
    def get_many(self, fields: Iterable[Name]) -> Steps[list[T | None]]:
        """Returns the values in the order of their fields, None where there is none."""
        values: list[T | None] = []
        left = iter(several(fields))
        while chunk := list(islice(left, FIELDS)):
            data = yield ("HMGET", self._key, *map(_field, chunk))
            values += yield from self._values.decode_all(map(self._where, chunk), data)
        return values

    @operation
    def all(self) -> Steps[dict[str, T]]:
        """Returns all fields with their values, read at one moment."""
        held: dict[bytes, bytes] = yield ("HGETALL", self._key)
        fields = list(map(text, held))
        values: list[Any] = yield from self._values.decode_all(map(self._where, fields), held.values())
        return dict(zip(fields, values, strict=True))

    def _page(self, cursor: int, match: str, count: int) -> Steps[tuple[int, list[tuple[str, T]]]]:
        following, held = yield ("HSCAN", self._key, cursor, "MATCH", argument(match), "COUNT", count)
        fields = held.items() if isinstance(held, dict) else zip(held[::2], held[1::2], strict=True)
        found = [(text(field), data) for field, data in fields]
        values: list[Any] = yield from self._values.decode_all(
            (self._where(field) for field, _ in found), [data for _, data in found]
        )
        return int(following), [(field, value) for (field, _), value in zip(found, values, strict=True)]

    def _swap(self, field: Name) -> Swap[T]:
        name = _field(field)
        return Swap(self._values, self._where(field), ("HGET", self._key, name), FIELD, self._key, name)


def _field(field: Name) -> Name:
    return field if isinstance(field, bytes) else argument(field)


class TypedHash(HashSteps[T], OnClient):
    __doc__ = HashSteps.__doc__

    @overload
    def get(self, field: Name, default: None = None) -> T | None: ...
    @overload
    def get(self, field: Name, default: D) -> T | D: ...
    def get(self, field: Name, default: object = None) -> object:
        """Returns the value of a field, or `default` if there is none."""
        return run(self._client, self._get(field, default))

    def items(self, match: str = "*", *, count: int = SCANNED) -> Iterator[tuple[str, T]]:
        """Returns an iterator over fields and values, in no order, for hashes too large for `all`.

        match: a pattern of the server for fields. count: how many fields the server looks at in each call.
        """
        cursor = 0
        while True:
            cursor, found = run(self._client, self._page(cursor, match, count))
            yield from found
            if cursor == 0:
                return

    def update(self, field: Name, change: Callable[[T | None], T | Deletion]) -> T | None:
        """As `Store.update`, for a field."""
        return swap.update(self._client, self._swap(field), change)


class AsyncTypedHash(HashSteps[T], OnAsyncClient):
    """As `TypedHash`, with an asyncio client."""

    @overload
    async def get(self, field: Name, default: None = None) -> T | None: ...
    @overload
    async def get(self, field: Name, default: D) -> T | D: ...
    async def get(self, field: Name, default: object = None) -> object:
        """As `TypedHash.get`."""
        return await run_async(self._client, self._get(field, default))

    async def items(self, match: str = "*", *, count: int = SCANNED) -> AsyncIterator[tuple[str, T]]:
        """As `TypedHash.items`."""
        cursor = 0
        while True:
            cursor, found = await run_async(self._client, self._page(cursor, match, count))
            for pair in found:
                yield pair
            if cursor == 0:
                return

    async def update(self, field: Name, change: Callable[[T | None], T | Deletion | Awaitable[T | Deletion]]) -> T | None:
        """As `Store.update`, for a field. change: a function or a coroutine function."""
        return await swap.update_async(self._client, self._swap(field), change)
