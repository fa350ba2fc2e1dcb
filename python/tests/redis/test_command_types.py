"""The types that the generated stubs give: mypy reads the functions, which nobody calls, and this module must import."""

from __future__ import annotations

from typing import Any, assert_type

from samewire.redis.aio import Redis as AsyncRedis
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.client import Client, Redis, StrictRedis
from samewire.redis.commands import AsyncCommands, Commands, PipelineCommands


def of_a_client(client: Commands[str]) -> None:
    assert_type(client.get("key"), str | None)
    assert_type(client.set("key", 1), bool | None)
    assert_type(client.set("key", 1, get=True), str | None)
    assert_type(client.mget("a", "b"), list[str | None])
    assert_type(client.lpop("key"), str | None)
    assert_type(client.lpop("key", 2), list[str] | None)
    assert_type(client.hgetall("key"), dict[str, str])
    assert_type(client.smembers("key"), set[str])
    assert_type(client.zrange("key", 0, -1), list[str])
    assert_type(client.zrange("key", 0, -1, withscores=True), list[tuple[str, Any]])
    assert_type(client.incr("key"), int)
    assert_type(client["key"], str)
    for key in client.scan_iter():
        assert_type(key, str)


def of_bytes(client: Commands[bytes]) -> None:
    assert_type(client.hget("key", "field"), bytes | None)
    assert_type(client.dump("key"), bytes | None)


async def of_an_asyncio_client(client: AsyncCommands[str]) -> None:
    assert_type(await client.get("key"), str | None)
    assert_type(await client.set("key", 1, get=True), str | None)
    assert_type(await client.hscan("key", no_values=True), tuple[int, list[str]])
    async for key in client.scan_iter():
        assert_type(key, str)


def of_a_pipeline(pipeline: PipelineCommands) -> None:
    assert_type(pipeline.get("key"), PipelineCommands)
    assert_type(pipeline.set("key", 1).zrange("key", 0, -1, withscores=True), PipelineCommands)


async def of_clients_as_they_are_made() -> None:
    assert_type(Client(decode_responses=True).get("key"), str | None)
    assert_type(Client().get("key"), bytes | None)
    assert_type(Client.from_url("redis://localhost", decode_responses=True).get("key"), str | None)
    assert_type(Client().decoding(True).get("key"), str | None)
    assert_type(await AsyncClient(decode_responses=True).get("key"), str | None)
    assert_type(await AsyncClient().get("key"), bytes | None)
    assert_type(await AsyncClient.from_url("redis://localhost").get("key"), bytes | None)


async def of_functions_written_for_redis_py(client: Redis, strict: StrictRedis, loop: AsyncRedis, texts: Redis[str]) -> None:
    assert_type(client.incr("key"), int)
    assert_type(strict.get("key"), Any | None)
    assert_type(await loop.get("key"), Any | None)
    assert_type(texts.get("key"), str | None)
    assert_type(Client(connection_pool=client.connection_pool), Client[Any])
    await of_functions_written_for_redis_py(Client(decode_responses=True), Client(), AsyncClient(), texts)


def test_classes_take_the_type_of_texts_at_run_time() -> None:
    assert Commands[str].__origin__ is Commands  # type: ignore[attr-defined]
    assert AsyncCommands[bytes].__origin__ is AsyncCommands  # type: ignore[attr-defined]
