"""Pipelines, transactions, scripts, locks and MONITOR of the asyncio client on a real server."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from samewire.redis.aio import Client
from samewire.redis.exceptions import LockError, LockNotOwnedError, RedisError, ResponseError, WatchError


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


@pytest.mark.parametrize("transaction", [True, False])
def test_an_error_reply_is_raised_or_stands_in_its_place(port: int, transaction: bool) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pipeline(transaction) as pipe:
            with pytest.raises(ResponseError, match=r"Command # 2 \(LPUSH a 1\) of pipeline caused error: WRONGTYPE"):
                await pipe.set("a", 1).lpush("a", 1).execute()
            replies = await pipe.lpush("a", 1).get("a").execute(raise_on_error=False)
            assert isinstance(replies[0], ResponseError)
            assert replies[1] == b"1"

    on_server(port, use)


def test_a_command_that_is_refused_when_queued_aborts_its_transaction(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pipeline() as pipe:
            pipe.set("a", 1).execute_command("NO-SUCH-COMMAND")
            with pytest.raises(ResponseError, match=r"Command # 2 \(NO-SUCH-COMMAND\)"):
                await pipe.execute()
            assert await client.get("a") is None

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


def test_a_subclass_may_look_at_each_command(port: int) -> None:
    from samewire.redis.aio.client import Pipeline

    class Counting(Pipeline):
        seen = 0

        def execute_command(self, *args: Any, **options: Any) -> Any:
            self.seen += 1
            return super().execute_command(*args, **options)

    async def use(client: Client[Any]) -> None:
        pipe = Counting(client.connection_pool, client.response_callbacks, True, None)
        assert pipe.set("a", 1).get("a").command_stack == [(("SET", "a", "1"), {}), (("GET", "a"), {})]
        assert await pipe.execute() == [True, b"1"]
        assert pipe.seen == 2

    on_server(port, use)


def test_scripts_are_loaded_where_the_server_lacks_them(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        script = client.register_script("return {KEYS[1], ARGV[1]}")
        assert await script(keys=["k"], args=["v"]) == [b"k", b"v"]
        await client.script_flush()
        async with client.pipeline() as pipe:
            await script(keys=["k"], args=[1], client=pipe)
            pipe.get("a")
            assert await pipe.execute() == [[b"k", b"1"], None]
        await client.script_flush()
        assert await script(["k"], ["v"]) == [b"k", b"v"]

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
