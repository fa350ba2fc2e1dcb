"""A cursor of a search is read on the node that made it, of a cluster whose nodes are scripted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from samewire.redis.aio.cluster import RedisCluster as AsyncRedisCluster
from samewire.redis.cluster.search_cursors import MOST, SearchCursors
from samewire.redis.cluster.topology import Node
from samewire.redis.exceptions import RedisClusterException
from samewire.redis.modules.search.aggregation import AggregateRequest, Cursor
from test_cluster_batch import Fake, two

ROWS = b"*2\r\n%%1\r\n$7\r\nresults\r\n*0\r\n:%d\r\n"
READ = [b"FT.CURSOR", b"READ", b"idx", b"7"]


def made(node: Fake, number: int = 7) -> None:
    """The node makes a cursor, which one reading ends."""
    node.answers[b"FT.AGGREGATE"] = ROWS % number
    node.answers[b"FT.CURSOR"] = ROWS % 0


def query() -> AggregateRequest:
    return AggregateRequest("*").cursor(10)


def nodes_of(client: Any, first: Fake, second: Fake) -> tuple[Any, Any]:
    return client.get_node("127.0.0.1", first.port), client.get_node("127.0.0.1", second.port)


def test_a_cursor_is_read_where_it_was_made() -> None:
    with two() as (client, first, second):
        made(first)
        one, other = nodes_of(client, first, second)
        client.set_default_node(one)
        found = client.ft("idx").aggregate(query())
        client.set_default_node(other)
        assert client.ft("idx").aggregate(found.cursor).cursor.cid == 0
        assert first.commands[-1] == READ
        assert second.commands == []
        assert len(client.cursors) == 0


@pytest.mark.parametrize("action", ["READ", "DEL"])
def test_a_cursor_that_is_a_number_is_too(action: str) -> None:
    """As with `protocol=3`, whose reply is the server's."""
    with two() as (client, first, second):
        made(second)
        one, other = nodes_of(client, first, second)
        client.execute_command("FT.AGGREGATE", "idx", "*", "WITHCURSOR", target_nodes=other)
        client.set_default_node(one)
        client.execute_command("FT.CURSOR", action, b"idx", "7")
        assert second.commands[-1] == [b"FT.CURSOR", action.encode(), b"idx", b"7"]
        assert first.commands == []


def test_both_cursors_of_a_hybrid_search_are_too() -> None:
    with two() as (client, first, second):
        first.answers[b"FT.HYBRID"] = b"%3\r\n+SEARCH\r\n:5\r\n+VSIM\r\n:6\r\n+warnings\r\n*0\r\n"
        first.answers[b"FT.CURSOR"] = ROWS % 0
        one, other = nodes_of(client, first, second)
        client.set_default_node(one)
        client.execute_command("FT.HYBRID", "idx", "SEARCH", "*", "WITHCURSOR")
        client.set_default_node(other)
        for number in (5, 6):
            client.ft("idx").aggregate(Cursor(number))
        assert [args[3] for args in first.commands[1:]] == [b"5", b"6"]
        assert second.commands == []


def test_a_pipeline_reads_it_there_as_well() -> None:
    with two() as (client, first, second):
        made(first)
        one, other = nodes_of(client, first, second)
        client.set_default_node(one)
        client.ft("idx").aggregate(query())
        client.set_default_node(other)
        client.pipeline().execute_command("FT.CURSOR", "READ", "idx", 7).execute()
        assert first.commands[-1] == READ
        assert second.commands == []


def test_asyncio_reads_it_there_as_well() -> None:
    async def main() -> None:
        with two() as (_, first, second):
            async with AsyncRedisCluster[bytes](host="127.0.0.1", port=first.port) as client:
                made(first)
                one, other = nodes_of(client, first, second)
                client.set_default_node(one)
                found = await client.ft("idx").aggregate(query())
                client.set_default_node(other)
                await client.ft("idx").aggregate(found.cursor)
                assert first.commands[-1] == READ
                assert second.commands == []

    asyncio.run(main())


def test_a_cursor_whose_node_has_left_is_refused() -> None:
    cursors: SearchCursors[Node] = SearchCursors()
    node = Node("host", 1)
    cursors.watched(["FT.AGGREGATE", "idx", "*"], None, lambda: node)([[], 7])
    with pytest.raises(RedisClusterException, match=r"cursor 7 of index 'idx' was made by host:1.*run the query again"):
        cursors.node_of(READ, lambda _: False)
    assert cursors.node_of(READ, lambda _: True) is node
    assert cursors.node_of([*READ[:3], b"8"], lambda _: True) is None
    assert cursors.node_of(["FT.CURSOR", "READ"], lambda _: True) is None


def test_cursors_that_nobody_reads_are_forgotten() -> None:
    cursors: SearchCursors[Node] = SearchCursors()
    convert = cursors.watched(["FT.AGGREGATE", "idx", "*"], None, lambda: Node("host", 1))
    for number in range(1, MOST + 11):
        convert([[], number])
    assert len(cursors) == MOST
    assert cursors.node_of([*READ[:3], b"10"], lambda _: True) is None
