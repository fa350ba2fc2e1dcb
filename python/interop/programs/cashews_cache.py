"""cashews: commands, decorators, tags, transactions, locks, limits, its client-side cache, a server that is away."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from typing import Any

from cashews import Cache, LockedError, RateLimitError
from cashews.exceptions import CacheBackendInteractionError
from harness import check, run, url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from restarts import restartable


async def cache(number: int, **options: Any) -> Cache:
    """A cache on a database of its own. Errors are raised: by default cashews takes them for misses."""
    made = Cache()
    made.setup(url(number), **({"suppress": False, "socket_timeout": 10} | options))
    await made.init()
    await made.clear()
    return made


@check
async def commands() -> None:
    store = await cache(1)
    await store.set("key", {"a": (1, 2)}, expire=timedelta(minutes=1))
    assert await store.get("key") == {"a": (1, 2)} and 55 <= await store.get_expire("key") <= 60
    assert await store.set("key", 1, exist=False) is False and await store.set("key", 2, exist=True) is True
    assert await store.get("absent", default="d") == "d" and await store.get_or_set("made", lambda: 5) == 5
    await store.set_many({"x:1": 1, "x:2": "two", "x:3": None}, expire=60)
    assert await store.get_many("x:1", "x:2", "absent", default=0) == (1, "two", 0)
    assert sorted([key async for key in store.scan("x:*")]) == ["x:1", "x:2", "x:3"]
    assert dict([pair async for pair in store.get_match("x:*")]) == {"x:1": 1, "x:2": "two", "x:3": None}
    assert [await store.incr("n"), await store.incr("n", 4), await store.incr("e", expire=60)] == [1, 5, 1]
    await store.delete_match("x:*")
    await store.delete_many("n", "e")
    assert not await store.exists("x:1") and await store.get_keys_count() == 2
    await store.set("size", b"\x00\xff" * 500)
    assert await store.get_size("size") > 500 and await store.ping() == b"PONG"
    assert await store.incr_bits("bits", 0, 3, size=4, by=20) == (15, 15)
    assert await store.get_bits("bits", 0, 1, 3, size=4) == (15, 0, 15)
    await store.set_add("set", "a", "b", expire=60)
    await store.set_remove("set", "a")
    assert list(await store.set_pop("set")) == ["b"]
    assert sorted(await asyncio.gather(*(store.incr("many") for _ in range(50)))) == list(range(1, 51))
    await store.close()


@check
async def decorators() -> None:
    store, calls = await cache(2), []

    @store(ttl="1m", key="double:{number}", tags=["doubles", "number:{number}"])
    async def double(number: int) -> int:
        calls.append(number)
        return 2 * number

    assert await double(1) == await double(1) == 2 and await double(2) == 4 and calls == [1, 2]
    await store.delete_tags("number:1")
    assert await double(1) == 2 and await double(2) == 4 and calls == [1, 2, 1]
    await store.delete_tags("doubles")
    assert await double(2) == 4 and calls == [1, 2, 1, 2]

    @store.failover(ttl=60, exceptions=ValueError, key="fails")
    async def fails() -> int:
        if calls[-1] == "down":
            raise ValueError
        return 7

    assert await fails() == 7
    calls.append("down")
    assert await fails() == 7

    @store.invalidate("double:{number}")
    async def changed(number: int) -> None: ...

    await changed(2)
    assert not await store.exists("double:2")
    for hot in (
        store.early(ttl=60, early_ttl=50, key="early"),
        store.soft(ttl=60, soft_ttl=50, key="soft"),
        store.hit(ttl=60, cache_hits=10, key="hit"),
    ):
        numbers = iter(range(10))

        @hot
        async def count(numbers: Any = numbers) -> int:
            return next(numbers)

        assert await count() == await count() == 0
    await store.close()


@check
async def locks_and_limits() -> None:
    store = await cache(3)
    at_once: list[int] = []

    @store.locked(ttl=20, key="one", check_interval=0.01)
    async def alone() -> int:
        at_once.append(1)
        await asyncio.sleep(0.02)
        return len(at_once) - (at_once.clear() or 0)

    assert await asyncio.gather(*(alone() for _ in range(5))) == [1] * 5
    async with store.lock("held", expire=20):
        assert await store.is_locked("held")

        @store.locked(ttl=20, key="held", wait=False, prefix="")
        async def refused() -> None: ...

        try:
            await refused()
        except LockedError:
            pass
        else:
            raise AssertionError("no LockedError")
    assert not await store.is_locked("held")
    for limit in (store.rate_limit(limit=2, period=60, key="r"), store.slice_rate_limit(limit=2, period=60, key="s")):

        @limit
        async def limited() -> int:
            return 1

        assert await limited() == await limited() == 1
        try:
            await limited()
        except RateLimitError:
            continue
        raise AssertionError("no RateLimitError")

    @store.bloom(capacity=100, false_positives=1, name="even:{number}")
    async def even(number: int) -> bool:
        return number % 2 == 0

    await even.set(4)
    assert await even(4) is True and await even(5) is False
    await store.close()


@check
async def transactions() -> None:
    store = await cache(4)
    await store.set("kept", 1)
    async with store.transaction() as transaction:
        await store.set("kept", 2)
        await store.incr("n", 5)
        assert await store.get("kept") == 2
        await transaction.rollback()
    assert await store.get("kept") == 1 and await store.get("n") is None
    async with store.transaction():
        await store.set_many({"kept": 3, "other": 4})
        await store.delete("n")
    assert await store.get_many("kept", "other") == (3, 4)
    await store.close()


async def becomes(store: Cache, value: Any) -> None:
    """Waits until a cache has a value for `key`."""
    async with asyncio.timeout(30):
        while await store.get("key") != value:
            await asyncio.sleep(0.02)


@check
async def kept_by_the_client() -> None:
    # It reads the server's invalidations as messages, which is what RESP2 has.
    one, other = [await cache(5, client_side=True, client_side_prefix="cs:", protocol=2) for _ in range(2)]
    await one.set("key", 1, expire=60)
    assert await other.get("key") == 1 == await one.get("key")
    await one.set("key", 2, expire=60)
    # The server tells the other one.
    await becomes(other, 2)
    await other.delete("key")
    await becomes(one, None)
    await one.close()
    await other.close()


@check
async def a_server_that_is_away() -> None:
    with restartable() as server:
        address = f"redis://127.0.0.1:{server.port}/0"
        strict, lenient = Cache(), Cache()
        strict.setup(address, suppress=False, retry=Retry(NoBackoff(), 1))
        lenient.setup(address, retry=Retry(NoBackoff(), 1))
        await strict.set("key", 1)
        assert await lenient.get("key") == 1
        await asyncio.to_thread(server.stop)
        try:
            await strict.get("key")
        except CacheBackendInteractionError:
            pass
        else:
            raise AssertionError("no CacheBackendInteractionError")
        # A cache that is not there has nothing.
        assert await lenient.get("key", default="absent") == "absent"
        await asyncio.to_thread(server.start)
        assert await strict.get("key") == 1 == await lenient.get("key")
        await strict.close()
        await lenient.close()


run()
