"""Certificates for tests: an authority, what it signs, and a proxy that decrypts."""

from __future__ import annotations

import contextlib
import socket
import ssl
import subprocess
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from servers import peer
from test_link_tls import relay

KEY = ("-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1")


@dataclass(frozen=True)
class Certificates:
    """Files of an authority, of a server for `localhost`, and of a client with an encrypted key."""

    authority: Path
    server: Path
    server_key: Path
    client: Path
    client_key: Path
    password: str = "of the key"


def certificates(folder: Path) -> Certificates:
    """Makes certificates in a folder."""
    made = Certificates(
        folder / "ca.pem", folder / "server.pem", folder / "server.key", folder / "client.pem", folder / "client.key"
    )
    authority_key = folder / "ca.key"
    openssl(
        "req", "-x509", *KEY, "-nodes", "-keyout", authority_key, "-out", made.authority, "-days", 2, "-subj", "/CN=authority"
    )
    for out, key, name, secret in (
        (made.server, made.server_key, "localhost", ("-nodes",)),
        (made.client, made.client_key, "a client", ("-passout", f"pass:{made.password}")),
    ):
        extra = folder / "extensions"
        extra.write_text("subjectAltName=DNS:localhost\n")
        request = folder / "request"
        openssl("req", *KEY, *secret, "-keyout", key, "-out", request, "-subj", f"/CN={name}")
        signing = ("-CA", made.authority, "-CAkey", authority_key, "-CAcreateserial", "-extfile", extra)
        openssl("x509", "-req", "-in", request, "-out", out, "-days", 2, *signing)
    return made


def openssl(*args: object) -> None:
    subprocess.run(["openssl", *map(str, args)], check=True, capture_output=True)


@contextlib.contextmanager
def decrypting(port: int, made: Certificates, client_certificate: bool = False) -> Iterator[int]:
    """The port of a proxy that decrypts what it hands to a server."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(made.server, made.server_key)
    if client_certificate:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(made.authority)

    def serve(connection: socket.socket) -> None:
        with context.wrap_socket(connection, server_side=True) as encrypted:
            encrypted.setblocking(False)
            with socket.create_connection(("127.0.0.1", port)) as plain:
                relay(encrypted, plain)

    with peer(serve) as at:
        yield at
