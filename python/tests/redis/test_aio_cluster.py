"""The asyncio client of a cluster on a real one: three masters, a replica each."""

from __future__ import annotations

import asyncio
import os
import time
from collections.abc import Callable, Coroutine, Iterator
from typing import Any

import clusters
import pytest
from samewire.redis.aio.client import Client
from samewire.redis.aio.cluster import ClusterNode, RedisCluster
from samewire.redis.cluster.topology import LoadBalancingStrategy
from samewire.redis.exceptions import (
    ConnectionError,
    CrossSlotTransactionError,
    RedisClusterException,
    RedisError,
    ResponseError,
    WatchError,
)

Test = Callable[[RedisCluster[Any]], Coroutine[Any, Any, None]]

KEYS = ["a", "b", "c", "foo", "bar", "{user:1}:name", "{user:1}:mail"]


@pytest.fixture(scope="module")
def servers() -> Iterator[clusters.Cluster]:
    with clusters.cluster() as made:
        yield made


@pytest.fixture
def run(servers: clusters.Cluster) -> Callable[[Test], None]:
    """Runs a test with a client of an empty cluster."""

    async def main(test: Test) -> None:
        async with RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port) as client:
            await client.execute_command("FLUSHALL")
            await test(client)

    return lambda test: asyncio.run(main(test))


def test_sends_commands_where_they_belong(run: Callable[[Test], None], servers: clusters.Cluster) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        await asyncio.gather(*(client.set(key, key) for key in KEYS))
        assert await asyncio.gather(*(client.get(key) for key in KEYS)) == [key.encode() for key in KEYS]
        assert await client.execute_command("MGET", *KEYS, "none") == [*(key.encode() for key in KEYS), None]
        assert await client.execute_command("EXISTS", *KEYS, "none") == len(KEYS)
        assert await client.execute_command("DBSIZE") == len(KEYS)
        assert sorted(await client.execute_command("KEYS", "*")) == sorted(key.encode() for key in KEYS)
        assert sorted([key async for key in client.scan_iter(count=2)]) == sorted(key.encode() for key in KEYS)
        assert await client.mset_nonatomic({"{a}x": 1, "{b}x": 2}) == [True, True]
        assert await client.mget_nonatomic(["{b}x", "{a}x"]) == [b"2", b"1"]
        assert await client.mget([]) == []
        assert len(await client.execute_command("TIME", target_nodes=client.ALL_NODES)) == 6
        assert await client.execute_command("DEL", *KEYS) == len(KEYS)
        for refused in (["MULTI"], ["SUBSCRIBE", "a"], ["CLIENT REPLY", "OFF"]):
            with pytest.raises(RedisError, match="changes the connection, which all callers share"):
                await client.execute_command(*refused)
            with pytest.raises(RedisError, match="changes the connection, which all callers share"):
                client.pipeline().execute_command(*refused)
        with pytest.raises(RedisClusterException, match="same key slot"):
            await client.execute_command("RENAME", "a", "b")

    run(test)


def test_a_pipeline_that_waits_holds_up_nobody_else(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        waits = asyncio.create_task(client.pipeline().set("{a}first", 1).blpop("{a}queue", 0).get("{a}first").execute())
        while await client.get("{a}first") is None:
            await asyncio.sleep(0.001)
        # The server has its BLPOP by then, or gets it: what others send is replied to, this push as well.
        assert await client.rpush("{a}queue", "job") == 1
        assert await waits == [True, (b"{a}queue", b"job"), b"1"]
        waits = asyncio.create_task(client.pipeline().execute_command("blpop", "{a}queue", 0).execute())
        await asyncio.sleep(0)
        assert await client.rpush("{a}queue", "job") == 1
        await waits

    run(lambda client: asyncio.wait_for(test(client), 60))


def test_callers_share_one_connection_to_each_node(run: Callable[[Test], None], servers: clusters.Cluster) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        before = [int(node.info("stats")["total_connections_received"]) for node in servers.masters]
        keys = [f"key{number}" for number in range(1000)]
        await asyncio.gather(*(client.set(key, key) for key in keys))
        assert await asyncio.gather(*(client.get(key) for key in keys)) == [key.encode() for key in keys]
        after = [int(node.info("stats")["total_connections_received"]) for node in servers.masters]
        # One for these commands, one for each time that this test asked.
        assert all(late - early <= 2 for early, late in zip(before, after, strict=True))

    run(test)


def test_a_blocking_command_holds_up_nobody(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        waiting = asyncio.create_task(client.execute_command("BLPOP", "{list}", 5))
        await asyncio.sleep(0.05)
        assert await client.set("{list}other", 1) is True
        await client.execute_command("RPUSH", "{list}", "x")
        assert list(await waiting) == [b"{list}", b"x"]

    run(test)


def test_pipelines_over_all_nodes_in_order(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        async with client.pipeline() as pipe:
            for number in range(300):
                pipe.set(f"key{number}", number).get(f"key{number}")
            assert await pipe.execute() == [reply for number in range(300) for reply in (True, str(number).encode())]
            pipe.execute_command("MGET", "key1", "key2").execute_command("DBSIZE").execute_command("LPUSH", "key1", 1)
            replies = await pipe.execute(raise_on_error=False)
            assert replies[:2] == [[b"1", b"2"], 300]
            with pytest.raises(ResponseError, match=r"Command # 2 \(LPUSH key1 1\) of pipeline caused error: WRONGTYPE"):
                await pipe.get("key2").execute_command("LPUSH", "key1", 1).execute()
            with pytest.raises(RedisClusterException, match=r"watch\(\) is not supported outside"):
                await pipe.watch("a")

    run(test)


def test_transactions_and_watched_keys(run: Callable[[Test], None]) -> None:
    async def add(pipe: Any) -> str:
        now = int(await pipe.get("{t}n") or 0)
        pipe.multi()
        pipe.set("{t}n", now + 1)
        return "added"

    async def test(client: RedisCluster[Any]) -> None:
        async with client.pipeline(transaction=True) as pipe:
            assert await pipe.set("{t}a", 1).incr("{t}a").execute() == [True, 2]
            pipe.set("a", 1).set("b", 1)
            with pytest.raises(CrossSlotTransactionError, match="same slot"):
                await pipe.execute()
            await pipe.watch("{t}a")
            assert await pipe.execute_command("GET", "{t}a") == b"2"
            await client.set("{t}a", 7)
            pipe.multi()
            pipe.set("{t}a", 3)
            with pytest.raises(WatchError):
                await pipe.execute()
        assert await client.get("{t}a") == b"7"
        await asyncio.gather(*(client.transaction(add, "{t}n") for _ in range(8)))
        assert await client.get("{t}n") == b"8"
        assert await client.transaction(add, "{t}n", value_from_callable=True) == "added"

    run(test)


def test_runs_registered_scripts_and_locks(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        script = client.register_script(f"return ARGV[1] .. redis.call('GET', KEYS[1]) -- {os.urandom(8).hex()}")
        await client.execute_command("MSET", "a", 1, "b", 2)
        assert await script(keys=["a"], args=["<"]) == b"<1"
        await client.execute_command("SCRIPT FLUSH")
        pipe = client.pipeline()
        for key in ("a", "b"):
            await script(keys=[key], args=[">"], client=pipe)
        assert await pipe.execute() == [b">1", b">2"]
        async with client.lock("lock", timeout=5):
            assert await client.lock("lock", blocking=False).acquire() is False

    run(test)


async def messages(get: Any, number: int) -> list[tuple[str, bytes, bytes]]:
    """The next messages, confirmations left out."""
    found: list[tuple[str, bytes, bytes]] = []
    until = time.monotonic() + 10
    while len(found) < number and time.monotonic() < until:
        message = await get(ignore_subscribe_messages=True, timeout=0.5)
        if message is not None:
            found.append((message["type"], message["channel"], message["data"]))
    return found


def test_subscribes_to_channels_on_one_node_and_to_shard_channels_on_theirs(
    run: Callable[[Test], None], servers: clusters.Cluster
) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        handled: list[Any] = []
        async with client.pubsub() as pubsub:
            await pubsub.subscribe("a", "b")
            await pubsub.psubscribe("p*")
            while sorted(await client.execute_command("PUBSUB CHANNELS")) != [b"a", b"b"]:
                await asyncio.sleep(0.01)
            for channel in ("a", "b", "p1"):
                await client.execute_command("PUBLISH", channel, channel)
            assert sorted(await messages(pubsub.get_message, 3)) == [
                ("message", b"a", b"a"),
                ("message", b"b", b"b"),
                ("pmessage", b"p1", b"p1"),
            ]
            await pubsub.ssubscribe("a", "b", "foo", "bar", c=handled.append)
            assert len(pubsub.node_pubsub_mapping) == 3
            while len(await client.execute_command("PUBSUB SHARDCHANNELS")) != 5:
                await asyncio.sleep(0.01)
            for channel in ("a", "b", "c", "foo", "bar"):
                await client.execute_command("SPUBLISH", channel, f"<{channel}>")
            assert sorted(await messages(pubsub.get_sharded_message, 4)) == sorted(
                ("smessage", channel, b"<" + channel + b">") for channel in (b"a", b"b", b"foo", b"bar")
            )
            assert [message["data"] for message in handled] == [b"<c>"]
            await pubsub.sunsubscribe("a")
            await pubsub.sunsubscribe()
            while pubsub.node_pubsub_mapping:
                await pubsub.get_sharded_message(timeout=0.5)
            assert await pubsub.get_sharded_message(timeout=0) is None

    run(test)


def test_a_cancelled_call_leaves_the_replies_of_others_in_place(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        await asyncio.gather(*(client.set(f"key{number}", number) for number in range(200)))
        for _ in range(10):
            calls = [asyncio.create_task(client.get(f"key{number}")) for number in range(200)]
            await asyncio.sleep(0)
            for call in calls[::3]:
                call.cancel()
            replies = await asyncio.gather(*calls, return_exceptions=True)
            for number, reply in enumerate(replies):
                assert reply == str(number).encode() or (number % 3 == 0 and isinstance(reply, asyncio.CancelledError))

    run(test)


def test_looks_for_the_cluster_when_first_used(servers: clusters.Cluster) -> None:
    dead = ClusterNode("127.0.0.1", clusters.free_port())

    async def main() -> None:
        client = RedisCluster[Any](
            startup_nodes=[dead, ClusterNode("localhost", servers.nodes[4].port)],
            decode_responses=True,
            load_balancing_strategy=LoadBalancingStrategy.ROUND_ROBIN,
        )
        assert client.get_nodes() == []
        assert await asyncio.gather(*(client.set(f"key{number}", "ä") for number in range(50))) == [True] * 50
        assert await client.decoding(False).get("key1") in ("ä".encode(), None)
        assert len(client.get_nodes()) == 6
        await client.aclose()
        with pytest.raises(RedisClusterException, match="Redis Cluster cannot be connected"):
            await RedisCluster[Any](startup_nodes=[dead])

    asyncio.run(main())


def test_the_client_class_makes_clients_of_clusters(servers: clusters.Cluster) -> None:
    async def main() -> None:
        async with Client.cluster([f"127.0.0.1:{servers.nodes[0].port}"]) as client:
            assert isinstance(client, RedisCluster)
            assert await client.set("a", 1) is True

    asyncio.run(main())


def test_one_client_in_two_loops(servers: clusters.Cluster) -> None:
    client = RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port)
    for number in range(2):

        async def main(number: int) -> None:
            assert await client.set("loop", number) is True
            assert await client.get("loop") == str(number).encode()
            await client.aclose()

        asyncio.run(main(number))


@pytest.mark.parametrize("turns", [1, 5])
def test_calls_that_wait_for_the_map_of_a_closed_client_fail(servers: clusters.Cluster, turns: int) -> None:
    """They are not cancelled: a CancelledError would end their tasks."""

    async def main() -> None:
        client = RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port)
        calls = [asyncio.create_task(client.get("a")) for _ in range(3)]
        for _ in range(turns):
            await asyncio.sleep(0)
        calls[0].cancel()
        await client.aclose()
        with pytest.raises(asyncio.CancelledError):
            await calls[0]
        for call in calls[1:]:
            with pytest.raises(ConnectionError, match="the client was closed"):
                await call

    asyncio.run(main())


def test_a_watch_that_is_cancelled_leaves_no_connection(run: Callable[[Test], None]) -> None:
    async def test(client: RedisCluster[Any]) -> None:
        await client.set("a", 1)
        for turns in range(12):
            pipe = client.pipeline(transaction=True)
            watch = asyncio.create_task(pipe.watch("a"))
            for _ in range(turns):
                await asyncio.sleep(0)
            watch.cancel()
            await asyncio.gather(watch, return_exceptions=True)
            await pipe.reset()
            pools = [client.nodes_manager.pool(node) for node in client.get_nodes()]
            assert [len(pool._in_use_connections) for pool in pools] == [0] * len(pools)

    run(test)
