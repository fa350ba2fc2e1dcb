"""A cluster whose masters change, move slots, stall and die under traffic. The tests use one cluster, in this order."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any

import clusters
import pytest
import traffic
from samewire.redis.aio.cluster import RedisCluster as AsyncCluster
from samewire.redis.cluster import RedisCluster
from samewire.redis.exceptions import TimeoutError
from samewire.redis.rules.slots import key_slot

KEYS = [f"key{number}" for number in range(12)]


@pytest.fixture(scope="module")
def servers() -> Iterator[clusters.Cluster]:
    with clusters.cluster() as made:
        yield made


@pytest.fixture
def client(servers: clusters.Cluster) -> Iterator[RedisCluster[Any]]:
    with RedisCluster[Any](host="127.0.0.1", port=servers.alive()[0].port) as made:
        made.execute_command("FLUSHALL")
        yield made


def both(client: RedisCluster[Any], servers: clusters.Cluster, keys: list[str]) -> traffic.Traffic:
    """Traffic of threads and of coroutines."""
    other = AsyncCluster[Any](host="127.0.0.1", port=servers.alive()[0].port)

    async def push(key: str, token: str) -> bool:
        return bool(await other.execute_command("RPUSH", key, token))

    made = traffic.Traffic(keys)
    made.threads(lambda key, token: bool(client.execute_command("RPUSH", key, token)), 4)
    made.coroutines(push, 20, other.initialize, other.aclose)
    made.until(300)
    return made


def replica_of(servers: clusters.Cluster, client: RedisCluster[Any], key: str) -> tuple[clusters.Process, clusters.Process]:
    """The process of a key's primary, and that of its replica."""
    slot = key_slot(key.encode())
    # Right after a fail-over, servers name no replica yet, and the client's map may be of that moment.
    until = time.monotonic() + 15
    while len(shard := client.nodes_manager.topology.shard(slot)) < 2 and time.monotonic() < until:
        time.sleep(0.05)
        client.nodes_manager.initialize()
    return servers.by_port(shard[0].port), servers.by_port(shard[1].port)


def role(process: clusters.Process) -> bytes:
    found = process.call("ROLE")[0]
    return bytes(found)


def swap(old: clusters.Process, new: clusters.Process) -> None:
    """Has a replica take its master's place, in agreement with it."""
    new.call("CLUSTER", "FAILOVER")
    clusters.wait_for(lambda: role(new) == b"master" and role(old) == b"slave")


def test_a_planned_fail_over_loses_and_repeats_nothing(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    writers = both(client, servers, KEYS)
    try:
        for _ in range(2):
            old, new = replica_of(servers, client, KEYS[0])
            swap(old, new)
            writers.until(500)
            clusters.wait_for(servers.whole)
            writers.until(200)
    finally:
        writers.stop()
    assert not writers.errors
    writers.check(lambda key: client.execute_command("LRANGE", key, 0, -1))


def test_slots_that_move_under_traffic_lose_and_repeat_nothing(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    tagged = [f"{{moving}}{number}" for number in range(8)]
    slot = key_slot(b"{moving}")
    source = replica_of(servers, client, "{moving}")[0]
    target = next(node for node in servers.masters_now() if node is not source)
    writers = both(client, servers, [*tagged, *KEYS])
    # Commands of several keys meet a slot half moved: TRYAGAIN.
    done = threading.Event()
    wrong: list[Any] = []

    def read() -> None:
        client.execute_command("MSET", *(word for number in range(20) for word in (f"{{moving}}s{number}", number)))
        names = [f"{{moving}}s{number}" for number in range(20)]
        while not done.is_set():
            try:
                found = client.execute_command("MGET", *names)
                pipe = client.pipeline()
                for name in names:
                    pipe.get(name)
                if found != pipe.execute() or found != [str(number).encode() for number in range(20)]:
                    wrong.append(found)
            except Exception as error:
                wrong.append(error)

    reader = threading.Thread(target=read)
    reader.start()
    try:
        writers.until(200)
        mine, theirs = source.call("CLUSTER", "MYID"), target.call("CLUSTER", "MYID")
        target.call("CLUSTER", "SETSLOT", slot, "IMPORTING", mine)
        source.call("CLUSTER", "SETSLOT", slot, "MIGRATING", theirs)
        moved = 0
        while keys := source.call("CLUSTER", "GETKEYSINSLOT", slot, 3):
            source.call("MIGRATE", "127.0.0.1", target.port, "", 0, 5000, "KEYS", *keys)
            moved += len(keys)
            time.sleep(0.002)
        assert moved >= 20
        for node in (target, source, *servers.masters_now()):
            node.call("CLUSTER", "SETSLOT", slot, "NODE", theirs)
        writers.until(300)
        assert target.info("commandstats")["cmdstat_asking"]
    finally:
        done.set()
        reader.join()
        writers.stop()
    assert not wrong
    assert not writers.errors
    assert client.get_node_from_key("{moving}") == client.get_node("127.0.0.1", target.port)
    writers.check(lambda key: client.execute_command("LRANGE", key, 0, -1))


def test_subscribers_follow_their_channels(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    """Slots that move take their shard channels with them; a fail-over by force closes no connection of subscribers."""
    clusters.wait_for(servers.whole)
    slot = key_slot(b"{moving}")
    source = replica_of(servers, client, "{moving}")[0]
    target = next(node for node in servers.masters_now() if node is not source)
    theirs = target.call("CLUSTER", "MYID")
    found: list[bytes] = []

    async def main() -> None:
        asynchronous = AsyncCluster[Any](host="127.0.0.1", port=servers.nodes[0].port)
        async with asynchronous, asynchronous.pubsub() as other:
            await other.ssubscribe("{moving}")
            with client.pubsub() as pubsub:
                pubsub.ssubscribe("{moving}")
                for node in (target, source, *servers.masters_now()):
                    for key in source.call("CLUSTER", "GETKEYSINSLOT", slot, 1000):
                        source.call("DEL", key)
                    node.call("CLUSTER", "SETSLOT", slot, "NODE", theirs)
                until = time.monotonic() + 10
                while len(set(found)) < 2 and time.monotonic() < until:
                    await asynchronous.execute_command("SPUBLISH", "{moving}", "moved")
                    for name, message in (
                        (b"sync", pubsub.get_sharded_message(True, timeout=0.05)),
                        (b"async", await other.get_sharded_message(True, timeout=0.05)),
                    ):
                        if message is not None and message["type"] == "smessage":
                            found.append(name)
                assert set(found) == {b"sync", b"async"}
                assert list(pubsub.node_pubsub_mapping) == list(other.node_pubsub_mapping) == [f"127.0.0.1:{target.port}"]

    asyncio.run(main())


def test_many_callers_that_are_redirected_at_once_ask_for_the_map_once(
    client: RedisCluster[Any], servers: clusters.Cluster
) -> None:
    clusters.wait_for(servers.whole)

    async def main() -> int:
        async with AsyncCluster[Any](host="127.0.0.1", port=servers.nodes[0].port) as asynchronous:
            await asyncio.gather(*(asynchronous.get(f"k{number}") for number in range(100)))
            old, new = replica_of(servers, client, KEYS[0])
            swap(old, new)
            before = servers.calls("cluster|slots")
            assert await asyncio.gather(*(asynchronous.get(f"k{number}") for number in range(1000))) == [None] * 1000
            await asyncio.sleep(0.3)
            return servers.calls("cluster|slots") - before

    assert asyncio.run(main()) <= 2

    # The map of `client` is old, too: threads find it out at once.
    clusters.wait_for(servers.whole)
    before = servers.calls("cluster|slots")
    threads = [threading.Thread(target=client.get, args=(f"k{number}",)) for number in range(64)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    time.sleep(0.3)
    assert servers.calls("cluster|slots") - before <= 2


def test_a_node_that_stalls_does_not_stall_the_others(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    clusters.wait_for(servers.whole)
    stalled = replica_of(servers, client, KEYS[0])[0]
    others = [key for key in KEYS if replica_of(servers, client, key)[0] is not stalled]
    theirs = [key for key in KEYS if key not in others]

    async def main() -> None:
        async with AsyncCluster[Any](host="127.0.0.1", port=servers.nodes[0].port) as asynchronous:
            await asyncio.gather(*(asynchronous.set(key, key) for key in KEYS))
            stalled.stall()
            try:
                waiting = [asyncio.create_task(asynchronous.get(key)) for key in theirs]
                thread = threading.Thread(target=client.get, args=(theirs[0],))
                thread.start()
                for _ in range(20):
                    assert await asyncio.gather(*(asynchronous.get(key) for key in others)) == [key.encode() for key in others]
                    assert client.execute_command("MGET", *others) == [key.encode() for key in others]
                    await asyncio.sleep(0.01)
                # All of it within the time that one of these calls has.
                assert not any(call.done() for call in waiting)
                assert thread.is_alive()
            finally:
                stalled.go_on()
            assert await asyncio.gather(*waiting) == [key.encode() for key in theirs]
            thread.join(5)
            assert not thread.is_alive()

    asyncio.run(main())
    with RedisCluster[Any](host="127.0.0.1", port=servers.masters_now()[0].port, socket_timeout=0.2) as hasty:
        hasty.execute_command("DEL", theirs[0])
        stalled.stall()
        try:
            with pytest.raises(TimeoutError) as caught:
                hasty.execute_command("RPUSH", theirs[0], 1)
            assert caught.value.may_have_run is True
        finally:
            stalled.go_on()
        assert hasty.execute_command("LLEN", theirs[0]) == 1, "it ran, and was not sent again"


def test_a_master_that_dies_loses_nothing_that_its_replica_had(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    clusters.wait_for(servers.whole)
    victim, heir = replica_of(servers, client, KEYS[0])
    other = AsyncCluster[Any](host="127.0.0.1", port=heir.port)

    def sure(replies: list[Any], node: Any) -> bool:
        """What a master that is about to die has acknowledged counts if its replica has it."""
        return isinstance(replies[0], int) and (node.port != victim.port or (isinstance(replies[1], int) and replies[1] >= 1))

    def raised(replies: list[Any]) -> None:
        if isinstance(replies[0], Exception):
            raise replies[0]

    def push(key: str, token: str) -> bool:
        node = client.get_node_from_key(key)
        pipe = client.pipeline().execute_command("RPUSH", key, token).execute_command("WAIT", 1, 100, target_nodes=node)
        replies = pipe.execute(raise_on_error=False)
        raised(replies)
        return sure(replies, node)

    async def push_too(key: str, token: str) -> bool:
        node = other.get_node_from_key(key)
        pipe = other.pipeline().execute_command("RPUSH", key, token)
        if node is not None and node.port == victim.port:
            pipe.execute_command("WAIT", 1, 100, target_nodes=node)
        replies = await pipe.execute(raise_on_error=False)
        raised(replies)
        return sure([*replies, 0], node)

    channel = KEYS[0]
    subscriber = client.pubsub()
    subscriber.subscribe(channel)
    subscriber.ssubscribe(channel)
    assert subscriber.get_pubsub_node() == client.get_node_from_key(channel)
    heard: set[str] = set()

    async def listen() -> None:
        """Listens by an asyncio client until both kinds of messages have come after the fail-over."""
        own = AsyncCluster[Any](host="127.0.0.1", port=heir.port)
        async with own, own.pubsub() as pubsub:
            await pubsub.subscribe(channel)
            await pubsub.ssubscribe(channel)
            while len(heard) < 2:
                for get in (pubsub.get_message, pubsub.get_sharded_message):
                    message = await get(ignore_subscribe_messages=True, timeout=0.05)
                    if message is not None and message["data"] == b"after":
                        heard.add(message["type"])

    writers = traffic.Traffic(KEYS)
    writers.threads(push, 4)
    writers.coroutines(push_too, 20, other.initialize, other.aclose)
    listening = threading.Thread(target=asyncio.run, args=(listen(),))
    listening.start()
    try:
        writers.until(300)
        victims = [key for key in KEYS if replica_of(servers, client, key)[0] is victim]
        left = [node for node in servers.nodes if node is not victim]
        before = servers.calls("cluster|slots", left)
        victim.kill()
        killed = time.monotonic()
        clusters.wait_for(lambda: role(heir) == b"master")
        elected = time.monotonic()
        clusters.wait_for(lambda: all(client.get_node_from_key(key).port == heir.port for key in victims))  # type: ignore[union-attr]
        writers.until(300)
    finally:
        writers.stop()
    writers.check(lambda key: client.execute_command("LRANGE", key, 0, -1))
    assert all(getattr(error, "code", "") in ("closed", "timeout", "unsupported", "misuse") for error in writers.errors)
    # Two clients, for as long as there was no master: rounds that are further and further apart.
    assert servers.calls("cluster|slots", left) - before <= 2 * (6 + 2 * (elected - killed))
    kinds: set[str] = set()
    until = time.monotonic() + 10
    while (len(kinds) < 2 or len(heard) < 2) and time.monotonic() < until:
        client.execute_command("PUBLISH", channel, "after")
        client.execute_command("SPUBLISH", channel, "after")
        for get in (subscriber.get_message, subscriber.get_sharded_message):
            message = get(ignore_subscribe_messages=True, timeout=0.05)
            if message is not None:
                kinds.add(message["type"])
    listening.join(5)
    assert kinds == heard == {"message", "smessage"}
    subscriber.close()
    for key in victims:
        assert client.execute_command("RPUSH", f"after:{{{key}}}", 1) == 1
