"""aiocache on its Redis cache: values, serializers, locks, decorators."""

from __future__ import annotations

import asyncio

from aiocache import Cache, cached
from aiocache.lock import OptimisticLock, OptimisticLockError, RedLock
from aiocache.serializers import BaseSerializer, JsonSerializer, PickleSerializer
from harness import URL, check, run

HOST, PORT = URL.removeprefix("redis://").split("/")[0].split(":")


def cache(namespace: str, serializer: BaseSerializer | None = None) -> Cache:
    return Cache(
        Cache.REDIS, endpoint=HOST, port=int(PORT), namespace=namespace, serializer=serializer or PickleSerializer(), timeout=5
    )


@check
async def values() -> None:
    async with cache("main") as store:
        assert await store.set("key", {"a": (1, 2)}, ttl=10) and await store.get("key") == {"a": (1, 2)}
        assert await store.multi_set([("a", 1), ("b", "two")], ttl=5)
        assert await store.multi_get(["a", "b", "absent"]) == [1, "two", None]
        try:
            await store.add("a", 2)
        except ValueError:
            pass
        else:
            raise AssertionError("no ValueError")
        assert await store.exists("a") and await store.delete("a") == 1 and not await store.exists("a")
        assert await store.expire("b", 1)
        assert await store.set("short", 1, ttl=0.05)
        await asyncio.sleep(0.1)
        assert await store.get("short") is None
        await store.raw("set", "counter", 5)
        assert await store.raw("incr", "counter") == 6
        assert await store.clear(namespace="main") and await store.get("key") is None


@check
async def locks() -> None:
    async with cache("locks", JsonSerializer()) as store:
        async with RedLock(store, "key", lease=2):
            pass
        await store.set("value", 1)
        async with OptimisticLock(store, "value") as lock:
            await lock.cas(2)
        assert await store.get("value") == 2
        try:
            async with OptimisticLock(store, "value") as lock:
                await store.set("value", 3)
                await lock.cas(4)
        except OptimisticLockError:
            pass
        else:
            raise AssertionError("no OptimisticLockError")


@check
async def decorated() -> None:
    calls = []

    @cached(ttl=10, cache=Cache.REDIS, endpoint=HOST, port=int(PORT), namespace="functions", serializer=PickleSerializer())
    async def slow(number: int) -> int:
        calls.append(number)
        return number * 2

    assert await slow(4) == 8 == await slow(4) and calls == [4]
    await asyncio.gather(*(slow(i) for i in range(20)))
    assert len(calls) == 20
    await slow.cache.close()


run()
