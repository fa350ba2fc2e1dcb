"""What errors say: the command and its time, why a connection is closed, which servers were asked, and what to do."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable
from typing import Any

import pytest
import samewire.redis
import samewire.redis.aio
from clusters import free_port
from samewire.redis import sentinel
from samewire.redis.aio import sentinel as aio_sentinel
from samewire.redis.aio.retry import Retry as AioRetry
from samewire.redis.backoff import NoBackoff
from samewire.redis.exceptions import AuthenticationError, ConnectionError, MovedError, RedisError, TimeoutError, TlsError
from samewire.redis.retry import Retry
from samewire.redis.rules.error_replies import error_of
from servers import peer, valkey

GREETING = b"%1\r\n$5\r\nproto\r\n:3\r\n+OK\r\n+OK\r\n"


def silent(connection: socket.socket) -> None:
    """Greets, and replies to nothing."""
    connection.recv(10_000)
    connection.sendall(GREETING)
    while connection.recv(10_000):
        pass


def said(kind: str, port: int, use: Callable[[Any], Any], **options: Any) -> RedisError:
    """The error of a call of a client that makes one attempt."""
    if kind == "blocking":
        with (
            samewire.redis.Client[bytes](host="127.0.0.1", port=port, retry=Retry(NoBackoff(), 0), **options) as client,
            pytest.raises(RedisError) as caught,
        ):
            use(client)
        return caught.value

    async def main() -> RedisError:
        retry = AioRetry(NoBackoff(), 0)
        async with samewire.redis.aio.Client[bytes](host="127.0.0.1", port=port, retry=retry, **options) as client:
            with pytest.raises(RedisError) as caught:
                await use(client)
            return caught.value

    return asyncio.run(asyncio.wait_for(main(), 60))


both = pytest.mark.parametrize("kind", ["blocking", "asyncio"])


@both
@pytest.mark.parametrize(
    ("use", "name"),
    [
        (lambda client: client.get("secret"), "GET"),
        (lambda client: client.blpop("secret", 0.05), "BLPOP"),
        (lambda client: client.pipeline(transaction=False).get("secret").get("secret").execute(), "a pipeline of 2 commands"),
    ],
)
def test_a_time_out_names_the_command_and_the_time(kind: str, use: Callable[[Any], Any], name: str) -> None:
    with peer(silent) as port:
        error = said(kind, port, use, socket_timeout=0.1)
        while "the greeting" in str(error):
            # On a busy machine.
            error = said(kind, port, use, socket_timeout=0.1)
    assert isinstance(error, TimeoutError)
    assert name in str(error)
    assert "0.1 seconds" in str(error) or (name == "BLPOP" and "0.15" in str(error))
    assert str(port) in str(error)
    assert "secret" not in str(error)
    assert error.text == str(error)


@both
def test_a_missing_password_is_told_with_advice(kind: str) -> None:
    with valkey() as server:
        with samewire.redis.Client[bytes](port=server.port) as owner:
            owner.config_set("requirepass", "secret")
        error = said(kind, server.port, lambda client: client.get("key"))
    assert isinstance(error, AuthenticationError)
    assert "pass password=" in str(error)


@both
def test_moved_on_a_client_of_one_server_names_the_class_for_clusters(kind: str) -> None:
    def serve(connection: socket.socket) -> None:
        connection.recv(10_000)
        connection.sendall(GREETING)
        while connection.recv(10_000):
            connection.sendall(b"-MOVED 1234 10.0.0.1:6379\r\n")

    with peer(serve) as port:
        error = said(kind, port, lambda client: client.get("key"))
    assert isinstance(error, MovedError)
    assert "use RedisCluster" in str(error)
    assert error.args == ("1234 10.0.0.1:6379",)


@both
def test_tls_on_a_port_without_it_is_told_with_advice_at_the_first_attempt(kind: str) -> None:
    connects: list[int] = []

    def serve(connection: socket.socket) -> None:
        connects.append(1)
        while connection.recv(10_000):
            connection.sendall(b"-ERR unknown command\r\n")

    with peer(serve) as port:
        options: dict[str, Any] = {"host": "127.0.0.1", "port": port, "ssl": True, "ssl_cert_reqs": "none"}
        with pytest.raises(TlsError, match="use redis://"):
            # The default attempts.
            if kind == "blocking":
                samewire.redis.Client[bytes](**options).get("key")
            else:
                asyncio.run(asyncio.wait_for(used(samewire.redis.aio.Client[bytes](**options)), 60))
    assert len(connects) == 1


@both
def test_a_port_that_sends_no_tls_at_all_is_a_time_out_of_one_attempt(kind: str) -> None:
    connects: list[int] = []

    def serve(connection: socket.socket) -> None:
        connects.append(1)
        while connection.recv(10_000):
            pass

    with peer(serve) as port:
        options: dict[str, Any] = {"host": "127.0.0.1", "port": port, "ssl": True, "socket_timeout": 0.1}
        with pytest.raises(TimeoutError, match=r"TLS handshake within 0\.1 seconds: if the port has no TLS"):
            if kind == "blocking":
                samewire.redis.Client[bytes](**options).get("key")
            else:
                asyncio.run(asyncio.wait_for(used(samewire.redis.aio.Client[bytes](**options)), 60))
    assert len(connects) == 1


@both
def test_options_of_tls_that_cannot_be_used_are_tried_once(kind: str, port: int) -> None:
    options: dict[str, Any] = {"host": "127.0.0.1", "port": port, "ssl": True, "ssl_ca_certs": "/no/such/file.pem"}
    with pytest.raises(TlsError, match="check ssl_certfile"):
        if kind == "blocking":
            samewire.redis.Client[bytes](**options).get("key")
        else:
            asyncio.run(asyncio.wait_for(used(samewire.redis.aio.Client[bytes](**options)), 60))


@both
def test_a_server_that_closes_in_place_of_a_greeting_may_expect_tls(kind: str) -> None:
    def close_after_a_request(connection: socket.socket) -> None:
        connection.recv(10_000)

    with peer(close_after_a_request) as port:
        error = said(kind, port, lambda client: client.get("key"))
    assert isinstance(error, ConnectionError)
    assert "use ssl=True" in str(error)


async def used(client: Any) -> None:
    """Makes one call."""
    try:
        await client.get("key")
    finally:
        await client.aclose()


def test_a_connection_that_another_thread_closed_says_so() -> None:
    with peer(silent) as port:
        client = samewire.redis.Client[bytes](port=port, retry=Retry(NoBackoff(), 0), socket_timeout=60)
        errors: list[RedisError] = []

        def call() -> None:
            try:
                client.get("key")
            except RedisError as error:
                errors.append(error)

        caller = threading.Thread(target=call)
        caller.start()
        pool = client.connection_pool
        while not any(connection.is_connected and connection.lent for connection in pool._connections):
            threading.Event().wait(0.001)
        threading.Event().wait(0.2)
        pool.disconnect()
        caller.join(60)
    (error,) = errors
    assert isinstance(error, ConnectionError)
    assert "closed the connection here (disconnect() was called)" in str(error)


def test_a_closed_connection_says_why() -> None:
    connection = samewire.redis.Connection(port=1)
    with pytest.raises(ConnectionError, match="Not connected to localhost:1: it was never made"):
        connection.read_response()


def test_errors_of_sentinels_name_the_sentinels() -> None:
    port = free_port()
    addresses = [("127.0.0.1", port)]
    with pytest.raises(ConnectionError) as caught:
        sentinel.Sentinel(addresses).master_for("orders", retry=Retry(NoBackoff(), 0)).get("key")
    assert f"127.0.0.1:{port}" in str(caught.value)
    assert "6379" not in str(caught.value)
    assert "master of 'orders'" in str(caught.value)

    async def main() -> None:
        made = aio_sentinel.Sentinel(addresses).master_for("orders", retry=AioRetry(NoBackoff(), 0))
        with pytest.raises(ConnectionError) as caught:
            await made.get("key")
        assert f"127.0.0.1:{port}" in str(caught.value)
        assert "6379" not in str(caught.value)
        await made.aclose()

    asyncio.run(main())
    pool: Any = sentinel.Sentinel(addresses).master_for("orders").connection_pool
    assert pool.make_connection()._host_error() == f"the master of 'orders' (sentinels 127.0.0.1:{port})"


def test_other_errors_keep_the_servers_text() -> None:
    assert str(error_of("WRONGPASS invalid username-password pair")) == "invalid username-password pair"
    assert str(error_of("ERR syntax error")) == "syntax error"
