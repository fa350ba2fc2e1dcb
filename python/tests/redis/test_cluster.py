"""The blocking client of a cluster on a real one: three masters, a replica each."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Iterator
from typing import Any

import clusters
import pytest
import servers as servers_of
from interrupting import interrupted
from samewire.redis.client import Client
from samewire.redis.cluster import ClusterNode, LoadBalancingStrategy, RedisCluster
from samewire.redis.cluster.placement import slot_of
from samewire.redis.exceptions import (
    CrossSlotTransactionError,
    DataError,
    RedisClusterException,
    RedisError,
    ResponseError,
    WatchError,
)
from samewire.redis.rules.slots import key_slot
from test_cycles import freed


@pytest.fixture(scope="module")
def servers() -> Iterator[clusters.Cluster]:
    with clusters.cluster() as made:
        yield made


@pytest.fixture
def client(servers: clusters.Cluster) -> Iterator[RedisCluster[Any]]:
    with RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port) as made:
        made.execute_command("FLUSHALL")
        yield made


#: Keys of each of the three masters, and two that are together.
KEYS = ["a", "b", "c", "foo", "bar", "{user:1}:name", "{user:1}:mail"]


def test_an_interrupted_subscriber_gets_every_message(client: RedisCluster[Any]) -> None:
    with client.pubsub() as made:
        subscriber: Any = made
        subscriber.subscribe("news")
        for name in KEYS:
            subscriber.ssubscribe(name)
        assert subscriber.get_message(timeout=30)["type"] == "subscribe"
        for _ in KEYS:
            assert subscriber.get_sharded_message(timeout=30)["type"] == "ssubscribe"
        connections = [one.connection for one in (subscriber, *subscriber.node_pubsub_mapping.values())]
        socks = [connection._sock for connection in connections]
        for wait in (subscriber.get_message, subscriber.get_sharded_message):
            with interrupted(KeyboardInterrupt):
                wait(timeout=60)
        client.publish("news", "one")
        for name in KEYS:
            client.spublish(name, "two")
        assert subscriber.get_message(timeout=30)["data"] == b"one"
        assert [subscriber.get_sharded_message(timeout=30)["data"] for _ in KEYS] == [b"two"] * len(KEYS)
        assert [connection._sock for connection in connections] == socks


def test_a_view_of_a_cluster_leaves_its_client_open(servers: clusters.Cluster) -> None:
    def connected(client: RedisCluster[Any]) -> bool:
        pool = client.get_redis_connection(client.nodes_manager.topology.serving(key_slot(b"a"))).connection_pool
        return any(connection.is_connected for connection in pool._connections)

    client = RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port)
    with client.decoding() as view:
        view.get("a")
    assert connected(client)
    client.close()
    assert not connected(client)
    with RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port).repeating() as only:
        only.get("a")
        assert connected(only)
    assert not connected(only)


def test_refused_commands_are_in_no_reference_cycle(client: RedisCluster[Any]) -> None:
    client.set("a", "text")
    pipe = client.pipeline
    for call in (
        lambda: client.lpush("a", 1),
        lambda: client.execute_command("LPUSH", "a", 1, target_nodes="primaries"),
        lambda: client.blpop("a", 1),
        lambda: pipe().lpush("a", 1).get("b").execute(),
        lambda: pipe(transaction=True).lpush("a", 1).execute(),
    ):
        freed(call)


def test_computes_slots_as_the_servers_do(servers: clusters.Cluster) -> None:
    for key in [
        b"",
        b"foo",
        b"{foo}bar",
        b"foo{}{bar}",
        b"foo{{bar}}zap",
        b"{}",
        b"}{x}",
        b"\x00\xff{\xc3\xa9}",
        "é".encode(),
        b"x" * 999,
    ]:
        assert key_slot(key) == servers.nodes[0].call("CLUSTER", "KEYSLOT", key)


def test_sends_each_key_to_its_node(client: RedisCluster[Any]) -> None:
    for key in KEYS:
        assert client.set(key, key) is True
    assert [client.get(key) for key in KEYS] == [key.encode() for key in KEYS]
    assert len({client.get_node_from_key(key) for key in KEYS}) == 3
    for key in KEYS:
        node = client.get_node_from_key(key)
        assert node is not None
        assert client.get_redis_connection(node).execute_command("GET", key) == key.encode()


def test_splits_commands_of_several_slots_and_keeps_the_order(client: RedisCluster[Any]) -> None:
    assert client.execute_command("MSET", *(word for key in KEYS for word in (key, f"<{key}>"))) is True
    assert client.execute_command("MGET", *KEYS, "none", *KEYS[::-1]) == [
        *(f"<{key}>".encode() for key in KEYS),
        None,
        *(f"<{key}>".encode() for key in KEYS[::-1]),
    ]
    assert client.execute_command("EXISTS", *KEYS, "a", "none") == len(KEYS) + 1
    assert client.execute_command("TOUCH", "a", "b", "none") == 2
    assert client.execute_command("UNLINK", "a", "b", "none") == 2
    assert client.execute_command("DEL", *KEYS) == len(KEYS) - 2


@pytest.mark.parametrize("command", [["MULTI"], ["SUBSCRIBE", "a"], ["client", "reply", "off"], ["MONITOR"], ["WATCH", "a"]])
def test_refuses_what_would_change_a_connection_of_others(client: RedisCluster[Any], command: list[str]) -> None:
    for execute in (client.execute_command, client.pipeline().execute_command):
        with pytest.raises(RedisError, match="changes the connection, which all callers share"):
            execute(*command)
    assert client.set("a", 1) is True


def test_commands_that_only_clusters_have(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    assert client.mset_nonatomic({"a": 1, "b": 2, "{a}": 3}) == [True, True]
    assert client.mget_nonatomic(["b", "{a}"], "none") == [b"2", b"3", None]
    assert client.mget([]) == []
    by_range = client.cluster_slots()
    assert sorted(by_range) == [(0, 5460), (5461, 10922), (10923, 16383)]
    assert by_range[0, 5460]["primary"] == ("127.0.0.1", servers.masters[0].port)
    assert len(by_range[0, 5460]["replicas"]) == 1
    assert sorted(ends for shard in client.cluster_shards() for ends in shard["slots"]) == sorted(by_range)
    assert client.cluster_countkeysinslot(key_slot(b"a")) == 2
    assert len(client.cluster_myshardid()) == 40
    assert len(client.cluster_nodes()) == 6
    assert set(client.client_tracking_on().values()) == {b"OK"}
    assert len(client.client_tracking_off(target_nodes="primaries")) == 3
    with pytest.raises(RedisClusterException, match="SWAPDB is not supported in cluster mode"):
        client.swapdb(0, 1)


def test_refuses_what_cannot_be_split(client: RedisCluster[Any]) -> None:
    for command in (["MSETNX", "a", 1, "b", 2], ["RENAME", "a", "b"], ["SINTER", "a", "b"]):
        with pytest.raises(RedisClusterException, match="all keys must map to the same key slot"):
            client.execute_command(*command)
    assert client.execute_command("MSETNX", "{user:1}:name", 1, "{user:1}:mail", 2) in (True, 1)
    with pytest.raises(RedisClusterException, match="No way to dispatch"):
        client.execute_command("GET")


def test_sends_commands_without_keys_where_they_belong(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    for number in range(60):
        client.set(f"key{number}", number)
    assert client.execute_command("DBSIZE") == 60
    assert sorted(client.execute_command("KEYS", "key*")) == sorted(f"key{number}".encode() for number in range(60))
    assert sorted(client.scan_iter(match="key*", count=7)) == sorted(f"key{number}".encode() for number in range(60))
    by_node = client.execute_command("TIME", target_nodes="all")
    assert sorted(by_node) == sorted(f"127.0.0.1:{node.port}" for node in servers.nodes)
    assert client.execute_command("PING") is True
    assert client.execute_command("FLUSHALL") is True
    assert all(node.call("DBSIZE") == 0 for node in servers.masters)


def test_targets_nodes(client: RedisCluster[Any], servers: clusters.Cluster) -> None:
    first = client.get_primaries()[0]
    assert client.execute_command("CLUSTER MYID", target_nodes=first) == servers.by_port(first.port).call("CLUSTER", "MYID")
    two = client.execute_command("CLUSTER MYID", target_nodes=client.get_primaries()[:2])
    assert list(two) == [node.name for node in client.get_primaries()[:2]]
    assert len(client.execute_command("TIME", target_nodes=client.PRIMARIES)) == 3
    assert len(client.execute_command("TIME", target_nodes={"x": first})) == 2
    with pytest.raises(TypeError, match="expected one of"):
        client.execute_command("TIME", target_nodes="everybody")
    with pytest.raises(TypeError, match="of type int"):
        client.execute_command("TIME", target_nodes=7)


def test_loads_scripts_everywhere(client: RedisCluster[Any]) -> None:
    digest = client.execute_command("SCRIPT LOAD", "return redis.call('GET', KEYS[1])")
    assert client.execute_command("SCRIPT EXISTS", digest, "0" * 40) == [True, False]
    for key in KEYS:
        client.set(key, key)
        assert client.execute_command("EVALSHA", digest, 1, key) == key.encode()
    assert client.execute_command("EVAL", "return 7", 0) == 7
    with pytest.raises(RedisClusterException, match="same key slot"):
        client.execute_command("EVAL", "return 7", 2, "a", "b")


def test_pipelines_over_all_nodes_in_order(client: RedisCluster[Any]) -> None:
    pipe = client.pipeline()
    for number in range(300):
        pipe.execute_command("SET", f"key{number}", number)
        pipe.execute_command("GET", f"key{number}")
    assert pipe.execute() == [reply for number in range(300) for reply in (True, str(number).encode())]
    assert len(pipe) == 0
    pipe.execute_command("MGET", "key1", "key2", "key3").execute_command("DBSIZE").execute_command("LPUSH", "key1", 1)
    replies = pipe.execute_command("GET", "key2").execute(raise_on_error=False)
    assert replies[:2] == [[b"1", b"2", b"3"], 300]
    assert isinstance(replies[2], ResponseError)
    assert replies[3] == b"2"
    with pytest.raises(ResponseError, match=r"Command # 2 \(LPUSH key1 1\) of pipeline caused error: WRONGTYPE"):
        pipe.execute_command("GET", "key2").execute_command("LPUSH", "key1", 1).execute()
    with pytest.raises(RedisClusterException, match="watch\\(\\) is not supported outside"):
        pipe.watch("a")


def test_runs_transactions_within_one_slot(client: RedisCluster[Any]) -> None:
    with client.pipeline(transaction=True) as pipe:
        pipe.set("{t}a", 1).incr("{t}a").execute_command("MGET", "{t}a", "{t}b")
        assert pipe.execute() == [True, 2, [b"2", None]]
        pipe.set("{t}a", 1).execute_command("LPUSH", "{t}a", 1).incr("{t}a")
        with pytest.raises(ResponseError, match=r"Command # 2 \(LPUSH {t}a 1\) of pipeline caused error: WRONGTYPE"):
            pipe.execute()
        assert client.get("{t}a") == b"2"
        pipe.set("a", 1).set("b", 1)
        with pytest.raises(CrossSlotTransactionError, match="same slot"):
            pipe.execute()
        assert pipe.execute() == []


def test_watches_keys(client: RedisCluster[Any]) -> None:
    client.set("{t}a", 1)
    with client.pipeline(transaction=True) as pipe:
        pipe.watch("{t}a")
        assert pipe.execute_command("GET", "{t}a") == b"1"
        with pytest.raises(CrossSlotTransactionError, match="in another slot"):
            pipe.watch("other")
        pipe.multi()
        pipe.set("{t}a", 2)
        assert pipe.execute() == [True]
        pipe.watch("{t}a")
        client.set("{t}a", 7)
        pipe.multi()
        pipe.set("{t}a", 3)
        with pytest.raises(WatchError, match="a watched key was changed"):
            pipe.execute()
        pipe.watch("{t}a")
        assert pipe.unwatch() in (True, b"OK")
        assert not pipe.watching
    assert client.get("{t}a") == b"7"

    def add(pipe: Any) -> str:
        now = int(pipe.get("{t}n") or 0)
        pipe.multi()
        pipe.set("{t}n", now + 1)
        return "added"

    threads = [threading.Thread(target=client.transaction, args=(add, "{t}n")) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert client.get("{t}n") == b"8"
    assert client.transaction(add, "{t}n", value_from_callable=True) == "added"


def test_runs_registered_scripts_and_locks(client: RedisCluster[Any]) -> None:
    script = client.register_script(f"return ARGV[1] .. redis.call('GET', KEYS[1]) -- {os.urandom(8).hex()}")
    client.execute_command("MSET", "a", 1, "b", 2)
    assert script(keys=["a"], args=["<"]) == b"<1"
    client.execute_command("SCRIPT FLUSH")
    pipe = client.pipeline()
    for key in ("a", "b"):
        script(keys=[key], args=[">"], client=pipe)
    assert pipe.execute() == [b">1", b">2"]
    with client.lock("lock", timeout=5):
        assert client.lock("lock", blocking=False).acquire() is False
    assert client.lock("lock", blocking=False).acquire() is True


def messages(get: Any, number: int) -> list[tuple[str, bytes, bytes]]:
    """The next messages, confirmations left out."""
    found: list[tuple[str, bytes, bytes]] = []
    until = time.monotonic() + 10
    while len(found) < number and time.monotonic() < until:
        message = get(ignore_subscribe_messages=True, timeout=0.5)
        if message is not None:
            found.append((message["type"], message["channel"], message["data"]))
    return found


def test_subscribes_to_channels_on_one_node_and_to_shard_channels_on_theirs(client: RedisCluster[Any]) -> None:
    handled: list[Any] = []
    with client.pubsub() as pubsub:
        pubsub.subscribe("a", "b")
        pubsub.psubscribe("p*")
        clusters.wait_for(lambda: sorted(client.execute_command("PUBSUB CHANNELS")) == [b"a", b"b"])
        for channel in ("a", "b", "p1"):
            client.execute_command("PUBLISH", channel, channel)
        assert sorted(messages(pubsub.get_message, 3)) == [
            ("message", b"a", b"a"),
            ("message", b"b", b"b"),
            ("pmessage", b"p1", b"p1"),
        ]
        pubsub.ssubscribe("a", "b", "foo", "bar", c=handled.append)
        assert len(pubsub.node_pubsub_mapping) == 3
        clusters.wait_for(lambda: len(client.execute_command("PUBSUB SHARDCHANNELS")) == 5)
        for channel in ("a", "b", "c", "foo", "bar"):
            client.execute_command("SPUBLISH", channel, f"<{channel}>")
        assert sorted(messages(pubsub.get_sharded_message, 4)) == sorted(
            ("smessage", channel, b"<" + channel + b">") for channel in (b"a", b"b", b"foo", b"bar")
        )
        assert [message["data"] for message in handled] == [b"<c>"]
        pubsub.sunsubscribe("a")
        pubsub.sunsubscribe()
        while pubsub.node_pubsub_mapping:
            pubsub.get_sharded_message(timeout=0.5)
        assert pubsub.get_sharded_message(timeout=0) is None
        assert not pubsub.node_pubsub_mapping
    with pytest.raises(RedisClusterException, match="is not a node of the cluster"):
        client.pubsub(host="127.0.0.1", port=1)
    node = client.get_replicas()[0]
    with client.pubsub(node) as pubsub:
        pubsub.subscribe("a")
        assert client.execute_command("PUBSUB CHANNELS", target_nodes=node) == [b"a"]
        assert pubsub.get_pubsub_node() == node


@pytest.mark.parametrize("strategy", [None, *LoadBalancingStrategy])
def test_reads_from_replicas(servers: clusters.Cluster, strategy: LoadBalancingStrategy | None) -> None:
    with RedisCluster[Any](
        host="127.0.0.1", port=servers.nodes[0].port, read_from_replicas=strategy is None, load_balancing_strategy=strategy
    ) as client:
        client.set("a", 1)
        primary = client.get_node_from_key("a")
        assert primary is not None
        assert servers.by_port(primary.port).call("WAIT", 1, 1000) >= 0
        served = set()
        for _ in range(40):
            node = client.nodes_manager.topology.serving(key_slot(b"a"), client._strategy(("GET", "a")))
            served.add(node.server_type)
        only_replicas = strategy in (LoadBalancingStrategy.ROUND_ROBIN_REPLICAS, LoadBalancingStrategy.RANDOM_REPLICA)
        assert served == ({"replica"} if only_replicas else {"primary", "replica"})
        clusters.wait_for(lambda: [client.get("a") for _ in range(10)] == [b"1"] * 10)
        assert client.set("a", 2) is True, "writes go to the primary"


def test_decodes_by_client_and_by_view(servers: clusters.Cluster, client: RedisCluster[Any]) -> None:
    client.set("a", "ä")
    assert client.get("a") == "ä".encode()
    assert client.decoding(True).get("a") == "ä"
    with RedisCluster[Any](host="127.0.0.1", port=servers.nodes[0].port, decode_responses=True) as texts:
        assert texts.get("a") == "ä"
        assert texts.decoding(False).get("a") == "ä".encode()


def test_many_threads_share_a_client(client: RedisCluster[Any]) -> None:
    wrong: list[Any] = []

    def work(number: int) -> None:
        for step in range(50):
            key = f"key{number}:{step}"
            client.set(key, key)
            if client.get(key) != key.encode():
                wrong.append(key)

    threads = [threading.Thread(target=work, args=(number,)) for number in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def test_finds_the_cluster_by_any_startup_node_that_replies(servers: clusters.Cluster) -> None:
    dead = clusters.free_port()
    nodes = [ClusterNode("127.0.0.1", dead), ClusterNode("localhost", servers.nodes[4].port)]
    with RedisCluster[Any](startup_nodes=nodes) as client:
        assert len(client.get_nodes()) == 6
        assert client.set_default_node(client.get_replicas()[0]) is True
        assert client.set_default_node(ClusterNode("127.0.0.1", dead)) is False
    with pytest.raises(RedisClusterException, match="Redis Cluster cannot be connected"):
        RedisCluster[Any](startup_nodes=nodes[:1])


def test_says_what_is_wrong_with_its_options(servers: clusters.Cluster) -> None:
    for options, text in [
        ({}, "requires at least one node"),
        ({"host": "127.0.0.1", "db": 1}, "only database 0"),
        ({"url": "unix:///tmp/x"}, "unix socket"),
        ({"url": "redis://localhost/3"}, "out of the URL"),
    ]:
        with pytest.raises(RedisClusterException, match=text):
            RedisCluster[Any](**options)  # type: ignore[arg-type]
    with servers_of.valkey() as single, pytest.raises(RedisClusterException, match="Cluster mode is not enabled"):
        RedisCluster[Any](host="127.0.0.1", port=single.port)


def test_the_client_class_makes_clients_of_clusters(servers: clusters.Cluster) -> None:
    port = servers.nodes[0].port
    for address in (f"127.0.0.1:{port}", ("127.0.0.1", port), ClusterNode("127.0.0.1", port)):
        with Client.cluster([address], decode_responses=True) as client:
            assert client.set("a", "ä") is True
            assert client.get("a") == "ä"
    with Client[Any](port=port) as single:
        assert single.cluster("KEYSLOT", "foo") == key_slot(b"foo")
    with pytest.raises(DataError, match=r"expected a list of addresses, got '127.0.0.1': pass \['127.0.0.1'\]"):
        Client.cluster("127.0.0.1")
    with pytest.raises(DataError, match="expected an address like"):
        Client.cluster(["localhost:http"])


def test_requires_full_coverage_unless_told_otherwise() -> None:
    node = clusters.Process("--cluster-enabled", "yes", "--cluster-require-full-coverage", "no")
    try:
        node.ready()
        node.call("CLUSTER", "ADDSLOTSRANGE", 0, 8000)
        clusters.wait_for(lambda: b"state:ok" in node.call("CLUSTER", "INFO"))
        with pytest.raises(RedisClusterException, match=r"All slots are not covered .* 8001 of 16384"):
            RedisCluster[Any](host="127.0.0.1", port=node.port)
        with RedisCluster[Any](host="127.0.0.1", port=node.port, require_full_coverage=False) as client:
            inside = next(key for key in map(str, range(99)) if key_slot(key.encode()) < 8000)
            assert client.set(inside, 1) is True
    finally:
        node.close()


def test_slots_of_commands() -> None:
    def encode(key: Any) -> bytes:
        return key if isinstance(key, bytes) else str(key).encode()

    assert slot_of(("EVAL", "x", 1, "foo"), encode) == key_slot(b"foo")
    assert slot_of(("XREAD", "COUNT", 2, "STREAMS", "foo", "0"), encode) == key_slot(b"foo")
    assert slot_of(("SPUBLISH", "foo", "m"), encode) == slot_of(("PUBLISH", "foo", "m"), encode) == key_slot(b"foo")
    assert slot_of(("CLUSTER COUNTKEYSINSLOT", 77), encode) == slot_of(("CLUSTER", "COUNTKEYSINSLOT", 77), encode) == 77
    assert slot_of(("PING",), encode) is None
    assert slot_of(("PUBSUB", "CHANNELS"), encode) is None
