"""`Link` over TLS: Python's `ssl` encrypts, between the link and a proxy in front of a real server."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator

import pytest
import tls_servers
from samewire._native import OK, Link, Pipe
from samewire.redis.exceptions import ConnectionError, TimeoutError
from samewire.redis.rules.error_replies import error_of
from samewire.redis.session.tls import wrapped
from servers import peer, valkey
from tls_servers import Certificate


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> Certificate:
    return tls_servers.certificate(tmp_path_factory.mktemp("tls"))


@pytest.fixture(scope="module")
def proxy(certificate: Certificate) -> Iterator[int]:
    with valkey() as server, tls_servers.tls(server.port, certificate) as port:
        yield port


def encrypted(port: int, certificate: Certificate, timeout: float = 20.0) -> Link:
    context = ssl.create_default_context(cafile=str(certificate[0]))
    connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
    return Link(connection, reply_error=error_of, timeout=timeout)


def test_calls_and_pipes(proxy: int, certificate: Certificate) -> None:
    made = encrypted(proxy, certificate)
    assert made.call(("SET", "key", "value"), OK) is True
    assert [made.call(("GET", "key")) for _ in range(100)] == [b"value"] * 100
    assert made.read(0) is None
    assert not made.readable()
    pipe = Pipe()
    for number in range(10_000):
        pipe.append(("ECHO", number), int)
    assert made.run(pipe) == list(range(10_000))


def test_reads_while_it_writes(proxy: int, certificate: Certificate) -> None:
    made = encrypted(proxy, certificate)
    big = bytes(range(256)) * 400
    made.call(("SET", "big", big))
    pipe = Pipe()
    for _ in range(100):
        pipe.append(("GET", "big"))
        pipe.append(("SET", "other", big), OK)
    assert made.run(pipe) == [big, True] * 100


def test_a_lost_server_is_a_closed_connection(certificate: Certificate) -> None:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    first = threading.Event()

    def serve(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as made:
            made.recv(100)
            if first.is_set():
                threading.Event().wait(1)
            first.set()

    with peer(serve) as port:
        made = encrypted(port, certificate)
        with pytest.raises(ConnectionError):
            made.call(("GET", "key"))
        assert (made.broken, made.sent, made.replied) == (True, 1, 0)
        with pytest.raises(TimeoutError):
            encrypted(port, certificate, timeout=0.2).call(("GET", "key"))


def test_knows_the_commands_in_records_that_went_out_before_the_kernel_took_no_more(certificate: Certificate) -> None:
    here, there = socket.socketpair()
    here.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, 64 * 1024)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    came = bytearray()

    def read() -> None:
        with context.wrap_socket(there, server_side=True) as server, contextlib.suppress(OSError):
            while data := server.recv(65536):
                came.extend(data)
                # It keeps the connection, and takes no more of it.
                if len(came) >= 40_000:
                    break
            ended.wait(30)

    ended = threading.Event()
    reader = threading.Thread(target=read)
    reader.start()
    with wrapped(ssl.create_default_context(cafile=str(certificate[0])), here, "localhost", 20) as encrypted:
        link = Link(encrypted, reply_error=error_of, timeout=1.0)
        pipe = Pipe()
        for number in range(10_000):
            pipe.append(("INCR", number))
        with pytest.raises(TimeoutError):
            link.run(pipe)
        ended.set()
        reader.join()
        assert 1_000 < came.count(b"INCR") <= link.sent < 10_000
