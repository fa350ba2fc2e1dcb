"""A server that refuses a client says why and closes the connection: that is the client's error, not the end of the connection."""

from __future__ import annotations

import asyncio
import socket
from typing import Any

import pytest
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.exceptions import ConnectionError, RedisError
from samewire.redis.retry import Retry
from servers import peer, valkey

FULL = b"-ERR max number of clients reached\r\n"
PROTECTED = b"-DENIED Redis is running in protected mode because protected mode is enabled\r\n"


def ping(kind: str, port: int, attempts: int = 0) -> Any:
    """The reply to a PING of a new client."""
    if kind == "blocking":
        with Client[bytes](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), attempts)) as client:
            return client.ping()

    async def main() -> Any:
        retry = AioRetry(NoBackoff(), attempts)
        async with aio.Client[bytes](host="127.0.0.1", port=port, retry=retry) as client:
            return await client.ping()

    return asyncio.run(main())


@pytest.mark.parametrize(("reply", "text"), [(FULL, "max number of clients reached"), (PROTECTED, "protected mode")])
def test_the_reason_for_which_a_server_closes_is_the_error(kind: str, reply: bytes, text: str) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(10_000)
        connection.sendall(reply)

    with peer(serve) as port, pytest.raises(RedisError, match=text) as caught:
        ping(kind, port)
    assert caught.value.may_have_run is False


def test_an_old_server_that_ends_is_lost_and_tried_again(kind: str) -> None:
    taken = []

    def serve(connection: socket.socket) -> None:
        taken.append(connection.recv(10_000))
        connection.sendall(b"-ERR unknown command 'HELLO'\r\n")

    with peer(serve) as port, pytest.raises(ConnectionError, match="closed the connection"):
        ping(kind, port, attempts=2)
    assert len(taken) == 3


def test_a_full_server_says_so_to_each_client(kind: str) -> None:
    with valkey(maxclients=1) as server, Client[bytes](host="127.0.0.1", port=server.port) as first:
        assert first.ping()
        for _ in range(10):
            with pytest.raises(ConnectionError, match="max number of clients reached"):
                ping(kind, server.port)
