"""Client-side caching: which replies a client keeps, and when they are dropped. No I/O; shared by sync and asyncio.

The server is told `CLIENT TRACKING ON`: it remembers what a connection has read, and sends that connection an `invalidate`
push before anyone can read a newer value through it. The rules that follow:

- A reply is kept only if no invalidation of its keys came between its command and itself. `begin` enters the command into the
  cache before it is sent, an invalidation removes the entry, and `finish` stores the reply only in an entry that is still there.
- A client's own write drops what it has read of those keys before the write is sent: it always reads what it wrote.
- With a connection its invalidations are lost: everything is dropped.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any, Final

from ..exceptions import RedisError
from ..rules.routing import is_readonly, keys_of
from .cache import CacheEntry, CacheEntryStatus, CacheInterface, CacheKey, CacheStatistics, DefaultCache


class _Missing:
    """The class of MISSING."""

    def __repr__(self) -> str:
        return "MISSING"


MISSING: Final = _Missing()

_IMMUTABLE: Final = frozenset({bytes, str, int, float, bool, type(None)})


class KeptReplies:
    """The replies that one client keeps."""

    def __init__(self, cache: CacheInterface) -> None:
        self.cache = cache
        self._is_cachable = cache.config.is_allowed_to_cache
        self._counts = cache.counts if isinstance(cache, DefaultCache) else CacheStatistics()

    def key(self, args: tuple[Any, ...], decode: bool | None = None) -> CacheKey | None:
        """Under what the reply of a command is kept; None if it is not.

        decode: how texts are decoded, if not as the client does.
        """
        name = args[0]
        if not isinstance(name, str) or not self._is_cachable(name) or (name == "SORT_RO" and len(args) > 2):
            return None
        plain = _plain(args)
        keys = tuple(keys_of(plain))
        return CacheKey(name, keys, plain, decode) if keys else None

    def lookup(self, key: CacheKey, connection: Any = None) -> Any:
        """The reply, as the server sent it and the caller's own; MISSING if it is not kept.

        connection: only what was read through it counts, since nobody else may be there to hear of invalidations.
        """
        entry = self.cache.get(key)
        if (
            entry is None
            or entry.status is not CacheEntryStatus.VALID
            or (connection is not None and entry.connection_ref is not connection)
        ):
            self._counts.misses += 1
            return MISSING
        self._counts.hits += 1
        return own(entry.cache_value)

    def begin(self, key: CacheKey, connection: Any = None) -> CacheEntry | None:
        """Enters a command that is about to be sent. None if its reply cannot be kept, or another one's will be."""
        present = self.cache.get(key)
        if present is not None and present.connection_ref is connection:
            return None
        entry = CacheEntry(key, None, CacheEntryStatus.IN_PROGRESS, connection)
        return entry if self.cache.set(entry) else None

    def finish(self, entry: CacheEntry, reply: Any) -> None:
        """Keeps a copy of the reply, unless its keys were invalidated meanwhile."""
        if isinstance(reply, Exception):
            self.abandon(entry)
            return
        cache = self.cache
        if isinstance(cache, DefaultCache):
            kept = cache.fill(entry, own(reply))
        elif kept := cache.get(entry.cache_key) is entry:
            entry.cache_value = own(reply)
            entry.status = CacheEntryStatus.VALID
        if kept:
            self._counts.stored += 1
        else:
            self._counts.late += 1

    def abandon(self, entry: CacheEntry) -> None:
        """Takes back an entry whose reply will not come, or belongs to nobody."""
        if self.cache.get(entry.cache_key) is entry:
            self.cache.delete_by_cache_keys([entry.cache_key])

    def invalidated(self, push: Sequence[Any]) -> bool:
        """Takes a push. False if it is another one than `invalidate`."""
        if not push or push[0] not in (b"invalidate", "invalidate"):
            return False
        keys = push[1] if len(push) > 1 else None
        if isinstance(keys, list) and all(isinstance(key, str | bytes) for key in keys):
            self.cache.delete_by_redis_keys(keys)
        else:
            # Null is FLUSHALL; what cannot be understood may concern any key.
            self.cache.flush()
        return True

    def wrote(self, args: tuple[Any, ...]) -> None:
        """Drops what was read of the keys of a command that may change them."""
        if not is_readonly(args) and (keys := keys_of(args)):
            self.cache.delete_by_redis_keys(keys)

    def disconnected(self) -> None:
        """Drops everything: invalidations were lost with the connection."""
        self.cache.flush()


def own(value: Any) -> Any:
    """A value that its holder may change without changing the one that is kept."""
    if type(value) in _IMMUTABLE:
        return value
    copier = _COPIERS.get(type(value))
    return copier(value) if copier else copy.deepcopy(value)


def _own_list(value: list[Any]) -> list[Any]:
    return [item if type(item) in _IMMUTABLE else own(item) for item in value]


def _own_dict(value: dict[Any, Any]) -> dict[Any, Any]:
    return {key: item if type(item) in _IMMUTABLE else own(item) for key, item in value.items()}


# Elements of a set are hashable: immutable.
_COPIERS: Final[dict[type, Callable[[Any], Any]]] = {list: _own_list, dict: _own_dict, set: set}


def _plain(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """Arguments that are equal only if they are sent alike: 1 and 1.0 are not."""
    return tuple([arg if type(arg) in (str, bytes, int) else _text(arg) for arg in args])


def _text(arg: Any) -> Any:
    if isinstance(arg, (bytearray, memoryview)):
        return bytes(arg)
    if isinstance(arg, bytes):
        return bytes(arg)
    if isinstance(arg, str):
        return str.__str__(arg)
    if isinstance(arg, float):
        return float.__repr__(arg)
    if isinstance(arg, int) and not isinstance(arg, bool):
        return int.__repr__(arg)
    raise RedisError(f"{arg!r} cannot be sent")
