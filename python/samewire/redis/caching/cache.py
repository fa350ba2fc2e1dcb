"""Client-side caching: where replies are kept, and how many. redis-py's names; `kept_replies.py` decides what is kept and when
it is dropped.

A cache may be shared by connections and threads.
"""

from __future__ import annotations

import threading
import time
from abc import ABC, abstractmethod
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple, cast

# A Python object and its entry in the cache, as CPython lays them out on a 64-bit machine, rounded up.
_OBJECT_BYTES = 64
_ENTRY_BYTES = 512


class CacheEntryStatus(Enum):
    """IN_PROGRESS: the command is on its way; an invalidation that comes before its reply removes the entry."""

    VALID = "VALID"
    IN_PROGRESS = "IN_PROGRESS"


class EvictionPolicyType(Enum):
    """What a policy looks at."""

    time_based = "time_based"
    frequency_based = "frequency_based"


class CacheKey(NamedTuple):
    """Names a reply.

    command: the command's name.
    redis_keys: the keys it reads: an invalidation of one of them drops the reply.
    redis_args: the whole command, since commands with the same keys differ in other arguments.
    decode: how its texts are decoded, if not as the client does.
    """

    command: str
    redis_keys: tuple[Any, ...]
    redis_args: tuple[Any, ...] = ()
    decode: bool | None = None


class CacheEntry:
    """A reply, or the place that is kept for one.

    cache_value: the reply as the server sent it, before the client's conversion.
    connection_ref: the connection that asked, since the server tells that one of invalidations.
    """

    __slots__ = ("cache_key", "cache_value", "connection_ref", "expires", "status", "weight")

    def __init__(self, cache_key: CacheKey, cache_value: Any, status: CacheEntryStatus, connection_ref: Any) -> None:
        self.cache_key = cache_key
        self.cache_value = cache_value
        self.status = status
        self.connection_ref = connection_ref
        self.weight = 0
        self.expires: float | None = None


@dataclass(slots=True)
class CacheStatistics:
    """Counts since the cache was made.

    hits, misses: lookups that found a reply, and that did not.
    stored: replies that were kept.
    late: replies whose entry was dropped before they came: mostly since their keys were changed meanwhile.
    evicted: entries dropped for want of space. expired: dropped by `ttl`.
    invalidated: entries dropped because a key was changed. flushes: how often all were dropped.
    entries, bytes: what is held now. `bytes` is an estimate.
    """

    hits: int = 0
    misses: int = 0
    stored: int = 0
    late: int = 0
    evicted: int = 0
    expired: int = 0
    invalidated: int = 0
    flushes: int = 0
    entries: int = 0
    bytes: int = 0


class EvictionPolicyInterface(ABC):
    """Chooses which entry goes first."""

    @property
    @abstractmethod
    def cache(self) -> CacheInterface | None: ...

    @cache.setter
    @abstractmethod
    def cache(self, value: CacheInterface | None) -> None: ...

    @property
    @abstractmethod
    def type(self) -> EvictionPolicyType: ...

    @abstractmethod
    def evict_next(self) -> CacheKey: ...

    @abstractmethod
    def evict_many(self, count: int) -> list[CacheKey]: ...

    @abstractmethod
    def touch(self, cache_key: CacheKey) -> None: ...


class CacheConfigurationInterface(ABC):
    """The settings of a cache."""

    @abstractmethod
    def get_cache_class(self) -> Any: ...

    @abstractmethod
    def get_max_size(self) -> int: ...

    @abstractmethod
    def get_eviction_policy(self) -> Any: ...

    @abstractmethod
    def is_exceeds_max_size(self, count: int) -> bool: ...

    @abstractmethod
    def is_allowed_to_cache(self, command: str) -> bool: ...


class CacheInterface(ABC):
    """What a client needs of a cache. A program may bring its own."""

    @property
    @abstractmethod
    def collection(self) -> OrderedDict[CacheKey, CacheEntry]: ...

    @property
    @abstractmethod
    def config(self) -> CacheConfigurationInterface: ...

    @property
    @abstractmethod
    def eviction_policy(self) -> EvictionPolicyInterface: ...

    @property
    @abstractmethod
    def size(self) -> int: ...

    @abstractmethod
    def get(self, key: CacheKey) -> CacheEntry | None: ...

    @abstractmethod
    def set(self, entry: CacheEntry) -> bool: ...

    @abstractmethod
    def delete_by_cache_keys(self, cache_keys: Sequence[CacheKey]) -> list[bool]: ...

    @abstractmethod
    def delete_by_redis_keys(self, redis_keys: Sequence[Any]) -> list[bool]: ...

    @abstractmethod
    def flush(self) -> int: ...

    @abstractmethod
    def is_cachable(self, key: CacheKey) -> bool: ...


class LRUPolicy(EvictionPolicyInterface):
    """The entry that was not used for longest goes first."""

    def __init__(self) -> None:
        self._cache: CacheInterface | None = None

    @property
    def cache(self) -> CacheInterface | None:
        return self._cache

    @cache.setter
    def cache(self, value: CacheInterface | None) -> None:
        self._cache = value

    @property
    def type(self) -> EvictionPolicyType:
        return EvictionPolicyType.time_based

    def evict_next(self) -> CacheKey:
        return self.evict_many(1)[0]

    def evict_many(self, count: int) -> list[CacheKey]:
        cache = self._of()
        if count > len(cache.collection):
            raise ValueError(f"{count} entries are to go, and the cache holds {len(cache.collection)}")
        keys = [key for key, _ in zip(cache.collection, range(count), strict=False)]
        cache.delete_by_cache_keys(keys)
        return keys

    def touch(self, cache_key: CacheKey) -> None:
        cache = self._of()
        if cache_key not in cache.collection:
            raise ValueError(f"the cache does not hold {cache_key}")
        cache.collection.move_to_end(cache_key)

    def _of(self) -> CacheInterface:
        if not isinstance(self._cache, CacheInterface):
            raise ValueError(f"the policy belongs to {self._cache!r}: give it to a cache first")  # noqa: TRY004
        return self._cache


class EvictionPolicy(Enum):
    """The policies that there are."""

    LRU = LRUPolicy


class DefaultCache(CacheInterface):
    """Entries in memory, bounded in number and in bytes, with the time they may live. Safe for threads."""

    def __init__(self, cache_config: CacheConfigurationInterface | None = None) -> None:
        self._config = cache_config or CacheConfig()
        self._entries: OrderedDict[CacheKey, CacheEntry] = OrderedDict()
        self._by_redis_key: dict[bytes, set[CacheKey]] = {}
        self._bytes = 0
        self._counts = CacheStatistics()
        self._max_bytes: int | None = getattr(self._config, "max_bytes", None)
        self._ttl: float | None = getattr(self._config, "ttl", None)
        self._clock: Callable[[], float] = getattr(self._config, "clock", time.monotonic)
        # Reentrant: a policy deletes through the cache that calls it.
        self._lock = threading.RLock()
        self._policy: EvictionPolicyInterface = self._config.get_eviction_policy().value()
        self._policy.cache = self
        self._lru = type(self._policy) is LRUPolicy

    @property
    def collection(self) -> OrderedDict[CacheKey, CacheEntry]:
        return self._entries

    @property
    def config(self) -> CacheConfigurationInterface:
        return self._config

    @property
    def eviction_policy(self) -> EvictionPolicyInterface:
        return self._policy

    @property
    def size(self) -> int:
        return len(self._entries)

    @property
    def counts(self) -> CacheStatistics:
        """The running counts; `statistics()` returns a copy that is complete."""
        return self._counts

    def statistics(self) -> CacheStatistics:
        """A copy of the counts, with what is held now."""
        with self._lock:
            counts = self._counts
            return CacheStatistics(
                counts.hits,
                counts.misses,
                counts.stored,
                counts.late,
                counts.evicted,
                counts.expired,
                counts.invalidated,
                counts.flushes,
                len(self._entries),
                self._bytes,
            )

    def get(self, key: CacheKey) -> CacheEntry | None:
        """The entry, which is then the one used last; None if there is none or its time is over."""
        with self._lock:
            entry = self._entries.get(key)
            if entry is None:
                return None
            if entry.expires is not None and entry.expires <= self._clock():
                self._remove(key)
                self._counts.expired += 1
                return None
            self._touch(key)
            return entry

    def set(self, entry: CacheEntry) -> bool:
        """Keeps an entry and drops others until the limits hold. False if the command may not be kept, or the entry alone
        exceeds the limit in bytes."""
        key = entry.cache_key
        if not self.is_cachable(key):
            return False
        entry.weight = _ENTRY_BYTES + weight(key.redis_args) + weight(entry.cache_value)
        with self._lock:
            self._remove(key)
            if self._max_bytes is not None and entry.weight > self._max_bytes:
                return False
            if self._ttl is not None:
                entry.expires = self._clock() + self._ttl
            self._entries[key] = entry
            self._bytes += entry.weight
            for name in key.redis_keys:
                self._by_redis_key.setdefault(_as_bytes(name), set()).add(key)
            self._touch(key)
            while len(self._entries) > 1 and self._is_full():
                self._policy.evict_next()
                self._counts.evicted += 1
        return True

    def fill(self, entry: CacheEntry, value: Any) -> bool:
        """Gives an entry its reply. False if the entry was dropped meanwhile, or exceeds the limit in bytes."""
        with self._lock:
            if self._entries.get(entry.cache_key) is not entry:
                return False
            entry.cache_value = value
            entry.status = CacheEntryStatus.VALID
            return self.set(entry)

    def delete_by_cache_keys(self, cache_keys: Sequence[CacheKey]) -> list[bool]:
        with self._lock:
            return [self._remove(key) for key in cache_keys]

    def delete_by_redis_keys(self, redis_keys: Iterable[Any]) -> list[bool]:
        """Drops what was read of these keys. True for each entry that was dropped."""
        with self._lock:
            if not self._by_redis_key:
                return []
            dropped = [self._remove(key) for name in redis_keys for key in tuple(self._by_redis_key.get(_as_bytes(name), ()))]
            self._counts.invalidated += len(dropped)
            return dropped

    def flush(self) -> int:
        """Drops all. Returns how many there were."""
        with self._lock:
            count = len(self._entries)
            self._entries.clear()
            self._by_redis_key.clear()
            self._bytes = 0
            self._counts.flushes += 1
            return count

    def is_cachable(self, key: CacheKey) -> bool:
        return self._config.is_allowed_to_cache(key.command)

    def _is_full(self) -> bool:
        if self._config.is_exceeds_max_size(len(self._entries)):
            return True
        return self._max_bytes is not None and self._bytes > self._max_bytes

    def _touch(self, key: CacheKey) -> None:
        if self._lru:
            self._entries.move_to_end(key)
        else:
            self._policy.touch(key)

    def _remove(self, key: CacheKey) -> bool:
        entry = self._entries.pop(key, None)
        if entry is None:
            return False
        self._bytes -= entry.weight
        for name in key.redis_keys:
            as_bytes = _as_bytes(name)
            keys = self._by_redis_key.get(as_bytes)
            if keys is not None:
                keys.discard(key)
                if not keys:
                    del self._by_redis_key[as_bytes]
        return True


class CacheProxy(CacheInterface):
    """Keeps a program's own cache to its `max_size`: redis-py leaves that to the caller of a cache."""

    def __init__(self, cache: CacheInterface) -> None:
        self._cache = cache

    @property
    def collection(self) -> OrderedDict[CacheKey, CacheEntry]:
        return self._cache.collection

    @property
    def config(self) -> CacheConfigurationInterface:
        return self._cache.config

    @property
    def eviction_policy(self) -> EvictionPolicyInterface:
        return self._cache.eviction_policy

    @property
    def size(self) -> int:
        return self._cache.size

    def get(self, key: CacheKey) -> CacheEntry | None:
        return self._cache.get(key)

    def set(self, entry: CacheEntry) -> bool:
        kept = self._cache.set(entry)
        while self.config.is_exceeds_max_size(self.size):
            self.eviction_policy.evict_next()
        return kept

    def delete_by_cache_keys(self, cache_keys: Sequence[CacheKey]) -> list[bool]:
        return self._cache.delete_by_cache_keys(cache_keys)

    def delete_by_redis_keys(self, redis_keys: Sequence[Any]) -> list[bool]:
        return self._cache.delete_by_redis_keys(redis_keys)

    def flush(self) -> int:
        return self._cache.flush()

    def is_cachable(self, key: CacheKey) -> bool:
        return self._cache.is_cachable(key)


class CacheConfig(CacheConfigurationInterface):
    """The limits of a cache.

    max_size: entries.
    max_bytes: an estimate of the memory that entries take, in bytes; None for no bound besides `max_size`.
    ttl: seconds after which an entry is read again even if no invalidation came; None for no such limit.
    clock: seconds, for `ttl`.
    """

    DEFAULT_CACHE_CLASS = DefaultCache
    DEFAULT_EVICTION_POLICY = EvictionPolicy.LRU
    DEFAULT_MAX_SIZE = 10_000
    # Commands whose reply depends on nothing but the keys that they name. XREAD waits and XPENDING tells the time; SORT_RO
    # reads keys that it does not name, unless it has neither BY nor GET (`kept_replies.py`).
    DEFAULT_ALLOW_LIST: Sequence[str] = (
        "BITCOUNT BITFIELD_RO BITPOS EXISTS GEODIST GEOHASH GEOPOS GEORADIUSBYMEMBER_RO GEORADIUS_RO GEOSEARCH GET GETBIT "
        "GETRANGE HEXISTS HGET HGETALL HKEYS HLEN HMGET HSTRLEN HVALS JSON.ARRINDEX JSON.ARRLEN JSON.GET JSON.MGET "
        "JSON.OBJKEYS JSON.OBJLEN JSON.RESP JSON.STRLEN JSON.TYPE LCS LINDEX LLEN LPOS LRANGE MGET SCARD SDIFF SINTER "
        "SINTERCARD SISMEMBER SMEMBERS SMISMEMBER SORT_RO STRLEN SUBSTR SUNION TS.GET TS.INFO TS.RANGE TS.REVRANGE TYPE "
        "XLEN XRANGE XREVRANGE ZCARD ZCOUNT ZDIFF ZINTER ZINTERCARD ZLEXCOUNT ZMSCORE ZRANGE ZRANGEBYLEX ZRANGEBYSCORE "
        "ZRANK ZREVRANGE ZREVRANGEBYLEX ZREVRANGEBYSCORE ZREVRANK ZSCORE ZUNION"
    ).split()

    def __init__(
        self,
        max_size: int = DEFAULT_MAX_SIZE,
        cache_class: Any = DEFAULT_CACHE_CLASS,
        eviction_policy: EvictionPolicy = DEFAULT_EVICTION_POLICY,
        *,
        max_bytes: int | None = None,
        ttl: float | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._max_size = max_size
        self._cache_class = cache_class
        self._eviction_policy = eviction_policy
        self._allowed = frozenset(self.DEFAULT_ALLOW_LIST)
        self.max_bytes = max_bytes
        self.ttl = ttl
        self.clock = clock

    def get_cache_class(self) -> Any:
        return self._cache_class

    def get_max_size(self) -> int:
        return self._max_size

    def get_eviction_policy(self) -> EvictionPolicy:
        return self._eviction_policy

    def is_exceeds_max_size(self, count: int) -> bool:
        return count > self._max_size

    def is_allowed_to_cache(self, command: str) -> bool:
        return command in self._allowed


class CacheFactoryInterface(ABC):
    """Makes caches."""

    @abstractmethod
    def get_cache(self) -> CacheInterface: ...


class CacheFactory(CacheFactoryInterface):
    """Makes caches of the class that a configuration names."""

    def __init__(self, cache_config: CacheConfigurationInterface | None = None) -> None:
        self._config = cache_config or CacheConfig()

    def get_cache(self) -> CacheInterface:
        made = cast(CacheInterface, self._config.get_cache_class()(cache_config=self._config))
        return made if isinstance(made, DefaultCache) else CacheProxy(made)


def weight(value: Any) -> int:
    """About how many bytes of memory a value takes."""
    if isinstance(value, (str, bytes)):
        return _OBJECT_BYTES + len(value)
    if isinstance(value, (list, tuple, set, frozenset)):
        return _OBJECT_BYTES + sum([8 + weight(item) for item in value])
    if isinstance(value, dict):
        return _OBJECT_BYTES + sum([32 + weight(key) + weight(item) for key, item in value.items()])
    return _OBJECT_BYTES


def _as_bytes(name: Any) -> bytes:
    """A key as the server knows it."""
    if isinstance(name, bytes):
        return name
    if isinstance(name, str):
        return name.encode()
    if isinstance(name, (bytearray, memoryview)):
        return bytes(name)
    return repr(name).encode()
