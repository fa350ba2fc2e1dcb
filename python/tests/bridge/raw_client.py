"""A JVM's gateway, and a client of it that sends given bytes."""

from __future__ import annotations

import socket
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

from samewire.bridge.java_program import gateway_jar, java_program
from samewire.bridge.process import Process
from scripted_gateway import frame, next_message

from spec.oracle.bridge.cursor import Cursor
from spec.oracle.bridge.messages import Site, read, write

TOKEN = bytes(range(32))

Message = dict[str, Any]


#: Seconds that a gateway may take to answer, on a machine that has much else to do.
PATIENCE = 120


def resident(pid: int) -> int:
    """Bytes of memory that a process has."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    raise AssertionError("no VmRSS")


def descriptors(pid: int) -> int:
    """How many descriptors a process has open."""
    return sum(1 for _ in Path(f"/proc/{pid}/fd").iterdir())


def mapped(pid: int) -> int:
    """How many rings a process has mapped."""
    return sum("memfd:" in line for line in Path(f"/proc/{pid}/maps").read_text().splitlines())


def holdings(pid: int) -> tuple[int, int]:
    """The descriptors and rings of a process."""
    return descriptors(pid), mapped(pid)


def settles(condition: Callable[[], bool], seconds: float = 60.0) -> bool:
    """Whether a condition holds in time."""
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.005)
    return True


def threads(pid: int) -> int:
    """How many threads a process has."""
    return sum(1 for _ in Path(f"/proc/{pid}/task").iterdir())


def unix_socket(path: Path) -> socket.socket:
    """A connection to a gateway on a unix socket."""
    made = socket.socket(socket.AF_UNIX)
    made.settimeout(PATIENCE)
    made.connect(str(path))
    return made


class RawChannel:
    """A connection to a gateway on a unix socket, or one that is made otherwise."""

    def __init__(self, place: Path | Callable[[], socket.socket]) -> None:
        self.socket = unix_socket(place) if isinstance(place, Path) else place()

    def send(self, message: Message, site: Site | None = None) -> None:
        self.socket.sendall(frame(write(message, site or Site())))

    def receive(self, site: Site | None = None) -> Message:
        """The next message. Raises EOFError at the end of the channel."""
        return read(Cursor(next_message(self.socket)), site or Site())

    def ends(self) -> bool:
        """Returns True once the gateway has ended the channel; skips messages. Raises TimeoutError if it does not."""
        with suppress(EOFError):
            while True:
                next_message(self.socket)
        return True

    def close(self) -> None:
        self.socket.close()


def hello(role: int = 0, session: str = "", token: bytes = TOKEN, **given: Any) -> Message:
    """The first message of a channel."""
    plain: dict[str, Any] = {"role": role, "token": token.hex(), "session": session, "language": "raw", "process": "1"}
    return {"hello": plain | {"wants": [], "records": [], "ring": None} | given}


class RawSession:
    """A session: a control channel, and one for calls."""

    def __init__(self, place: Path | Callable[[], socket.socket]) -> None:
        self.control = RawChannel(place)
        self.control.send(hello())
        welcome = self.control.receive()["welcome"]
        self.secret: str = welcome["session"]
        self.place = place
        self.calls = self.open(1)

    def open(self, role: int) -> RawChannel:
        channel = RawChannel(self.place)
        channel.send(hello(role, self.secret))
        assert "welcome" in channel.receive()
        return channel

    def call(self, of: str, member: str, kinds: list[str], values: list[Any], result: str = "", action: int = 2) -> Message:
        """The reply to a call of a site that is not kept."""
        definition = {"action": action, "class": of, "member": member, "arguments": kinds, "result": result}
        self.calls.send({"first call": {"site": "0", "definition": definition, "arguments": values}})
        return self.calls.receive()

    def works(self) -> bool:
        """Whether a call returns what it should."""
        reply = self.call("java.lang.Math", "max", ["i32", "i32"], [{"i32": "3"}, {"i32": "4"}])
        return bool(reply == {"first return": {"kind": "i32", "value": {"i32": "4"}}})

    def close(self) -> None:
        self.control.close()
        self.calls.close()

    def __enter__(self) -> RawSession:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class JavaGateway:
    """A JVM with a gateway on a unix socket, as `launch` starts it."""

    def __init__(self, *options: str, jvm: tuple[str, ...] = ("-Xmx256m",)) -> None:
        self._folder = tempfile.TemporaryDirectory()
        self.path = Path(self._folder.name) / "private" / "s"
        self.path.parent.mkdir(mode=0o700)
        arguments = [java_program(), *jvm, "-cp", gateway_jar(), "io.samewire.bridge.GatewayMain"]
        self.process = Process()
        self.process.start([*arguments, "--unix", str(self.path), *options])
        self.process.say(TOKEN.hex() + "\n")
        deadline = time.monotonic() + 60
        while not self.listens():
            assert self.process.poll() is None, "the JVM ended"
            assert time.monotonic() < deadline, "the JVM does not listen"
            time.sleep(0.01)

    def listens(self) -> bool:
        try:
            RawChannel(self.path).close()
        except OSError:
            return False
        return True

    @property
    def pid(self) -> int:
        return self.process.pid

    def close(self) -> None:
        self.process.end_input()
        self.process.wait(15)
        self._folder.cleanup()

    def __enter__(self) -> JavaGateway:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
