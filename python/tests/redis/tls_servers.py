"""Servers behind TLS, for tests."""

from __future__ import annotations

import contextlib
import select
import socket
import ssl
import subprocess
from collections.abc import Iterator
from pathlib import Path

from servers import peer

#: A certificate and its key.
Certificate = tuple[Path, Path]


def certificate(folder: Path) -> Certificate:
    """A certificate for localhost that signs itself, made in a folder."""
    made = folder / "certificate.pem", folder / "key.pem"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-days", "2", "-subj", "/CN=localhost"]
        + ["-addext", "subjectAltName=DNS:localhost,IP:127.0.0.1", "-out", str(made[0]), "-keyout", str(made[1])],
        check=True,
        capture_output=True,
    )
    return made


@contextlib.contextmanager
def tls(port: int, certificate: Certificate, client_ca: Path | None = None) -> Iterator[int]:
    """The port of a proxy that decrypts what it hands to a server.

    client_ca: clients need a certificate that this one has signed.
    """
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    if client_ca is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(client_ca)

    def serve(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.setblocking(False)
            with socket.create_connection(("127.0.0.1", port)) as plain:
                relay(encrypted, plain)

    with peer(serve) as proxy:
        yield proxy


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
