"""The types that the generated stubs give: mypy reads the functions, which nobody calls, and this module must import."""

from __future__ import annotations

from typing import Any, assert_type

from samewire.redis.aio import Redis as AsyncRedis
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.aio.sentinel import Sentinel as AsyncSentinel
from samewire.redis.client import Client, Pipeline, Redis, StrictRedis
from samewire.redis.cluster import RedisCluster
from samewire.redis.commands import AsyncCommands, Commands, PipelineCommands
from samewire.redis.commands.replies.sentinel import SentinelState
from samewire.redis.sentinel import Sentinel


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
    assert_type(client.zrange("key", 0, -1, withscores=True), list[tuple[str, float]])
    assert_type(client.incr("key"), int)
    assert_type(client["key"], str)
    for key in client.scan_iter():
        assert_type(key, str)


def by_options(client: Commands[str], flag: bool, places: Commands[bytes]) -> None:
    """What an option does to a reply, in redis-py's documented ways to give it."""
    assert_type(client.zrange("key", 0, -1, withscores=True, score_cast_func=int), list[tuple[str, int]])
    assert_type(client.zrevrange("key", 0, -1, True), list[tuple[str, float]])
    assert_type(client.zrevrange("key", 0, -1, True, int), list[tuple[str, int]])
    assert_type(client.zrangebyscore("key", 0, 1, 0, 2, withscores=True, score_cast_func=str), list[tuple[str, str]])
    assert_type(client.zunion(["key"], withscores=True), list[tuple[str, float]])
    assert_type(client.zscan("key"), tuple[int, list[tuple[str, float]]])
    assert_type(client.zscan("key", score_cast_func=int), tuple[int, list[tuple[str, int]]])
    assert_type(client.zdiff(["key"], withscores=True), list[str | bytes])
    assert_type(client.zrandmember("key"), str | None)
    assert_type(client.zrandmember("key", 2), list[str])
    assert_type(client.zrandmember("key", 2, withscores=True), list[str | bytes])
    assert_type(client.georadius("key", 15, 37, 200, unit="km"), list[str])
    assert_type(client.georadius("key", 15, 37, 200, unit="km", withdist=True), list[list[Any]])
    assert_type(client.georadius("key", 15, 37, 200, withcoord=True, withdist=True, withhash=True), list[list[Any]])
    assert_type(client.georadius("key", 15, 37, 200, unit="km", store="other"), int)
    assert_type(client.georadius("key", 15, 37, 200, unit="km", store_dist="other"), int)
    assert_type(client.georadius("key", 15, 37, 200, withdist=flag), list[str] | list[list[Any]] | int)
    assert_type(client.georadiusbymember("key", "place", 200, store="other"), int)
    assert_type(places.geosearch("key", member="place", radius=10), list[bytes])
    assert_type(places.geosearch("key", member="place", radius=10, withcoord=True), list[list[Any]])
    for place, distance in places.geosearch("key", member="place", radius=10, withdist=True):
        print(place, distance < 10)
    assert_type(client.sort("key"), list[str])
    assert_type(client.sort("key", get=["#", "w_*"], groups=True), list[tuple[str | None, ...]])
    assert_type(client.sort("key", get="w_*"), list[str | None])
    assert_type(client.sort("key", store="other"), int)
    assert_type(client.sort("key", get="w_*", store="other"), int)
    assert_type(client.lcs("a", "b"), str)
    assert_type(client.lcs("a", "b", len=True), int)
    assert_type(client.lcs("a", "b", idx=True), list[Any])
    assert_type(client.object("encoding", "key"), str | None)
    assert_type(client.object("idletime", "key"), int | None)
    assert_type(client.xclaim("key", "group", "me", 0, ["1-1"], justid=True), list[str])
    assert_type(client.xautoclaim("key", "group", "me", 0, justid=True), list[str])
    for stream, entries in client.xread({"key": 0}, count=5):
        for number, fields in entries:
            print(stream, number, fields["name"])
    for number, fields in client.xclaim("key", "group", "me", 0, ["1-1"]):
        assert_type(number, str | None)
        assert_type(fields, dict[str, str] | None)
    assert_type(client.command_docs("GET"), dict[str, dict[str, Any]])


def of_a_cluster(client: RedisCluster[bytes]) -> None:
    assert_type(client.cluster_slots(), dict[tuple[int, int], dict[str, Any]])
    assert_type(client.cluster_shards(), list[dict[str, Any]])
    assert_type(client.cluster_myshardid(), str)
    assert_type(client.cluster_links(None), list[list[Any]])


def of_a_sentinel(client: Client[str]) -> None:
    assert_type(client.sentinel_get_master_addr_by_name("service"), tuple[str, int] | None)
    assert_type(client.sentinel_master("service"), SentinelState)
    assert_type(client.sentinel_masters()["service"]["num-other-sentinels"], int)
    assert_type(client.sentinel_slaves("service")[0]["is_sdown"], bool)
    assert_type(client.sentinel_sentinels("service"), list[SentinelState])
    assert_type(client.sentinel_ckquorum("service"), bool)
    assert_type(client.pipeline().sentinel_masters().get("key"), Pipeline)


async def of_sentinels(client: AsyncClient[bytes], all_of_them: Sentinel, loop: AsyncSentinel) -> None:
    assert_type(await client.sentinel_get_master_addr_by_name("service"), tuple[bytes, int] | None)
    assert_type(await client.sentinel_replicas("service"), list[SentinelState])
    assert_type(all_of_them.sentinel_masters(), bool)
    assert_type(all_of_them.sentinel_master("service"), bool)
    assert_type(all_of_them.sentinel_master("service", return_responses=True), list[SentinelState])
    assert_type(await loop.sentinel_sentinels("service", True), list[list[SentinelState]])


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
