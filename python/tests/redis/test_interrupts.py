"""What a handler of signals raises while a subscriber waits: the connection stays, and the next call gets every message."""

from __future__ import annotations

import builtins
import socket
import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import tls_servers
from interrupting import Interrupt, interrupted
from samewire.redis.client import Client
from samewire.redis.sync.pubsub import PubSub
from servers import greeted, link, peer

#: The second is an OSError, as those of a lost connection are.
RAISED = [KeyboardInterrupt, builtins.TimeoutError, Interrupt]


def following(subscriber: PubSub) -> Any:
    return subscriber.get_message(timeout=30)


def waits_for_a_message(subscriber: PubSub) -> None:
    subscriber.get_message(timeout=60)


def waits_for_ever(subscriber: PubSub) -> None:
    subscriber.get_message(timeout=None)


def listens(subscriber: PubSub) -> None:
    next(subscriber.listen())


WAYS = [waits_for_a_message, waits_for_ever, listens]


def keeps_its_messages(client: Client[bytes], subscriber: PubSub, wait: Callable[[PubSub], None], raised: Any) -> None:
    subscriber.subscribe("news")
    assert following(subscriber)["type"] == "subscribe"
    connection = subscriber.connection
    assert connection is not None
    sock = connection._sock
    for turn in range(2):
        with interrupted(raised):
            wait(subscriber)
        # Nobody reads meanwhile.
        assert [client.publish("news", f"{turn} {number}") for number in range(2)] == [1, 1]
        assert [following(subscriber)["data"] for _ in range(2)] == [f"{turn} {number}".encode() for number in range(2)]
    assert connection._sock is sock


@pytest.mark.parametrize("wait", WAYS)
@pytest.mark.parametrize("raised", RAISED)
def test_an_interrupted_subscriber_gets_every_message(port: int, wait: Callable[[PubSub], None], raised: Any) -> None:
    with Client[bytes](port=port) as client, client.pubsub() as subscriber:
        keeps_its_messages(client, subscriber, wait, raised)


@pytest.mark.parametrize("options", [{"protocol": 2}, {"health_check_interval": 60}])
def test_whatever_its_options_are(port: int, options: dict[str, Any]) -> None:
    with Client[bytes](port=port, **options) as client, client.pubsub() as subscriber:
        keeps_its_messages(client, subscriber, waits_for_a_message, Interrupt)


def test_over_tls_as_well(port: int, tmp_path: Path) -> None:
    certificate = tls_servers.certificate(tmp_path)
    with (
        tls_servers.tls(port, certificate) as proxy,
        Client[bytes](port=proxy, ssl=True, ssl_ca_certs=str(certificate[0])) as client,
        client.pubsub() as subscriber,
    ):
        keeps_its_messages(client, subscriber, waits_for_a_message, KeyboardInterrupt)


MESSAGE = b">3\r\n$7\r\nmessage\r\n$4\r\nnews\r\n$4\r\nwhat\r\n"


@pytest.mark.parametrize("part", range(1, len(MESSAGE), 5))
def test_a_part_of_a_message_is_kept(part: int) -> None:
    rest = threading.Event()

    def serve(connection: socket.socket, data: bytes) -> None:
        if b"SUBSCRIBE" in data:
            connection.sendall(b">3\r\n$9\r\nsubscribe\r\n$4\r\nnews\r\n:1\r\n" + MESSAGE[:part])
            rest.wait(30)
            connection.sendall(MESSAGE[part:])

    with peer(greeted(serve)) as port, Client[bytes](port=port) as client, client.pubsub() as subscriber:
        subscriber.subscribe("news")
        assert following(subscriber)["type"] == "subscribe"
        with interrupted():
            waits_for_a_message(subscriber)
        rest.set()
        assert following(subscriber)["data"] == b"what"


def test_a_wait_by_other_means_is_interrupted_in_the_same_way(port: int) -> None:
    raised: list[type[BaseException]] = []

    def wait(write: bool, timeout: float | None) -> int:
        if raised:
            raise raised.pop()
        return 1

    made = link(port, wait=wait)
    # Of a socket that another thread has closed.
    for kind, breaks in ((Interrupt, False), (KeyboardInterrupt, False), (OSError, True)):
        raised.append(kind)
        with pytest.raises(kind):
            made.read(30)
        assert made.broken == breaks


def test_a_request_that_is_interrupted_ends_its_connection(port: int) -> None:
    def wait(write: bool, timeout: float | None) -> int:
        raise Interrupt

    made = link(port, wait=wait)
    with pytest.raises(Interrupt):
        made.call(("BLPOP", "none", 30))
    assert made.broken


def test_a_handler_of_pushes_that_raises_loses_nothing_else(port: int) -> None:
    def handle(push: Any) -> Any:
        if push[-1] == b"raise":
            raise OSError("full")
        return push

    with Client[bytes](port=port) as client, client.pubsub(push_handler_func=handle) as subscriber:
        subscriber.subscribe("news")
        assert following(subscriber)["type"] == "subscribe"
        assert [client.publish("news", data) for data in ("raise", "next")] == [1, 1]
        with pytest.raises(OSError, match="full"):
            following(subscriber)
        assert following(subscriber)["data"] == b"next"
