"""What a store does, without I/O."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from datetime import timedelta
from itertools import chain, islice
from typing import Any, Generic, TypeVar

from ..exceptions import InvalidResponse
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


class StoreSteps(Generic[T]):
    """Values of one type under keys with one prefix. The methods are those of `Store`."""

    def __init__(self, values: Values[T], prefix: Name, ttl: float | timedelta | None, *, many_keys: bool) -> None:
        """many_keys: whether one command may have any keys. On a cluster they must be in one slot."""
        self.values = values
        self.names = Names(prefix)
        self.ttl = milliseconds(ttl)
        self._together = TOGETHER if many_keys else 1

    def __str__(self) -> str:
        lives = "" if self.ttl is None else f", ttl={self.ttl / 1000:g}"
        return f"{self.values.codec.schema.text}, prefix={self.names.prefix!r}{lives}"

    def _milliseconds(self, ttl: float | timedelta | None) -> int | None:
        return self.ttl if ttl is None else milliseconds(ttl)

    def get(self, name: Name, default: Any) -> Steps[Any]:
        key = self.names.key(name)
        data = yield ("GET", key)
        if data is None:
            return default
        return (yield from self.values.decode(shown(key), data))

    def put(self, name: Name, value: T, ttl: float | timedelta | None, nx: bool, xx: bool) -> Steps[bool]:
        command: Command = ("SET", self.names.key(name), self.values.encode(value))
        expires = self._milliseconds(ttl)
        if expires is not None:
            command += ("PX", expires)
        if nx:
            command += ("NX",)
        if xx:
            command += ("XX",)
        yield from self.values.ready()
        return (yield command) is not None

    def delete(self, names: Iterable[Name]) -> Steps[int]:
        count = 0
        left = iter(names)
        while chunk := list(islice(left, TOGETHER * COMMANDS)):
            keys = self.names.keys(chunk)
            count += sum((yield [("DEL", *part) for part in _parts(keys, self._together)]))
        return count

    def exists(self, name: Name) -> Steps[bool]:
        return bool((yield ("EXISTS", self.names.key(name))))

    def touch(self, name: Name, ttl: float | timedelta | None) -> Steps[bool]:
        expires = self._milliseconds(ttl)
        key = self.names.key(name)
        return bool((yield ("TOUCH", key) if expires is None else ("PEXPIRE", key, expires)))

    def swap(self, name: Name, ttl: float | timedelta | None) -> Swap[T]:
        expires = self._milliseconds(ttl)
        key = self.names.key(name)
        return Swap(self.values, shown(key), ("GET", key), STRING, key, "" if expires is None else expires)

    def put_many(self, items: Items[T], ttl: float | timedelta | None) -> Steps[int]:
        expires = self._milliseconds(ttl)
        last: Command = () if expires is None else ("PX", expires)
        left = iter(pairs(items))
        together = 1 if last else self._together
        encode = self.values.encode
        count, commands, waiting, size = 0, [], 0, 8
        while part := list(islice(left, size)):
            keys = self.names.keys([name for name, _ in part])
            data = [encode(value) for _, value in part]
            taken = sum(map(len, data))
            size = _next_size(size, taken, TOGETHER)
            count += len(part)
            waiting += taken
            if together == 1:
                commands += [("SET", *pair, *last) for pair in zip(keys, data, strict=True)]
            else:
                arguments: list[Any] = ["MSET"] * (1 + 2 * len(part))
                arguments[1::2] = keys
                arguments[2::2] = data
                commands.append(tuple(arguments))
            if waiting >= CHUNK_BYTES or len(commands) * together >= COMMANDS * TOGETHER:
                yield from self.values.ready()
                yield commands
                commands, waiting = [], 0
        if commands:
            yield from self.values.ready()
            yield commands
        return count

    def get_many(self, names: Iterable[Name], missing: Any = None) -> Steps[list[T | Any]]:
        values: list[T | Any] = []
        left = iter(several(names))
        size = TOGETHER
        while chunk := list(islice(left, size)):
            keys = self.names.keys(chunk)
            data = yield from self._data(keys)
            size = _next_size(size, sum(map(len, filter(None, data))), TOGETHER * COMMANDS)
            values += yield from self.values.decode_all(map(shown, keys), data, missing)
        return values

    def pairs(self, names: list[str]) -> Steps[list[tuple[str, T]]]:
        """Those of the names that have a value, with it."""
        values = yield from self.get_many(names, MISSING)
        return [(name, value) for name, value in zip(names, values, strict=True) if value is not MISSING]

    def names_of(self, keys: Iterable[bytes]) -> Iterator[str]:
        """The names of keys with the prefix; the keys of schemas are none."""
        schemas = self.values.schemas_prefix.encode()
        return (self.names.name(key) for key in keys if not key.startswith(schemas))

    def _data(self, keys: list[Name]) -> Steps[list[bytes | None]]:
        if self._together > 1:
            try:
                replies = yield [("MGET", *part) for part in _parts(keys, self._together)]
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
