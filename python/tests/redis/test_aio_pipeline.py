"""Pipelines, transactions, scripts, locks and MONITOR of the asyncio client on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from samewire.redis.aio import Client
from samewire.redis.exceptions import LockError, LockNotOwnedError, RedisError, WatchError


def on_server(port: int, use: Callable[[Client[Any]], Awaitable[object]], **options: Any) -> None:
    """Runs `use` with a client of a server that holds nothing."""

    async def main() -> None:
        async with Client[Any](host="127.0.0.1", port=port, **options) as client:
            await client.flushall()
            await use(client)

    asyncio.run(asyncio.wait_for(main(), 30))


def test_replies_come_in_the_order_of_the_commands(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pipeline() as pipe:
            assert pipe.set("a", 1) is pipe
            pipe.incr("a").append("a", "x").get("a").mget([]).hset("h", mapping={"f": "v"}).hgetall("h")
            assert len(pipe) == 7
            assert await pipe.execute() == [True, 2, 2, b"2x", [], 1, {b"f": b"v"}]
            assert len(pipe) == 0
            assert bool(pipe)
            assert await pipe.execute() == []
            assert await (await pipe.get("a")).execute() == [b"2x"]

    on_server(port, use)


def test_transactions_of_many_coroutines_stay_apart(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async def caller(number: int) -> None:
            for _ in range(10):
                pipe = client.pipeline().incr("n").incr("n").echo(number)
                first, second, echoed = await pipe.execute()
                assert (second, echoed) == (first + 1, b"%d" % number)

        await asyncio.gather(*[caller(number) for number in range(100)])
        assert await client.get("n") == b"2000"

    on_server(port, use)


def test_a_hundred_thousand_commands_in_one_pipeline(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        pipe = client.pipeline(transaction=False)
        for number in range(100_000):
            pipe.set("key", number)
        assert await pipe.execute() == [True] * 100_000

    on_server(port, use)


def test_a_transaction_fails_if_a_watched_key_changes(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        await client.set("a", 1)
        async with client.pipeline() as pipe:
            await pipe.watch("a")
            assert await pipe.execute_command("GET", "a") == b"1"
            pipe.multi()
            with pytest.raises(RedisError, match="was called before"):
                pipe.multi()
            with pytest.raises(RedisError, match="not possible after multi"):
                await pipe.watch("b")
            await client.set("a", 2)
            with pytest.raises(WatchError):
                await pipe.set("a", 3).execute()
            assert await client.get("a") == b"2"
            assert not pipe.watching
            await pipe.watch("a")
            assert await pipe.unwatch()
            await client.set("a", 4)
            assert await pipe.get("a").execute() == [b"4"]
            assert pipe.connection is None
        assert not client.connection_pool._in_use_connections

    on_server(port, use)


def test_transaction_begins_again_until_nobody_interferes(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async def add(pipe: Any) -> str:
            value = int(await pipe.get("counter") or 0)
            await asyncio.sleep(0)
            pipe.multi()
            pipe.set("counter", value + 1)
            return "added"

        replies = await asyncio.gather(*[client.transaction(add, "counter") for _ in range(30)])
        assert replies == [[True]] * 30
        assert await client.get("counter") == b"30"
        assert await client.transaction(add, "counter", value_from_callable=True) == "added"

    on_server(port, use)


def test_a_lock_is_one_holders(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        held = 0

        async def worker() -> None:
            nonlocal held
            async with client.lock("lock", timeout=5, sleep=0.001):
                held += 1
                assert held == 1
                await asyncio.sleep(0)
                held -= 1

        await asyncio.gather(*[worker() for _ in range(20)])
        lock, other = client.lock("lock", timeout=5), client.lock("lock", timeout=5)
        assert await lock.acquire()
        assert await lock.owned()
        assert await other.locked()
        assert not await other.acquire(blocking=False)
        assert not await other.acquire(blocking_timeout=0.01)
        assert await lock.extend(5)
        assert 5 < await client.pttl("lock") / 1000 <= 10
        assert await lock.reacquire()
        assert await client.pttl("lock") <= 5000
        await client.set("lock", "another's")
        with pytest.raises(LockNotOwnedError, match="lock 'lock'"):
            await lock.release()
        with pytest.raises(LockError, match="is not held"):
            await lock.release()
        with pytest.raises(LockError, match="not acquired"):
            async with client.lock("lock", blocking_timeout=0.01):
                raise AssertionError("it is another's")

    on_server(port, use)


def test_monitor_shows_what_runs(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.monitor() as monitor:
            await client.set("a", 'x "y"')
            shown = await monitor.next_command()
            assert (shown["command"], shown["client_type"]) == ('SET a x "y"', "tcp")
        assert not client.connection_pool._in_use_connections

    on_server(port, use)
