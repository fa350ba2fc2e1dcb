"""Errors of commands that were never sent say so: `may_have_run` is False, not unknown, whatever the connection has done before."""

from __future__ import annotations

import asyncio
import contextlib
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AsyncRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.connection import BlockingConnectionPool, ConnectionPool
from samewire.redis.exceptions import ConnectionError, MaxConnectionsError, RedisError, TimeoutError
from samewire.redis.retry import Retry
from servers import GREETING, peer

CALLS: list[Callable[[Any], Any]] = [
    lambda client: client.incr("n"),
    lambda client: client.blpop("queue", 1),
    lambda client: client.pipeline().incr("n").execute(),
    lambda client: client.pipeline(transaction=False).incr("n").execute(),
    lambda client: client.pipeline().watch("n"),
]


@contextlib.contextmanager
def refused() -> Iterator[int]:
    """A port at which nobody listens."""
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        yield bound.getsockname()[1]


def silent(connection: socket.socket) -> None:
    """Takes the greeting, and closes the connection."""
    connection.recv(10_000)


def ending(connection: socket.socket) -> None:
    """Greets, and takes the next words without a reply."""
    connection.recv(10_000)
    connection.sendall(GREETING)
    connection.recv(10_000)


@pytest.mark.parametrize("server", [refused(), peer(silent)], ids=["refused", "silent"])
def test_what_does_not_connect_has_run_nothing(server: contextlib.AbstractContextManager[int]) -> None:
    async def each(port: int) -> None:
        client = aio.Client[Any](host="127.0.0.1", port=port, retry=AsyncRetry(NoBackoff(), 0))
        for call in CALLS:
            with pytest.raises((ConnectionError, TimeoutError)) as caught:
                await call(client)
            assert caught.value.may_have_run is False
        await client.aclose()

    with server as port:
        client = Client[Any](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0))
        for call in CALLS:
            with pytest.raises((ConnectionError, TimeoutError)) as caught:
                call(client)
            assert caught.value.may_have_run is False
        client.close()
        asyncio.run(each(port))


def test_a_health_check_that_fails_is_no_command() -> None:
    with peer(ending) as port:
        client = Client[Any](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0), health_check_interval=1e-9)
        with pytest.raises(ConnectionError) as caught:
            client.incr("n")
        assert caught.value.may_have_run is False
        client.close()


class Token:
    """What a provider of credentials renews."""

    def try_get(self, key: str) -> str:
        return key

    def get_value(self) -> str:
        return "secret"


def test_new_credentials_that_are_not_taken_are_no_command() -> None:
    async def both(port: int) -> None:
        pool: aio.ConnectionPool[Any] = aio.ConnectionPool(host="127.0.0.1", port=port, retry=AsyncRetry(NoBackoff(), 0))
        await pool.release(await pool.get_connection())
        pool.take_token(Token())
        with pytest.raises(ConnectionError) as caught:
            await pool.get_connection()
        assert caught.value.may_have_run is False
        await pool.aclose()

    with peer(ending) as port:
        pool: ConnectionPool[Any] = ConnectionPool(host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0))
        client = Client[Any](connection_pool=pool)
        pool.release(pool.get_connection())
        pool.re_auth_callback(Token())
        with pytest.raises(ConnectionError) as caught:
            client.incr("n")
        assert caught.value.may_have_run is False
        pool.close()
        asyncio.run(both(port))


def test_a_pool_without_a_free_connection_has_sent_nothing(port: int) -> None:
    async def each() -> None:
        pools: list[aio.ConnectionPool[Any]] = [
            aio.ConnectionPool(host="127.0.0.1", port=port, max_connections=1),
            aio.BlockingConnectionPool(host="127.0.0.1", port=port, max_connections=1, timeout=0.01),
        ]
        for pool in pools:
            held = await pool.get_connection()
            with pytest.raises(ConnectionError) as caught:
                await aio.Client[Any](connection_pool=pool).blpop("queue", 1)
            assert caught.value.may_have_run is False
            await pool.release(held)
            await pool.aclose()

    errors: list[type[RedisError]] = []
    pools: list[ConnectionPool[Any]] = [
        ConnectionPool(port=port, max_connections=1),
        BlockingConnectionPool(port=port, max_connections=1, timeout=0.01),
    ]
    for pool in pools:
        held = pool.get_connection()
        with pytest.raises(ConnectionError) as caught:
            Client[Any](connection_pool=pool).incr("n")
        errors.append(caught.type)
        assert caught.value.may_have_run is False
        pool.release(held)
        pool.close()
    assert errors == [MaxConnectionsError, ConnectionError]
    asyncio.run(each())


def test_a_socket_that_takes_no_options_is_closed() -> None:
    """An event loop keeps its transports: nobody else closes it."""

    async def main() -> None:
        ended = asyncio.get_running_loop().create_future()

        async def served(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            with contextlib.suppress(OSError):
                ended.set_result(await reader.read())
            if not ended.done():
                ended.set_result(b"")
            writer.close()

        async with await asyncio.start_server(served, "127.0.0.1", 0) as server:
            port = server.sockets[0].getsockname()[1]
            options = {1 << 20: 1}
            connection = aio.Connection(host="127.0.0.1", port=port, socket_keepalive_options=options)
            with pytest.raises(ConnectionError):
                await connection.connect_once()
            assert await asyncio.wait_for(ended, 60) == b""

    asyncio.run(main())
