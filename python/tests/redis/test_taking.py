"""Commands whose reply alone has what they took from the server are sent once. redis-py sends them again, and returns
what is left: what the first one took is gone without an error."""

from __future__ import annotations

import asyncio
import contextlib
import re
import socket
from collections.abc import Iterator
from typing import Any

import pytest
import redis
from driven import Driven
from redis.backoff import NoBackoff as TheirNoBackoff
from redis.retry import Retry as TheirRetry
from samewire.redis import aio
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.exceptions import ConnectionError
from samewire.redis.retry import Retry
from samewire.redis.rules import routing
from servers import peer

from codegen.redis.facts import repeatable, taking
from codegen.redis.table import Table

#: A call of each, with the option that makes it take.
CALLS = """
BITFIELD key SET u8 0 1
BLMPOP 1 1 key LEFT
BLPOP key 1
BRPOP key 1
BZMPOP 1 1 key MIN
BZPOPMAX key 1
BZPOPMIN key 1
GETDEL key
GETSET key new
HGETDEL key FIELDS 1 field
JSON.ARRPOP key
LMPOP 1 key LEFT
LPOP key
RPOP key
SET key new GET
SPOP key
XREADGROUP GROUP g c NOACK STREAMS key >
ZMPOP 1 key MIN
ZPOPMAX key
ZPOPMIN key
"""

LINES = CALLS.strip().splitlines()


@contextlib.contextmanager
def forgetful() -> Iterator[tuple[int, list[bytes]]]:
    """A server that runs a command and closes the connection, once; then nothing is left. And the commands it got."""
    came: list[bytes] = []

    def serve(connection: socket.socket) -> None:
        while data := connection.recv(100_000):
            for command in re.split(rb"(?=\*\d+\r\n)", data)[1:]:
                if b"HELLO" in command:
                    connection.sendall(b"%1\r\n$5\r\nproto\r\n:3\r\n")
                elif b"key" not in command:
                    connection.sendall(b"+OK\r\n")
                else:
                    came.append(command)
                    if len(came) == 1:
                        return
                    connection.sendall(b"_\r\n")

    with peer(serve) as port:
        yield port, came


def test_has_a_call_of_each() -> None:
    assert {line.split(" ")[0] for line in LINES} == set(taking(Table(modules=True)))


def test_none_may_be_repeated_in_any_language() -> None:
    table = Table(modules=True)
    # Java's facts are made of these.
    assert not taking(table).keys() & repeatable(table)
    for line in LINES:
        assert not routing.may_repeat(line.split(" ")), line


@pytest.mark.parametrize("line", LINES)
def test_is_sent_once(line: str, kind: str) -> None:
    with forgetful() as (port, came), contextlib.ExitStack() as stack:
        if kind == "blocking":
            client: Any = stack.enter_context(Client[bytes](port=port, retry=Retry(NoBackoff(), 1)))
        else:
            runner = stack.enter_context(asyncio.Runner())
            made = aio.Client(port=port, retry=AioRetry(NoBackoff(), 1))
            client = stack.enter_context(Driven(made, runner.get_loop()))
        with pytest.raises(ConnectionError) as caught:
            client.execute_command(*line.split(" "))
        assert caught.value.may_have_run
        assert len(came) == 1


@pytest.mark.parametrize("line", LINES)
def test_redis_py_sends_it_again(line: str) -> None:
    with forgetful() as (port, came):
        again = TheirRetry(TheirNoBackoff(), 1)
        client = redis.Redis(port=port, protocol=3, retry=again)
        # What it held, or popped, was in the reply that never came.
        assert not client.execute_command(*line.split(" "))  # type: ignore[no-untyped-call]
        assert len(came) == 2
        client.close()
