"""`DefaultCache`: limits, eviction, time to live and what an invalidation drops."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from samewire.redis.cache import (
    CacheConfig,
    CacheEntry,
    CacheEntryStatus,
    CacheFactory,
    CacheInterface,
    CacheKey,
    CacheProxy,
    DefaultCache,
    LRUPolicy,
    weight,
)


def key(*keys: Any, command: str = "GET") -> CacheKey:
    return CacheKey(command, keys, (command, *keys))


def entry(name: CacheKey, value: Any = b"value") -> CacheEntry:
    return CacheEntry(name, value, CacheEntryStatus.VALID, None)


def filled(*names: str, **options: Any) -> DefaultCache:
    cache = DefaultCache(CacheConfig(**options))
    for name in names:
        assert cache.set(entry(key(name)))
    return cache


def test_evicts_the_entry_used_longest_ago() -> None:
    cache = filled("a", "b", "c", max_size=3)
    assert cache.get(key("a"))
    assert cache.set(entry(key("d")))
    assert [name.redis_keys for name in cache.collection] == [("c",), ("a",), ("d",)]
    assert cache.statistics().evicted == 1


def test_holds_its_limit_in_bytes() -> None:
    one = DefaultCache(CacheConfig())
    one.set(entry(key("a"), b"x" * 1_000))
    per_entry = one.statistics().bytes
    assert per_entry > 1_000
    cache = DefaultCache(CacheConfig(max_bytes=per_entry * 10 + 100))
    for number in range(10, 60):
        cache.set(entry(key(f"{number}"[:1]), b"x" * 1_000))
        cache.set(entry(key(f"k{number}"), b"x" * 999))
        assert cache.statistics().bytes <= per_entry * 10 + 100
    assert cache.size == 9 or cache.size == 10
    assert not cache.set(entry(key("large"), b"x" * per_entry * 20))
    assert cache.get(key("large")) is None


def test_bytes_return_to_zero() -> None:
    cache = filled(*[f"{number}" for number in range(100)])
    cache.set(entry(key("1"), [b"a", {b"b": b"c"}]))
    cache.delete_by_redis_keys([f"{number}".encode() for number in range(100)])
    assert (cache.size, cache.statistics().bytes) == (0, 0)
    assert cache.statistics().invalidated == 100


def test_weighs_what_a_reply_holds() -> None:
    assert weight(b"x" * 1_000) >= 1_000
    assert weight([b"x" * 1_000] * 10) >= 10_000
    assert weight({b"k": [1, None, 2.0], b"x": {b"y"}}) > weight({})


def test_an_entry_lives_as_long_as_it_may() -> None:
    now = 100.0
    cache = DefaultCache(CacheConfig(ttl=5, clock=lambda: now))
    cache.set(entry(key("a")))
    now = 104.9
    assert cache.get(key("a"))
    now = 105.0
    assert cache.get(key("a")) is None
    assert (cache.size, cache.statistics().expired) == (0, 1)


def test_an_invalidation_drops_all_that_was_read_of_a_key() -> None:
    cache = filled("a", "b", "c")
    cache.set(entry(key("a", "d", command="MGET")))
    cache.set(entry(key(b"a", 1, command="MGET")))
    assert cache.delete_by_redis_keys([b"a", b"nothing"]) == [True, True, True]
    assert cache.delete_by_redis_keys([b"1"]) == []
    assert [name.redis_keys for name in cache.collection] == [("b",), ("c",)]
    assert cache.flush() == 2


def test_a_reply_that_comes_after_its_invalidation_is_not_kept() -> None:
    cache = DefaultCache(CacheConfig())
    pending = CacheEntry(key("a"), None, CacheEntryStatus.IN_PROGRESS, None)
    cache.set(pending)
    assert cache.fill(pending, b"old")
    pending = CacheEntry(key("a"), None, CacheEntryStatus.IN_PROGRESS, None)
    cache.set(pending)
    cache.delete_by_redis_keys([b"a"])
    assert not cache.fill(pending, b"old")
    assert cache.get(key("a")) is None


def test_other_commands_than_the_listed_are_not_kept() -> None:
    cache = DefaultCache()
    assert not cache.set(entry(key("a", command="HRANDFIELD")))
    assert cache.is_cachable(key("a"))
    assert "SET" not in CacheConfig.DEFAULT_ALLOW_LIST


def test_a_policy_chooses_for_any_cache() -> None:
    cache = filled("a", "b", "c")
    assert isinstance(cache.eviction_policy, LRUPolicy)
    assert cache.eviction_policy.evict_many(2) == [key("a"), key("b")]
    with pytest.raises(ValueError, match="2 entries are to go, and the cache holds 1"):
        cache.eviction_policy.evict_many(2)
    with pytest.raises(ValueError, match="does not hold"):
        cache.eviction_policy.touch(key("a"))
    with pytest.raises(ValueError, match="belongs to None"):
        LRUPolicy().evict_next()


def test_a_cache_of_the_programs_own_is_kept_to_its_size() -> None:
    class Endless(DefaultCache):
        def _is_full(self) -> bool:
            return False

    cache: CacheInterface = CacheProxy(Endless(CacheConfig(max_size=2)))
    for name in "abc":
        cache.set(entry(key(name)))
    assert cache.size == 2
    assert isinstance(CacheFactory(CacheConfig(max_size=2)).get_cache(), DefaultCache)


def test_threads_share_a_cache() -> None:
    cache = DefaultCache(CacheConfig(max_size=50))

    def use(number: int) -> None:
        for round_ in range(2_000):
            name = f"{(round_ * 7 + number) % 100}"
            if round_ % 5 == 0:
                cache.delete_by_redis_keys([name.encode()])
            elif (found := cache.get(key(name))) is not None:
                assert found.cache_value == name
            else:
                cache.set(entry(key(name), name))

    threads = [threading.Thread(target=use, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    cache.delete_by_redis_keys([f"{number}" for number in range(100)])
    assert (cache.size, cache.statistics().bytes) == (0, 0)
