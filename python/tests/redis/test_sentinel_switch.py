"""A sentinel publishes that the master is another server: the old one is left at once, though it still replies."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from clusters import wait_for
from samewire.redis import aio, sentinel
from samewire.redis.aio import sentinel as aio_sentinel
from samewire.redis.aio import switching as aio_switching
from samewire.redis.client import Client
from samewire.redis.exceptions import TimeoutError
from samewire.redis.sentinel import switching as shared_switching
from samewire.redis.sentinel.master_locator import MasterAddress, switch_of
from samewire.redis.steps import run, run_async
from samewire.redis.sync import switching
from servers import peer, valkey

A, B = ("a", 1), ("b", 2)


def bulk(word: object) -> bytes:
    data = str(word).encode()
    return b"$%d\r\n%s\r\n" % (len(data), data)


def array(*words: object) -> bytes:
    return b"*%d\r\n" % len(words) + b"".join(map(bulk, words))


@contextlib.contextmanager
def one_sentinel(master: int) -> Iterator[tuple[int, threading.Event, list[socket.socket]]]:
    """The port of a sentinel that goes on naming one master, whatever it publishes; an event once it has a listener, which it
    holds then."""
    listened = threading.Event()
    listeners: list[socket.socket] = []
    about = ["name", "orders", "ip", "127.0.0.1", "port", master, "flags", "master", "num-other-sentinels", 0]

    def serve(connection: socket.socket) -> None:
        while data := connection.recv(10_000):
            if b"HELLO" in data:
                connection.sendall(b"-ERR unknown command 'HELLO'\r\n" + b"+OK\r\n" * data.count(b"SETINFO"))
            elif b"SUBSCRIBE" in data:
                connection.sendall(b"*3\r\n" + bulk("subscribe") + bulk("+switch-master") + b":1\r\n")
                listeners.append(connection)
                listened.set()
            elif b"MASTERS" in data:
                connection.sendall(b"*1\r\n" + array(*about))
            else:
                connection.sendall(b"+OK\r\n" * max(1, data.count(b"SETINFO")))

    with peer(serve) as port:
        yield port, listened, listeners


def publish(listeners: list[socket.socket], old: int, new: int) -> None:
    told = f"orders 127.0.0.1 {old} 127.0.0.1 {new}"
    for listener in list(listeners):
        listener.sendall(array("message", "+switch-master", told))


def test_the_old_master_is_left_at_once(port: int) -> None:
    with (
        valkey() as new,
        one_sentinel(port) as (at, listened, listeners),
        Client[bytes](port=port) as direct,
        Client[bytes](port=new.port) as other,
        sentinel.Sentinel([("127.0.0.1", at)]) as found,
        found.master_for("orders") as master,
    ):
        assert master.set("switched", "before") is True
        assert direct.get("switched") == b"before"
        assert listened.wait(30)
        publish(listeners, port, new.port)
        wait_for(lambda: master.connection_pool.master_address == ("127.0.0.1", new.port))
        assert master.set("switched", "after") is True
        assert other.get("switched") == b"after"
        assert direct.get("switched") == b"before"


def test_a_connection_in_use_is_left_when_it_is_given_back(port: int) -> None:
    with (
        valkey() as new,
        one_sentinel(port) as (at, listened, listeners),
        Client[bytes](port=port) as direct,
        sentinel.Sentinel([("127.0.0.1", at)]) as found,
        found.master_for("orders") as master,
    ):
        with master.pipeline() as pipe:
            pipe.watch("switched")
            assert listened.wait(30)
            publish(listeners, port, new.port)
            wait_for(lambda: master.connection_pool.master_address == ("127.0.0.1", new.port))
        assert master.set("switched", "given back") is True
        assert direct.get("switched") != b"given back"


def test_asyncio_leaves_the_old_master_at_once(port: int) -> None:
    async def main(new: int, at: int, listened: threading.Event, listeners: list[socket.socket]) -> None:
        async with (
            aio.Client[bytes](host="127.0.0.1", port=port) as direct,
            aio.Client[bytes](host="127.0.0.1", port=new) as other,
            aio_sentinel.Sentinel([("127.0.0.1", at)]) as found,
            found.master_for("orders") as master,
        ):
            assert await master.set("switched by tasks", "before") is True
            assert await direct.get("switched by tasks") == b"before"
            assert await asyncio.to_thread(listened.wait, 30)
            publish(listeners, port, new)
            while master.connection_pool.master_address != ("127.0.0.1", new):
                await asyncio.sleep(0.001)
            assert await master.set("switched by tasks", "after") is True
            assert await other.get("switched by tasks") == b"after"
            assert await direct.get("switched by tasks") == b"before"

    with valkey() as new, one_sentinel(port) as served:
        asyncio.run(asyncio.wait_for(main(new.port, *served), 60))


def test_a_closed_client_listens_no_more(port: int) -> None:
    with one_sentinel(port) as (at, listened, _), sentinel.Sentinel([("127.0.0.1", at)]) as found:
        master = found.master_for("orders")
        master.ping()
        assert listened.wait(30)
        threads = list(master.connection_pool._listeners)
        master.close()
        for thread in threads:
            thread.join(30)
            assert not thread.is_alive()


class Scripted:
    """A connection to a sentinel: what it sends is noted, and what it reads is told before. It is a sentinel's pool besides."""

    is_connected = True

    def __init__(self, kind: str, *messages: object) -> None:
        self.connection_pool = self
        self.connection_kwargs: dict[str, Any] = {}
        self.connection_class = lambda: self
        self.kind = kind
        self.messages = list(messages)
        self.noted: list[object] = []
        self.at_end: Callable[[], None] = lambda: None

    def __getattr__(self, name: str) -> Any:
        def call(*args: Any, **_: Any) -> Any:
            self.noted.append(args[0] if args else name)

        async def call_async(*args: Any, **_: Any) -> Any:
            call(*args)

        return call if self.kind == "blocking" else call_async

    def read(self) -> Any:
        if not self.messages:
            self.at_end()
        return self.messages.pop(0) if self.messages else b"last"

    def _host_error(self) -> str:
        return "sentinel"

    @property
    def read_response(self) -> Any:
        def read(**_: Any) -> Any:
            message = self.read()
            if message is None:
                raise TimeoutError("silent")
            return message

        async def read_async(**_: Any) -> Any:
            return self.read()

        return read if self.kind == "blocking" else read_async


class Service:
    """What is told of a switch."""

    service_name = "orders"

    def __init__(self, kind: str) -> None:
        self.kind = kind
        self.told: list[object] = []

    def switched(self, old: object, new: object) -> None:
        self.told.append((old, new))

    def get_master_address(self) -> Any:
        self.told.append("asked")
        return asyncio.sleep(0) if self.kind == "aio" else None


def test_a_sentinel_that_is_silent_is_asked_and_then_left(kind: str, monkeypatch: pytest.MonkeyPatch) -> None:
    switch = [b"message", b"+switch-master", b"orders a 1 b 2"]
    sentinel = Scripted(kind, [b"subscribe", b"+switch-master", 1], None, b"PONG", switch, None, None, None)
    service = Service(kind)
    module = switching if kind == "blocking" else aio_switching
    pauses: list[int] = []

    ours = threading.current_thread()

    def pause_before(failures: int) -> float:
        # Threads of listeners that have just been stopped may call it, too.
        if threading.current_thread() is ours:
            pauses.append(failures)
        return 0.0

    monkeypatch.setattr(shared_switching, "pause_before", pause_before)

    async def listen() -> None:
        listener: Any = module.SwitchListener(service, sentinel)
        sentinel.at_end = lambda: setattr(listener, "_pool", lambda: None)
        await run_async(listener._listen()) if kind == "aio" else run(listener._listen())

    asyncio.run(listen())
    assert service.told == ["asked", (("a", 1), ("b", 2))]
    listened = ["connect_once", "SUBSCRIBE", "PING"]
    assert sentinel.noted == [*listened, "PING", "_cut", *listened, "_cut"]
    assert pauses == [1, 0]


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        ([b"message", b"+switch-master", b"orders 10.0.0.1 1 10.0.0.2 2"], (("10.0.0.1", 1), ("10.0.0.2", 2))),
        (["message", "+switch-master", "orders h1 1 h2 2"], (("h1", 1), ("h2", 2))),
        ([b"message", b"+switch-master", b"others 10.0.0.1 1 10.0.0.2 2"], None),
        ([b"message", b"+switch-master", b"orders 10.0.0.1 1 10.0.0.2"], None),
        ([b"message", b"+switch-master", b"orders 10.0.0.1 one 10.0.0.2 2"], None),
        ([b"subscribe", b"+switch-master", 1], None),
        (b"PONG", None),
    ],
)
def test_reads_what_sentinels_publish(message: Any, expected: Any) -> None:
    assert switch_of(message, "orders") == expected


def test_an_address_that_the_master_has_left_is_not_believed_for_a_while() -> None:
    address = MasterAddress()
    assert address.found(A, 0) == A
    address.current = A
    assert address.switched(A, B, 10)
    assert not address.switched(A, B, 11)
    assert address.found(A, 12) == B
    assert address.found(("c", 3), 12) == ("c", 3)
    assert address.found(A, 1000) == A
    # Back again, as another switch says.
    assert address.switched(B, A, 13)
    assert address.found(A, 14) == A
