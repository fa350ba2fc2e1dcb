"""The map of a cluster: what CLUSTER SLOTS says, what MOVED changes, and when it is asked for again."""

from __future__ import annotations

import asyncio
import random
from types import SimpleNamespace
from typing import Any

import pytest
from samewire.redis.aio import nodes as aio_nodes
from samewire.redis.cluster.topology import PRIMARY, REPLICA, SLOTS, LoadBalancingStrategy, Node, Refresh, Topology
from samewire.redis.exceptions import InvalidResponse, SlotNotCoveredError
from samewire.redis.sync import nodes

THREE: list[Any] = [
    [0, 5460, [b"10.0.0.1", 1, b"id"], [b"10.0.0.4", 4, b"id"]],
    [5461, 10922, ["10.0.0.2", 2], ["10.0.0.5", 5]],
    [10923, 16383, [b"10.0.0.3", 3, b"id", []], [b"10.0.0.6", 6, b"id", [b"hostname", b"x"]]],
]


def topology(reply: object = None, **options: Any) -> Topology[Node]:
    made: Topology[Node] = Topology(Node, **options)
    made.update(THREE if reply is None else reply, "asked")
    return made


def names(nodes: Any) -> list[str]:
    return [node.name for node in nodes]


def test_reads_primaries_and_replicas() -> None:
    three = topology()
    assert three.covered
    assert names(three.shard(5461)) == ["10.0.0.2:2", "10.0.0.5:5"]
    assert sorted(names(three.of_type(PRIMARY))) == ["10.0.0.1:1", "10.0.0.2:2", "10.0.0.3:3"]
    assert sorted(names(three.of_type(REPLICA))) == ["10.0.0.4:4", "10.0.0.5:5", "10.0.0.6:6"]


@pytest.mark.parametrize("host", [b"", "", None, "?", b"?"])
def test_takes_the_asked_host_where_the_server_does_not_know_its_own(host: object) -> None:
    assert topology([[0, 16383, [host, 7000]]]).serving(0).name == "asked:7000"


@pytest.mark.parametrize(
    "reply",
    [
        None,
        b"OK",
        [[0]],
        [[0, 1]],
        [["a", 1, ["h", 1]]],
        [[5, 4, ["h", 1]]],
        [[0, 1, ["h", -5]]],
        [[0, 1, ["h", 65536]]],
        [[0, 16384, ["h", 1]]],
        [[0, 16383, ["h", 1]], [5, 5, ["h", 1]]],
        [[-1, 3, ["h", 1]]],
        [[0, 1, ["h"]]],
        [7],
    ],
)
def test_rejects_a_reply_of_another_shape_and_keeps_its_map(reply: object) -> None:
    three = topology()
    with pytest.raises(InvalidResponse, match="CLUSTER SLOTS gave"):
        three.update(reply, "asked")
    assert names(three.shard(0)) == ["10.0.0.1:1", "10.0.0.4:4"]


def test_tells_slots_that_nobody_serves() -> None:
    part = topology([[0, 100, ["h", 1]]])
    assert not part.covered
    with pytest.raises(SlotNotCoveredError, match="101"):
        part.serving(101)


def test_keeps_the_nodes_that_stay() -> None:
    three = topology()
    before = dict(three.nodes)
    gone = three.update(THREE[:2] + [[10923, 16383, ["10.0.0.7", 7]]], "asked")
    assert sorted(names(gone)) == ["10.0.0.3:3", "10.0.0.6:6"]
    assert all(three.nodes[name] is before[name] for name in three.nodes if name in before)


def test_maps_addresses() -> None:
    three = topology(remap=lambda address: ("outside", address[1] + 100))
    assert three.serving(0).name == "outside:101"
    assert three.moved(0, "10.0.0.2", 2) is False
    assert three.serving(0).name == "outside:102"


def test_moved_to_another_shard_moves_one_slot() -> None:
    three = topology()
    assert three.moved(3, "10.0.0.2", 2) is False
    assert [names(three.shard(slot)) for slot in (2, 3, 4)] == [
        ["10.0.0.1:1", "10.0.0.4:4"],
        ["10.0.0.2:2", "10.0.0.5:5"],
        ["10.0.0.1:1", "10.0.0.4:4"],
    ]


def test_moved_to_a_replica_promotes_it_for_the_whole_shard() -> None:
    three = topology()
    assert three.moved(3, "10.0.0.4", 4) is True
    assert three.moved(4, "10.0.0.4", 4) is False, "all callers but the first find it noted"
    assert names(three.shard(5460)) == ["10.0.0.4:4", "10.0.0.1:1"]
    assert three.nodes["10.0.0.4:4"].server_type == PRIMARY
    assert three.nodes["10.0.0.1:1"].server_type == REPLICA


def test_moved_to_an_unknown_node_adds_it() -> None:
    three = topology()
    assert three.moved(3, "10.0.0.9", 9) is True
    assert three.moved(5, "10.0.0.9", 9) is False
    assert names(three.shard(5)) == ["10.0.0.9:9"]
    assert three.nodes["10.0.0.9:9"] is three.serving(3)


def test_random_maps_are_read_as_they_were_made() -> None:
    for seed in range(40):
        choose = random.Random(seed)
        shards = [[f"h{index}:{copy}" for copy in range(choose.randrange(1, 4))] for index in range(choose.randrange(1, 6))]
        owner = [choose.choice([None, *shards])] * SLOTS
        for cut in sorted(choose.randrange(SLOTS) for _ in range(choose.randrange(30))):
            owner[cut:] = [choose.choice([None, *shards])] * (SLOTS - cut)
        rows, first = [], 0
        for slot in range(1, SLOTS + 1):
            if slot == SLOTS or owner[slot] is not owner[first]:
                shard = owner[first]
                if shard is not None:
                    rows.append([first, slot - 1, *([name[:-2], int(name[-1])] for name in shard)])
                first = slot
        choose.shuffle(rows)
        made = topology(rows)
        assert made.covered == all(owner)
        for slot in [choose.randrange(SLOTS) for _ in range(300)]:
            shard = owner[slot]
            assert names(made.slots.get(slot, [])) == (shard or [])
        # Any run of redirections leaves each slot with the last node that was named for it, or its shard's.
        for _ in range(50):
            slot, host, port = choose.randrange(SLOTS), f"h{choose.randrange(6)}", choose.randrange(3)
            made.moved(slot, host, port)
            assert made.serving(slot).name == f"{host}:{port}"
            assert made.serving(slot).server_type == PRIMARY


@pytest.mark.parametrize(
    ("strategy", "expected"),
    [
        (None, {"p:0"}),
        (LoadBalancingStrategy.ROUND_ROBIN, {"p:0", "r:1", "r:2"}),
        (LoadBalancingStrategy.RANDOM, {"p:0", "r:1", "r:2"}),
        (LoadBalancingStrategy.ROUND_ROBIN_REPLICAS, {"r:1", "r:2"}),
        (LoadBalancingStrategy.RANDOM_REPLICA, {"r:1", "r:2"}),
    ],
)
def test_spreads_reads(strategy: LoadBalancingStrategy | None, expected: set[str]) -> None:
    one = topology([[0, 16383, ["p", 0], ["r", 1], ["r", 2]]])
    assert {one.serving(7, strategy).name for _ in range(60)} == expected
    alone = topology([[0, 16383, ["p", 0]]])
    assert alone.serving(7, strategy).name == "p:0"


def test_rounds_follow_each_other_at_growing_jittered_distances() -> None:
    refresh, now, delays = Refresh(random.Random(1).uniform), 100.0, []
    for _ in range(12):
        delays.append(refresh.delay(now))
        now += delays[-1]
        refresh.ended(now)
    assert delays[0] <= Refresh.JITTER
    for index, delay in enumerate(delays[1:]):
        spacing = min(Refresh.SPACING * 2**index, Refresh.LONGEST)
        assert spacing / 2 <= delay <= spacing
    assert len(set(delays)) == len(delays)
    assert refresh.round == 12
    assert refresh.delay(now + Refresh.QUIET + 1) <= Refresh.JITTER, "a quiet time ends the row"


def test_a_round_that_was_late_waits_no_more() -> None:
    refresh = Refresh()
    refresh.delay(0.0)
    refresh.ended(0.0)
    assert refresh.delay(3.0) == 0.0


class PoolOfNode:
    """Counts how often its idle connections, and all of them, were closed."""

    connection_class = SimpleNamespace

    def __init__(self) -> None:
        self.connection_kwargs: dict[str, Any] = {}
        self.closed: list[bool] = []

    def disconnect(self, inuse_connections: bool = True) -> Any:
        self.closed.append(inuse_connections)
        return self

    def __await__(self) -> Any:
        yield from ()


@pytest.mark.parametrize("module", [nodes, aio_nodes], ids=["blocking", "aio"])
def test_connections_to_a_node_that_has_left_are_closed(module: Any) -> None:
    # Not all slots are covered then: each node is asked.
    replies = iter([THREE, *[THREE[1:]] * 10])

    class Manager(module.NodesManager):  # type: ignore[misc]
        """Is told the map by the test."""

        def _slots_of(self, node: Any) -> Any:
            yield from ()
            return next(replies)

    async def main() -> PoolOfNode:
        pools: dict[str, PoolOfNode] = {}

        def client_of(node: Any) -> Any:
            return SimpleNamespace(connection_pool=pools.setdefault(node.name, PoolOfNode()))

        manager = Manager([module.ClusterNode("10.0.0.1", 1)], client_of, False, True, None)
        for _ in range(2):
            refreshed = manager.refresh(manager.policy.round)
            if refreshed is not None:
                await refreshed
        await asyncio.sleep(0)
        assert not any(pool.closed for name, pool in pools.items() if name not in ("10.0.0.1:1", "10.0.0.4:4"))
        return pools["10.0.0.1:1"]

    # A thread may use a connection of a blocking client: only idle ones are closed.
    assert asyncio.run(main()).closed == [module is aio_nodes]
