"""Pottery: containers, filters, Redlock, identifiers, cached functions, a restart."""

from __future__ import annotations

import asyncio
import collections
import time
from concurrent.futures import ThreadPoolExecutor

import pottery
from harness import URL, check, run, url
from redis import Redis
from redis.asyncio import Redis as AsyncRedis
from restarts import restart, restartable

redis = Redis.from_url(URL)
masters = {Redis.from_url(url(number), socket_timeout=10) for number in range(1, 4)}


@check
def containers() -> None:
    book = pottery.RedisDict({"a": 1, "b": [2, None]}, redis=redis, key="dict")
    book["c"] = {"d": 1.5}
    del book["a"]
    assert book == {"b": [2, None], "c": {"d": 1.5}} and "b" in book and book.pop("b") == [2, None] and len(book) == 1
    assert book.to_dict() == {"c": {"d": 1.5}} and book.setdefault("e", 1) == 1 and book.popitem()[0] in ("c", "e")
    ones = pottery.RedisSet("abracadabra", redis=redis, key="set")
    assert ones - set("alacazam") == set("bdr") and sorted(ones & {"a", "z"}) == ["a"] and ones | {"z"} == set("abcdrz")
    assert tuple(ones.contains_many("a", "z")) == (True, False) and ones.isdisjoint({"x"})
    ones ^= {"a", "q"}
    assert ones == set("bcdrq")
    squares = pottery.RedisList([1, 4, 9, 16], redis=redis, key="list")
    squares[2] = 90
    squares.insert(1, 2)
    assert squares == [1, 2, 4, 90, 16] and squares[-2:] == [90, 16] and len(squares) == 5
    squares.sort()
    assert squares.index(90) == 4 and squares.count(2) == 1 and list(reversed(squares)) == [90, 16, 4, 2, 1]
    counts = pottery.RedisCounter("gallahad", redis=redis, key="counter")
    assert counts.most_common(1) == [("a", 3)] and counts["x"] == 0
    counts.subtract(collections.Counter("all"))
    assert counts["l"] == 0 and counts + collections.Counter(z=2) == collections.Counter(g=1, a=2, h=1, d=1, z=2)
    letters = pottery.RedisDeque("ghi", redis=redis, key="deque", maxlen=4)
    letters.appendleft("f")
    letters.append("j")
    assert list(letters) == ["g", "h", "i", "j"] and letters.popleft() == "g"
    letters.rotate(1)
    assert list(letters) == ["j", "h", "i"]
    # An empty queue is waited for as long as the client waits for a reply.
    queue = pottery.RedisSimpleQueue(redis=Redis.from_url(URL, socket_timeout=1), key="queue")
    queue.put({"job": 1})
    assert queue.qsize() == 1 and queue.get(timeout=10) == {"job": 1} and queue.empty()
    try:
        queue.get(timeout=0.1)
    except pottery.QueueEmptyError:
        pass
    else:
        raise AssertionError("no QueueEmptyError")
    try:
        pottery.RedisDict({"a": 1}, redis=redis, key="dict")
    except pottery.KeyExistsError:
        pass
    else:
        raise AssertionError("no KeyExistsError")


@check
def filters() -> None:
    bloom = pottery.BloomFilter(["a", "b"], num_elements=100, false_positives=0.001, redis=redis, key="bloom")
    assert "a" in bloom and "c" not in bloom and tuple(bloom.contains_many("a", "z", "b")) == (True, False, True)
    bloom.update({"c"})
    assert "c" in bloom and len(bloom) == 3
    log = pottery.HyperLogLog(["a", "b", "a"], redis=redis, key="log")
    log.add("c")
    assert len(log) == 3 and "a" in log and "z" not in log and len(log.union({"d"}, redis=redis)) == 4


@check
def redlock() -> None:
    one, other = (pottery.Redlock(key="printer", masters=masters, auto_release_time=20) for _ in range(2))
    assert one.acquire() and one.locked() > 10 and not other.acquire(blocking=False)
    assert not other.acquire(timeout=0.1)
    one.extend()
    one.release()
    with other:
        assert other.locked() and not one.locked()
    try:
        one.release()
    except pottery.ReleaseUnlockedLock:
        pass
    else:
        raise AssertionError("no ReleaseUnlockedLock")
    together: list[int] = []

    @pottery.synchronize(key="function", masters=masters, auto_release_time=20, blocking=True, timeout=-1)
    def alone(number: int) -> int:
        together.append(number)
        time.sleep(0.02)
        together.remove(number)
        return len(together)

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(alone, range(4))) == [0] * 4


@check
async def asynchronous() -> None:
    clients = {AsyncRedis.from_url(url(number), socket_timeout=10) for number in range(1, 4)}
    one, other = (pottery.AIORedlock(key="shower", masters=clients, auto_release_time=20) for _ in range(2))
    async with one:
        assert await one.locked() > 10 and not await other.acquire(blocking=False)
    assert await other.acquire()
    await other.extend()
    await other.release()
    assert not await one.locked()
    numbers = pottery.AIONextID(key="async-ids", masters=clients)
    assert [await anext(numbers) for _ in range(3)] == [1, 2, 3]
    await asyncio.gather(*(client.aclose() for client in clients))


@check
def identifiers() -> None:
    numbers = pottery.NextID(key="ids", masters=masters)
    assert [next(numbers) for _ in range(5)] == [1, 2, 3, 4, 5]
    with ThreadPoolExecutor(4) as pool:
        made = list(pool.map(lambda _: next(pottery.NextID(key="ids", masters=masters, num_tries=100)), range(20)))
    assert len(set(made)) == 20 and min(made) > 5


@check
def cached_functions() -> None:
    calls = []

    @pottery.redis_cache(redis=redis, key="cached", timeout=60)
    def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert double(1) == double(1) == 2 and double(2) == 4 and calls == [1, 2]
    info = double.cache_info()
    assert (info.hits, info.misses, info.currsize) == (1, 2, 2)
    assert double.__bypass__(1) == 2 and calls == [1, 2, 1]
    double.cache_clear()
    assert double(2) == 4 and calls == [1, 2, 1, 2]
    options = {"redis_client": redis, "redis_key": "ordered", "dict_keys": ("a", "b")}
    first, second = (pottery.CachedOrderedDict(**options) for _ in range(2))
    assert list(first) == ["a", "b"] and first.misses() == {"a", "b"} == second.misses()
    first["a"] = 1
    third = pottery.CachedOrderedDict(**options)
    assert third["a"] == 1 and third.misses() == {"b"}


@check
def after_a_restart() -> None:
    with restartable() as server:
        own = Redis(port=server.port)
        book = pottery.RedisDict({"a": 1}, redis=own, key="book")
        lock = pottery.Redlock(key="lock", masters={own}, auto_release_time=60)
        assert lock.acquire()
        restart(server)
        # The server has forgotten the scripts.
        assert book == {"a": 1} and lock.locked() > 10
        lock.release()
        restart(server)
        book["a"] = 2
        assert book == {"a": 2} and next(pottery.NextID(key="ids", masters={own})) == 1


run()
