"""channels_redis: both layers, groups, capacity, encryption, several loops, a consumer of Channels, a restart."""

from __future__ import annotations

import asyncio
import logging
from typing import Any, ClassVar

from asgiref.sync import async_to_sync
from asgiref.testing import ApplicationCommunicator
from channels.exceptions import ChannelFull
from channels_redis.core import RedisChannelLayer
from channels_redis.pubsub import RedisPubSubChannelLayer
from django.conf import settings
from harness import URL, check, run, url
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from restarts import restart, restartable


def host(address: str) -> dict[str, Any]:
    """A host as the layers take it. They wait for five seconds at once, as long as redis-py waits by default."""
    return {"address": address, "socket_timeout": 30, "retry": Retry(NoBackoff(), 20)}


settings.configure(
    CHANNEL_LAYERS={
        "default": {"BACKEND": "channels_redis.core.RedisChannelLayer", "CONFIG": {"hosts": [host(url(3))]}},
    }
)

from channels.generic.websocket import AsyncJsonWebsocketConsumer  # noqa: E402

MESSAGE = {"type": "test.message", "text": "Ahoy", "bytes": b"\x00\xff", "list": [1, 2.5, None]}


async def received(layer: Any, channel: str, seconds: float = 20.0) -> Any:
    """The next message of a channel. Raises TimeoutError if none comes."""
    return await asyncio.wait_for(layer.receive(channel), seconds)


async def nothing(layer: Any, channel: str) -> bool:
    """Whether a channel has no message."""
    try:
        await received(layer, channel, 0.2)
    except TimeoutError:
        return True
    return False


@check
async def channels() -> None:
    layer = RedisChannelLayer(hosts=[host(URL)], capacity=3, channel_capacity={"tiny": 1}, expiry=30)
    await layer.send("first", MESSAGE)
    assert await received(layer, "first") == MESSAGE
    one, other = await layer.new_channel(), await layer.new_channel("prefix")
    await layer.send(one, {"type": "one"})
    await layer.send(other, {"type": "other"})
    # Both are of one process: whoever receives hands over what is the other's.
    got = await asyncio.gather(received(layer, other), received(layer, one))
    assert got == [{"type": "other"}, {"type": "one"}], got
    assert await nothing(layer, one)
    await layer.send(one, {"type": "after"})
    assert await received(layer, one) == {"type": "after"}
    for _ in range(3):
        await layer.send("full", {"type": "one"})
    for full in ("full", "tiny"):
        try:
            for _ in range(2):
                await layer.send(full, {"type": "too many"})
        except ChannelFull:
            continue
        raise AssertionError("no ChannelFull")
    await layer.flush()
    assert await nothing(layer, "full")
    await layer.close_pools()


@check
async def groups() -> None:
    layer = RedisChannelLayer(hosts=[host(url(1)), host(url(2))], symmetric_encryption_keys=["secret", "old"])
    names = [await layer.new_channel() for _ in range(20)]
    for name in names:
        await layer.group_add("all", name)
    await layer.group_discard("all", names[0])
    await layer.group_send("all", MESSAGE)
    assert await asyncio.gather(*(received(layer, name) for name in names[1:])) == [MESSAGE] * 19
    assert await nothing(layer, names[0])
    await layer.flush()
    await layer.close_pools()


@check
def in_loops_of_their_own() -> None:
    layer = RedisChannelLayer(hosts=[host(URL)])

    async def sends(number: int) -> None:
        await layer.send("loops", {"type": "number", "number": number})
        await layer.close_pools()

    async def receives() -> Any:
        message = await received(layer, "loops")
        await layer.close_pools()
        return message["number"]

    for number in range(3):
        async_to_sync(sends)(number)
    assert [async_to_sync(receives)() for _ in range(3)] == [0, 1, 2]


@check
async def publishing() -> None:
    layer, other = RedisPubSubChannelLayer(hosts=[host(URL)]), RedisPubSubChannelLayer(hosts=[host(URL)])
    mine, its = await layer.new_channel(), await other.new_channel()
    await other.send(mine, MESSAGE)
    assert await received(layer, mine) == MESSAGE
    await layer.group_add("pub", mine)
    await other.group_add("pub", its)
    await layer.group_send("pub", {"type": "both"})
    assert await received(layer, mine) == {"type": "both"} == await received(other, its)
    await other.group_discard("pub", its)
    await layer.group_send("pub", {"type": "mine"})
    assert await received(layer, mine) == {"type": "mine"} and await nothing(other, its)
    await layer.flush()
    await other.flush()


class Chat(AsyncJsonWebsocketConsumer):
    """Says to everybody what one says."""

    groups: ClassVar = ["room"]

    async def receive_json(self, content: Any, **_: Any) -> None:
        await self.channel_layer.group_send("room", {"type": "said", "words": content})

    async def said(self, event: dict[str, Any]) -> None:
        await self.send_json(event["words"])


@check
async def consumers() -> None:
    people = [ApplicationCommunicator(Chat.as_asgi(), {"type": "websocket"}) for _ in range(5)]
    for person in people:
        await person.send_input({"type": "websocket.connect"})
        assert (await person.receive_output(20))["type"] == "websocket.accept"
    await people[0].send_input({"type": "websocket.receive", "text": '{"hello": "room"}'})
    for person in people:
        assert (await person.receive_output(20)).get("text") == '{"hello": "room"}'
    for person in people:
        await person.send_input({"type": "websocket.disconnect", "code": 1000})
        await person.wait(20)


@check
async def after_a_restart() -> None:
    logging.getLogger("channels_redis").setLevel(logging.CRITICAL)
    with restartable() as server:
        own = host(f"redis://127.0.0.1:{server.port}/0")
        layer, published = RedisChannelLayer(hosts=[own]), RedisPubSubChannelLayer(hosts=[own])
        name = await layer.new_channel()
        await layer.group_add("group", name)
        await layer.send("kept", {"type": "kept"})
        channel = await published.new_channel()
        await published.group_add("group", channel)
        await published.group_send("group", {"type": "before"})
        assert await received(published, channel) == {"type": "before"}
        await asyncio.to_thread(restart, server)
        assert await received(layer, "kept") == {"type": "kept"}
        await layer.group_send("group", {"type": "after"})
        assert await received(layer, name) == {"type": "after"}
        waiting = asyncio.create_task(received(published, channel))
        while not waiting.done():
            # The subscriber connects again by itself: what is published before that is gone.
            await published.group_send("group", {"type": "again"})
            await asyncio.sleep(0.05)
        assert await waiting == {"type": "again"}
        await published.flush()
        await layer.close_pools()


run()
