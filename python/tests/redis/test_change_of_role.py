"""A server that is a replica now, or reads its data: calls, pipelines and transactions, blocking and asyncio, do the same."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import ConstantBackoff
from samewire.redis.exceptions import BusyLoadingError, ReadOnlyError
from samewire.redis.retry import Retry
from servers import peer

GREETING = b"%1\r\n$5\r\nproto\r\n:3\r\n"
READONLY = b"-READONLY You can't write against a read only replica.\r\n"
LOADING = b"-LOADING Valkey is loading the dataset in memory\r\n"

#: The first word of each command that a read holds.
COMMAND = re.compile(rb"\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n")


@contextlib.contextmanager
def server(reply: Callable[[int, bytes], bytes]) -> Iterator[tuple[int, list[Any]]]:
    """The port of a server, and its connections. reply: from the number of the connection, from 1, and a command's name."""
    connections: list[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        connections.append(connection)
        number = len(connections)
        queued = 0
        while data := connection.recv(10_000):
            out = b""
            for name in COMMAND.findall(data):
                if name == b"HELLO":
                    out += GREETING
                elif name in (b"CLIENT", b"UNWATCH"):
                    out += b"+OK\r\n"
                else:
                    said = reply(number, name)
                    if not said.startswith(b"-") and name == b"MULTI":
                        queued = 0
                    elif not said.startswith(b"-") and name == b"EXEC":
                        said = b"*%d\r\n" % queued + b"+OK\r\n" * queued
                    else:
                        queued += 1
                    out += said
            connection.sendall(out)

    with peer(serve) as port:
        yield port, connections


def set_by_call(client: Any) -> Any:
    return client.set("key", "value")


def set_by_pipeline(client: Any) -> Any:
    return client.pipeline(transaction=False).set("key", "value").set("other", "value").execute()


def set_by_transaction(client: Any) -> Any:
    return client.pipeline().set("key", "value").execute()


WAYS = [set_by_call, set_by_pipeline, set_by_transaction]


def use(kind: str, port: int, way: Callable[[Any], Any], times: int, **options: Any) -> list[Any]:
    """What `way` returns or raises, so many times one after the other, with one client."""
    found: list[Any] = []
    if kind == "blocking":
        with samewire.redis.Client[bytes](host="127.0.0.1", port=port, retry=Retry(ConstantBackoff(0), 10), **options) as client:
            for _ in range(times):
                try:
                    found.append(way(client))
                except samewire.redis.RedisError as error:
                    found.append(type(error))
        return found

    async def main() -> None:
        retry = AioRetry(ConstantBackoff(0), 10)
        async with samewire.redis.aio.Client[bytes](host="127.0.0.1", port=port, retry=retry, **options) as client:
            for _ in range(times):
                try:
                    found.append(await way(client))
                except samewire.redis.RedisError as error:
                    found.append(type(error))
                # A connection is left at the next turn of the loop.
                await asyncio.sleep(0)

    asyncio.run(asyncio.wait_for(main(), 30))
    return found


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
@pytest.mark.parametrize(("single", "way"), [(True, set_by_call), *((False, way) for way in WAYS)])
def test_readonly_ends_the_connection(kind: str, single: bool, way: Callable[[Any], Any]) -> None:
    def reply(connection: int, name: bytes) -> bytes:
        return (
            b"+OK\r\n"
            if connection > 1 or name in (b"MULTI", b"PING")
            else b"-EXECABORT refused\r\n"
            if name == b"EXEC"
            else READONLY
        )

    with server(reply) as (port, connections):
        first, *rest = use(kind, port, way, 3, single_connection_client=single)
        assert first is ReadOnlyError
        assert all(replies in (True, [True], [True, True]) for replies in rest)
        assert len(connections) == 2


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
@pytest.mark.parametrize("way", WAYS)
def test_callers_wait_for_a_server_that_reads_its_data(kind: str, way: Callable[[Any], Any]) -> None:
    refused: list[bytes] = []

    def reply(connection: int, name: bytes) -> bytes:
        if len(refused) < 6:
            refused.append(name)
            return LOADING
        return b"+OK\r\n"

    with server(reply) as (port, _):
        assert use(kind, port, way, 1)[0] in (True, [True], [True, True])
    refused.clear()


@pytest.mark.parametrize("kind", ["blocking", "asyncio"])
@pytest.mark.parametrize("way", WAYS)
def test_a_server_that_reads_its_data_for_long_is_told(kind: str, way: Callable[[Any], Any]) -> None:
    with server(lambda connection, name: LOADING) as (port, _):
        assert use(kind, port, way, 2) == [BusyLoadingError] * 2
