"""Random and damaged frames over TLS: of a client to a gateway of the JVM, and of a gateway to Python."""

from __future__ import annotations

import os
import random
import socket
import ssl
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hostile_frames import hammer
from raw_client import RawSession, descriptors, hello, resident, settles, threads
from samewire import bridge
from samewire.errors import SamewireError
from scripted_gateway import ScriptedGateway, frame
from served_gateway import TOKEN, served_by_tls
from test_security_client import MEBIBYTE, ThrownError, call, damaged_reply, replies, session

from spec.oracle.bridge.messages import Site, write

#: SAMEWIRE_HOSTILE=167 sends 100,000 frames each way.
TIMES = int(os.environ.get("SAMEWIRE_HOSTILE", "1"))
FRAMES = 600


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for sockets'."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder:
        yield Path(folder)


def connected(port: int, context: ssl.SSLContext) -> ssl.SSLSocket:
    plain = socket.create_connection(("127.0.0.1", port), 20)
    plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    return context.wrap_socket(plain, server_hostname="127.0.0.1")


@pytest.mark.long
def test_damaged_messages_end_sessions_and_nothing_else(short: Path) -> None:
    with served_by_tls(short) as (port, context, pid):
        address = f"tls://127.0.0.1:{port}"
        with bridge.connect(address, token=TOKEN, ssl_context=context) as witness:
            hammer(lambda: connected(port, context), pid, 300, 0)
            assert settles(lambda: threads(pid) < 100)
            opened, memory = descriptors(pid), resident(pid)
            hammer(lambda: connected(port, context), pid, FRAMES * TIMES, 1)
            assert witness.java.lang.Math.abs(-1) == 1
            assert settles(lambda: descriptors(pid) <= opened + 8)
            assert resident(pid) < memory + 256 * MEBIBYTE
            # Nothing that was sent has reached what the policy denies.
            with pytest.raises(SamewireError, match="unsupported"):
                witness.java.lang.Runtime.getRuntime()
        with RawSession(lambda: connected(port, context)) as other:
            assert other.works()


@pytest.mark.long
def test_clients_that_send_a_byte_at_a_time_hold_nobody_up(short: Path) -> None:
    """More clients than may be without a hello: 400 do not begin with TLS, and 100 stall after its handshake.

    With 2,000 sockets that sent a byte a second and reconnected when they were cut, an honest client waited 24 ms on
    average.
    """
    with served_by_tls(short) as (port, context, pid):
        opened = descriptors(pid)
        whole = frame(write(hello(), Site()))
        slow: list[socket.socket] = [socket.create_connection(("127.0.0.1", port), 20) for _ in range(400)]
        slow += [connected(port, context) for _ in range(100)]
        for turn in range(3):
            for connection in slow:
                with suppress(OSError):
                    connection.sendall(whole[turn : turn + 1])
            began = time.monotonic()
            with RawSession(lambda: connected(port, context)) as session:
                assert session.works()
            assert time.monotonic() - began < 60
            assert threads(pid) < 400
        for connection in slow:
            connection.close()
        assert settles(lambda: descriptors(pid) <= opened + 8)


def contexts(folder: Path) -> tuple[ssl.SSLContext, ssl.SSLContext]:
    """What a gateway has, and what trusts it."""
    key, certificate = folder / "key.pem", folder / "certificate.pem"
    command = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"]
    command += ["-subj", "/CN=localhost", "-addext", "subjectAltName=IP:127.0.0.1", "-keyout", str(key), "-out", str(certificate)]
    subprocess.run(command, check=True, capture_output=True, timeout=60)
    server = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    server.load_cert_chain(certificate, key)
    return server, ssl.create_default_context(cafile=str(certificate))


@pytest.mark.long
def test_damaged_replies_are_values_or_errors(short: Path) -> None:
    server, trusting = contexts(short)
    source, given, pid = random.Random(11), replies(), os.getpid()
    with ScriptedGateway(lambda message: b"", server) as gateway:
        gateway.ends_after_answer = True
        opened = memory = sent = 0
        while sent < FRAMES * TIMES:
            if sent == 0 or (not opened and sent >= 200):
                opened, memory = descriptors(pid), resident(pid)
            # Several frames, of which each may end the session.
            frames = [damaged_reply(source.choice(given), source) for _ in range(source.randint(1, 12))]
            sent += len(frames)
            gateway.answer = lambda _, frames=frames: b"".join(frames)  # type: ignore[misc]
            open_session = session(gateway, lambda: connected(gateway.port, trusting))
            began = time.monotonic()
            # TypeError: an element of a set or a key that cannot be hashed.
            with suppress(SamewireError, ThrownError, TypeError):
                call(open_session)
                call(open_session)
            open_session.close()
            assert time.monotonic() - began < 60, b"".join(frames).hex()
        assert settles(lambda: descriptors(pid) < opened + 50)
        assert resident(pid) < memory + 64 * MEBIBYTE
