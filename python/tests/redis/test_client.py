"""The blocking client on a real server: options, views, connections, threads and forks."""

from __future__ import annotations

import gc
import os
import pickle
import socket
import threading
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from samewire.redis.backoff import NoBackoff
from samewire.redis.client import Client
from samewire.redis.connection import BlockingConnectionPool, Connection, ConnectionPool, parse_url
from samewire.redis.credentials import CredentialProvider, StreamingCredentialProvider
from samewire.redis.driver_info import DriverInfo
from samewire.redis.exceptions import (
    AuthenticationError,
    ConnectionError,
    DataError,
    MaxConnectionsError,
    NoPermissionError,
    RedisError,
    ResponseError,
    TimeoutError,
)
from samewire.redis.retry import Retry
from servers import peer, valkey


@pytest.fixture
def client(port: int) -> Iterator[Client[bytes]]:
    with Client[bytes](port=port) as made:
        made.execute_command("FLUSHALL")
        yield made


def quick(port: int, **options: Any) -> Client[Any]:
    """A client that makes one attempt."""
    return Client(port=port, retry=Retry(NoBackoff(), 0), **options)


def test_runs_commands_and_converts_replies(client: Client[bytes]) -> None:
    assert client.set("key", "value") is True
    assert client.get("key") == b"value"
    assert client.get("missing") is None
    assert client.set("key", "other", nx=True) is None
    assert client.execute_command("HSET", "hash", "a", 1) == 1
    assert client.execute_command("hgetall", "hash") == {b"a": b"1"}
    assert client.execute_command("CONFIG GET", "maxmemory") == {"maxmemory": "0"}
    assert client.execute_command("client id") > 0


def test_raises_error_replies_and_goes_on(client: Client[bytes]) -> None:
    client.set("text", "abc")
    with pytest.raises(ResponseError, match="WRONGTYPE") as caught:
        client.execute_command("LPUSH", "text", 1)
    assert caught.value.code == "unsupported"
    with pytest.raises(ResponseError, match="unknown command"):
        client.execute_command("NOSUCH")
    with pytest.raises(DataError, match="not bool"):
        client.execute_command("SET", "key", True)
    assert client.get("text") == b"abc"
    assert len(client.connection_pool._connections) == 1


def test_decodes_per_client_and_per_call(port: int, client: Client[bytes]) -> None:
    client.set("key", "wörld")
    text = Client[str](port=port, decode_responses=True)
    assert text.get("key") == "wörld"
    assert text.decoding(False).get("key") == "wörld".encode()
    assert client.decoding(True).get("key") == "wörld"
    assert client.decoding(True).connection_pool is client.connection_pool
    assert text.execute_command("GET", "key", NEVER_DECODE=[]) == "wörld".encode()
    assert client.decoding().pipeline().get("key").execute() == ["wörld"]


def test_speaks_both_protocols_with_the_same_shapes(port: int, client: Client[bytes]) -> None:
    client.execute_command("HSET", "hash", "a", 1)
    old = Client[bytes](port=port, protocol=2)
    assert old.execute_command("HGETALL", "hash") == {b"a": b"1"}
    assert old.connection_pool._connections[0].spoken == 2
    assert client.connection_pool._connections[0].spoken == 3
    assert client.connection_pool._connections[0].handshake_metadata[b"server"] == b"valkey"
    with pytest.raises(ConnectionError, match="expected 2 or 3"):
        Client[bytes](port=port, protocol=4).get("key")


def test_falls_back_to_resp2_where_hello_is_unknown() -> None:
    said: list[bytes] = []

    def old_server(connection: socket.socket) -> None:
        while data := connection.recv(10_000):
            said.append(data)
            for command in data.split(b"*")[1:]:
                words = command.split(b"\r\n")[2::2]
                known = {b"AUTH": b"+OK\r\n", b"GET": b"$3\r\nold\r\n", b"SELECT": b"+OK\r\n"}
                connection.sendall(known.get(words[0], b"-ERR unknown command '" + words[0] + b"'\r\n"))

    with peer(old_server) as at:
        made = quick(at, username="who", password="secret", db=3)
        assert made.get("key") == b"old"
        assert made.connection_pool._connections[0].spoken == 2
    assert b"AUTH\r\n$3\r\nwho\r\n$6\r\nsecret" in said[1]


def test_authenticates_as_the_acl_says(port: int, client: Client[bytes]) -> None:
    client.execute_command("ACL", "SETUSER", "reader", "on", ">secret", "~*", "+@read", "+@connection")
    for protocol in (2, 3):
        reader = quick(port, username="reader", password="secret", protocol=protocol)
        assert reader.get("key") is None
        with pytest.raises(NoPermissionError):
            reader.set("key", 1)
        with pytest.raises(AuthenticationError) as caught:
            quick(port, username="reader", password="wrong", protocol=protocol).get("key")
        assert caught.value.code == "closed"


def test_a_wrong_password_is_not_tried_again(client: Client[bytes], port: int) -> None:
    client.execute_command("ACL", "SETUSER", "one", "on", ">secret", "+@all", "~*")
    start = time.monotonic()
    with pytest.raises(AuthenticationError):
        Client[bytes](port=port, username="one", password="wrong").get("key")
    assert time.monotonic() - start < 60


def test_asks_its_credential_provider_for_each_connection(client: Client[bytes], port: int) -> None:
    client.execute_command("ACL", "SETUSER", "turn", "on", ">first", ">second", "+@all", "~*")
    passwords = iter(["first", "second"])

    class Provider(CredentialProvider):
        def get_credentials(self) -> tuple[str, str]:
            return "turn", next(passwords)

    made = quick(port, credential_provider=Provider())
    made.get("key")
    made.connection_pool.disconnect()
    made.get("key")
    assert next(passwords, None) is None
    with pytest.raises(DataError, match="credential_provider"):
        quick(port, credential_provider=Provider(), password="x").get("key")


def test_authenticates_again_with_new_credentials(client: Client[bytes], port: int) -> None:
    client.execute_command("ACL", "SETUSER", "early", "on", ">one", "+@all", "~*")
    client.execute_command("ACL", "SETUSER", "late", "on", ">two", "+@all", "~*")
    tell: list[Any] = []

    class Provider(StreamingCredentialProvider):
        def get_credentials(self) -> tuple[str, str]:
            return "early", "one"

        def on_next(self, callback: Any) -> None:
            tell.append(callback)

        def on_error(self, callback: Any) -> None: ...

        def is_streaming(self) -> bool:
            return True

    class Token:
        def try_get(self, key: str) -> str:
            assert key == "oid"
            return "late"

        def get_value(self) -> str:
            return "two"

    provider = Provider()
    made = quick(port, credential_provider=provider)
    own = quick(port, credential_provider=provider, single_connection_client=True)
    for each in (made, own):
        assert each.execute_command("ACL WHOAMI") in (b"early", "early")
    for callback in tell:
        callback(Token())
    for each in (made, own):
        assert each.execute_command("ACL WHOAMI") in (b"late", "late")
    assert len(made.connection_pool._connections) == 1


def test_a_view_keeps_the_pool_open(port: int) -> None:
    view = Client[bytes](port=port).decoding(True)
    gc.collect()
    number = view.execute_command("CLIENT ID")
    gc.collect()
    assert view.execute_command("CLIENT ID") == number


def test_options_are_pickled_and_compared(port: int) -> None:
    first, second = (Client[bytes](port=port).connection_pool.connection_kwargs for _ in range(2))
    assert first == second
    assert pickle.loads(pickle.dumps(first)) == first


def test_tells_the_server_who_it_is(port: int) -> None:
    info = DriverInfo(name="mine", lib_version="7").add_upstream_driver("celery", "5.7")
    made = Client[str](port=port, client_name="worker", db=5, driver_info=info)
    said = made.execute_command("CLIENT INFO")
    assert (said["name"], said["lib-name"], said["lib-ver"], said["db"]) == ("worker", "mine(celery_v5.7)", "7", 5)
    silent = Client[str](port=port, driver_info=None)
    assert silent.execute_command("CLIENT INFO")["lib-name"] == ""
    with pytest.raises(ResponseError, match="DB index is out of range"):
        quick(port, db=99).get("key")


def test_setup_commands_follow_each_connect(port: int) -> None:
    made = quick(port, setup_commands=[("CLIENT", "NO-EVICT", "ON"), ("CLIENT", "SETNAME", "set up")])
    with pytest.raises(ResponseError, match="Client names cannot contain spaces"):
        made.get("key")
    made = quick(port, setup_commands=[("CLIENT", "SETNAME", "again")])
    assert made.execute_command("CLIENT GETNAME") == "again"
    made.connection_pool.disconnect()
    assert made.execute_command("CLIENT GETNAME") == "again"


def test_reads_urls(port: int, tmp_path: Path) -> None:
    assert Client.from_url(f"redis://localhost:{port}/2?decode_responses=true").execute_command("CLIENT INFO")["db"] == 2
    assert parse_url("rediss://me:p%40ss@h:1/3?ssl_cert_reqs=none&socket_timeout=2.5") | {"connection_class": None} == {
        "ssl_cert_reqs": "none",
        "socket_timeout": 2.5,
        "username": "me",
        "password": "p@ss",
        "host": "h",
        "port": 1,
        "db": 3,
        "connection_class": None,
    }
    assert parse_url("valkeys://h/1") == parse_url("rediss://h/1")
    assert parse_url("valkey://h/1") == parse_url("redis://h/1")
    for wrong in ("http://h", "localhost:1"):
        with pytest.raises(ValueError, match="redis://, rediss://, unix://"):
            parse_url(wrong)
    with pytest.raises(ValueError, match="db='x'"):
        parse_url("redis://h?db=x")
    path = tmp_path / "socket"
    with valkey(unix_socket_path=path):
        assert Client.from_url(f"unix://{path}?db=1").execute_command("CLIENT INFO")["db"] == 1
        assert Client[bytes](unix_socket_path=str(path)).get("key") is None


def test_refuses_options_that_it_does_not_have(port: int) -> None:
    with pytest.raises(TypeError, match="'sokket_timeout'"):
        Client[bytes](port=port, sokket_timeout=1).get("key")


def test_a_client_of_one_connection_keeps_it(port: int) -> None:
    with Client[bytes](port=port, single_connection_client=True) as made:
        number = made.execute_command("CLIENT ID")
        assert made.execute_command("CLIENT ID") == number
        assert made.client().execute_command("CLIENT ID") != number
        assert made.connection_pool.get_connection_count()[1][0] >= 1


def test_threads_share_a_client(port: int, client: Client[bytes]) -> None:
    failed: list[BaseException] = []

    def work(name: int) -> None:
        try:
            for turn in range(300):
                client.set(f"thread{name}", f"{name}-{turn}")
                assert client.get(f"thread{name}") == f"{name}-{turn}".encode()
        except BaseException as error:
            failed.append(error)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(16)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert len(client.connection_pool._connections) <= 16
    assert not client.connection_pool._in_use_connections


def test_threads_take_turns_with_one_connection(port: int) -> None:
    made = Client[bytes](port=port, single_connection_client=True)
    wrong: list[Any] = []

    def work(name: int) -> None:
        for turn in range(200):
            reply = made.execute_command("ECHO", f"{name}-{turn}")
            if reply != f"{name}-{turn}".encode():
                wrong.append(reply)

    threads = [threading.Thread(target=work, args=(name,)) for name in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong


def in_child(work: Any) -> int:
    """What a forked child's `work` returned as its exit status; 99 if it raised."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        child = os.fork()
    if child == 0:
        status = 99
        try:
            status = work()
        finally:
            os._exit(status)
    return os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])


@pytest.mark.parametrize("single", [False, True])
def test_a_forked_child_has_connections_of_its_own(port: int, single: bool) -> None:
    made = Client[bytes](port=port, single_connection_client=single)
    pipe = made.pipeline()
    pipe.watch("watched")
    mine = made.execute_command("CLIENT ID")

    def child() -> int:
        if made.execute_command("CLIENT ID") == mine:
            return 1
        pipe.reset()
        made.close()
        gc.collect()
        return 0

    assert in_child(child) == 0
    # The parent's connections are as they were: the child closed only its copies of the sockets.
    assert made.execute_command("CLIENT ID") == mine
    pipe.multi()
    assert pipe.set("watched", 1).execute() == [True]


def test_a_child_forked_while_threads_work_is_not_blocked(port: int) -> None:
    made = Client[bytes](port=port)
    stop = threading.Event()

    def work() -> None:
        while not stop.is_set():
            made.execute_command("INCR", "turns")

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(5):
            assert in_child(lambda: 0 if made.execute_command("ECHO", "child") == b"child" else 1) == 0
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_a_pool_refuses_more_than_it_may_have(port: int) -> None:
    pool = ConnectionPool[Connection](max_connections=2, port=port)
    first, second = pool.get_connection(), pool.get_connection()
    with pytest.raises(MaxConnectionsError):
        pool.get_connection()
    pool.release(first)
    pool.release(first)
    assert pool.get_connection() is first
    with pytest.raises(MaxConnectionsError):
        pool.get_connection()
    other = ConnectionPool[Connection](port=port)
    other.release(second)
    assert not other._available_connections
    pool.release(second)
    assert pool._available_connections == [second]
    pool.disconnect()
    for wrong in (0, -1, "many"):
        with pytest.raises(ValueError, match="positive"):
            ConnectionPool[Connection](max_connections=wrong)


def test_a_blocking_pool_waits_for_a_connection(port: int) -> None:
    pool = BlockingConnectionPool[Connection](max_connections=1, timeout=0.2, port=port)
    connection = pool.get_connection()
    with pytest.raises(ConnectionError, match="none was given back"):
        pool.get_connection()
    threading.Timer(0.05, pool.release, (connection,)).start()
    assert pool.get_connection() is connection
    pool.release(connection)
    made = Client[bytes](connection_pool=BlockingConnectionPool(max_connections=2, timeout=10, port=port))
    threads = [threading.Thread(target=lambda: [made.get("key") for _ in range(50)]) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made.connection_pool._connections) <= 2


def test_a_connection_that_was_closed_while_idle_is_made_anew(port: int, client: Client[bytes]) -> None:
    number = client.execute_command("CLIENT ID")
    Client[bytes](port=port).execute_command("CLIENT KILL", "ID", number)
    # INCR may not be repeated: it is sent once, on the new connection.
    assert client.execute_command("INCR", "counter") == 1
    assert client.execute_command("CLIENT ID") != number


@pytest.mark.parametrize(
    "words", [("MULTI",), (b"multi",), (" MULTI",), ("SELECT", 3), ("SELECT 3",), ("CLIENT", "SETNAME", "x")]
)
def test_what_changes_a_connection_is_not_lent_to_another_thread(port: int, words: tuple[Any, ...]) -> None:
    made = Client[bytes](port=port)
    number = made.execute_command("CLIENT", "ID")
    made.execute_command(*words)
    seen: list[Any] = []

    def look() -> None:
        seen.append(made.set("key", 1))
        found = made.execute_command("CLIENT INFO")
        seen.append((found["db"], found["name"], found["multi"], found["id"] != number))

    # The same thread goes on with what it began, as with redis-py.
    if words[0] == "MULTI":
        assert made.execute_command("GET", "key") in (b"QUEUED", "QUEUED")
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert seen == [True, (0, "", -1, True)]


def test_what_has_no_reply_is_refused(client: Client[bytes]) -> None:
    for words in (("SUBSCRIBE", "news"), ("CLIENT REPLY", "OFF"), ("client", "reply", "skip"), (b"MONITOR",)):
        with pytest.raises(RedisError, match="no reply of its own"):
            client.execute_command(*words)
    for nothing in ("", "  ", b" "):
        with pytest.raises(DataError, match="expected a word"):
            client.execute_command(nothing)
    assert client.set("key", 1)


def test_a_connection_returned_with_a_reply_on_its_way_is_made_anew(client: Client[bytes]) -> None:
    pool = client.connection_pool
    connection = pool.get_connection()
    connection.send_command("GET", "key")
    assert connection.can_read(5)
    pool.release(connection)
    assert client.execute_command("ECHO", "mine") == b"mine"


def test_health_checks_find_a_dead_connection(port: int) -> None:
    made = Client[bytes](port=port, health_check_interval=0.05, single_connection_client=True)
    number = made.execute_command("CLIENT ID")
    Client[bytes](port=port).execute_command("CLIENT KILL", "ID", number)
    time.sleep(0.06)
    assert made.execute_command("INCR", "checked") == 1
    assert made.execute_command("CLIENT ID") != number


def test_a_connection_in_use_is_not_checked() -> None:
    with valkey() as server:

        def checks(made: Client[bytes]) -> int:
            return int(made.execute_command("INFO", "commandstats").get("cmdstat_ping", {"calls": 0})["calls"])

        # Longer than a busy machine may hold this process.
        with Client[bytes](port=server.port, health_check_interval=60) as made:
            before = checks(made)
            for _ in range(30):
                made.get("key")
                time.sleep(0.01)
            made.pipeline().get("key").execute()
            assert checks(made) == before
        with Client[bytes](port=server.port, health_check_interval=0.5) as made:
            made.get("key")
            before = checks(made)
            time.sleep(0.6)
            made.get("key")
            assert checks(made) > before


def test_a_connection_with_redis_pys_methods_alone_is_enough(port: int) -> None:
    class Plain:
        """Wraps a connection, and shows only what redis-py's have."""

        def __init__(self, **options: Any) -> None:
            own = Connection(**options)
            self.pid = os.getpid()
            self.retry = own.retry
            for name in ("connect", "disconnect", "can_read", "send_command", "read_response", "should_reconnect"):
                setattr(self, name, getattr(own, name))

    pool: ConnectionPool[Any] = ConnectionPool(connection_class=Plain, port=port)
    made = Client[bytes](connection_pool=pool)
    made.set("key", "value")
    assert made.get("key") == b"value"
    made.connection_pool.disconnect()
    assert made.get("key") == b"value"


def test_commands_and_replies_apart(client: Client[bytes]) -> None:
    connection = client.connection_pool.get_connection()
    connection.send_command("SET", "key", "value")
    assert client.parse_response(connection, "SET") is True
    connection.send_packed_command(connection.pack_commands([("CONFIG GET", "maxmemory"), ("GET", "key"), ("GET", "none")]))
    assert client.parse_response(connection, "CONFIG GET") == {"maxmemory": "0"}
    assert connection.read_response() == b"value"
    assert connection.read_response() is None
    assert connection.can_read() is False
    start = time.monotonic()
    with pytest.raises(TimeoutError, match="no reply from"):
        connection.read_response(timeout=0.1, disconnect_on_error=False)
    assert 0.1 <= time.monotonic() - start < 60
    connection.send_command("LPUSH", "key", 1)
    with pytest.raises(ResponseError, match="WRONGTYPE"):
        connection.read_response()
    assert connection.is_connected
    client.connection_pool.release(connection)


def test_a_large_command_is_sent_whole(client: Client[bytes]) -> None:
    connection = client.connection_pool.get_connection()
    connection.send_command("SET", "large", b"x" * 20_000_000)
    assert connection.read_response() == b"OK"
    client.connection_pool.release(connection)
    assert client.execute_command("STRLEN", "large") == 20_000_000


def test_a_subclass_of_connection_and_client_is_called(port: int) -> None:
    seen: list[str] = []

    class Mine(Connection):
        def send_command(self, *args: Any, **kwargs: Any) -> None:
            seen.append(f"sent {args[0]}")
            super().send_command(*args, **kwargs)

        def disconnect(self, *args: Any, **kwargs: Any) -> None:
            super().disconnect(*args, **kwargs)
            seen.append("closed")

    class Parsing(Client[bytes]):
        def parse_response(self, connection: Any, command_name: str, **options: Any) -> Any:
            seen.append(f"parsed {command_name}")
            return super().parse_response(connection, command_name, **options)

    made = Parsing(connection_pool=ConnectionPool(connection_class=Mine, port=port))
    made.set("key", 1)
    assert made.get("key") == b"1"
    made.connection_pool.disconnect()
    assert seen == ["sent SET", "parsed SET", "sent GET", "parsed GET", "closed"]
    plain = Client[bytes](connection_pool=ConnectionPool(connection_class=Mine, port=port))
    seen.clear()
    plain.get("key")
    assert seen == ["sent GET"]


def test_connect_callbacks_are_called_and_not_kept(port: int) -> None:
    seen: list[Any] = []

    class Listener:
        def connected(self, connection: Any) -> None:
            seen.append(connection)

    listener = Listener()
    connection = Connection(port=port)
    connection.register_connect_callback(listener.connected)
    connection.connect()
    connection.disconnect()
    connection.connect()
    assert seen == [connection, connection]
    del listener
    connection.disconnect()
    connection.connect()
    assert len(seen) == 2
    connection.disconnect()


def test_no_socket_is_left_open(port: int) -> None:
    # What other tests have left is not this one's.
    gc.collect()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always", ResourceWarning)
        made = Client[bytes](port=port)
        made.get("key")
        del made
        gc.collect()
    assert not caught


def test_shows_no_secrets(port: int) -> None:
    made = Client[bytes](port=port, password="hidden", username="whoever")
    assert "hidden" not in repr(made)
    assert "whoever" not in repr(made)
    assert f"port={port}" in repr(made)
