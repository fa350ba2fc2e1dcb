"""The servers that a group of tests runs against, and the ports at which its tests look for them."""

from __future__ import annotations

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import clusters


@dataclass
class Place:
    """Servers of one group."""

    url: str
    #: Ports that tests have written down, and where their servers are.
    ports: dict[str, int]
    options: list[str] = field(default_factory=list)


def _pump(source: socket.socket, to: socket.socket) -> None:
    """Carries bytes until either side ends."""
    with contextlib.suppress(OSError, ValueError):
        while piece := source.recv(65536):
            to.sendall(piece)
    for one in (source, to):
        with contextlib.suppress(OSError):
            one.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def _encrypted(port: int, certificates: Path) -> Iterator[int]:
    """The port of a TLS front of a server: the wheel's servers are built without TLS."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(certificates / "redis.crt", certificates / "redis.key")
    context.load_verify_locations(certificates / "ca.crt")
    context.verify_mode = ssl.CERT_OPTIONAL

    def serve(plain: socket.socket) -> None:
        with (
            contextlib.suppress(OSError),
            plain,
            context.wrap_socket(plain, server_side=True) as client,
            socket.create_connection(("127.0.0.1", port)) as server,
        ):
            back = threading.Thread(target=_pump, args=(server, client), daemon=True)
            back.start()
            _pump(client, server)
            back.join()

    with socket.create_server(("127.0.0.1", 0)) as listening:

        def accept() -> None:
            with contextlib.suppress(OSError):
                while True:
                    threading.Thread(target=serve, args=(listening.accept()[0],), daemon=True).start()

        threading.Thread(target=accept, daemon=True).start()
        yield listening.getsockname()[1]


@contextlib.contextmanager
def single(certificates: Path) -> Iterator[Place]:
    """One server, in the clear and behind TLS."""
    server = clusters.Process("--enable-debug-command", "yes", "--enable-module-command", "yes")
    try:
        server.ready()
        with _encrypted(server.port, certificates) as port:
            url = f"redis://localhost:{server.port}/0"
            yield Place(url, {"6379": server.port, "6666": port}, [f"--redis-ssl-url=rediss://localhost:{port}"])
    finally:
        server.close()


class _Watched(clusters.Watched):
    """Under the name that tests have written down."""

    service = "redis-py-test"


@contextlib.contextmanager
def sentinel(certificates: Path) -> Iterator[Place]:
    """A master with a replica, and three sentinels."""
    with contextlib.closing(_Watched()) as watched:
        master = watched.master.port
        ports = {"6379": master} | dict(zip(("26379", "26380", "26381"), (one.port for one in watched.sentinels), strict=True))
        addresses = ",".join(f"localhost:{one.port}" for one in watched.sentinels)
        yield Place(f"redis://localhost:{master}/0", ports, [f"--sentinels={addresses}"])


@contextlib.contextmanager
def cluster(certificates: Path) -> Iterator[Place]:
    """Three masters with a replica each."""
    with clusters.cluster(masters=3, replicas=1) as made:
        port = made.masters[0].port
        yield Place(f"redis://localhost:{port}/0", {"16379": port}, [])


KINDS = {"single": single, "sentinel": sentinel, "cluster": cluster}
