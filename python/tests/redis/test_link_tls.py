"""`Link` over TLS: Python's `ssl` encrypts, between the link and a proxy in front of a real server."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from samewire._native import OK, Link, Pipe
from samewire.redis.exceptions import ConnectionError, TimeoutError
from samewire.redis.replies import error_of
from servers import peer, valkey


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate that signs itself, and its key."""
    folder = tmp_path_factory.mktemp("tls")
    made = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", str(made[0]), "-keyout", str(made[1])],
        check=True,
        capture_output=True,
    )
    return made


@pytest.fixture(scope="module")
def proxy(certificate: tuple[Path, Path]) -> Iterator[int]:
    """The port of a proxy that decrypts what it hands to a server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with valkey() as server:

        def serve(connection: socket.socket) -> None:
            with context.wrap_socket(connection, server_side=True) as encrypted:
                encrypted.setblocking(False)
                with socket.create_connection(("127.0.0.1", server.port)) as plain:
                    relay(encrypted, plain)

        with peer(serve) as port:
            yield port


def relay(encrypted: ssl.SSLSocket, plain: socket.socket) -> None:
    """Carries bytes both ways in one thread, whatever either side waits for."""
    plain.setblocking(False)
    to_plain, to_encrypted = bytearray(), bytearray()
    while True:
        writing: list[socket.socket] = [encrypted] if to_encrypted else []
        writing += [plain] if to_plain else []
        if not encrypted.pending():
            select.select([encrypted, plain], writing, [], 10)
        for source, waiting in ((encrypted, to_plain), (plain, to_encrypted)):
            with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                if len(waiting) < 1_000_000:
                    data = source.recv(65536)
                    if not data:
                        return
                    waiting += data
        for target, waiting in ((plain, to_plain), (encrypted, to_encrypted)):
            with contextlib.suppress(ssl.SSLWantReadError, ssl.SSLWantWriteError, BlockingIOError):
                if waiting:
                    del waiting[: target.send(waiting)]


def encrypted(port: int, certificate: tuple[Path, Path], timeout: float = 20.0) -> Link:
    context = ssl.create_default_context(cafile=str(certificate[0]))
    connection = context.wrap_socket(socket.create_connection(("127.0.0.1", port)), server_hostname="localhost")
    return Link(connection, reply_error=error_of, timeout=timeout)


def test_calls_and_pipes(proxy: int, certificate: tuple[Path, Path]) -> None:
    made = encrypted(proxy, certificate)
    assert made.call(("SET", "key", "value"), OK) is True
    assert [made.call(("GET", "key")) for _ in range(100)] == [b"value"] * 100
    assert made.read(0) is None
    assert not made.readable()
    pipe = Pipe()
    for number in range(10_000):
        pipe.append(("ECHO", number), int)
    assert made.run(pipe) == list(range(10_000))


def test_reads_while_it_writes(proxy: int, certificate: tuple[Path, Path]) -> None:
    made = encrypted(proxy, certificate)
    big = bytes(range(256)) * 400
    made.call(("SET", "big", big))
    pipe = Pipe()
    for _ in range(100):
        pipe.append(("GET", "big"))
        pipe.append(("SET", "other", big), OK)
    assert made.run(pipe) == [big, True] * 100


def test_a_lost_server_is_a_closed_connection(certificate: tuple[Path, Path]) -> None:
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
