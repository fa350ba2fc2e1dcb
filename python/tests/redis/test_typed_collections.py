"""Typed hashes, lists, streams and channels, on a real server."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.redis import DELETE
from samewire.redis.client import Client
from samewire.redis.exceptions import ResponseError
from samewire.redis.typed import StoredValueError


@dataclass(slots=True, frozen=True)
class Book:
    name: str
    year: Annotated[int, pack.I32]


CARRIE, IT, CUJO = Book("Carrie", 1974), Book("It", 1986), Book("Cujo", 1981)

#: Another version of Book, which resolves in one direction: it has a field more.
Newer: Any = dataclass(type("Book", (), {"__annotations__": {"year": int, "author": str | None, "name": str}}))


@pytest.fixture(params=[None, 2, 3], ids=["default", "resp2", "resp3"])
def client(port: int, request: pytest.FixtureRequest) -> Iterator[Client[Any]]:
    """redis-py's shapes of replies differ by the `protocol` that a program asks for; typed values do not."""
    made: Client[Any] = Client(port=port, protocol=request.param)
    with made:
        made.execute_command("FLUSHALL")
        yield made


# --- hashes ---


def test_fields_of_a_hash_come_back(client: Client[Any]) -> None:
    shelf = client.typed_hash(Book, "shelf")
    assert (shelf.get("a"), shelf.get("a", CARRIE), shelf.all()) == (None, CARRIE, {})
    assert (shelf.put("a", IT), shelf.put("a", CARRIE), shelf.put("a", IT, nx=True), shelf.put("é", IT, nx=True)) == (
        True,
        False,
        False,
        True,
    )
    assert shelf.all() == {"a": CARRIE, "é": IT}
    assert shelf.get_many(["é", "none", "a"]) == [IT, None, CARRIE]
    assert (shelf.exists("a"), shelf.exists("b"), shelf.length()) == (True, False, 2)
    assert sorted(shelf.fields()) == ["a", "é"]
    assert (shelf.delete("a", "none"), shelf.delete()) == (1, 0)
    assert shelf.all() == {"é": IT}


def test_hashes_of_many_fields_go_in_chunks(client: Client[Any]) -> None:
    numbers = client.typed_hash(int, "numbers")
    wanted = {str(number): number for number in range(2500)}
    assert numbers.put_many(wanted) == 2500
    assert numbers.all() == wanted
    assert dict(numbers.items()) == wanted
    assert dict(numbers.items("7*", count=100)) == {name: n for name, n in wanted.items() if name.startswith("7")}
    assert numbers.get_many(wanted) == list(wanted.values())
    assert (numbers.put_many({}), numbers.get_many([])) == (0, [])


def test_no_update_of_a_field_is_lost(client: Client[Any]) -> None:
    counts = client.typed_hash(int, "counts")

    def add() -> None:
        for _ in range(30):
            counts.update("all", lambda count: (count or 0) + 1)

    threads = [threading.Thread(target=add) for _ in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert counts.get("all") == 150
    assert counts.update("all", lambda count: DELETE) is None
    assert counts.exists("all") is False


def test_errors_of_a_hash_name_key_and_field(client: Client[Any]) -> None:
    client.typed_hash(Book, "shelf").put("a", CARRIE)
    newer = client.typed_hash(Newer, "shelf")
    assert newer.get("a") == Newer(1974, None, "Carrie")
    client.execute_command("HSET", "shelf", "b", b"\0junk")
    for read in (newer.all, lambda: newer.get("b"), lambda: newer.get_many(["b"]), lambda: list(newer.items())):
        with pytest.raises(StoredValueError, match=r"^shelf\[b\]: unsupported at byte 0"):
            read()


# --- lists ---


def test_values_of_a_list_come_back(client: Client[Any]) -> None:
    queue = client.typed_list(Book, "queue")
    assert (queue.pop(), queue.pop_left(), queue.get(0), queue.range(), queue.length()) == (None, None, None, [], 0)
    assert (queue.push(CARRIE, IT), queue.push_left(CUJO), queue.push()) == (2, 3, 3)
    assert queue.range() == [CUJO, CARRIE, IT]
    assert (queue.range(1, 1), queue.get(-1), queue.get(9)) == ([CARRIE], IT, None)
    queue.set(0, IT)
    with pytest.raises(ResponseError, match="out of range"):
        queue.set(9, IT)
    queue.trim(0, 1)
    assert (queue.pop(), queue.pop_left(), queue.length()) == (CARRIE, IT, 0)


def test_a_pop_waits(client: Client[Any], port: int) -> None:
    queue = client.typed_list(Book, "queue")
    begun = time.monotonic()
    assert queue.pop(timeout=0.05) is None
    assert time.monotonic() - begun >= 0.05

    def push() -> None:
        time.sleep(0.05)
        other: Client[Any] = Client(port=port)
        with other:
            other.typed_list(Book, "queue").push(CARRIE)

    thread = threading.Thread(target=push)
    thread.start()
    assert queue.pop_left(timeout=10) == CARRIE
    thread.join()


def test_a_popped_value_that_cannot_be_read_is_in_the_error(client: Client[Any]) -> None:
    queue = client.typed_list(Book, "queue")
    client.execute_command("RPUSH", "queue", b"junk", b"junk")
    with pytest.raises(StoredValueError, match=r"queue\[0\]"):
        queue.range()
    for timeout in (None, 1):
        with pytest.raises(StoredValueError, match=r"^queue: ") as caught:
            queue.pop(timeout)
        assert caught.value.data == b"junk"
    assert queue.length() == 0


def test_a_list_is_read_by_another_version(client: Client[Any]) -> None:
    client.typed_list(Book, "queue").push(CARRIE, IT)
    client.typed_list(Newer, "queue").push(Newer(1981, "Stephen King", "Cujo"))
    newer = client.typed_list(Newer, "queue")
    assert [book.name for book in newer.range()] == ["Carrie", "It", "Cujo"]
    with pytest.raises(StoredValueError, match=r"queue\[2\]: schema_mismatch"):
        client.typed_list(Book, "queue").range()


# --- streams ---


def test_entries_of_a_stream_come_back(client: Client[Any]) -> None:
    log = client.typed_stream(Book, "log")
    assert (log.range(), log.read(), log.length(), log.delete()) == ([], [], 0, 0)
    ids = [log.add(book) for book in (CARRIE, IT, CUJO)]
    assert [(entry.id, entry.value) for entry in log.range()] == list(zip(ids, (CARRIE, IT, CUJO), strict=True))
    assert [entry.value for entry in log.range(ids[1], count=1)] == [IT]
    assert [entry.value for entry in log.range(reverse=True, count=2)] == [CUJO, IT]
    assert [entry.value for entry in log.read(ids[0])] == [IT, CUJO]
    assert [entry.value for entry in log.read(count=1)] == [CARRIE]
    assert log.range() == log.read() != log.read(count=1)
    assert log.add(CARRIE, entry_id="9999999999999-1") == "9999999999999-1"
    assert (log.delete(ids[0], "1-1"), log.length()) == (1, 3)
    for _ in range(5):
        log.add(IT, maxlen=2, exact=True)
    assert log.length() == 2


def test_a_stream_is_followed(client: Client[Any], port: int) -> None:
    log = client.typed_stream(int, "log")
    log.add(-1)

    def write() -> None:
        other: Client[Any] = Client(port=port)
        with other:
            stream = other.typed_stream(int, "log")
            for number in range(300):
                stream.add(number)

    following = log.follow()
    thread = threading.Timer(0.05, write)
    thread.start()
    assert [next(following).value for _ in range(300)] == list(range(300))
    thread.join()
    assert next(log.follow("0")).value == -1


def test_consumers_of_a_group_share_a_stream(client: Client[Any]) -> None:
    log = client.typed_stream(Book, "log")
    assert (log.create_group("g", "0"), log.create_group("g")) == (True, False)
    assert log.read_group("g", "one") == []
    for book in (CARRIE, IT, CUJO):
        log.add(book)
    first = log.read_group("g", "one", count=2)
    assert [entry.value for entry in first] == [CARRIE, IT]
    assert [entry.value for entry in log.read_group("g", "two", timeout=1)] == [CUJO]
    assert log.read_group("g", "two", timeout=0.01) == []
    assert log.ack("g", first[0].id) == 1
    assert [entry.value for entry in log.read_group("g", "one", pending=True)] == [IT]
    taken = log.claim("g", "two", idle=0)
    assert [entry.value for entry in taken] == [IT, CUJO]
    assert log.ack("g", *(entry.id for entry in taken)) == 2
    assert log.claim("g", "two", idle=0) == []
    with pytest.raises(ResponseError, match="NOGROUP"):
        log.read_group("none", "one")


def test_an_entry_that_cannot_be_read_does_not_keep_the_others(client: Client[Any]) -> None:
    log = client.typed_stream(Book, "log")
    log.create_group("g")
    log.add(CARRIE)
    client.execute_command("XADD", "log", "*", "value", "junk")
    client.execute_command("XADD", "log", "*", "value", "junk", "more", "x")
    client.execute_command("XADD", "log", "*", "other", "x")
    client.typed_stream(Newer, "log").add(Newer(1981, None, "Cujo"))
    log.add(IT)
    entries = log.read_group("g", "one")
    assert [entries[0].value, entries[5].value] == [CARRIE, IT]
    assert [entry.error.code for entry in entries if entry.error] == ["unsupported", "malformed", "malformed", "schema_mismatch"]
    for entry in entries[1:5]:
        with pytest.raises(StoredValueError, match=f"^log entry {entry.id}: "):
            _ = entry.value
    assert "error=" in repr(entries[1]) and "Carrie" in repr(entries[0])
    assert [entry.value.name for entry in client.typed_stream(Newer, "log").range() if entry.error is None] == [
        "Carrie",
        "Cujo",
        "It",
    ]


# --- channels ---


@pytest.mark.parametrize("sharded", [False, True])
def test_messages_of_a_channel_come_back(client: Client[Any], sharded: bool) -> None:
    news = client.typed_channel(Book, "news", sharded=sharded)
    assert news.publish(CARRIE) == 0
    with news.subscribe() as messages:
        assert messages.get(timeout=0.01) is None
        assert [news.publish(book) for book in (CARRIE, IT, CUJO)] == [1, 1, 1]
        assert [messages.get(timeout=5), next(messages), next(messages)] == [CARRIE, IT, CUJO]


def test_a_message_that_cannot_be_read_does_not_end_the_subscription(client: Client[Any]) -> None:
    news = client.typed_channel(Book, "news")
    with news.subscribe() as messages:
        client.execute_command("PUBLISH", "news", "junk")
        client.typed_channel(Newer, "news").publish(Newer(1, None, "x"))
        news.publish(IT)
        for code in ("unsupported", "schema_mismatch"):
            with pytest.raises(StoredValueError, match=f"^news: {code}"):
                next(messages)
        assert next(messages) == IT


def test_a_message_of_another_version_is_resolved(client: Client[Any]) -> None:
    with client.typed_channel(Newer, "news").subscribe() as messages:
        client.typed_channel(Book, "news").publish(CARRIE)
        assert next(messages) == Newer(1974, None, "Carrie")
