"""A gateway's program that runs already, to connect to."""

from __future__ import annotations

import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from samewire import bridge
from samewire.bridge.java_program import gateway_jar, java_program
from samewire.bridge.process import Process

TOKEN = bytes(range(32))

TRANSPORTS = ["shared-memory", "unix", "tcp"]


def listens(place: Path) -> bool:
    """Whether a gateway listens on a socket, or has written its port to a file. A socket is bound before it listens."""
    if not place.is_socket():
        return place.is_file()
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.connect_ex(str(place)) == 0


@contextmanager
def served(place: Path, *listen: str) -> Iterator[None]:
    """A gateway's program, until the end of the block."""
    process = Process()
    try:
        process.start([java_program(), "-cp", gateway_jar(), "io.samewire.bridge.GatewayMain", *listen])
        process.say(TOKEN.hex() + "\n")
        deadline = time.monotonic() + 20
        while not listens(place):
            assert process.poll() is None
            assert time.monotonic() < deadline
            time.sleep(0.005)
        yield
    finally:
        process.end_input()
        process.wait(10)


class Served:
    """A gateway that sessions of a transport are opened with."""

    def __init__(self, transport: str, place: Path) -> None:
        self.transport = transport
        self._place = place

    def connect(self) -> bridge.Gateway:
        address = f"tcp://127.0.0.1:{self._place.read_text().strip()}" if self.transport == "tcp" else f"unix:{self._place}"
        return bridge.connect(address, token=TOKEN, shared_memory=self.transport == "shared-memory")


@contextmanager
def served_by(transport: str, folder: Path) -> Iterator[Served]:
    """A gateway's program that takes sessions of a transport, until the end of the block."""
    private = folder / "private"
    private.mkdir(0o700)
    place = private / "gateway"
    listen = ["--tcp", "127.0.0.1:0", "--port-file"] if transport == "tcp" else ["--unix"]
    with served(place, *listen, str(place)):
        yield Served(transport, place)
