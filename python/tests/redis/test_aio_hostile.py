"""What asyncio clients do with names that are spelled oddly, with odd pushes, and when nobody closes them."""

from __future__ import annotations

import asyncio
import gc
import socket
from pathlib import Path
from typing import Any

import pytest
from samewire.redis.aio import Client
from samewire.redis.exceptions import ConnectionError, DataError, InvalidResponse, RedisError
from servers import peer, valkey

#: Names that the encoder takes apart at blanks: commands that are not one caller's business.
SPELLINGS: list[tuple[Any, ...]] = [
    ("CLIENT REPLY SKIP",),
    (b" client  reply skip",),
    ("client  reply", "SKIP"),
    ("CLIENT REPLY ", "SKIP"),
    ("SELECT 3",),
    (" MULTI",),
    ("multi ",),
    ("SUBSCRIBE c",),
]


@pytest.mark.parametrize("command", SPELLINGS, ids=repr)
def test_a_shared_connection_keeps_its_step_however_a_command_is_spelled(command: tuple[Any, ...]) -> None:
    async def run(port: int) -> None:
        async with Client(port=port) as client:
            await client.mset({"a": "1", "b": "2"})
            calls = [client.execute_command(*command), client.get("a"), client.get("b")]
            replies: list[Any] = await asyncio.gather(*calls, return_exceptions=True)
            assert isinstance(replies[0], RedisError) and "all callers share" in str(replies[0])
            assert replies[1:] == [b"1", b"2"]
            with pytest.raises(RedisError, match="cannot be part of a pipeline"):
                client.pipeline(transaction=False).execute_command(*command)

    with valkey() as server:
        asyncio.run(run(server.port))


@pytest.mark.parametrize("command", [("",), ("  ",), (b" ",)], ids=repr)
def test_a_command_without_a_name_is_not_sent(command: tuple[Any, ...]) -> None:
    async def run() -> None:
        async with Client() as client:
            with pytest.raises(DataError):
                await client.execute_command(*command)

    asyncio.run(run())


def open_files() -> int:
    return sum(1 for _ in Path("/proc/self/fd").iterdir())


def test_a_client_of_many_event_loops_keeps_nothing_of_those_that_are_closed() -> None:
    with valkey() as server:
        client = Client(port=server.port)

        async def run() -> None:
            await client.ping()
            await client.blpop("none", 0.01)

        asyncio.run(run())
        before = open_files()
        for _ in range(10):
            asyncio.run(run())
        gc.collect()
        assert len(client.connection_pool._shared) == 1
        assert open_files() <= before + 3


@pytest.mark.filterwarnings("ignore::ResourceWarning")
def test_what_is_dropped_without_being_closed_is_closed_while_the_loop_runs() -> None:
    async def run(port: int) -> None:
        before = open_files()
        for _ in range(10):
            client: Client[bytes] = Client(port=port)
            await client.ping()
            subscriber = client.pubsub()
            await subscriber.subscribe("c")
            del client, subscriber
        gc.collect()
        await asyncio.sleep(0.05)
        assert open_files() <= before

    with valkey() as server:
        asyncio.run(run(server.port))


def test_a_subscriber_that_is_closed_ends_its_listeners_and_leaves_the_connection_alone() -> None:
    async def run(port: int) -> None:
        async with Client(port=port) as client:
            subscriber = client.pubsub()
            await subscriber.subscribe("c")

            heard: list[dict[str, Any]] = []
            subscribed = asyncio.Event()

            async def listen() -> None:
                async for message in subscriber.listen():
                    heard.append(message)
                    subscribed.set()

            listening = asyncio.create_task(listen())
            # However long the server takes for its reply.
            await asyncio.wait_for(subscribed.wait(), 20)
            await subscriber.aclose()
            await listening
            assert [message["type"] for message in heard] == ["subscribe"]
            assert [connection.is_connected for connection in client.connection_pool._available_connections] == [False]

            await subscriber.subscribe("c")
            assert await subscriber.get_message(timeout=20)
            waiting = asyncio.create_task(subscriber.get_message(timeout=None))
            await asyncio.sleep(0.05)
            await subscriber.aclose()
            with pytest.raises(ConnectionError, match="the subscriber was closed"):
                await waiting

    with valkey() as server:
        asyncio.run(run(server.port))


ODD = [b">0\r\n", b">1\r\n$7\r\nmessage\r\n", b">2\r\n$7\r\nmessage\r\n$1\r\nc\r\n", b">3\r\n$7\r\nmessage\r\n*1\r\n:1\r\n:2\r\n"]


@pytest.mark.parametrize("push", ODD, ids=repr)
def test_a_subscriber_refuses_odd_pushes_and_goes_on(push: bytes) -> None:
    def serve(connection: socket.socket) -> None:
        while data := connection.recv(65536):
            if b"SUBSCRIBE" in data:
                good = b">3\r\n$7\r\nmessage\r\n$1\r\nc\r\n$4\r\ngood\r\n"
                connection.sendall(b">3\r\n$9\r\nsubscribe\r\n$1\r\nc\r\n:1\r\n" + push + good)
            else:
                connection.sendall(b"-ERR unknown command\r\n" if b"HELLO" in data else b"")
                connection.sendall(b"+OK\r\n" * (data.count(b"\r\nCLIENT\r\n")))

    async def run(port: int) -> None:
        async with Client(port=port) as client:
            subscriber = client.pubsub(ignore_subscribe_messages=True)
            await subscriber.subscribe("c")
            assert await subscriber.get_message(timeout=1) is None
            with pytest.raises(InvalidResponse):
                await subscriber.get_message(timeout=1)
            message = await subscriber.get_message(timeout=1)
            assert message is not None and message["data"] == b"good"
            await subscriber.aclose()

    with peer(serve) as port:
        asyncio.run(run(port))
