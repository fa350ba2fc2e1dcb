"""Clients of a service that sentinels watch, on real servers: discovery, and a fail-over during traffic."""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Iterator
from typing import Any, get_type_hints

import clusters
import pytest
import traffic
from samewire.redis import aio, sentinel
from samewire.redis.aio import sentinel as aio_sentinel
from samewire.redis.client import Client
from samewire.redis.commands.replies.sentinel import SentinelState
from samewire.redis.exceptions import ConnectionError, RedisError, TimeoutError
from samewire.redis.sentinel.master_locator import Turns, demoted, not_master, usable


@pytest.fixture(scope="module")
def watched() -> Iterator[clusters.Watched]:
    with clusters.watched() as made:
        yield made


def test_finds_master_and_replicas(watched: clusters.Watched) -> None:
    dead = ("127.0.0.1", clusters.free_port())
    with sentinel.Sentinel([dead, *watched.addresses()], socket_timeout=1.0) as found:
        assert found.discover_master(watched.service) == ("127.0.0.1", watched.master.port)
        assert found.discover_slaves(watched.service) == [("127.0.0.1", watched.replicas[0].port)]
        assert found.sentinels[0].connection_pool.connection_kwargs["port"] != dead[1], "the one that replied is asked first"
        with pytest.raises(sentinel.MasterNotFoundError, match="knows a master of 'other'"):
            found.discover_master("other")
        with found.master_for(watched.service) as master, found.slave_for(watched.service) as replica:
            assert master.set("a", 1) is True
            clusters.wait_for(lambda: replica.get("a") == b"1")
            assert replica.execute_command("ROLE")[0] in (b"slave", "slave")
            assert "of 'orders', master" in repr(master)
    with sentinel.Sentinel([dead], socket_timeout=1.0) as none, pytest.raises(sentinel.MasterNotFoundError, match="refused"):
        none.discover_master(watched.service)
    with (
        sentinel.Sentinel(watched.addresses(), min_other_sentinels=3) as few,
        pytest.raises(sentinel.MasterNotFoundError, match="knows a master"),
    ):
        few.discover_master(watched.service)


@pytest.mark.parametrize("protocol", [2, 3])
def test_what_sentinels_say_is_of_the_types_that_are_promised(watched: clusters.Watched, protocol: int) -> None:
    kinds = get_type_hints(SentinelState)
    service = watched.service
    host, port = watched.addresses()[0]
    with Client[bytes](host=host, port=port, protocol=protocol) as asked:
        states = [
            asked.sentinel_master(service),
            *asked.sentinel_masters().values(),
            *asked.sentinel_replicas(service),
            *asked.sentinel_sentinels(service),
        ]
        assert len(states) == 1 + 1 + 1 + 2
        for state in states:
            for name, value in state.items():
                kind = kinds.get(name, str)
                assert isinstance(value, (str, set) if name == "flags" else kind), (name, value)
        # The names are the server's.
        said = {name for state in states for name in state}
        assert not said - kinds.keys()
        assert kinds.keys() - said <= {"s-down-time", "o-down-time"}
        assert asked.sentinel_get_master_addr_by_name(service) == (b"127.0.0.1", watched.master.port)
        assert asked.sentinel_get_master_addr_by_name("other") is None
        assert asked.sentinel_ckquorum(service) is True
        assert asked.sentinel_set(service, "quorum", 2) is True
        assert asked.sentinel_flushconfig() is True
    with sentinel.Sentinel(watched.addresses()) as found:
        assert found.sentinel_masters() is True
        (one, *others) = found.sentinel_master(service, return_responses=True)
        assert one["port"] == others[0]["port"] == watched.master.port


def test_asyncio_finds_master_and_replicas(watched: clusters.Watched) -> None:
    async def main() -> None:
        dead = ("127.0.0.1", clusters.free_port())
        async with aio_sentinel.Sentinel([dead, *watched.addresses()], socket_timeout=1.0) as found:
            assert await found.discover_master(watched.service) == ("127.0.0.1", watched.master.port)
            assert await found.discover_slaves(watched.service) == [("127.0.0.1", watched.replicas[0].port)]
            with pytest.raises(aio_sentinel.MasterNotFoundError, match="knows a master of 'other'"):
                await found.discover_master("other")
            master, replica = found.master_for(watched.service), found.slave_for(watched.service)
            assert await master.set("b", 2) is True
            assert (await replica.execute_command("ROLE"))[0] in (b"slave", "slave")
            await asyncio.gather(master.aclose(), replica.aclose())

    asyncio.run(main())


def test_a_write_to_a_demoted_master_goes_to_the_new_one(watched: clusters.Watched) -> None:
    """The connection stays, and the server is a replica now: the write did not run, and is sent again."""
    with sentinel.Sentinel(watched.addresses()) as found, found.master_for(watched.service) as master:
        assert master.set("a", 1) is True
        watched.master.call("REPLICAOF", "127.0.0.1", watched.replicas[0].port)
        try:
            started = time.monotonic()
            threading.Timer(0.3, lambda: watched.master.call("REPLICAOF", "NO", "ONE")).start()
            assert master.incr("counted") == 1
            assert time.monotonic() - started < 60
        finally:
            watched.master.call("REPLICAOF", "NO", "ONE")
    assert watched.master.call("GET", "counted") == b"1"


def test_asyncio_write_to_a_demoted_master_goes_to_the_new_one(watched: clusters.Watched) -> None:
    async def main() -> None:
        async with aio_sentinel.Sentinel(watched.addresses()) as found:
            master: aio.client.Client[Any] = found.master_for(watched.service)
            assert await master.set("a", 1) is True
            watched.master.call("REPLICAOF", "127.0.0.1", watched.replicas[0].port)
            asyncio.get_running_loop().call_later(0.3, lambda: watched.master.call("REPLICAOF", "NO", "ONE"))
            assert sorted(await asyncio.gather(*(master.incr("counted by many") for _ in range(50)))) == list(range(1, 51))
            await master.aclose()

    try:
        asyncio.run(main())
    finally:
        watched.master.call("REPLICAOF", "NO", "ONE")
    assert watched.master.call("GET", "counted by many") == b"50"


def test_the_client_classes_make_clients_of_services(watched: clusters.Watched) -> None:
    with Client.sentinel(watched.addresses(), watched.service) as master:
        assert isinstance(master, Client)
        assert master.set("a", 3) is True

    async def main() -> None:
        replica = aio.client.Client.sentinel(
            [f"{host}:{port}" for host, port in watched.addresses()], watched.service, replica=True
        )
        assert (await replica.execute_command("ROLE"))[0] in (b"slave", "slave")
        await replica.aclose()

    asyncio.run(main())


def test_judges_what_sentinels_and_servers_say() -> None:
    state = {"is_master": True, "is_sdown": False, "is_odown": False, "num-other-sentinels": 2}
    assert usable(state, 2)
    assert not usable(state, 3)
    assert not usable(state | {"is_sdown": True}, 0)
    assert not_master([b"master", 1, []]) is None
    assert not_master(RedisError("NOPERM")) is None
    assert "slave" in str(not_master(["slave", "h", 1]))
    error = demoted("READONLY You can't write against a read only replica.", True)
    assert isinstance(error, ConnectionError)
    assert error.may_have_run is False
    turns, three = Turns(), [("a", 1), ("b", 2), ("c", 3)]
    first = [turns.of(three)[0] for _ in range(6)]
    assert first[:3] == first[3:]
    assert sorted(first[:3]) == three
    assert turns.of([]) == []


def test_a_fail_over_under_traffic_loses_and_repeats_nothing() -> None:
    """The master is killed. What it acknowledged counts if its replica had it: WAIT says so."""
    with clusters.watched() as own, sentinel.Sentinel(own.addresses(), socket_timeout=1.0) as found:
        master = found.master_for(own.service)
        asynchronous = aio_sentinel.Sentinel(own.addresses(), socket_timeout=1.0)
        other: aio.client.Client[Any] = asynchronous.master_for(own.service)
        new = own.replicas[0]
        promoted = threading.Event()

        def push(key: str, token: str) -> bool:
            replies = (
                master.pipeline(transaction=False).execute_command("RPUSH", key, token).execute_command("WAIT", 1, 50).execute()
            )
            return promoted.is_set() or replies[1] >= 1

        async def push_too(key: str, token: str) -> bool:
            pipe = other.pipeline(transaction=False).execute_command("RPUSH", key, token)
            if not promoted.is_set():
                pipe.execute_command("WAIT", 1, 50)
            replies = await pipe.execute()
            return len(replies) == 1 or replies[1] >= 1

        async def end() -> None:
            await asyncio.gather(other.aclose(), asynchronous.aclose())

        writers = traffic.Traffic([f"key{number}" for number in range(4)])
        writers.threads(push, 4)
        writers.coroutines(push_too, 20, end=end)
        try:
            writers.until(200)
            own.master.kill()
            clusters.wait_for(lambda: bytes(new.call("ROLE")[0]) == b"master")
            promoted.set()
            writers.until(300)
        finally:
            writers.stop()
        writers.check(lambda key: new.call("LRANGE", key, 0, -1))
        assert {error.code for error in writers.errors if isinstance(error, RedisError)} <= {"closed", "timeout"}
        assert len(writers.errors) == sum(isinstance(error, ConnectionError | TimeoutError) for error in writers.errors)
        assert found.discover_master(own.service) == ("127.0.0.1", new.port)
        master.close()
