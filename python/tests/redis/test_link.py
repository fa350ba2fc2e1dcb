"""`Link` and `Pipe` against a real server, and against peers that cut, stall and lie."""

from __future__ import annotations

import gc
import os
import select
import signal
import socket
import threading
import time
import tracemalloc
import weakref
from typing import Any

import pytest
from samewire._native import BOOL, KEEP, OK, Link, Pipe
from samewire.redis.exceptions import (
    ConnectionError,
    DataError,
    ExecAbortError,
    InvalidResponse,
    OutOfMemoryError,
    ResponseError,
    TimeoutError,
)
from samewire.redis.rules.error_replies import error_of
from servers import link, peer, valkey


def stall(connection: socket.socket) -> None:
    """Neither reads nor writes."""
    threading.Event().wait(30)


@pytest.fixture
def connected(port: int) -> Link:
    made = link(port)
    made.call(("HELLO", 3))
    made.call(("FLUSHALL",))
    return made


def test_calls_return_typed_replies(connected: Link) -> None:
    assert connected.call(("SET", "key", "value"), OK) is True
    assert connected.call(("GET", "key")) == b"value"
    assert connected.call(("GET", "key"), None, True) == "value"
    assert connected.call(("GET", "missing")) is None
    assert connected.call(("EXPIRE", "missing", 1), BOOL) is False
    assert connected.call(("HSET", "hash", "a", 1, "b", 2.5)) == 2
    assert connected.call(("HGETALL", "hash")) == {b"a": b"1", b"b": b"2.5"}
    connected.call(("SADD", "set", "x", "y"))
    assert connected.call(("SMEMBERS", "set"), None, True) == {"x", "y"}
    connected.call(("ZADD", "sorted", 1.5, "m"))
    assert connected.call(("ZSCORE", "sorted", "m")) == 1.5
    assert connected.call(("LRANGE", "none", 0, -1), len) == 0


def test_an_error_reply_leaves_the_link_usable(connected: Link) -> None:
    connected.call(("SET", "text", "abc"))
    with pytest.raises(ResponseError, match="WRONGTYPE") as caught:
        connected.call(("LPUSH", "text", 1))
    assert (caught.value.code, connected.broken, connected.sent, connected.replied) == ("unsupported", False, 1, 1)
    assert connected.call(("GET", "text")) == b"abc"


def test_a_conversion_that_raises_leaves_the_link_usable(connected: Link) -> None:
    pipe = Pipe()
    pipe.append(("SET", "a", 1), int)
    pipe.append(("GET", "a"))
    with pytest.raises(ValueError, match="invalid literal"):
        connected.run(pipe)
    assert connected.call(("GET", "a")) == b"1"


def test_a_pipe_keeps_errors_in_their_places(connected: Link) -> None:
    pipe = Pipe()
    pipe.append(("SET", "a", 1), OK)
    pipe.append(("LPUSH", "a", 1))
    pipe.append(("GET", "a"), int, True)
    replies = connected.run(pipe)
    assert (replies[0], replies[2], len(pipe)) == (True, 1, 3)
    assert isinstance(replies[1], ResponseError)
    pipe.clear()
    assert (len(pipe), pipe.waiting_bytes, connected.run(pipe)) == (0, 0, [])


def test_an_argument_that_cannot_be_sent_changes_nothing(connected: Link) -> None:
    pipe = Pipe()
    pipe.append(("GET", "a"))
    waiting = pipe.waiting_bytes
    with pytest.raises(DataError, match="not NoneType"):
        pipe.append(("SET", "a" * 1000, None))
    assert (len(pipe), pipe.waiting_bytes) == (1, waiting)
    with pytest.raises(DataError, match="not bool"):
        connected.call(("SET", "a", True))
    assert connected.call(("PING",), None, True) == "PONG"


def test_conversions_are_found_by_name(connected: Link) -> None:
    pipe = Pipe()
    pipe.callbacks = {"SET": OK, "EXISTS": BOOL, "GET": lambda reply, base=10: int(reply, base), "CONFIG GET": len}
    pipe.append(("SET", "a", 11))
    pipe.append(("get", "a"))
    pipe.append(("GET", "a"), None, None, {"base": 2})
    pipe.append(("GET", "a"), KEEP)
    pipe.append(("EXISTS", "a"))
    pipe.append(("CONFIG GET", "maxmemory"), None, True)
    pipe.append((b"CONFIG  GET", "maxmemory"), None, True)
    pipe.append(("ECHO", "a"))
    assert connected.run(pipe) == [True, 11, 3, b"11", True, 1, {"maxmemory": "0"}, b"a"]
    assert [pipe.arguments(5), pipe.arguments(6)] == [[b"CONFIG", b"GET", b"maxmemory"]] * 2
    assert connected.call(("CONFIG GET", "maxmemory"), len) == 1
    assert pipe.all_arguments() == [pipe.arguments(index) for index in range(len(pipe))]
    pipe.clear()
    # A constant is for calls without keywords.
    pipe.append(("SET", "a", 12, "GET"), None, None, {"get": True})
    pipe.append(("SET", "a", 13), None, None, {})
    assert connected.run(pipe) == [b"11", True]


def test_a_transaction_has_what_was_refused_and_what_ran(connected: Link) -> None:
    pipe = Pipe()
    pipe.callbacks = {"SET": OK, "GET": int}
    pipe.append(("SET", "a", 1))
    pipe.append(("GET", "a"))
    pipe.append(("LPUSH", "a", 1))
    refused, replies = connected.run(pipe, transaction=True)
    assert isinstance(replies, list)
    assert (refused, replies[:2], isinstance(replies[2], ResponseError)) == ([], [True, 1], True)
    assert (len(pipe), connected.sent, connected.replied) == (3, 5, 5)
    pipe.append(("NOSUCH", "a"))
    refused, aborted = connected.run(pipe, True)
    assert ([place for place, _ in refused], isinstance(aborted, ExecAbortError)) == ([4], True)
    connected.call(("WATCH", "a"))
    connected.call(("SET", "a", 2))
    pipe.clear()
    pipe.append(("GET", "a"))
    assert connected.run(pipe, True) == ([], None)
    assert connected.run(pipe, True) == ([], [2])


def test_a_set_within_a_reply_is_a_list(connected: Link) -> None:
    assert isinstance(connected.call(("SMEMBERS", "none")), set)
    described = connected.call(("COMMAND INFO", "GET"))
    assert isinstance(described[0][2], list)

    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"~3\r\n:1\r\n%0\r\n:2\r\n")

    with peer(serve) as port:
        unhashable = link(port).call(("GET", "key"))
        assert (type(unhashable), unhashable) == (list, [1, {}, 2])


def test_what_came_while_idle_is_seen_before_a_command_is_written(port: int) -> None:
    seen: list[Any] = []
    made = link(port, on_push=seen.append)
    made.call(("HELLO", 3))
    pipe = Pipe()
    pipe.append(("SUBSCRIBE", "news"))
    made.send(pipe)
    made.read(20)
    other = link(port)
    for number in range(3):
        other.call(("PUBLISH", "news", number))
    time.sleep(0.05)
    assert made.call(("ECHO", len(seen)), int) == 0
    assert [push[2] for push in seen] == [b"0", b"1", b"2"]
    identifier = made.call(("CLIENT ID",))
    other.call(("CLIENT KILL", "ID", identifier))
    time.sleep(0.05)
    with pytest.raises(ConnectionError, match="closed"):
        made.call(("INCR", "counter"))
    assert (made.broken, made.sent) == (True, 0)


def test_a_server_that_refuses_says_why() -> None:
    def refuse(connection: socket.socket) -> None:
        connection.sendall(b"-ERR max number of clients reached\r\n")

    with peer(refuse) as port:
        made = link(port)
        time.sleep(0.05)
        with pytest.raises(ConnectionError, match="max number of clients"):
            made.call(("GET", "a"))
        assert (made.broken, made.sent) == (True, 0)


def test_a_reply_that_nobody_asked_for_breaks_the_link() -> None:
    def speak(connection: socket.socket) -> None:
        connection.sendall(b"+OK\r\n")
        connection.recv(1000)

    with peer(speak) as port:
        made = link(port)
        time.sleep(0.05)
        with pytest.raises(InvalidResponse, match="to no command"):
            made.call(("GET", "a"))


@pytest.mark.parametrize("extra", [b"+OK\r\n", b"$5\r\nhal"])
def test_a_reply_too_many_is_not_the_next_commands(extra: bytes) -> None:
    def speak(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"$1\r\na\r\n" + extra)
        connection.recv(1000)

    with peer(speak) as port:
        made = link(port)
        assert made.call(("GET", "a")) == b"a"
        with pytest.raises(InvalidResponse, match="to no command"):
            made.call(("GET", "b"))
        assert (made.broken, made.sent) == (True, 0)


def test_pipes_for_several_servers_begin_together(port: int) -> None:
    links, pipes = [link(port) for _ in range(3)], [Pipe() for _ in range(3)]
    for number, pipe in enumerate(pipes):
        for _ in range(1_000):
            pipe.append(("ECHO", bytes([number]) * 5_000))
    for made, pipe in zip(links, pipes, strict=True):
        made.begin(pipe)
    with pytest.raises(RuntimeError, match="begin without finish"):
        links[0].call(("PING",))
    for number, made in enumerate(links):
        assert made.finish() == [bytes([number]) * 5_000] * 1_000
        assert (made.sent, made.replied, made.call(("PING",))) == (1_000, 1_000, b"PONG")
    with pytest.raises(RuntimeError, match="finish without begin"):
        links[0].finish()


def test_replies_before_a_failure_can_be_asked_for() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"+OK\r\n:2\r\n+O")

    with peer(serve) as port:
        pipe = Pipe()
        for number in range(4):
            pipe.append(("SET", "a", number), OK)
        made = link(port)
        with pytest.raises(ConnectionError):
            made.run(pipe)
        assert (made.partial, len(pipe)) == ([True, 2], 4)


def test_another_scheduler_may_wait(port: int) -> None:
    waits: list[tuple[bool, float | None]] = []
    connection = socket.create_connection(("127.0.0.1", port))

    def wait(write: bool, timeout: float | None) -> int:
        waits.append((write, timeout))
        return sum(event for _, event in watched.poll(None if timeout is None else timeout * 1000))

    watched = select.poll()
    watched.register(connection, select.POLLIN)
    made = Link(connection, reply_error=error_of, timeout=5.0, wait=wait)
    assert made.call(("BLPOP", "nothing", 0.1)) is None
    assert waits == [(False, waits[0][1])]
    assert 4 < (waits[0][1] or 0) <= 5
    assert made.read(0.05) is None
    made.set_timeout(0.05)
    with pytest.raises(TimeoutError):
        made.call(("BLPOP", "nothing", 1))


def test_reading_tells_nothing_from_none(port: int) -> None:
    made, missing = link(port), object()
    assert made.read(0, None, missing) is missing
    pipe = Pipe()
    pipe.append(("GET", "missing"))
    made.send(pipe)
    assert made.read(20, None, missing) is None


def test_a_closed_link_is_not_used_again(port: int) -> None:
    made = link(port)
    made.close()
    with pytest.raises(ConnectionError, match="closed"):
        made.call(("GET", "a"))


@pytest.mark.hard
@pytest.mark.parametrize("timeout", [0.05, 0.7])
def test_a_timeout_is_kept(timeout: float) -> None:
    with peer(stall) as stalled:
        made = link(stalled, timeout=timeout)
        begun = time.monotonic()
        with pytest.raises(TimeoutError):
            made.call(("GET", "a"))
        assert timeout <= time.monotonic() - begun < timeout + 0.5


def test_reads_while_it_writes(connected: Link) -> None:
    # The replies are far more than the buffers of both sockets hold: a client that wrote first would wait for ever.
    connected.call(("SET", "big", b"x" * 100_000))
    pipe = Pipe()
    for _ in range(2_000):
        pipe.append(("GET", "big"), len)
        pipe.append(("SET", "other", b"y" * 50_000), OK)
    assert connected.run(pipe) == [100_000, True] * 2_000


def test_a_million_commands_go_through_one_pipe(connected: Link) -> None:
    pipe = Pipe()
    for _ in range(1_000_000):
        pipe.append(("SET", "newkey", "abc"), OK)
    tracemalloc.start()
    try:
        replies = connected.run(pipe)
        assert tracemalloc.get_traced_memory()[1] < 30_000_000
    finally:
        tracemalloc.stop()
    assert len(replies) == 1_000_000
    assert all(replies)


def test_pushes_go_to_their_callable_between_replies(port: int) -> None:
    seen: list[Any] = []
    made = link(port, on_push=seen.append)
    made.call(("HELLO", 3))
    pipe = Pipe()
    pipe.append(("SUBSCRIBE", "news"))
    made.send(pipe)
    assert made.read(20) == [b"subscribe", b"news", 1]
    assert link(port).call(("PUBLISH", "news", "first")) == 1
    assert made.call(("PING",)) == b"PONG"
    assert seen == [[b"message", b"news", b"first"]]
    assert made.read(0) is None
    assert not made.broken


def test_a_push_that_cannot_be_decoded_is_nobodys_reply(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    unraisable: list[Any] = []
    monkeypatch.setattr("sys.unraisablehook", unraisable.append)
    made = link(port, decode_responses=True)
    made.call(("HELLO", 3))
    pipe = Pipe()
    pipe.append(("SUBSCRIBE", "news"))
    made.send(pipe)
    assert made.read(20) == ["subscribe", "news", 1]
    link(port).call(("PUBLISH", "news", b"\xff"))
    assert made.call(("ECHO", "mine")) == "mine"
    assert made.call(("ECHO", "mine too")) == "mine too"
    assert isinstance(unraisable[0].exc_value, UnicodeDecodeError)


def test_a_push_is_decoded_as_the_connection_has_it(port: int) -> None:
    seen: list[Any] = []
    made = link(port, on_push=seen.append)
    made.call(("HELLO", 3))
    pipe = Pipe()
    pipe.append(("SUBSCRIBE", "news"))
    made.send(pipe)
    made.read(20)
    link(port).call(("PUBLISH", "news", "text"))
    assert made.call(("ECHO", "mine"), None, True) == "mine"
    assert seen == [[b"message", b"news", b"text"]]


@pytest.mark.parametrize("timeout", [float("inf"), 1e300, None])
def test_a_timeout_may_be_for_ever(port: int, timeout: float | None) -> None:
    assert link(port, timeout=timeout).call(("ECHO", "a")) == b"a"


@pytest.mark.parametrize("timeout", [float("nan"), -1.0])
def test_a_timeout_that_cannot_be_is_refused(port: int, timeout: float) -> None:
    with pytest.raises(ValueError, match="expected seconds"):
        link(port, timeout=timeout)


def test_a_link_that_its_own_callable_holds_is_collected(port: int) -> None:
    class Owner:
        def __init__(self) -> None:
            self.link = link(port, on_push=self.push)

        def push(self, message: object) -> None: ...

    alive = weakref.ref(Owner())
    gc.collect()
    assert alive() is None


def test_a_server_that_is_killed_is_a_closed_connection() -> None:
    with valkey() as server:
        made = link(server.port)
        assert made.call(("PING",)) == b"PONG"
        info = made.call(("INFO", "server"), None, True)
        os.kill(int(info.partition("process_id:")[2].split()[0]), signal.SIGKILL)
        with pytest.raises(ConnectionError) as caught:
            for _ in range(100):
                made.call(("INCR", "counter"))
                time.sleep(0.05)
        assert caught.value.code == "closed"
        assert made.broken
        with pytest.raises(ConnectionError, match="closed"):
            made.call(("PING",))


def test_a_stalled_server_is_a_timeout_and_says_what_may_have_run() -> None:
    with peer(stall) as stalled:
        made = link(stalled, timeout=0.2)
        with pytest.raises(TimeoutError) as caught:
            made.call(("INCR", "counter"))
        assert caught.value.code == "timeout"
        assert (made.broken, made.sent, made.replied) == (True, 1, 0)


def test_a_server_that_reads_nothing_is_a_timeout() -> None:
    with peer(stall) as stalled:
        made = link(stalled, timeout=0.2)
        pipe = Pipe()
        for _ in range(300):
            pipe.append(("SET", "key", b"x" * 100_000))
        with pytest.raises(TimeoutError, match="does not read"):
            made.run(pipe)
        # What the kernel took may have run; most was never given to it.
        assert 0 < made.sent < 300


@pytest.mark.parametrize("cut", range(1, 24, 3))
def test_a_connection_cut_inside_a_reply_is_closed(cut: int) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"*2\r\n$5\r\nhello\r\n$5\r\nworld\r\n"[:cut])

    with peer(serve) as port:
        made = link(port)
        with pytest.raises(ConnectionError, match="closed"):
            made.call(("GET", "key"))
        assert (made.broken, made.sent, made.replied) == (True, 1, 0)


def test_replies_before_a_cut_are_counted() -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(b"+OK\r\n+OK\r\n+O")

    with peer(serve) as port:
        made = link(port)
        pipe = Pipe()
        for _ in range(5):
            pipe.append(("SET", "a", 1))
        with pytest.raises(ConnectionError):
            made.run(pipe)
        assert (made.sent, made.replied) == (5, 2)


def test_a_reply_in_single_bytes_is_read() -> None:
    def serve(connection: socket.socket) -> None:
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        connection.recv(1000)
        for byte in b"*2\r\n$5\r\nhello\r\n:7\r\n":
            connection.sendall(bytes([byte]))
            time.sleep(0.002)

    with peer(serve) as port:
        assert link(port).call(("GET", "key")) == [b"hello", 7]


@pytest.mark.parametrize(
    ("reply", "code"),
    [(b"HTTP/1.1 400\r\n", "malformed"), (b"*2147483648\r\n", "limit_items"), (b"$9999999999\r\n", "limit_size")],
)
def test_what_is_not_resp_breaks_the_link(reply: bytes, code: str) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(1000)
        connection.sendall(reply)
        connection.recv(1000)

    with peer(serve) as port:
        made = link(port)
        with pytest.raises(InvalidResponse, match=code):
            made.call(("GET", "key"))
        assert made.broken


def test_an_interrupt_breaks_the_link() -> None:
    # What starts the tests may have had them ignore the signal.
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    with peer(stall) as stalled:
        made = link(stalled, timeout=None)
        threading.Timer(0.3, lambda: os.kill(os.getpid(), signal.SIGINT)).start()
        with pytest.raises(KeyboardInterrupt):
            made.call(("GET", "key"))
        assert made.broken
    signal.signal(signal.SIGINT, before)


def test_other_threads_run_while_one_waits() -> None:
    with peer(stall) as stalled:
        made = link(stalled, timeout=0.5)
        turns = 0

        def work() -> None:
            with pytest.raises(TimeoutError):
                made.call(("GET", "key"))

        thread = threading.Thread(target=work)
        thread.start()
        while thread.is_alive():
            turns += 1
        thread.join()
        assert turns > 1_000


def test_errors_of_the_server_have_their_classes() -> None:
    with valkey() as server:
        made = link(server.port)
        made.call(("CONFIG", "SET", "maxmemory", 1_000_000))
        with pytest.raises(OutOfMemoryError):
            for number in range(100):
                made.call(("SET", f"key{number}", b"x" * 100_000))
        made.call(("CONFIG", "SET", "requirepass", "secret"))
        with pytest.raises(ConnectionError, match="Authentication required"):
            link(server.port).call(("GET", "a"))


def test_reads_and_writes_a_unix_socket(tmp_path: Any) -> None:
    path = tmp_path / "socket"
    with valkey(unix_socket_path=path):
        connection = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        connection.connect(str(path))
        made = Link(connection, reply_error=error_of, timeout=5.0, decode_responses=True)
        assert made.call(("ECHO", "hello")) == "hello"


def taking(count: int, until: threading.Event | None = None) -> Any:
    """A peer that takes so many bytes, waits, and closes the connection with the rest unread."""

    def serve(connection: socket.socket) -> None:
        left = count
        while left > 0:
            left -= len(connection.recv(min(left, 65_536)))
        if until is not None:
            until.wait(30)

    return serve


def test_a_command_whose_end_was_not_written_has_not_run() -> None:
    with peer(taking(100_000)) as port:
        made = link(port)
        with pytest.raises(ConnectionError):
            made.call(("SET", "key", b"x" * 50_000_000))
        assert (made.broken, made.sent) == (True, 0)


def test_what_begin_has_written_counts_when_finish_can_write_nothing() -> None:
    begun = threading.Event()
    with peer(taking(100_000, begun)) as port:
        made = link(port)
        pipe = Pipe()
        for _ in range(10):
            pipe.append(("INCR", "key"))
        pipe.append(("SET", "key", b"x" * 50_000_000))
        made.begin(pipe)
        begun.set()
        with pytest.raises(ConnectionError):
            made.finish()
        assert (made.broken, made.sent) == (True, 10)
