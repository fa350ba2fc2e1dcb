"""The blocking client when servers, connections and replies break. What was sent, acknowledged and found is counted."""

from __future__ import annotations

import contextlib
import copy
import signal
import socket
import threading
import time
import tracemalloc
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from clusters import Process
from cutting import Sent, cutting
from samewire._native import Link
from samewire.limits import Limits
from samewire.redis.backoff import ConstantBackoff, ExponentialWithJitterBackoff, NoBackoff
from samewire.redis.breaker import CircuitBreaker
from samewire.redis.client import Client
from samewire.redis.connection import AbstractConnection, Connection, ConnectionPool
from samewire.redis.exceptions import (
    AuthenticationError,
    BusyLoadingError,
    CircuitOpenError,
    ConnectionError,
    InvalidResponse,
    OutOfMemoryError,
    ResponseError,
    TimeoutError,
    WatchError,
)
from samewire.redis.retry import Retry
from samewire.redis.sync import transport
from servers import GREETING, greeted, peer, valkey


@pytest.fixture
def direct(port: int) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port) as made:
        made.execute_command("FLUSHALL")
        yield made


def once(port: int, **options: Any) -> Client[Any]:
    """A client that makes one attempt."""
    return Client(port=port, retry=Retry(NoBackoff(), 0), **options)


def patient(port: int, attempts: int = 60, **options: Any) -> Client[Any]:
    """A client that goes on while a server is started again."""
    return Client(port=port, retry=Retry(ExponentialWithJitterBackoff(cap=0.1, base=0.01), attempts), **options)


def wait_until(happened: Callable[[], object]) -> None:
    """Waits until something has happened, for half a minute at most."""
    until = time.monotonic() + 30
    while not happened():
        assert time.monotonic() < until, "it did not happen in 30 seconds"
        time.sleep(0.001)


def together(works: list[Callable[[], None]]) -> None:
    """Runs works in threads; raises what one of them raised."""
    failed: list[BaseException] = []

    def guarded(work: Callable[[], None]) -> None:
        try:
            work()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=guarded, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failed:
        raise failed[0]


def test_kill_and_restart_under_load_loses_nothing_acknowledged() -> None:
    server = Process("--appendonly", "yes", "--appendfsync", "always")
    try:
        server.ready()
        client = patient(server.port)
        sent = Sent()
        stop = threading.Event()
        reads = [0]

        def write(name: int) -> None:
            turn = 0
            while not stop.is_set():
                turn += 1
                number = f"{name}-{turn}"
                sent.send(number, lambda number=number: client.execute_command("RPUSH", "all", number))  # type: ignore[misc]

        def read(name: int) -> None:
            while not stop.is_set():
                text = f"{name}-{reads[0]}".encode()
                assert client.execute_command("ECHO", text) == text
                reads[0] += 1

        def go_on() -> None:
            acknowledged, replies = len(sent.acknowledged) + 20, reads[0] + 10
            wait_until(lambda: len(sent.acknowledged) > acknowledged and reads[0] > replies)

        def break_it() -> None:
            for _ in range(3):
                go_on()
                server.kill()
                time.sleep(0.05)
                server.start()
                server.ready()
            go_on()
            stop.set()

        together([break_it, *(lambda name=name: write(name) for name in range(4)), lambda: read(9)])
        sent.agrees(client.execute_command("LRANGE", "all", 0, -1))
        assert sent.unknown
        assert not client.connection_pool._in_use_connections
    finally:
        server.close()


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_cut_connections_lose_nothing_and_run_nothing_twice(port: int, direct: Client[bytes], seed: int) -> None:
    with cutting(port, seed, 1_500) as cut:
        client = patient(cut)
        sent = Sent()

        def work(name: int) -> None:
            for turn in range(60):
                number = f"{name}-{turn}"
                sent.send(number, lambda number=number: client.execute_command("RPUSH", "all", number))  # type: ignore[misc]
                # What may be repeated is, and its reply is nobody else's.
                assert client.execute_command("ECHO", number) == number.encode()
                direct.set(f"key{name}", number)
                assert client.get(f"key{name}") == number.encode()

        together([lambda name=name: work(name) for name in range(4)])  # type: ignore[misc]
    sent.agrees(direct.execute_command("LRANGE", "all", 0, -1))
    assert sent.acknowledged
    assert sent.unknown


def test_cut_transactions_run_whole_and_once_or_say_that_they_may_have(port: int, direct: Client[bytes]) -> None:
    with cutting(port, 4, 1_200) as cut:
        client = patient(cut)
        sent = Sent()
        for turn in range(150):
            pipe = client.pipeline().execute_command("RPUSH", "first", turn).execute_command("RPUSH", "second", turn)
            sent.send(str(turn), pipe.execute)
        assert not client.connection_pool._in_use_connections
    first, second = (direct.execute_command("LRANGE", name, 0, -1) for name in ("first", "second"))
    sent.agrees(first)
    assert first == second
    assert sent.acknowledged
    assert sent.unknown


def test_a_watch_on_a_cut_connection_fails(port: int, direct: Client[bytes]) -> None:
    direct.set("counter", 0)
    done = unknown = 0
    with cutting(port, 5, 1_500) as cut:
        client = patient(cut)

        def add(pipe: Any) -> None:
            now = int(pipe.get("counter"))
            pipe.multi()
            pipe.set("counter", now + 1)

        for _ in range(60):
            try:
                client.transaction(add, "counter")
                done += 1
            except (ConnectionError, TimeoutError) as error:
                assert error.may_have_run
                unknown += 1
    assert done <= int(direct.get("counter") or 0) <= done + unknown


def test_a_half_closed_connection(direct: Client[bytes]) -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        seen.append(data)
        if b"GET" in data and len(seen) > 3:
            connection.sendall(b"$5\r\nvalue\r\n")
        else:
            connection.shutdown(socket.SHUT_WR)
            with contextlib.suppress(OSError):
                connection.recv(1)

    with peer(greeted(serve)) as at:
        client = patient(at, attempts=5)
        with pytest.raises(ConnectionError, match=rf"closed the connection \(localhost:{at}\)") as caught:
            client.execute_command("INCR", "counter")
        assert caught.value.may_have_run
        assert caught.value.code == "closed"
        assert len(seen) == 1
        assert client.get("key") == b"value"
        assert len(seen) == 4


def test_a_stalled_server_is_a_timeout_and_its_late_reply_is_nobodys(direct: Client[bytes]) -> None:
    server = Process()
    try:
        server.ready()
        client = once(server.port, socket_timeout=0.2)
        client.set("key", "value")
        server.stall()
        with pytest.raises(TimeoutError, match="no reply came in time") as caught:
            client.execute_command("INCR", "counter")
        assert caught.value.may_have_run
        assert caught.value.code == "timeout"
        with pytest.raises(TimeoutError):
            client.get("key")
        server.go_on()
        assert client.get("key") == b"value"
        assert client.execute_command("ECHO", "mine") == b"mine"
        assert client.get("counter") == b"1"
    finally:
        server.go_on()
        server.close()


def test_blocking_commands_wait_longer_than_the_socket_may(port: int, direct: Client[bytes]) -> None:
    client = once(port, socket_timeout=0.3)
    start = time.monotonic()
    assert client.execute_command("BLPOP", "none", 0.4) is None
    assert time.monotonic() - start >= 0.4
    threading.Timer(0.4, direct.execute_command, ("RPUSH", "some", "item")).start()
    # For ever: a `socket_timeout` that was asked for would bound it.
    assert once(port, socket_timeout=None).execute_command("BLPOP", "some", 0) == (b"some", b"item")
    assert client.execute_command("WAIT", 1, 400) == 0
    assert client.execute_command("XREAD", "BLOCK", 400, "STREAMS", "none", "$") in (None, [], {})
    with peer(greeted(lambda *_: None)) as silent, pytest.raises(TimeoutError):
        once(silent, socket_timeout=0.1).execute_command("BLPOP", "none", 0.1)


def test_an_interrupted_call_leaves_no_reply_behind(port: int) -> None:
    client = once(port, socket_timeout=5)

    class Interrupt(Exception):
        """Raised by the signal's handler."""

    def interrupt(*_: object) -> None:
        raise Interrupt

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        for turn in range(5):
            signal.setitimer(signal.ITIMER_REAL, 0.05)
            with pytest.raises(Interrupt):
                client.execute_command("BLPOP", f"none{turn}", 2)
            assert client.execute_command("ECHO", turn) == str(turn).encode()
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert not client.connection_pool._in_use_connections


def test_a_loading_server_is_waited_for_even_by_what_may_not_run_twice() -> None:
    seen: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        seen.append(data)
        loading = b"-LOADING Valkey is loading the dataset in memory\r\n"
        connection.sendall(loading if len(seen) <= 3 else b":1\r\n")

    with peer(greeted(serve)) as at:
        assert patient(at).execute_command("INCR", "counter") == 1
        assert len(seen) == 4
        seen.clear()
        assert patient(at).pipeline(transaction=False).execute_command("INCR", "counter").execute() == [1]
        assert len(seen) == 4
        seen.clear()
        with pytest.raises(BusyLoadingError):
            once(at).execute_command("INCR", "counter")
        assert len(seen) == 1


def test_a_full_server_refuses_and_goes_on() -> None:
    with valkey() as server:
        client = patient(server.port)
        client.set("key", "value")
        client.execute_command("CONFIG", "SET", "maxmemory", 1)
        with pytest.raises(OutOfMemoryError) as caught:
            client.set("other", "value")
        assert caught.value.may_have_run is None
        with pytest.raises(ResponseError):
            client.pipeline().set("other", "value").execute()
        assert client.get("key") == b"value"
        assert len(client.connection_pool._connections) == 1


@pytest.mark.parametrize(
    ("announced", "code"),
    [(b"$1073741824\r\n", "limit_size"), (b"*2147483648\r\n", "limit_items"), (b"%2147483648\r\n", "limit_items")],
)
def test_a_reply_beyond_the_limits_is_refused_at_once(announced: bytes, code: str) -> None:
    def serve(connection: socket.socket, data: bytes) -> None:
        if b"PING" in data:
            connection.sendall(b"+PONG\r\n")
        else:
            connection.sendall(announced + b"x" * 1000)

    with peer(greeted(serve)) as at:
        client = patient(at)
        tracemalloc.start()
        try:
            with pytest.raises(InvalidResponse, match="larger limits") as caught:
                client.get("key")
            assert caught.value.code == code
            assert str(copy.copy(caught.value)) == str(caught.value)
            assert tracemalloc.get_traced_memory()[1] < 10_000_000
        finally:
            tracemalloc.stop()
        assert client.execute_command("PING") is True


def test_what_a_server_keeps_can_be_read_unless_the_limits_are_lower(direct: Client[bytes], port: int) -> None:
    direct.execute_command("SETRANGE", "large", 80_000_000, "x")
    assert len(direct.get("large") or b"") == 80_000_001
    with pytest.raises(InvalidResponse, match="limit_size"):
        Client[bytes](port=port, limits=Limits()).get("large")
    direct.execute_command("DEL", "large")


def test_what_is_not_resp_is_not_repeated() -> None:
    calls: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        calls.append(data)
        connection.sendall(b"HTTP/1.1 400 Bad Request\r\n\r\n")

    with peer(greeted(serve)) as at:
        with pytest.raises(InvalidResponse, match="malformed") as caught:
            patient(at).execute_command("INCR", "counter")
        assert caught.value.may_have_run
        assert len(calls) == 1


def test_callers_wait_for_a_server_behind_an_open_breaker() -> None:
    server = Process()
    server.ready()
    server.kill()
    try:
        breaker = CircuitBreaker(after=0.05, reset_after=0.05)
        pool: ConnectionPool[Any] = ConnectionPool(port=server.port, breaker=breaker, retry=Retry(ConstantBackoff(0.001), -1))
        client = Client[bytes](connection_pool=pool)
        impatient = Client[bytes](connection_pool=ConnectionPool(port=server.port, breaker=breaker))
        replies: list[Any] = []
        callers = [threading.Thread(target=lambda: replies.append(client.set("key", "value"))) for _ in range(8)]
        for caller in callers:
            caller.start()
        wait_until(lambda: breaker.open)
        with pytest.raises(CircuitOpenError, match=f"{server.port} could not be reached for"):
            for _ in range(100):
                try:
                    impatient.get("key")
                except CircuitOpenError:
                    raise
                except ConnectionError:
                    continue
        server.start()
        server.ready()
        for caller in callers:
            caller.join(30)
        assert replies == [True] * 8
        assert not breaker.open
        assert not pool._in_use_connections
    finally:
        server.close()


def test_a_server_that_refuses_a_client_is_not_out_of_reach(port: int) -> None:
    breaker = CircuitBreaker(after=1e-9, reset_after=10)
    pool: ConnectionPool[Any] = ConnectionPool(port=port, breaker=breaker, username="nobody", password="wrong")
    for _ in range(5):
        with pytest.raises(AuthenticationError):
            Client[bytes](connection_pool=pool).get("key")
    assert not breaker.open


def test_a_health_check_comes_after_the_credentials() -> None:
    # Each command is due for one.
    with valkey() as server:
        once(server.port).config_set("requirepass", "secret")
        client = Client[bytes](port=server.port, password="secret", health_check_interval=1e-9)
        assert client.ping()
        client.connection_pool.disconnect()
        assert client.set("key", "value")
        assert client.pipeline().get("key").execute() == [b"value"]
        with client.pubsub() as subscriber:
            subscriber.subscribe("channel")
            assert subscriber.connection
            subscriber.connection.disconnect()
            assert (subscriber.get_message(timeout=10) or {})["type"] == "subscribe"
        client.close()


def test_a_health_check_of_a_silent_server_makes_no_attempts_of_its_own() -> None:
    connects = []
    silent = threading.Event()

    def serve(connection: socket.socket) -> None:
        connects.append(connection)
        while connection.recv(10_000):
            if not silent.is_set():
                connection.sendall(GREETING if len(connects) == 1 and not replied else b"+PONG\r\n")
                replied.append(1)

    replied: list[int] = []
    with peer(serve) as at:
        client = Client[bytes](port=at, socket_timeout=0.05, health_check_interval=1e-9, retry=Retry(ConstantBackoff(0), 3))
        client.ping()
        silent.set()
        with pytest.raises(TimeoutError):
            client.get("key")
        # The one with the health check, one after it, and one for each attempt left.
        assert len(connects) <= 6
        client.close()


def test_disconnecting_a_pool_in_use_fails_its_callers_and_confuses_nobody(port: int) -> None:
    client = patient(port)
    stop = threading.Event()

    def work(name: int) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            text = f"{name}-{turn}".encode()
            assert client.execute_command("ECHO", text) == text

    def disconnect() -> None:
        for _ in range(60):
            time.sleep(0.005)
            client.connection_pool.disconnect()
        stop.set()

    together([disconnect, *(lambda name=name: work(name) for name in range(6))])


def test_closing_a_client_that_threads_use_raises_nothing_else(port: int) -> None:
    stop = threading.Event()
    clients = [once(port) for _ in range(2)]

    def work(name: int) -> None:
        turn = 0
        while not stop.is_set():
            turn += 1
            text = f"{name}-{turn}".encode()
            with contextlib.suppress(ConnectionError):
                assert clients[name % 2].execute_command("ECHO", text) == text

    def close() -> None:
        for _ in range(200):
            time.sleep(0.002)
            for client in clients:
                client.close()
        stop.set()

    together([close, *(lambda name=name: work(name) for name in range(8))])


def test_a_connection_that_is_closed_as_it_is_made_uses_no_other_ones_descriptor(
    port: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    connection = Connection(port=port, retry=Retry(NoBackoff(), 0))
    others: list[socket.socket] = []

    def made(*args: Any, **options: Any) -> Any:
        link = Link(*args, **options)
        if not others:
            # As another thread may, at this place: it disconnects, and its next sockets get the lowest free numbers.
            connection.disconnect()
            for _ in range(4):
                others.extend(socket.socketpair())
        return link

    monkeypatch.setattr(transport, "Link", made)
    with contextlib.suppress(ConnectionError):
        connection.connect_once()
    for other in others:
        other.setblocking(False)
        with pytest.raises(BlockingIOError):
            other.recv(1)
    for other in others:
        other.close()
    connection.disconnect()


def test_a_pipeline_that_only_reads_is_repeated(port: int, direct: Client[bytes]) -> None:
    direct.set("key", "value")
    with cutting(port, 6, 3_000) as cut:
        client = patient(cut)
        for _ in range(30):
            pipe = client.pipeline(transaction=False)
            for _ in range(20):
                pipe.get("key")
            assert pipe.execute() == [b"value"] * 20


class Parsing(Client[Any]):
    """Replies go through `parse_response`, as in a client that an instrumentation has changed."""

    def parse_response(self, connection: AbstractConnection, command_name: str, **options: Any) -> Any:
        return super().parse_response(connection, command_name, **options)


class Sending(Connection):
    """Commands go through `send_command`."""

    def send_command(self, *args: Any, **kwargs: Any) -> None:
        super().send_command(*args, **kwargs)


@pytest.mark.parametrize(("client_class", "connection_class"), [(Client, Connection), (Parsing, Connection), (Client, Sending)])
def test_a_command_that_may_have_run_is_sent_once(client_class: Any, connection_class: Any) -> None:
    received: list[bytes] = []

    def serve(connection: socket.socket, data: bytes) -> None:
        received.append(data)
        connection.shutdown(socket.SHUT_RDWR)

    with peer(greeted(serve)) as port:
        pool = ConnectionPool(connection_class, host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 5))
        with client_class(connection_pool=pool) as client:
            with pytest.raises(ConnectionError) as caught:
                client.incr("counter")
            assert caught.value.may_have_run is True
            assert len(received) == 1
            with pytest.raises(ConnectionError):
                client.get("counter")
            assert len(received) == 1 + 6
        pool.close()


def test_a_pipeline_watches_nothing_after_a_command_that_may_have_run(port: int, monkeypatch: pytest.MonkeyPatch) -> None:
    lost = ConnectionError("lost")
    lost.may_have_run = True

    def call(*_: object) -> None:
        raise lost

    with Client[bytes](port=port) as client, client.pipeline() as pipe:
        pipe.watch("key")
        monkeypatch.setattr(pipe, "_call", call)
        with pytest.raises(ConnectionError) as caught:
            pipe.incr("key")
        assert caught.value is lost
        assert not pipe.watching
        assert pipe.connection is None


def test_a_lost_watch_is_a_watch_error(port: int, direct: Client[bytes]) -> None:
    with Client[bytes](port=port) as client, client.pipeline() as pipe:
        pipe.watch("key")
        assert pipe.connection is not None
        direct.execute_command("CLIENT", "KILL", "ID", pipe.execute_command("CLIENT ID"))
        with pytest.raises(WatchError, match="nothing is watched any more"):
            pipe.get("key")
        assert not pipe.watching
        pipe.watch("key")
        pipe.multi()
        pipe.set("key", "value")
        for found in direct.execute_command("CLIENT LIST"):
            if "x" in found["flags"] or found["watch"] != 0:
                direct.execute_command("CLIENT", "KILL", "ID", found["id"])
        with pytest.raises((WatchError, ConnectionError)):
            pipe.execute()
    assert direct.get("key") is None


def test_a_read_without_a_reply_while_keys_are_watched_is_a_watch_error(port: int) -> None:
    with Client[bytes](port=port, socket_timeout=0.2) as client, client.pipeline() as pipe:
        pipe.watch("log")
        with pytest.raises(WatchError, match="nothing is watched any more") as caught:
            pipe.xread({"log": 0}, block=0)
        assert isinstance(caught.value.__cause__, TimeoutError)
        assert not pipe.watching
        assert pipe.connection is None


def test_a_command_that_was_written_in_part_is_sent_again() -> None:
    size = 50_000_000
    connections: list[socket.socket] = []

    def serve(connection: socket.socket) -> None:
        connections.append(connection)
        connection.recv(10_000)
        connection.sendall(GREETING)
        # The first connection is closed with most of the command unread.
        left = 100_000 if len(connections) == 1 else size
        while left > 0 and (data := connection.recv(1 << 20)):
            left -= len(data)
        if left <= 0 and len(connections) > 1:
            connection.sendall(b":1\r\n")
            connection.recv(1)

    with peer(serve) as port, Client[bytes](port=port) as client:
        assert client.append("key", b"x" * size) == 1
    assert len(connections) == 2


def test_a_command_may_have_run_whose_connection_was_closed_before_its_reply_was_read(port: int) -> None:
    connection = Connection(port=port)
    connection.send_command("PING")
    connection.disconnect()
    with pytest.raises(ConnectionError) as caught:
        connection.read_response()
    assert caught.value.may_have_run
