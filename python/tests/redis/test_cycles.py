"""An error that is raised to the caller is in no reference cycle: what it holds is freed with it, connections at once."""

from __future__ import annotations

import asyncio
import contextlib
import functools
import gc
import socket
import weakref
from collections.abc import Awaitable, Callable, Iterator
from typing import Any

import pytest
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.retry import Retry
from servers import greeted, peer

Call = Callable[[Any], Any]


@contextlib.contextmanager
def without_collector() -> Iterator[None]:
    """Nothing but references keeps or frees an object."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def freed(call: Callable[[], object]) -> None:
    """Fails unless a call raises an error that is gone as soon as its caller forgets it."""
    with without_collector():
        try:
            call()
        except Exception as error:
            reference = weakref.ref(error)
        else:
            pytest.fail("it was not refused")
        assert reference() is None, gc.get_referrers(reference())


async def freed_async(call: Callable[[], Awaitable[object]]) -> None:
    """Fails unless an awaited call raises an error that is gone as soon as its caller forgets it."""
    with without_collector():
        try:
            await call()
        except Exception as error:
            reference = weakref.ref(error)
        else:
            pytest.fail("it was not refused")
        # What has woken this task keeps the reply, and so the error, until it is done.
        await asyncio.sleep(0)
        assert reference() is None, gc.get_referrers(reference())


@pytest.fixture(scope="module")
def prepared(port: int) -> int:
    """The port of a server with a text, and a user who may not subscribe."""
    with Client[bytes](port=port) as client:
        client.set("text", "value")
        client.execute_command("ACL SETUSER", "nobody", "on", ">secret", "~*", "+@all", "-monitor", "resetchannels")
    return port


def unqueued(client: Any) -> Any:
    pipe = client.pipeline()
    pipe.execute_command("NO-SUCH")
    return pipe.execute()


def changed(client: Any) -> Any:
    with client.pipeline() as pipe:
        pipe.watch("text")
        client.set("text", "value")
        pipe.multi()
        pipe.get("text")
        return pipe.execute()


def watched(client: Any) -> Any:
    with client.pipeline() as pipe:
        pipe.watch("text")
        return pipe.lpush("text", 1)


REFUSED: dict[str, Call] = {
    "command": lambda client: client.lpush("text", 1),
    "blocking command": lambda client: client.blpop("text", 1),
    "name in lower case": lambda client: client.execute_command("lpush", "text", 1),
    "pipeline": lambda client: client.pipeline(False).lpush("text", 1).execute(),
    "transaction": lambda client: client.pipeline().lpush("text", 1).execute(),
    "queued command": unqueued,
    "script": lambda client: client.evalsha("0" * 40, 0),
    "lock": lambda client: client.lock("text", blocking=False).release(),
}


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("call", [*REFUSED.values(), changed, watched], ids=[*REFUSED, "changed", "watched"])
def test_what_a_server_refuses(prepared: int, call: Call, single: bool) -> None:
    with Client[bytes](port=prepared, single_connection_client=single) as client:
        freed(lambda: call(client))
        assert client.get("text") == b"value"


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_what_a_server_refuses_asyncio(prepared: int, call: Call, single: bool) -> None:
    async def main() -> None:
        async with aio.Client[bytes](port=prepared, single_connection_client=single) as client:
            await freed_async(lambda: call(client))
            assert await client.get("text") == b"value"

    asyncio.run(main())


def subscribed(client: Any) -> None:
    subscriber = client.pubsub()
    subscriber.subscribe("secret")
    subscriber.get_message(timeout=30)


def monitored(client: Any) -> None:
    with client.monitor():
        pass


def watching(client: Any) -> None:
    pipe = client.pipeline()
    pipe.watch("text")
    pipe.lpush("text", 1)


@pytest.mark.parametrize("call", [subscribed, monitored, watching])
@pytest.mark.parametrize("protocol", [2, 3])
def test_a_refused_caller_gives_its_connection_back_at_once(prepared: int, call: Call, protocol: int) -> None:
    with Client[bytes](port=prepared, protocol=protocol, username="nobody", password="secret") as client:
        freed(lambda: call(client))
        assert not client.connection_pool._in_use_connections


async def subscribed_async(client: Any) -> None:
    subscriber = client.pubsub()
    try:
        await subscriber.subscribe("secret")
        await subscriber.get_message(timeout=30)
    finally:
        await subscriber.aclose()


async def monitored_async(client: Any) -> None:
    async with client.monitor():
        pass


@pytest.mark.parametrize("call", [subscribed_async, monitored_async])
def test_a_refused_asyncio_caller(prepared: int, call: Callable[[Any], Awaitable[None]]) -> None:
    async def main() -> None:
        async with aio.Client[bytes](port=prepared, username="nobody", password="secret") as client:
            await freed_async(lambda: call(client))
            assert not client.connection_pool._in_use_connections

    asyncio.run(main())


def lost(connection: socket.socket, data: bytes) -> None:
    connection.shutdown(socket.SHUT_RDWR)


CALLS: list[Call] = [
    lambda client: client.get("key"),
    lambda client: client.blpop("key", 1),
    lambda client: client.pipeline().get("key").execute(),
    lambda client: client.pipeline(False).get("key").execute(),
]


@pytest.mark.parametrize("call", CALLS)
def test_a_connection_that_is_lost_again_and_again(call: Call) -> None:
    with peer(greeted(lost)) as port, Client[bytes](port=port, retry=Retry(NoBackoff(), 2)) as client:
        freed(lambda: call(client))


@pytest.mark.parametrize("call", CALLS)
def test_a_connection_that_is_lost_again_and_again_asyncio(call: Call) -> None:
    async def main() -> None:
        with peer(greeted(lost)) as port:
            async with aio.Client[bytes](port=port, retry=AioRetry(NoBackoff(), 2)) as client:
                await freed_async(lambda: call(client))

    asyncio.run(main())


@pytest.mark.parametrize("call", CALLS)
def test_a_server_that_is_silent(call: Call) -> None:
    retry = Retry(NoBackoff(), 0)
    with peer(greeted(lambda *_: None)) as port, Client[bytes](port=port, retry=retry, socket_timeout=0.1) as client:
        freed(lambda: call(client))


@pytest.mark.parametrize("call", [CALLS[0], subscribed])
def test_a_server_that_refuses_the_password(prepared: int, call: Call) -> None:
    for protocol in (2, 3):
        with Client[bytes](port=prepared, username="nobody", password="wrong", protocol=protocol) as client:
            freed(functools.partial(call, client))
            assert not client.connection_pool._in_use_connections


@pytest.mark.parametrize("call", CALLS)
def test_a_server_that_is_away(call: Call) -> None:
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with Client[bytes](port=port, retry=Retry(NoBackoff(), 1)) as client:
        freed(lambda: call(client))


@pytest.mark.parametrize("call", CALLS)
def test_a_server_that_is_away_asyncio(call: Call) -> None:
    async def main() -> None:
        with socket.create_server(("127.0.0.1", 0)) as free:
            port = free.getsockname()[1]
        async with aio.Client[bytes](port=port, retry=AioRetry(NoBackoff(), 1)) as client:
            await freed_async(lambda: call(client))

    asyncio.run(main())
