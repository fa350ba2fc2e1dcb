"""Publish and subscribe with asyncio on a real server."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import time
from collections.abc import Awaitable, Callable
from typing import Any

import pytest
from clusters import Process
from samewire.redis.aio import Client, Subscription
from samewire.redis.aio.retry import Retry
from samewire.redis.backoff import ConstantBackoff, NoBackoff
from samewire.redis.exceptions import ConnectionError, PubSubError
from servers import peer


def on_server(port: int, use: Callable[[Client[Any]], Awaitable[object]], **options: Any) -> None:
    """Runs `use` with a client."""

    async def main() -> None:
        async with Client[Any](host="127.0.0.1", port=port, **options) as client:
            await use(client)

    asyncio.run(asyncio.wait_for(main(), 30))


def message(kind: str, channel: Any, data: Any, pattern: Any = None) -> dict[str, Any]:
    return {"type": kind, "pattern": pattern, "channel": channel, "data": data}


@pytest.mark.parametrize("protocol", [2, 3])
def test_messages_of_channels_patterns_and_shard_channels(port: int, protocol: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pubsub() as pubsub:
            with pytest.raises(RuntimeError, match="did you forget to call subscribe"):
                await pubsub.get_message()
            await pubsub.subscribe("news")
            await pubsub.psubscribe("n*")
            await pubsub.ssubscribe("shard")
            for kind, name, number in (("subscribe", b"news", 1), ("psubscribe", b"n*", 2), ("ssubscribe", b"shard", 1)):
                assert await pubsub.get_message(timeout=2) == message(kind, name, number)
            assert await client.publish("news", "hello") == 2
            assert await client.spublish("shard", b"\xff") == 1
            assert await pubsub.get_message(timeout=2) == message("message", b"news", b"hello")
            assert await pubsub.get_message(timeout=2) == message("pmessage", b"news", b"hello", b"n*")
            assert await pubsub.get_message(timeout=2) == message("smessage", b"shard", b"\xff")
            assert await pubsub.get_message(timeout=0.01) is None
            assert await pubsub.get_message() is None
            await pubsub.ping("x")
            assert (await pubsub.get_message(timeout=2) or {})["data"] == b"x"
            await pubsub.unsubscribe()
            await pubsub.punsubscribe("n*")
            await pubsub.sunsubscribe("shard")
            for _ in range(3):
                assert "unsubscribe" in (await pubsub.get_message(timeout=2) or {})["type"]
            assert not pubsub.subscribed
        assert not client.connection_pool._in_use_connections

    on_server(port, use, protocol=protocol)


def test_messages_go_to_handlers(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        seen: list[Any] = []

        async def handle(each: dict[str, Any]) -> None:
            await asyncio.sleep(0)
            seen.append(each["data"])

        pubsub = client.pubsub(ignore_subscribe_messages=True)
        await pubsub.subscribe(Subscription(b"\xff", handle), news=handle)
        await pubsub.psubscribe(**{"p*": lambda each: seen.append(each["data"])})
        task = asyncio.create_task(pubsub.run(poll_timeout=0.1))
        for name, data in ((b"\xff", "1"), ("news", "2"), ("pattern", "3")):
            await client.publish(name, data)
        while len(seen) < 3:
            await asyncio.sleep(0.005)
        assert seen == ["1", "2", "3"]
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await pubsub.subscribe("unhandled")
        with pytest.raises(PubSubError, match="unhandled"):
            await pubsub.run()
        await pubsub.aclose()

    on_server(port, use, decode_responses=True, encoding_errors="surrogateescape")


def test_listening_ends_with_the_last_subscription(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pubsub() as pubsub:
            await pubsub.subscribe("a", "b")
            await client.publish("a", "1")
            kinds = []
            async for each in pubsub.listen():
                kinds.append(each["type"])
                if each["type"] == "message":
                    await pubsub.unsubscribe("a", "b")
            assert kinds == ["subscribe", "subscribe", "message", "unsubscribe", "unsubscribe"]

    on_server(port, use)


def test_a_view_decodes_in_its_own_way(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.decoding().pubsub() as pubsub:
            await pubsub.subscribe("ä")
            assert await pubsub.get_message(timeout=2) == message("subscribe", "ä", 1)
            await client.publish("ä", "ö")
            assert await pubsub.get_message(timeout=2) == message("message", "ä", "ö")

    on_server(port, use)


def test_a_message_outlives_a_cancelled_wait(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe("news")
            assert await pubsub.get_message(timeout=1) is None
            got: list[Any] = []
            for number in range(200):
                waiting = asyncio.create_task(pubsub.get_message(timeout=5))
                await client.publish("news", number)
                waiting.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    got.append(await waiting)
            while each := await pubsub.get_message(timeout=0.1):
                got.append(each)
            assert [each["data"] for each in got] == [b"%d" % number for number in range(200)]

    on_server(port, use)


def test_subscriptions_come_back_after_a_restart() -> None:
    server = Process()

    async def main() -> None:
        retry = Retry(ConstantBackoff(0.02), 100)
        async with Client[bytes](host="127.0.0.1", port=server.port, retry=retry) as client:
            seen: list[Any] = []
            pubsub = client.pubsub(ignore_subscribe_messages=True)
            await pubsub.subscribe("a", b=lambda each: seen.append(each["data"]))
            await pubsub.psubscribe("p*")
            await pubsub.ssubscribe("s")

            async def listen() -> None:
                async for each in pubsub.listen():
                    seen.append(each["data"])  # noqa: PERF401 (others read it meanwhile)

            listening = asyncio.create_task(listen())
            for round_ in range(2):
                while await client.publish("p1", "x") < 1 or await client.spublish("s", "y") < 1:
                    await asyncio.sleep(0.01)
                await client.publish("a", f"a{round_}")
                await client.publish("b", f"b{round_}")
                while f"b{round_}".encode() not in seen:
                    await asyncio.sleep(0.01)
                assert f"a{round_}".encode() in seen
                server.kill()
                server.start()
                await asyncio.to_thread(server.ready)
            listening.cancel()
            await pubsub.aclose()

    try:
        server.ready()
        asyncio.run(asyncio.wait_for(main(), 20))
    finally:
        server.close()


def test_closing_a_subscriber_ends_its_listener_and_leaves_the_pool_whole(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        for _ in range(20):
            pubsub = client.pubsub()
            await pubsub.subscribe("news")

            async def listen(pubsub: Any = pubsub) -> list[Any]:
                return [each["type"] async for each in pubsub.listen()]

            listening = asyncio.create_task(listen())
            await asyncio.sleep(0.002)
            await pubsub.aclose()
            assert await client.blpop("nothing", 0.001) is None
            assert await asyncio.wait_for(listening, 2) in ([], ["subscribe"])
        pool = client.connection_pool
        assert (len(pool._available_connections), len(pool._in_use_connections)) == (1, 0)
        assert await client.pubsub_channels() == []

    on_server(port, use)


def test_without_attempts_a_lost_connection_is_an_error_once(port: int) -> None:
    async def use(client: Client[Any]) -> None:
        async with client.pubsub(ignore_subscribe_messages=True) as pubsub:
            await pubsub.subscribe("news")
            assert await pubsub.get_message(timeout=0.1) is None
            await client.client_kill_filter(_type="pubsub")
            with pytest.raises(ConnectionError):
                await pubsub.get_message(timeout=2)
            assert await pubsub.get_message(timeout=0.1) is None
            assert await client.publish("news", "again") == 1
            assert await pubsub.get_message(timeout=2) == message("message", b"news", b"again")

    on_server(port, use, retry=Retry(NoBackoff(), 0))


def test_a_server_that_falls_silent_is_found_out() -> None:
    connections = 0

    def serve(connection: socket.socket) -> None:
        nonlocal connections
        connections += 1
        mute = connections == 1
        connection.recv(10_000)
        connection.sendall(b"%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n+OK\r\n")
        while data := connection.recv(10_000):
            if b"SUBSCRIBE" in data:
                connection.sendall(b">3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n")
                if not mute:
                    connection.sendall(b">3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$5\r\nhello\r\n")

    async def main(at: int) -> None:
        retry = Retry(NoBackoff(), 3)
        async with Client[bytes](host="127.0.0.1", port=at, retry=retry, health_check_interval=0.1) as client:
            pubsub = client.pubsub(ignore_subscribe_messages=True)
            await pubsub.subscribe("news")
            started = time.monotonic()
            assert await anext(pubsub.listen()) == message("message", b"news", b"hello")
            assert time.monotonic() - started < 60
            assert connections == 2
            await pubsub.aclose()

    with peer(serve) as at:
        asyncio.run(asyncio.wait_for(main(at), 20))
