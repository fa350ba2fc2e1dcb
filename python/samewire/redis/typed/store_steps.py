"""The operations of a store, for blocking and asyncio clients."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from ..exceptions import InvalidResponse
from ..steps import Operations, operation
from .expiry import milliseconds
from .names import Items, Name, Names, pairs, several, shown
from .steps import Command, Steps
from .swap import STRING, Swap
from .values import Values

T = TypeVar("T")

#: Values of one MSET or MGET, at most. More make no command cheaper.
TOGETHER = 64
#: Commands that go out before their replies are read, and the bytes of values after which no more are added to them.
COMMANDS, CHUNK_BYTES = 64, 1 << 20
#: Stands for no value where None may be one.
MISSING: Any = object()


class StoreSteps(Operations, Generic[T]):
    """Values of one type under keys with one prefix; made by `client.store`. Threads may share it, as they may its client.

    Names are texts or bytes; their keys are the prefix and the name. A value that was written with another schema is resolved;
    what cannot be read raises StoredValueError, which names the key and keeps the bytes. Connections fail as with any command.
    """

    def __init__(self, client: Any, values: Values[T], prefix: Name, ttl: float | timedelta | None, *, many_keys: bool) -> None:
        """Stores come from `client.store`. client: its replies are bytes.

        many_keys: whether one command may have any keys. On a cluster they must be in one slot.
        """
        self._client = client
        self._values = values
        self._names = Names(prefix)
        self._ttl = milliseconds(ttl)
        self._at_once = TOGETHER if many_keys else 1

    def __repr__(self) -> str:
        lives = "" if self._ttl is None else f", ttl={self._ttl / 1000:g}"
        what = f"{self._values.codec.schema.text}, prefix={self._names.prefix!r}{lives}"
        return f"<{type(self).__module__}.{type(self).__name__}({what})>"

    def _milliseconds(self, ttl: float | timedelta | None) -> int | None:
        return self._ttl if ttl is None else milliseconds(ttl)

    def _get(self, name: Name, default: Any) -> Steps[Any]:
        key = self._names.key(name)
        data = yield ("GET", key)
        if data is None:
            return default
        return (yield from self._values.decode(shown(key), data))

    @operation
    def put(
        self, name: Name, value: T, *, ttl: float | timedelta | None = None, nx: bool = False, xx: bool = False
    ) -> Steps[bool]:
        """Writes a value and returns True. Raises SamewireError with a path for a value that is not of the type.

        ttl: seconds until the server drops it; None takes the store's; without either it stays.
        nx, xx: write only if there is no value yet, or only if there is one; returns whether it was written.
        """
        command: Command = ("SET", self._names.key(name), self._values.encode(value))
        expires = self._milliseconds(ttl)
        if expires is not None:
            command += ("PX", expires)
        if nx:
            command += ("NX",)
        if xx:
            command += ("XX",)
        yield from self._values.ready()
        return (yield command) is not None

    @operation
    def delete(self, *names: Name) -> Steps[int]:
        """Deletes values and returns how many there were."""
        count = 0
        left = iter(names)
        while chunk := list(islice(left, TOGETHER * COMMANDS)):
            keys = self._names.keys(chunk)
            count += sum((yield [("DEL", *part) for part in _parts(keys, self._at_once)]))
        return count

    @operation
    def exists(self, name: Name) -> Steps[bool]:
        """Whether there is a value."""
        return bool((yield ("EXISTS", self._names.key(name))))

    @operation
    def touch(self, name: Name, ttl: float | timedelta | None = None) -> Steps[bool]:
        """Gives a value its time to live again and returns whether there is one.

        ttl: as in `put`; without either the value counts as just used, which matters where the server evicts.
        """
        expires = self._milliseconds(ttl)
        key = self._names.key(name)
        return bool((yield ("TOUCH", key) if expires is None else ("PEXPIRE", key, expires)))

    def _swap(self, name: Name, ttl: float | timedelta | None) -> Swap[T]:
        expires = self._milliseconds(ttl)
        key = self._names.key(name)
        return Swap(self._values, shown(key), ("GET", key), STRING, key, "" if expires is None else expires)

    @operation
    def put_many(self, items: Items[T], *, ttl: float | timedelta | None = None) -> Steps[int]:
        """Writes many values, in chunks, and returns how many. Tasks of an asyncio client run between the chunks.

        Not atomic: if it raises, the values of earlier chunks, and perhaps some of the current one, are written. `items` may be
        an iterator; a chunk of it is encoded at a time.
        """
        expires = self._milliseconds(ttl)
        last: Command = () if expires is None else ("PX", expires)
        left = iter(pairs(items))
        together = 1 if last else self._at_once
        encode = self._values.encode
        count, commands, unsent, size = 0, [], 0, 8
        while part := list(islice(left, size)):
            keys = self._names.keys([name for name, _ in part])
            data = [encode(value) for _, value in part]
            taken = sum(map(len, data))
            size = _next_size(size, taken, TOGETHER)
            count += len(part)
            unsent += taken
            if together == 1:
                commands += [("SET", *pair, *last) for pair in zip(keys, data, strict=True)]
            else:
                arguments: list[Any] = ["MSET"] * (1 + 2 * len(part))
                arguments[1::2] = keys
                arguments[2::2] = data
                commands.append(tuple(arguments))
            if unsent >= CHUNK_BYTES or len(commands) * together >= COMMANDS * TOGETHER:
                yield from self._values.ready()
                yield commands
                commands, unsent = [], 0
        if commands:
            yield from self._values.ready()
            yield commands
        return count

    @operation
    def get_many(self, names: Iterable[Name]) -> Steps[list[T | None]]:
        """Returns the values in the order of their names, None where there is none. Reads in chunks: not at one moment."""
        return self._read(names)

    def _read(self, names: Iterable[Name], missing: Any = None) -> Steps[list[T | Any]]:
        values: list[T | Any] = []
        left = iter(several(names))
        size = TOGETHER
        while chunk := list(islice(left, size)):
            keys = self._names.keys(chunk)
            data = yield from self._data(keys)
            size = _next_size(size, sum(map(len, filter(None, data))), TOGETHER * COMMANDS)
            values += yield from self._values.decode_all(map(shown, keys), data, missing)
        return values

    def _pairs(self, names: list[str]) -> Steps[list[tuple[str, T]]]:
        """Those of the names that have a value, with it."""
        values = yield from self._read(names, MISSING)
        return [(name, value) for name, value in zip(names, values, strict=True) if value is not MISSING]

    def _names_of(self, keys: Iterable[bytes]) -> Iterator[str]:
        """The names of keys with the prefix; the keys of schemas are none."""
        schemas = self._values.schemas_prefix.encode()
        return (self._names.name(key) for key in keys if not key.startswith(schemas))

    def _data(self, keys: list[Name]) -> Steps[list[bytes | None]]:
        if self._at_once > 1:
            try:
                replies = yield [("MGET", *part) for part in _parts(keys, self._at_once)]
                return list(chain.from_iterable(replies))
            except InvalidResponse:
                # Together the values may exceed a limit that none of them exceeds.
                pass
        found: list[bytes | None] = yield [("GET", key) for key in keys]
        return found


def _parts(keys: list[Name], size: int) -> Iterator[list[Name]]:
    return (keys[start : start + size] for start in range(0, len(keys), size))


def _next_size(size: int, taken: int, most: int) -> int:
    """How many values to take next if `size` of them took so many bytes: few if they are large, so that memory is bounded."""
    if taken > CHUNK_BYTES:
        return max(1, size // 2)
    return min(2 * size, most) if 2 * taken <= CHUNK_BYTES else size
