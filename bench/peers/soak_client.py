"""grpcio's client in a soak: ``python -m bench.peers.soak_client PORT SECONDS``. It does what ``node-grpc/soak-client.mjs`` does, and prints the same."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import Callable
from typing import Any

import grpc

WORKERS, PAUSE, RENEWED, STREAMED = 20, 0.01, 500, 10
SERVICE = "/EchoService/"

Message = tuple[str, int]
did: dict[str, Any] = {"calls": 0, "sent": 0, "received": 0, "cancelled": 0, "late": 0, "wrong": []}


def encode(message: Message) -> bytes:
    """An EchoMessage of a text and a number, both under 128."""
    text = message[0].encode()
    return bytes((0x0A, len(text))) + text + bytes((0x10, message[1]))


def decode(data: bytes) -> Message:
    """The text and the number of an EchoMessage with both fields under 128."""
    end = 2 + data[1]
    return data[2:end].decode(), data[end + 1]


def wrong(text: str) -> None:
    if len(did["wrong"]) < 20:
        did["wrong"].append(text)


def expect(reply: Message, wanted: Message, what: str) -> None:
    did["received"] += 1
    if reply != wanted:
        wrong(f"{what}: {reply} instead of {wanted}")


def method(channel: grpc.aio.Channel, kind: str, name: str) -> Any:
    return getattr(channel, kind)(SERVICE + name, request_serializer=encode, response_deserializer=decode)


async def unary(channel: grpc.aio.Channel, value: str) -> None:
    did["sent"] += 1
    expect(await method(channel, "unary_unary", "Echo")((value, 7)), (value, 7), "unary")


async def server_stream(channel: grpc.aio.Channel, value: str) -> None:
    did["sent"] += 1
    seen = 0
    async for reply in method(channel, "unary_stream", "EchoServerStream")((value, STREAMED)):
        seen += 1
        expect(reply, (value, seen), "server stream")
    if seen != STREAMED:
        wrong(f"server stream: {seen} of {STREAMED} messages")


def messages(value: str) -> list[Message]:
    did["sent"] += STREAMED
    return [(value, number) for number in range(1, STREAMED + 1)]


async def client_stream(channel: grpc.aio.Channel, value: str) -> None:
    reply = await method(channel, "stream_unary", "EchoClientStream")(iter(messages(value)))
    expect(reply, (value, STREAMED), "client stream")


async def bidi(channel: grpc.aio.Channel, value: str) -> None:
    seen = 0
    async for reply in method(channel, "stream_stream", "EchoBidiStream")(iter(messages(value))):
        seen += 1
        expect(reply, (value, seen), "bidi")
    if seen != STREAMED:
        wrong(f"bidi: {seen} of {STREAMED} messages")


async def cancelled(channel: grpc.aio.Channel, value: str) -> None:
    call = method(channel, "stream_stream", "EchoBidiStream")()
    await call.write((f"cancelled {value}", 1))
    await call.read()
    call.cancel()
    if await call.code() != grpc.StatusCode.CANCELLED:
        wrong(f"cancelled: {await call.code()}")
    did["cancelled"] += 1


async def late(channel: grpc.aio.Channel, value: str) -> None:
    try:
        await method(channel, "unary_unary", "Echo")((f"late {value}", 1), timeout=0.05)
        wrong("late: OK")
    except grpc.aio.AioRpcError as error:
        if error.code() != grpc.StatusCode.DEADLINE_EXCEEDED:
            wrong(f"late: {error.code()}")
    did["late"] += 1


KINDS: list[Callable[[grpc.aio.Channel, str], Any]] = [unary, server_stream, client_stream, bidi, cancelled, late]


async def worker(number: int, address: str, until: float) -> None:
    channel: grpc.aio.Channel | None = None
    made = 0
    while time.monotonic() < until:
        if made % RENEWED == 0:
            if channel:
                await channel.close()
            channel = grpc.aio.insecure_channel(address, options=[("grpc.use_local_subchannel_pool", 1)])
        assert channel
        did["calls"] += 1
        try:
            await KINDS[made % len(KINDS)](channel, f"kept grpcio {number} {made}")
        except grpc.aio.AioRpcError as error:
            wrong(f"call {made}: {error.code()} {error.details()}")
        made += 1
        await asyncio.sleep(PAUSE)
    if channel:
        await channel.close()


async def main() -> None:
    address, until = f"127.0.0.1:{sys.argv[1]}", time.monotonic() + float(sys.argv[2])
    await asyncio.gather(*(worker(number, address, until) for number in range(WORKERS)))
    print(json.dumps(did))


if __name__ == "__main__":
    asyncio.run(main())
