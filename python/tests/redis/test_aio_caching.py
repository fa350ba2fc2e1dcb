"""Client-side caching of the asyncio client: replies are kept until the server says that they have changed."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from clusters import Process
from samewire.redis.aio import Client
from samewire.redis.aio.retry import Retry
from samewire.redis.backoff import ConstantBackoff
from samewire.redis.cache import CacheConfig, CacheStatistics, DefaultCache
from samewire.redis.exceptions import RedisError, ResponseError


def on_server(port: int, use: Callable[[Client[Any], Client[Any]], Awaitable[object]], **options: Any) -> None:
    """Runs `use` with a client that keeps replies, and one that does not."""

    async def main() -> None:
        options.setdefault("cache_config", CacheConfig(max_size=100))
        async with (
            Client[Any](host="127.0.0.1", port=port, **options) as client,
            Client[Any](host="127.0.0.1", port=port) as other,
        ):
            await other.flushall()
            await use(client, other)

    asyncio.run(asyncio.wait_for(main(), 120))


def counts(client: Client[Any]) -> CacheStatistics:
    cache = client.get_cache()
    assert isinstance(cache, DefaultCache)
    return cache.statistics()


async def becomes(read: Callable[[], Awaitable[Any]], value: Any) -> None:
    """Waits until an invalidation has come; `on_server` bounds it."""
    while await read() != value:
        await asyncio.sleep(0.002)


def test_a_reply_is_kept_until_its_key_changes(port: int) -> None:
    async def use(client: Client[Any], other: Client[Any]) -> None:
        await other.set("a", 1)
        await other.hset("h", "f", 1)
        for _ in range(5):
            assert await client.get("a") == b"1"
            assert await client.hgetall("h") == {b"f": b"1"}
            assert await client.mget("a", "b") == [b"1", None]
        assert (counts(client).hits, counts(client).misses) == (12, 3)
        await other.set("a", 2)
        await becomes(lambda: client.get("a"), b"2")
        await other.set("b", 3)
        await becomes(lambda: client.mget("a", "b"), [b"2", b"3"])
        assert await client.hgetall("h") == {b"f": b"1"}
        await other.flushall()
        await becomes(lambda: client.get("a"), None)
        await becomes(lambda: client.hgetall("h"), {})

    on_server(port, use)


def test_a_client_reads_what_it_wrote(port: int) -> None:
    async def use(client: Client[Any], other: Client[Any]) -> None:
        for number in range(200):
            await client.set("a", number)
            assert await client.get("a") == b"%d" % number
            assert await client.get("a") == b"%d" % number
            await client.pipeline().set("a", -number).execute()
            assert await client.get("a") == b"%d" % -number
            await client.rpush("l", number)
            assert await client.lrange("l", 0, -1) == [b"%d" % number]
            assert await client.blpop("l", 1) == (b"l", b"%d" % number)
            assert await client.lrange("l", 0, -1) == []

    on_server(port, use)


def test_values_are_the_callers_own_and_decoded_as_asked(port: int) -> None:
    async def use(client: Client[Any], other: Client[Any]) -> None:
        await other.rpush("l", "a", "b")
        first = await client.lrange("l", 0, -1)
        first.append("changed")
        assert await client.lrange("l", 0, -1) == [b"a", b"b"]
        assert await client.decoding().lrange("l", 0, -1) == ["a", "b"]
        assert await client.lrange("l", 0, -1) == [b"a", b"b"]
        with pytest.raises(ResponseError):
            await client.get("l")
        with pytest.raises(ResponseError):
            await client.get("l")

    on_server(port, use)


def test_never_older_than_what_was_acknowledged_before_a_ping(port: int) -> None:
    """Invalidations come on the connection that is read: those of all earlier writes come before the reply to PING."""

    async def use(client: Client[Any], other: Client[Any]) -> None:
        acknowledged: dict[str, int] = {}
        least: dict[str, int] = {}
        chance = random.Random(1)

        def enough() -> bool:
            return counts(client).hits > 1_000 and counts(client).invalidated > 100

        async def write(name: str) -> None:
            number = 0
            while not enough():
                number += 1
                await other.set(name, number)
                acknowledged[name] = number
                await asyncio.sleep(chance.random() / 200)

        async def settle() -> None:
            nonlocal least
            while not enough():
                before = dict(acknowledged)
                await client.ping()
                least = before

        async def read(name: str) -> None:
            while not enough():
                await asyncio.sleep(0)
                expected = least.get(name, 0)
                assert int(await client.get(name) or 0) >= expected

        names = [f"key:{number}" for number in range(4)]
        await asyncio.gather(settle(), *[write(name) for name in names], *[read(name) for name in names for _ in range(10)])
        for name in names:
            await becomes(lambda name=name: client.get(name), b"%d" % acknowledged[name])  # type: ignore[misc]

    on_server(port, use)


def test_a_cache_has_limits(port: int) -> None:
    async def use(client: Client[Any], other: Client[Any]) -> None:
        await asyncio.gather(*[client.get(f"key:{number}") for number in range(500)])
        assert counts(client).entries == 10
        assert counts(client).evicted == 490

    on_server(port, use, cache=DefaultCache(CacheConfig(max_size=10)), cache_config=None)


def test_caching_needs_resp3() -> None:
    with pytest.raises(RedisError, match="RESP version 3"):
        Client(protocol=2, cache_config=CacheConfig())


def test_nothing_is_kept_of_a_lost_connection() -> None:
    server = Process()

    async def main() -> None:
        options: Any = {"host": "127.0.0.1", "port": server.port, "retry": Retry(ConstantBackoff(0.01), 100)}
        async with Client[Any](**options, cache_config=CacheConfig()) as client, Client[Any](**options) as other:
            await other.set("a", 1)
            assert await client.get("a") == b"1"
            server.kill()
            server.start()
            await asyncio.to_thread(server.ready)
            await other.set("a", 2)
            assert await client.get("a") == b"2"
            assert counts(client).flushes >= 1
            await other.set("a", 3)
            await becomes(lambda: client.get("a"), b"3")

    try:
        server.ready()
        asyncio.run(asyncio.wait_for(main(), 20))
    finally:
        server.close()


def test_event_loops_do_not_trust_each_others_replies(port: int) -> None:
    client = Client[Any](host="127.0.0.1", port=port, cache_config=CacheConfig())

    async def use(value: int) -> None:
        async with Client[Any](host="127.0.0.1", port=port) as other:
            # The connection of the loop before heard of this; nobody listens to it any more.
            await other.set("a", value)
        assert await client.get("a") == b"%d" % value
        assert await client.get("a") == b"%d" % value

    for value in range(3):
        asyncio.run(use(value))
    assert counts(client).hits == 3
