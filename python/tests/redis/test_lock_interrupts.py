"""A caller of `acquire` that is interrupted or cancelled gives back the lock that the server may have given it."""

from __future__ import annotations

import asyncio
import contextlib
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator

import pytest
from clusters import wait_for
from samewire.redis.aio import lock as aio_lock
from samewire.redis.aio.client import Client as AsyncClient
from samewire.redis.client import Client
from servers import greeted, peer


class Server:
    """Keeps what it is sent for a lock. `on_set` is called before the reply to SET, which it returns."""

    def __init__(self, on_set: Callable[[], bytes]) -> None:
        self.on_set = on_set
        self.tokens: list[bytes] = []
        self.released: list[bytes] = []

    def serve(self, connection: socket.socket, data: bytes) -> None:
        words = data.split(b"\r\n")[2::2]
        if words[0] == b"SET":
            self.tokens.append(words[2])
            connection.sendall(self.on_set())
        elif words[0] == b"EVALSHA":
            self.released.append(words[4])
            connection.sendall(b":1\r\n")
        else:
            connection.sendall(b"+PONG\r\n")


@contextlib.contextmanager
def serving(on_set: Callable[[], bytes]) -> Iterator[tuple[int, Server]]:
    server = Server(on_set)
    with peer(greeted(server.serve)) as port:
        yield port, server


class Stop(Exception):
    """Raised by a program's own handler."""


@pytest.mark.parametrize("raised", [KeyboardInterrupt, Stop])
def test_an_interrupted_caller_gives_back_what_it_may_have_got(raised: type[BaseException]) -> None:
    main = threading.main_thread().ident
    assert main is not None

    def interrupt() -> bytes:
        # By now the caller waits, and is interrupted at once; before, at the end of a slice of its wait.
        time.sleep(0.05)
        signal.pthread_kill(main, signal.SIGUSR1)
        return b""

    def handler(*_: object) -> None:
        raise raised

    before = signal.signal(signal.SIGUSR1, handler)
    try:
        with serving(interrupt) as (port, server), Client[bytes](port=port) as client:
            lock = client.lock("name")
            with pytest.raises(raised):
                lock.acquire()
            wait_for(lambda: server.released)
            assert server.released == server.tokens
            with pytest.raises(raised):
                lock.acquire(token="that of a holder elsewhere")
            assert len(server.tokens) == 2
            assert len(server.released) == 1
    finally:
        signal.signal(signal.SIGUSR1, before)


@pytest.mark.parametrize("reply", [b"+OK\r\n", b"_\r\n"])
@pytest.mark.parametrize("late", [False, True])
def test_a_cancelled_caller_gives_back_what_it_gets(reply: bytes, late: bool) -> None:
    """Late: the reply comes when the caller has its cancellation already, for the wait is bounded."""
    gone = threading.Event()

    async def main() -> None:
        loop = asyncio.get_running_loop()

        def cancel() -> bytes:
            loop.call_soon_threadsafe(task.cancel)
            if late:
                assert gone.wait(60)
            return reply

        with serving(cancel) as (port, server):
            async with AsyncClient(port=port) as client:
                task = asyncio.ensure_future(client.lock("name").acquire(blocking=False))
                with pytest.raises(asyncio.CancelledError):
                    await task
                assert task.cancelled()
                gone.set()
                if reply == b"+OK\r\n":
                    await asyncio.to_thread(wait_for, lambda: server.released)
                # What was sent for the lock comes before it.
                await client.ping()
                assert server.released == (server.tokens if reply == b"+OK\r\n" else [])

    asyncio.run(main())


def test_a_lock_whose_caller_is_cancelled_between_attempts_sends_nothing() -> None:
    async def main() -> None:
        with serving(lambda: b"_\r\n") as (port, server):
            async with AsyncClient(port=port) as client:
                task = asyncio.ensure_future(client.lock("name", sleep=60).acquire())
                await asyncio.to_thread(wait_for, lambda: server.tokens)
                await client.ping()
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                await client.ping()
                assert server.released == []

    asyncio.run(main())


@pytest.mark.parametrize("own", [True, False])
def test_a_cancelled_attempt_ends_although_the_server_keeps_its_replies(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture, own: bool
) -> None:
    monkeypatch.setattr(aio_lock, "GIVING", 0.01)
    came: list[bytes] = []

    def keep(connection: socket.socket, data: bytes) -> None:
        came.extend(re.findall(rb"SET|EVALSHA", data))

    async def main() -> None:
        with peer(greeted(keep)) as port:
            async with AsyncClient(port=port, socket_timeout=None) as client:
                acquiring = client.lock("name").acquire(token=None if own else "that of a holder elsewhere")
                task = asyncio.ensure_future(acquiring)
                await asyncio.to_thread(wait_for, lambda: came)
                task.cancel()
                with pytest.raises(asyncio.CancelledError):
                    await task
                async with asyncio.timeout(60):
                    while aio_lock._giving:
                        await asyncio.sleep(0.001)
                # The server runs the release after the attempt, once it goes on.
                await asyncio.to_thread(wait_for, lambda: len(came) == 1 + own)
                assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(main())
    assert [record.message for record in caplog.records if "may be taken" in record.message] == [
        "the lock 'name' may be taken by an attempt that was interrupted: no reply to its release within 0.01 s"
    ] * own
