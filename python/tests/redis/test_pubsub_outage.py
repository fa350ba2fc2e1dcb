"""Subscribers whose server is away or silent: each call keeps its time, and all of them come back."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from clusters import Process
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import ConstantBackoff
from samewire.redis.exceptions import ConnectionError, TimeoutError
from samewire.redis.retry import Retry
from servers import peer

GREETING = b"%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n+OK\r\n"
SUBSCRIBED = b">3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n"

#: Seconds that a call with a limit of 0.1 s may take on a busy machine. Its connection's own time-outs are far longer.
MOST = 20


@contextlib.contextmanager
def falling_silent() -> Iterator[tuple[int, Callable[[], None], list[Any]]]:
    """The port of a server that greets its first connection and takes its subscription; how to cut that connection; and all
    connections. The later ones are accepted and never hear a thing."""
    connections: list[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        connections.append(connection)
        first = len(connections) == 1
        greeted = False
        while data := connection.recv(10_000):
            if not first:
                continue
            if not greeted:
                greeted = True
                connection.sendall(GREETING)
            if b"SUBSCRIBE" in data:
                connection.sendall(SUBSCRIBED)

    def cut() -> None:
        connections[0].shutdown(socket.SHUT_RDWR)

    with peer(serve) as port:
        yield port, cut, connections


def test_get_message_keeps_its_time_while_it_connects_again() -> None:
    with falling_silent() as (port, cut, connections):
        retry = Retry(ConstantBackoff(0.001), 2)
        client = samewire.redis.Client[bytes](port=port, socket_timeout=300, socket_connect_timeout=300, retry=retry)
        subscriber = client.pubsub()
        subscriber.subscribe("news")
        assert (subscriber.get_message(timeout=MOST) or {})["type"] == "subscribe"
        cut()
        start = time.monotonic()
        assert subscriber.get_message(timeout=0.1) is None
        assert time.monotonic() - start < MOST
        # The attempts of all calls count together.
        with pytest.raises(TimeoutError):
            while time.monotonic() - start < MOST:
                assert subscriber.get_message(timeout=0.01) is None
        # The server's threads may hear of them later than the client.
        while len(connections) < 2:
            assert time.monotonic() - start < 2 * MOST
            time.sleep(0.001)
        subscriber.close()


def test_get_message_of_asyncio_keeps_its_time_while_it_connects_again() -> None:
    async def main(port: int, cut: Callable[[], None], connections: list[Any]) -> None:
        client = samewire.redis.aio.Client[bytes](host="127.0.0.1", port=port, socket_timeout=300, socket_connect_timeout=300)
        subscriber = client.pubsub()
        await subscriber.subscribe("news")
        assert (await subscriber.get_message(timeout=MOST) or {})["type"] == "subscribe"
        cut()
        start = time.monotonic()
        for _ in range(5):
            assert await subscriber.get_message(timeout=0.1) is None
        assert time.monotonic() - start < MOST
        # All calls have waited for the same attempt.
        assert len(connections) == 2
        await subscriber.aclose()
        await client.aclose()

    with falling_silent() as served:
        asyncio.run(asyncio.wait_for(main(*served), 60))


def test_a_lost_server_is_told_after_the_attempts_of_all_calls() -> None:
    async def main(port: int, cut: Callable[[], None], connections: list[Any]) -> None:
        retry = AioRetry(ConstantBackoff(0.001), 3)
        client = samewire.redis.aio.Client[bytes](
            host="127.0.0.1", port=port, socket_timeout=0.05, socket_connect_timeout=0.05, retry=retry
        )
        subscriber = client.pubsub()
        await subscriber.subscribe("news")
        assert (await subscriber.get_message(timeout=MOST) or {})["type"] == "subscribe"
        cut()
        with pytest.raises((ConnectionError, TimeoutError)):
            for _ in range(1000):
                assert await subscriber.get_message(timeout=0.01) is None
        assert len(connections) == 4
        await subscriber.aclose()
        await client.aclose()

    with falling_silent() as served:
        asyncio.run(asyncio.wait_for(main(*served), 60))


def test_a_health_check_that_was_answered_is_no_sign_of_silence() -> None:
    with samewire_server() as server:
        client = samewire.redis.Client[bytes](port=server.port, health_check_interval=1e-6)
        with client.pubsub() as subscriber:
            subscriber.subscribe("news")
            connects: list[Any] = []
            assert subscriber.connection
            subscriber.connection.register_connect_callback(connects_in(connects))
            for _ in range(20):
                # Its PING is answered after it has looked.
                subscriber.get_message(timeout=0)
                assert subscriber.connection.can_read(MOST)
            assert not connects


class Counting:
    """Counts connects."""

    def __init__(self, connects: list[Any]) -> None:
        self.connects = connects

    def connected(self, connection: object) -> None:
        self.connects.append(connection)


def connects_in(connects: list[Any]) -> Callable[[Any], None]:
    counting = Counting(connects)
    _kept.append(counting)
    return counting.connected


_kept: list[Counting] = []


@contextlib.contextmanager
def samewire_server() -> Iterator[Process]:
    server = Process()
    try:
        server.ready()
        yield server
    finally:
        server.close()


def test_all_subscribers_come_back_after_a_restart() -> None:
    async def main(server: Process) -> None:
        client = samewire.redis.aio.Client[bytes](host="127.0.0.1", port=server.port, retry=AioRetry(ConstantBackoff(0.05), -1))
        got: set[int] = set()
        ready: list[int] = []

        async def listen(number: int) -> None:
            async with client.pubsub(ignore_subscribe_messages=True) as subscriber:
                await subscriber.subscribe("room")
                ready.append(number)
                async for _ in subscriber.listen():
                    got.add(number)
                    return

        async with asyncio.TaskGroup() as group:
            for number in range(40):
                group.create_task(listen(number))
            while len(ready) < 40:
                await asyncio.sleep(0.01)
            server.kill()
            await asyncio.sleep(0.2)
            server.start()
            await asyncio.to_thread(server.ready)
            while len(got) < 40:
                await client.publish("room", "back")
                await asyncio.sleep(0.05)
        await client.aclose()

    with samewire_server() as server:
        asyncio.run(asyncio.wait_for(main(server), 60))


def test_all_blocking_subscribers_come_back_after_a_restart() -> None:
    with samewire_server() as server:
        client = samewire.redis.Client[bytes](port=server.port, retry=Retry(ConstantBackoff(0.05), -1))
        got: set[int] = set()
        ready: list[int] = []
        failed: list[Exception] = []

        def listen(number: int) -> None:
            with client.pubsub(ignore_subscribe_messages=True) as subscriber:
                try:
                    subscriber.subscribe("room")
                    ready.append(number)
                    for _ in subscriber.listen():
                        got.add(number)
                        return
                except Exception as error:
                    failed.append(error)

        threads = [threading.Thread(target=listen, args=(number,), daemon=True) for number in range(20)]
        for thread in threads:
            thread.start()
        until = time.monotonic() + 60
        while len(ready) < 20 and time.monotonic() < until:
            time.sleep(0.01)
        server.kill()
        time.sleep(0.2)
        server.start()
        server.ready()
        while len(got) < 20 and not failed and time.monotonic() < until:
            client.publish("room", "back")
            time.sleep(0.05)
        assert not failed
        assert len(got) == 20
        client.close()
