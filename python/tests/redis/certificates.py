"""Certificates for tests: an authority and what it signs."""

from __future__ import annotations

import subprocess
from dataclasses import dataclass
from pathlib import Path

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
