"""Typed values on a cluster of three masters: the same operations, whichever nodes have the keys."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import clusters
import pytest
from samewire import pack
from samewire.redis.aio.cluster import RedisCluster as AsyncRedisCluster
from samewire.redis.cluster import RedisCluster
from samewire.redis.typed import StoredValueError


@dataclass(slots=True, frozen=True)
class Book:
    name: str
    year: Annotated[int, pack.I32]


CARRIE = Book("Carrie", 1974)
Newer: Any = dataclass(type("Book", (), {"__annotations__": {"year": int, "author": str | None, "name": str}}))


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with clusters.cluster(masters=3, replicas=0) as cluster:
        yield cluster.nodes[0].port


@pytest.fixture
def client(port: int) -> Iterator[RedisCluster[Any]]:
    made: RedisCluster[Any] = RedisCluster(host="127.0.0.1", port=port)
    with made:
        yield made


def test_values_lie_on_all_nodes(client: RedisCluster[Any]) -> None:
    numbers = client.store(int, prefix="n:")
    names = [str(number) for number in range(5000)]
    assert numbers.put_many(zip(names, range(5000), strict=True)) == 5000
    assert numbers.get_many([*names, "none"]) == [*range(5000), None]
    assert sorted(numbers.scan(), key=int) == names
    assert {int(name) for name, value in numbers.items() if int(name) == value} == set(range(5000))
    assert numbers.delete(*names) == 5000


def test_schemas_are_found_whichever_node_has_them(client: RedisCluster[Any]) -> None:
    client.store(Book, prefix="book:").put_many({str(number): CARRIE for number in range(50)})
    newer = client.store(Newer, prefix="book:")
    assert newer.get_many(map(str, range(50))) == [Newer(1974, None, "Carrie")] * 50
    newer.put("7", Newer(1981, None, "Cujo"))
    with pytest.raises(StoredValueError, match=r"^book:7: schema_mismatch"):
        client.store(Book, prefix="book:").get_many(map(str, range(50)))


def test_no_update_is_lost(client: RedisCluster[Any]) -> None:
    counts, shelf = client.store(int, prefix="count:"), client.typed_hash(int, "counts")

    def add() -> None:
        for number in range(30):
            counts.update(str(number % 3), lambda count: (count or 0) + 1)
            shelf.update("all", lambda count: (count or 0) + 1)

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts.get_many(list("012")) == [40, 40, 40]
    assert shelf.all() == {"all": 120}


@pytest.mark.parametrize("sharded", [False, True])
def test_channels(client: RedisCluster[Any], sharded: bool) -> None:
    for number in range(3):
        news = client.typed_channel(Book, f"news{number}", sharded=sharded)
        with news.subscribe() as messages:
            news.publish(CARRIE)
            assert messages.get(timeout=10) == CARRIE


def test_lists_and_streams(client: RedisCluster[Any]) -> None:
    queue, log = client.typed_list(Book, "queue"), client.typed_stream(Book, "log")
    assert (queue.push(CARRIE, CARRIE), queue.pop(timeout=1), queue.range()) == (2, CARRIE, [CARRIE])
    log.add(CARRIE)
    assert log.create_group("g", "0")
    assert [entry.value for entry in log.read() + log.read_group("g", "one")] == [CARRIE, CARRIE]


def test_asyncio(port: int) -> None:
    async def main() -> None:
        client: AsyncRedisCluster[Any] = AsyncRedisCluster(host="127.0.0.1", port=port)
        async with client:
            numbers = client.store(int, prefix="m:")
            names = [str(number) for number in range(1000)]
            assert await numbers.put_many(zip(names, range(1000), strict=True)) == 1000
            assert await numbers.get_many(names) == list(range(1000))
            assert await asyncio.gather(*map(numbers.get, names)) == list(range(1000))
            assert sorted([name async for name in numbers.scan()], key=int) == names
            await asyncio.gather(*(numbers.update("0", lambda count: (count or 0) + 1) for _ in range(20)))
            assert await numbers.get("0") == 20

    asyncio.run(asyncio.wait_for(main(), 30))
