"""Publish and subscribe of the blocking client on a real server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Any

import pytest
from samewire.redis.client import Client
from samewire.redis.exceptions import PubSubError
from samewire.redis.pubsub.subscriptions import Subscription
from samewire.redis.sync.pubsub import PubSub


@pytest.fixture(params=[3, 2])
def client(port: int, request: pytest.FixtureRequest) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port, protocol=request.param) as made:
        yield made


def message(kind: str, channel: Any, data: Any, pattern: Any = None) -> dict[str, Any]:
    return {"type": kind, "pattern": pattern, "channel": channel, "data": data}


def following(subscriber: PubSub) -> Any:
    return subscriber.get_message(timeout=5)


def test_messages_come_to_who_subscribed(client: Client[bytes]) -> None:
    with client.pubsub() as subscriber:
        subscriber.subscribe("news", "more")
        assert following(subscriber) == message("subscribe", b"news", 1)
        assert following(subscriber) == message("subscribe", b"more", 2)
        subscriber.psubscribe("n?ws")
        assert following(subscriber) == message("psubscribe", b"n?ws", 3)
        assert client.execute_command("PUBLISH", "news", "first") == 2
        assert following(subscriber) == message("message", b"news", b"first")
        assert following(subscriber) == message("pmessage", b"news", b"first", b"n?ws")
        assert subscriber.get_message() is None
        subscriber.unsubscribe()
        subscriber.punsubscribe("n?ws")
        assert [following(subscriber)["type"] for _ in range(3)] == ["unsubscribe", "unsubscribe", "punsubscribe"]
        assert not subscriber.subscribed
        assert subscriber.get_message(timeout=0.01) is None


def test_shard_channels(client: Client[bytes]) -> None:
    with client.pubsub(ignore_subscribe_messages=True) as subscriber:
        subscriber.ssubscribe("shard")
        assert subscriber.get_sharded_message(timeout=0.5) is None
        client.execute_command("SPUBLISH", "shard", "one")
        assert following(subscriber) == message("smessage", b"shard", b"one")
        subscriber.sunsubscribe("shard")
        assert following(subscriber) is None
        assert not subscriber.subscribed


def test_handlers_take_their_messages(client: Client[bytes]) -> None:
    seen: list[Any] = []
    with client.pubsub() as subscriber:
        subscriber.subscribe(Subscription(b"\xff", seen.append), plain=seen.append)
        following(subscriber)
        following(subscriber)
        client.execute_command("PUBLISH", b"\xff", "a")
        client.execute_command("PUBLISH", "plain", "b")
        assert following(subscriber) is None
        assert following(subscriber) is None
    assert seen == [message("message", b"\xff", b"a"), message("message", b"plain", b"b")]


def test_messages_are_decoded_as_the_client_says(client: Client[bytes]) -> None:
    with client.decoding(True).pubsub() as subscriber:
        subscriber.subscribe("news")
        assert following(subscriber) == message("subscribe", "news", 1)
        client.execute_command("PUBLISH", "news", "wörld")
        assert following(subscriber) == message("message", "news", "wörld")


def test_subscribes_again_after_a_lost_connection(client: Client[bytes]) -> None:
    seen: list[Any] = []
    with client.pubsub() as subscriber:
        subscriber.subscribe("kept", "left", handled=seen.append)
        subscriber.psubscribe("p*")
        for _ in range(4):
            following(subscriber)
        subscriber.unsubscribe("left")
        following(subscriber)
        for found in client.execute_command("CLIENT LIST", "TYPE", "PUBSUB"):
            client.execute_command("CLIENT KILL", "ID", found["id"])
        kinds = [following(subscriber) for _ in range(3)]
        assert sorted(m["channel"] for m in kinds) == [b"handled", b"kept", b"p*"]
        assert client.execute_command("PUBLISH", "kept", "a") == 1
        assert client.execute_command("PUBLISH", "left", "b") == 0
        client.execute_command("PUBLISH", "handled", "c")
        assert following(subscriber) == message("message", b"kept", b"a")
        assert following(subscriber) is None
    assert [found["data"] for found in seen] == [b"c"]


def test_listen_ends_with_the_last_subscription(client: Client[bytes]) -> None:
    with client.pubsub() as subscriber:
        subscriber.subscribe("news")
        client.execute_command("PUBLISH", "news", "stop")
        kinds = []
        for found in subscriber.listen():
            kinds.append(found["type"])
            if found["data"] == b"stop":
                subscriber.unsubscribe("news")
        assert kinds == ["subscribe", "message", "unsubscribe"]


def test_a_thread_hands_messages_to_their_handlers(client: Client[bytes]) -> None:
    seen: list[Any] = []
    arrived = threading.Event()

    def take(found: dict[str, Any]) -> None:
        seen.append(found["data"])
        if found["data"] == b"raise":
            raise ValueError("asked for")
        arrived.set()

    failed: list[BaseException] = []
    subscriber = client.pubsub()
    subscriber.subscribe("plain")
    with pytest.raises(PubSubError, match="no handler"):
        subscriber.run_in_thread()
    subscriber.unsubscribe("plain")
    subscriber.get_message(timeout=1)
    subscriber.get_message(timeout=1)
    subscriber.subscribe(handled=take)
    thread = subscriber.run_in_thread(sleep_time=0.05, daemon=True, exception_handler=lambda error, *_: failed.append(error))
    while not client.execute_command("PUBLISH", "handled", "raise"):
        time.sleep(0.01)
    client.execute_command("PUBLISH", "handled", "go on")
    assert arrived.wait(5)
    thread.stop()
    thread.join(5)
    assert not thread.is_alive()
    assert seen == [b"raise", b"go on"]
    assert [str(error) for error in failed] == ["asked for"]


def test_a_handler_of_pushes_takes_them_all(port: int) -> None:
    seen: list[Any] = []
    with Client[bytes](port=port) as made, made.pubsub(push_handler_func=seen.append) as subscriber:
        subscriber.subscribe("news")
        assert subscriber.get_message(timeout=1) is None
        made.execute_command("PUBLISH", "news", "here")
        assert subscriber.get_message(timeout=1) is None
    assert seen == [[b"subscribe", b"news", 1], [b"message", b"news", b"here"]]


def test_health_checks_are_no_messages(port: int) -> None:
    with Client[bytes](port=port, health_check_interval=0.02) as made, made.pubsub() as subscriber:
        subscriber.subscribe("news")
        following(subscriber)
        for _ in range(5):
            assert subscriber.get_message(timeout=0.03) is None
        made.execute_command("PUBLISH", "news", "still")
        while (found := subscriber.get_message(timeout=1)) is None:
            pass
        assert found["data"] == b"still"
        subscriber.ping("hello")
        while (found := subscriber.get_message(timeout=1)) is None:
            pass
        assert found == message("pong", None, b"hello")


def test_closing_ends_a_thread_that_listens(client: Client[bytes]) -> None:
    for _ in range(5):
        subscriber = client.pubsub()
        subscriber.subscribe("news")
        found: list[Any] = []
        failed: list[BaseException] = []

        def listen(subscriber: PubSub = subscriber, found: list[Any] = found, failed: list[BaseException] = failed) -> None:
            try:
                found.extend(subscriber.listen())
            except BaseException as error:
                failed.append(error)

        threads = [threading.Thread(target=listen)]
        threads[0].start()
        while not client.execute_command("PUBSUB", "NUMSUB", "news")[0][1]:
            time.sleep(0.005)
        time.sleep(0.02)
        subscriber.close()
        # The pool is not spoilt for others.
        assert client.execute_command("ECHO", "mine") == b"mine"
        threads[0].join(5)
        assert not threads[0].is_alive()
        assert not failed
        assert [message["type"] for message in found] == ["subscribe"]
    assert not client.connection_pool._in_use_connections


def test_one_thread_listens_while_another_subscribes(client: Client[bytes]) -> None:
    subscriber = client.pubsub()
    subscriber.subscribe("first")
    found: list[Any] = []

    def listen() -> None:
        found.extend(item["channel"] for item in subscriber.listen())

    thread = threading.Thread(target=listen)
    thread.start()
    time.sleep(0.1)
    subscriber.subscribe("second")
    time.sleep(0.1)
    subscriber.unsubscribe()
    thread.join(5)
    assert found == [b"first", b"second", b"first", b"second"]
    subscriber.close()
