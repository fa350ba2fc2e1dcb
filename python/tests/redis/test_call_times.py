"""What the time of a call bounds: replies in pieces, and the move of a cluster's subscriber. Bounds are wide: a busy machine is
slow, and without them these calls end after minutes or never."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import ConstantBackoff, DecorrelatedJitterBackoff
from samewire.redis.cluster import RedisCluster
from samewire.redis.exceptions import TimeoutError
from samewire.redis.retry import Retry
from servers import link, peer

#: Seconds that a call with a limit of a tenth may take.
MOST = 30


def dripping(connection: socket.socket) -> None:
    """Greets, and sends the reply to anything else byte by byte, without end."""
    while data := connection.recv(10_000):
        if b"HELLO" in data:
            connection.sendall(b"%1\r\n$5\r\nproto\r\n:3\r\n" + b"+OK\r\n" * (data.count(b"*") - 1))
            continue
        connection.sendall(b"$100000000\r\n")
        for _ in range(100_000):
            connection.sendall(b"x")
            time.sleep(0.01)


@pytest.mark.parametrize("call", [lambda c: c.get("a"), lambda c: c.blpop("a", timeout=0.1)], ids=["get", "blpop"])
def test_pieces_of_a_reply_do_not_put_off_the_end_of_a_call(call: Callable[[Any], Any]) -> None:
    with peer(dripping) as port:
        client = samewire.redis.Client[bytes](port=port, socket_timeout=0.2, retry=Retry(ConstantBackoff(0), 0))
        start = time.monotonic()
        with pytest.raises(TimeoutError) as caught:
            call(client)
        assert time.monotonic() - start < MOST
        assert caught.value.may_have_run is True


@pytest.mark.parametrize("call", [lambda c: c.get("a"), lambda c: c.blpop("a", timeout=0.1)], ids=["get", "blpop"])
def test_pieces_do_not_put_off_the_end_of_an_asyncio_call(call: Callable[[Any], Any]) -> None:
    async def main(port: int) -> None:
        retry = AioRetry(ConstantBackoff(0), 0)
        async with samewire.redis.aio.Client[bytes](port=port, socket_timeout=0.2, retry=retry) as client:
            start = time.monotonic()
            with pytest.raises(TimeoutError):
                await call(client)
            assert time.monotonic() - start < MOST

    with peer(dripping) as port:
        asyncio.run(main(port))


def test_a_large_reply_takes_the_time_that_it_takes() -> None:
    pieces = 40

    def slow(connection: socket.socket) -> None:
        connection.recv(10_000)
        connection.sendall(b"$%d\r\n" % (pieces * 65536))
        for _ in range(pieces):
            connection.sendall(b"x" * 65536)
            time.sleep(0.05)
        connection.sendall(b"\r\n")
        connection.recv(1)

    with peer(slow) as port:
        # Far longer than its time-out in all, and never that long without a piece.
        assert len(link(port, timeout=1.0).call(("GET", "a"))) == pieces * 65536


@contextlib.contextmanager
def cluster_that_falls_silent() -> Iterator[tuple[int, Callable[[], None]]]:
    """The port of a cluster of one node that serves its map and subscriptions until it is cut; later connections are accepted
    and never hear a thing."""
    silent = threading.Event()
    connections: list[socket.socket] = []
    ports: list[int] = []

    def serve(connection: socket.socket) -> None:
        connections.append(connection)
        while data := connection.recv(10_000):
            if silent.is_set():
                continue
            for name, argument in re.findall(rb"\*\d+\r\n\$\d+\r\n(\w+)\r\n(?:\$\d+\r\n(\S*)\r\n)?", data):
                if name == b"HELLO":
                    connection.sendall(b"%1\r\n$5\r\nproto\r\n:3\r\n")
                elif name == b"CLUSTER":
                    connection.sendall(b"*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n$9\r\n127.0.0.1\r\n:%d\r\n" % ports[0])
                elif name in (b"SUBSCRIBE", b"SSUBSCRIBE"):
                    kind = name.lower()
                    connection.sendall(b">3\r\n$%d\r\n%s\r\n$%d\r\n%s\r\n:1\r\n" % (len(kind), kind, len(argument), argument))
                else:
                    connection.sendall(b"+OK\r\n")

    def cut() -> None:
        silent.set()
        for connection in connections:
            with contextlib.suppress(OSError):
                connection.shutdown(socket.SHUT_RDWR)

    with peer(serve) as port:
        ports.append(port)
        yield port, cut


@pytest.mark.parametrize("sharded", [False, True])
def test_a_subscriber_of_a_cluster_moves_within_the_time_of_each_call(sharded: bool) -> None:
    with cluster_that_falls_silent() as (port, cut):
        client = RedisCluster[bytes](host="127.0.0.1", port=port, socket_timeout=300, socket_connect_timeout=300)
        subscriber = client.pubsub()
        get = subscriber.get_sharded_message if sharded else subscriber.get_message
        (subscriber.ssubscribe if sharded else subscriber.subscribe)("news")
        assert get(timeout=MOST) is not None
        cut()
        for _ in range(4):
            start = time.monotonic()
            assert get(timeout=0.1) is None
            assert time.monotonic() - start < MOST


@pytest.mark.parametrize("sharded", [False, True])
def test_an_asyncio_subscriber_of_a_cluster_moves_within_the_time_of_each_call(sharded: bool) -> None:
    async def main(port: int, cut: Callable[[], None]) -> None:
        client = samewire.redis.aio.RedisCluster[bytes](
            host="127.0.0.1", port=port, socket_timeout=300, socket_connect_timeout=300
        )
        async with client, client.pubsub() as subscriber:
            get = subscriber.get_sharded_message if sharded else subscriber.get_message
            await (subscriber.ssubscribe if sharded else subscriber.subscribe)("news")
            assert await get(timeout=MOST) is not None
            cut()
            for _ in range(4):
                start = time.monotonic()
                assert await get(timeout=0.1) is None
                assert time.monotonic() - start < MOST

    with cluster_that_falls_silent() as (port, cut):
        asyncio.run(main(port, cut))


def test_connections_do_not_share_a_retry_that_is_set_later() -> None:
    async def main() -> None:
        pool: samewire.redis.aio.ConnectionPool[Any] = samewire.redis.aio.ConnectionPool()
        connections = [pool.get_available_connection() for _ in range(2)]
        retry = AioRetry(DecorrelatedJitterBackoff(), 3)
        pool.set_retry(retry)
        backoffs = {id(one.retry._backoff) for one in connections} | {id(pool.shared().retry._backoff), id(retry._backoff)}
        assert len(backoffs) == 4
        assert [one.retry.get_retries() for one in connections] == [3, 3]

    asyncio.run(main())


def test_a_row_of_attempts_begins_with_the_shortest_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("random.uniform", lambda low, high: high)
    backoff = DecorrelatedJitterBackoff(cap=100, base=1)
    assert [backoff.compute(failures) for failures in (1, 2, 3)] == [1, 3, 9]
    assert backoff.compute(1) == 1, "another row, of a caller that shares it"
