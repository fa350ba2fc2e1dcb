"""Client-side caching of the blocking client on a real server."""

from __future__ import annotations

import os
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from samewire.redis.cache import CacheConfig, DefaultCache
from samewire.redis.client import Client
from samewire.redis.exceptions import RedisError


@pytest.fixture
def writer(port: int) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port) as made:
        made.execute_command("FLUSHALL")
        yield made


@pytest.fixture
def reader(port: int, writer: Client[bytes]) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port, cache_config=CacheConfig(max_size=100)) as made:
        yield made


def calls(writer: Client[bytes], command: str) -> int:
    """How often the server has run a command."""
    found = writer.execute_command("INFO", "commandstats").get(f"cmdstat_{command}")
    return int(found["calls"]) if found else 0


def wait_until(found: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not found():
        assert time.monotonic() < deadline


def test_a_reply_is_asked_for_once_until_its_key_changes(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "first")
    before = calls(writer, "get")
    for _ in range(5):
        assert reader.get("key") == b"first"
    assert calls(writer, "get") == before + 1
    for number in range(20):
        writer.set("key", number)
        wait_until(lambda number=number: reader.get("key") == str(number).encode())  # type: ignore[misc]
    cache = reader.get_cache()
    assert isinstance(cache, DefaultCache)
    assert cache.counts.hits >= 4


def test_a_client_reads_what_it_wrote(reader: Client[bytes]) -> None:
    for number in range(50):
        reader.set("own", number)
        assert reader.get("own") == str(number).encode()
        reader.pipeline().set("own", -number).execute()
        assert reader.get("own") == str(-number).encode()


def test_what_is_kept_cannot_be_changed_by_its_reader(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.execute_command("RPUSH", "list", "a", "b")
    reader.execute_command("LRANGE", "list", 0, -1).append(b"mine")
    assert reader.execute_command("LRANGE", "list", 0, -1) == [b"a", b"b"]
    writer.execute_command("HSET", "hash", "f", "1")
    assert reader.execute_command("HGETALL", "hash") == {b"f": b"1"}
    assert reader.execute_command("HGETALL", "hash") == {b"f": b"1"}


def test_decoded_and_raw_replies_are_kept_apart(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "value")
    for _ in range(2):
        assert reader.get("key") == b"value"
        assert reader.decoding(True).get("key") == "value"


def test_a_flush_drops_everything(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "value")
    assert reader.get("key") == b"value"
    writer.execute_command("FLUSHALL")
    # The server replies to who flushes before it tells the others.
    wait_until(lambda: reader.get("key") is None)


def test_a_lost_connection_drops_everything(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "value")
    assert reader.get("key") == b"value"
    for found in writer.execute_command("CLIENT LIST"):
        if "t" in found["flags"]:
            writer.execute_command("CLIENT KILL", "ID", found["id"])
    writer.set("key", "changed while nobody was told")
    assert reader.get("key") == b"changed while nobody was told"


def test_invalidations_come_though_a_subscriber_took_the_connection(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "value")
    assert reader.get("key") == b"value"
    with reader.pubsub() as subscriber:
        subscriber.subscribe("news")
        assert subscriber.get_message(timeout=5)["type"] == "subscribe"  # type: ignore[index]
        writer.set("key", "other")
        wait_until(lambda: reader.get("key") == b"other")
        writer.execute_command("FLUSHALL")
        assert subscriber.get_message(timeout=0.05) is None


def test_a_client_of_one_connection_hears_of_changes(port: int, writer: Client[bytes]) -> None:
    with Client[bytes](port=port, cache_config=CacheConfig(), single_connection_client=True) as made:
        for number in range(10):
            writer.set("key", number)
            wait_until(lambda number=number: made.get("key") == str(number).encode())  # type: ignore[misc]
            assert made.get("key") == str(number).encode()


def test_threads_read_what_was_written_a_moment_ago(port: int, writer: Client[bytes]) -> None:
    made = Client[bytes](port=port, cache=DefaultCache(CacheConfig()))
    writer.set("counter", 0)
    written: list[int] = [0]
    wrong: list[Any] = []
    stop = threading.Event()

    def read() -> None:
        while not stop.is_set():
            # The server tells of a change right after it has replied to who made it: two writes ago is long enough.
            least = written[-3:][0]
            value = int(made.get("counter") or -1)
            if value < least:
                wrong.append((value, least))

    threads = [threading.Thread(target=read) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(1, 400):
        writer.set("counter", number)
        written.append(number)
    stop.set()
    for thread in threads:
        thread.join()
    assert not wrong
    made.close()


def test_a_forked_child_keeps_nothing_of_its_parents(reader: Client[bytes], writer: Client[bytes]) -> None:
    writer.set("key", "value")
    assert reader.get("key") == b"value"
    child = os.fork()
    if child == 0:
        status = 1
        try:
            writer.set("key", "child")
            status = 0 if reader.get("key") == b"child" else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert reader.get("key") == b"child"


def test_it_needs_resp3(port: int) -> None:
    with pytest.raises(RedisError, match="RESP version 3"):
        Client[bytes](port=port, protocol=2, cache_config=CacheConfig())
    with pytest.raises(ValueError, match="CacheInterface"):
        Client[bytes](port=port, cache={})
