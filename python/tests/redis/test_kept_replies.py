"""`KeptReplies`: which replies are kept, and when they are dropped."""

from __future__ import annotations

from collections import OrderedDict
from typing import Any

import pytest
from samewire.redis.cache import CacheConfig, CacheEntry, CacheKey, DefaultCache
from samewire.redis.caching.kept_replies import MISSING, KeptReplies
from samewire.redis.exceptions import RedisError, ResponseError


def tracking(**options: Any) -> tuple[KeptReplies, DefaultCache]:
    cache = DefaultCache(CacheConfig(**options))
    return KeptReplies(cache), cache


def read(tracked: KeptReplies, reply: Any, *args: Any, connection: Any = None) -> Any:
    """Reads through the cache; `reply` is what the server would send."""
    key = tracked.key(args)
    assert key is not None
    found = tracked.lookup(key, connection)
    if found is not MISSING:
        return found
    entry = tracked.begin(key, connection)
    assert entry is not None
    tracked.finish(entry, reply)
    return reply


def test_a_reply_is_kept_until_its_key_is_invalidated() -> None:
    tracked, cache = tracking()
    assert read(tracked, b"1", "GET", "a") == b"1"
    assert read(tracked, b"2", "GET", "a") == b"1"
    assert tracked.invalidated([b"invalidate", [b"a"]])
    assert read(tracked, b"3", "GET", "a") == b"3"
    assert tracked.invalidated(["invalidate", None])
    assert read(tracked, b"4", "GET", "a") == b"4"
    assert not tracked.invalidated([b"message", b"channel", b"data"])
    counts = cache.statistics()
    assert (counts.hits, counts.misses, counts.stored, counts.invalidated, counts.flushes) == (1, 3, 3, 1, 1)


@pytest.mark.parametrize("push", [[b"invalidate"], [b"invalidate", b"a"], [b"invalidate", [[b"a"]]], [b"invalidate", 7]])
def test_an_invalidation_that_makes_no_sense_drops_everything(push: list[Any]) -> None:
    tracked, _ = tracking()
    read(tracked, b"1", "GET", "a")
    assert tracked.invalidated(push)
    assert read(tracked, b"2", "GET", "a") == b"2"


def test_a_reply_that_was_overtaken_by_its_invalidation_is_not_kept() -> None:
    tracked, cache = tracking()
    key = tracked.key(("GET", "a"))
    assert key is not None
    entry = tracked.begin(key)
    assert entry is not None
    tracked.invalidated([b"invalidate", [b"a"]])
    tracked.finish(entry, b"old")
    assert tracked.lookup(key) is MISSING
    assert cache.statistics().late == 1


def test_a_reply_of_a_lost_connection_is_not_kept() -> None:
    tracked, _ = tracking()
    key = tracked.key(("GET", "a"))
    assert key is not None
    entry = tracked.begin(key)
    assert entry is not None
    tracked.disconnected()
    tracked.finish(entry, b"old")
    assert tracked.lookup(key) is MISSING


def test_what_a_client_writes_it_reads_again() -> None:
    tracked, _ = tracking()
    read(tracked, b"1", "GET", "a")
    read(tracked, [b"1", b"2"], "MGET", "a", "b")
    tracked.wrote(("STRLEN", "a"))
    assert read(tracked, b"2", "GET", "a") == b"1"
    tracked.wrote(("RENAME", "c", b"a"))
    assert read(tracked, b"2", "GET", "a") == b"2"
    assert read(tracked, [b"2", b"2"], "MGET", "a", "b") == [b"2", b"2"]


def test_commands_that_are_sent_alike_share_a_reply_and_no_others() -> None:
    tracked, _ = tracking()
    read(tracked, b"int", "GET", 1)
    assert read(tracked, b"float", "GET", 1.0) == b"float"
    assert read(tracked, b"view", "GET", memoryview(b"view")) == b"view"
    assert read(tracked, b"other", "GET", b"view") == b"view"
    assert tracked.key(("GET", "a"), True) != tracked.key(("GET", "a"), None)
    with pytest.raises(RedisError, match="True cannot be sent"):
        tracked.key(("GET", True))


@pytest.mark.parametrize("args", [("SET", "a", 1), ("RANDOMKEY",), ("XREAD", "STREAMS", "s", 0), ("SORT_RO", "a", "BY", "x")])
def test_some_replies_are_never_kept(args: tuple[Any, ...]) -> None:
    assert tracking()[0].key(args) is None


def test_a_caller_may_change_what_it_got() -> None:
    tracked, _ = tracking()
    sent = [b"a", [b"b"], {b"c": {b"d"}}]
    first = read(tracked, sent, "LRANGE", "a", 0, -1)
    sent.append(b"changed")
    first[1].append(b"changed")
    second = read(tracked, None, "LRANGE", "a", 0, -1)
    assert second == [b"a", [b"b"], {b"c": {b"d"}}]
    second[2][b"c"].add(b"changed")
    assert read(tracked, None, "LRANGE", "a", 0, -1)[2] == {b"c": {b"d"}}


def test_nothing_is_kept_of_an_error_or_an_abandoned_call() -> None:
    tracked, cache = tracking()
    key = tracked.key(("GET", "a"))
    assert key is not None
    entry = tracked.begin(key)
    assert entry is not None
    assert tracked.begin(key) is None
    tracked.finish(entry, ResponseError("WRONGTYPE"))
    assert cache.size == 0
    entry = tracked.begin(key)
    assert entry is not None
    tracked.abandon(entry)
    assert cache.size == 0


def test_another_connections_replies_do_not_count() -> None:
    tracked, _ = tracking()
    first, second = object(), object()
    read(tracked, b"1", "GET", "a", connection=first)
    assert read(tracked, b"2", "GET", "a", connection=second) == b"2"
    assert read(tracked, b"3", "GET", "a", connection=second) == b"2"


def test_a_cache_of_the_programs_own_is_used_by_redis_pys_interface() -> None:
    class Own(DefaultCache):
        """Not told apart from a stranger's by what `KeptReplies` calls."""

    class Stranger:
        def __init__(self) -> None:
            self.inner = Own()
            self.config = self.inner.config

        @property
        def collection(self) -> OrderedDict[CacheKey, CacheEntry]:
            return self.inner.collection

        def __getattr__(self, name: str) -> Any:
            if name in ("fill", "counts", "statistics"):
                raise AssertionError(f"{name} is not of the interface")
            return getattr(self.inner, name)

    cache: Any = Stranger()
    tracked = KeptReplies(cache)
    assert read(tracked, b"1", "GET", "a") == b"1"
    assert read(tracked, b"2", "GET", "a") == b"1"
    tracked.invalidated([b"invalidate", [b"a"]])
    assert read(tracked, b"2", "GET", "a") == b"2"
