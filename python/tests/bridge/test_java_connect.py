"""Gateways that run already: by unix socket, TCP and TLS."""

from __future__ import annotations

import os
import random
import socket
import ssl
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from raw_client import descriptors, settles
from samewire import bridge
from served_gateway import TOKEN, served, served_by_tls


@pytest.fixture
def short() -> Iterator[Path]:
    """A folder whose path is short enough for sockets'."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as folder:
        yield Path(folder)


def test_a_unix_socket(short: Path) -> None:
    private = short / "private"
    private.mkdir(0o700)
    place = private / "gateway.sock"
    with served(place, "--unix", str(place)):
        for shared in (True, False):
            with bridge.connect(f"unix:{place}", token=TOKEN, shared_memory=shared) as gateway:
                assert gateway.java.lang.Math.abs(-2) == 2
                assert gateway.process is None
                assert gateway.transport == ("shared-memory" if shared else "unix")
        with pytest.raises(bridge.SamewireError, match="misuse"):
            bridge.connect(f"unix:{place}", token=b"x" * 32)
        with bridge.connect(f"unix:{place}", token=TOKEN.hex()) as one, bridge.connect(f"unix:{place}", token=TOKEN) as two:
            assert one.java.util.ArrayList([1]) == [1]
            assert two.java.util.ArrayList is not one.java.util.ArrayList


def test_tcp(short: Path) -> None:
    place = short / "port"
    with (
        served(place, "--tcp", "127.0.0.1:0", "--port-file", str(place)),
        bridge.connect(f"tcp://127.0.0.1:{place.read_text().strip()}", token=TOKEN) as gateway,
    ):
        assert gateway.java.util.ArrayList(list(range(1000))).to_py() == list(range(1000))
        assert gateway.transport == "tcp"


def test_tls_against_a_gateway_without_it_says_so(short: Path) -> None:
    place = short / "port"
    with served(place, "--tcp", "127.0.0.1:0", "--port-file", str(place)):
        with pytest.raises(ssl.SSLError) as plain:
            bridge.connect(f"tls://127.0.0.1:{place.read_text().strip()}", token=TOKEN)
        assert plain.value.__notes__ == [f"if the gateway has no TLS, connect to tcp://127.0.0.1:{place.read_text().strip()}"]


def attacked(port: int, context: ssl.SSLContext, pid: int) -> None:
    """Attacks a gateway of TLS below and above its encryption. Others are served meanwhile, and nothing is left."""

    def opened() -> socket.socket:
        made = socket.create_connection(("127.0.0.1", port), 20)
        held.append(made)
        return made

    held: list[socket.socket] = []
    before, source = descriptors(pid), random.Random(7)
    # Handshakes that stop at any byte, bytes that are not TLS, and such bytes after a handshake.
    client_hello = b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"
    for index in range(100):
        opened().sendall(client_hello[: index % 12] if index % 2 else source.randbytes(1 + index))
    for index in range(10):
        stream = context.wrap_socket(opened(), server_hostname="127.0.0.1")
        held.append(stream)
        stream.sendall(source.randbytes(1 + index * 100))
        with socket.socket(fileno=os.dup(stream.fileno())) as below:
            below.sendall(b"\x17\x03\x03\x00\x10" + source.randbytes(index))
    with bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN, ssl_context=context) as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1
    for made in held:
        made.close()
    # A client that is killed in the midst of a transfer.
    certificate = ssl.get_server_certificate(("127.0.0.1", port))
    command = [sys.executable, "-c", _TRANSFER, f"tls://127.0.0.1:{port}", TOKEN.hex(), certificate]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as client:
        assert client.stdout is not None
        try:
            assert client.stdout.readline() == "begun\n"
        finally:
            client.kill()
    assert settles(lambda: descriptors(pid) <= before), f"{descriptors(pid)} descriptors are open, {before} were before"
    with bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN, ssl_context=context) as gateway:
        assert gateway.java.lang.Math.abs(-1) == 1


_TRANSFER = """
import ssl, sys
from samewire import bridge
context = ssl.create_default_context(cadata=sys.argv[3])
gateway = bridge.connect(sys.argv[1], token=sys.argv[2], ssl_context=context)
data = bytes(16 << 20)
gateway.java.util.Arrays.hashCode(data)
print("begun", flush=True)
while True:
    gateway.java.util.Arrays.hashCode(data)
"""


@pytest.mark.long
def test_tls(short: Path) -> None:
    with served_by_tls(short) as (port, context, pid):
        with bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN, ssl_context=context) as gateway:
            assert gateway.transport == "tls"
            assert gateway.java.util.ArrayList(["x" * 100_000]).get(0) == "x" * 100_000
            assert str(gateway.entry_point) == "entry"
            with pytest.raises(bridge.SamewireError, match="unsupported"):
                gateway.java.lang.Runtime.getRuntime()
        with pytest.raises(ssl.SSLCertVerificationError) as untrusted:
            bridge.connect(f"tls://127.0.0.1:{port}", token=TOKEN)
        assert "ssl_context=" in untrusted.value.__notes__[0]
        with pytest.raises(bridge.SamewireError, match=rf"^closed: .*: if it has TLS, connect to tls://127\.0\.0\.1:{port}$"):
            bridge.connect(f"tcp://127.0.0.1:{port}", token=TOKEN)
        attacked(port, context, pid)
