"""The two bridges of a soak: how each is started, broken and called. What is called is `tested.Soaked`, by the same names."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import logging
import os
import signal
import socket
import tempfile
import threading
import time
from abc import ABC, abstractmethod
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from py4j.java_gateway import CallbackServerParameters, GatewayParameters, JavaGateway, launch_gateway
from py4j.protocol import Py4JAuthenticationError, Py4JJavaError
from samewire import bridge
from samewire.bridge.java_program import gateway_jar, java_program
from samewire.bridge.process import Process
from samewire.errors import SamewireError

#: A stranger's, in place of a token.
WRONG = bytes(32)


class Side(ABC):
    """A bridge with its JVM. `target` is the class that is called; it is another one after each restart."""

    name: str
    #: Whether calls of one thread of Python are run by one of Java's.
    keeps_threads: bool

    def __init__(self, classes: Path, ledger: Path) -> None:
        self.classes, self.ledger = classes, ledger
        self.gateway: Any = None
        self.target: Any = None
        #: How it is reached now, and where a stranger may knock.
        self.mode = ""
        self.address: Any = None

    @abstractmethod
    def start(self) -> None:
        """Starts a JVM, and connects to it."""

    @property
    @abstractmethod
    def pid(self) -> int: ...

    @abstractmethod
    def killed(self) -> None:
        """Puts away what is left of a JVM that was killed."""

    @abstractmethod
    def reopen(self) -> None:
        """Closes the gateway under its callers, and opens another one."""

    @abstractmethod
    def close(self) -> None: ...

    def kind(self, error: BaseException) -> str:
        """An error in a word or two."""
        return type(error).__name__

    @abstractmethod
    def message(self, error: BaseException) -> str | None:
        """What the IllegalStateException says that this is; None if it is none."""

    def calls(self, names: list[str]) -> list[Any]:
        """The results of so many calls, together if it can."""
        return [self.target.run(name) for name in names]

    @abstractmethod
    async def awaited(self, member: str, *arguments: Any) -> Any: ...

    @abstractmethod
    def wrong_token(self) -> bool:
        """Whether a stranger's token is refused, as such."""

    def in_fork(self) -> bool:
        """Whether a child that was forked meets what is promised to it."""
        return True

    def left(self) -> dict[str, int]:
        """Objects of either side that the other one keeps alive."""
        return {}

    def strangers(self) -> bool:
        """A connection with noise, one that says nothing, and a wrong token; returns whether they are refused as such."""
        for noise in (os.urandom(200), b"", b"c\n" * 20):
            with (
                contextlib.suppress(OSError),
                socket.socket(socket.AF_UNIX if isinstance(self.address, str) else socket.AF_INET) as one,
            ):
                one.settimeout(5)
                one.connect(self.address)
                one.sendall(noise)
        return self.wrong_token()


class Samewire(Side):
    """Ours: started by `launch` and by itself, over each transport in turn."""

    name = "samewire"
    keeps_threads = True
    MODES = ("launch shared-memory", "connect tcp", "launch unix", "connect shared-memory", "launch tcp", "connect unix")

    def __init__(self, classes: Path, ledger: Path) -> None:
        super().__init__(classes, ledger)
        self.starts = 0
        self._token = os.urandom(32)
        self._process = Process()
        self._folder: Any = None

    def start(self) -> None:
        self.mode = self.MODES[self.starts % len(self.MODES)]
        self.starts += 1
        how, transport = self.mode.split()
        if how == "launch":
            options = f"-Dsoak.ledger={self.ledger}"
            self._take(bridge.launch(self.classes, options=options, transport=transport, start_timeout=120))
            self.address = None
            return
        self._folder = tempfile.TemporaryDirectory()
        place = Path(self._folder.name) / "private" / "s"
        place.parent.mkdir(0o700)
        listen = ["--tcp", "127.0.0.1:0", "--port-file"] if transport == "tcp" else ["--unix"]
        path = os.pathsep.join((gateway_jar(), str(self.classes)))
        self._process = Process()
        self._process.start(
            [java_program(), "-cp", path, f"-Dsoak.ledger={self.ledger}", "io.samewire.bridge.GatewayMain", *listen, str(place)]
        )
        self._process.say(self._token.hex() + "\n")
        deadline = time.monotonic() + 120
        while not _listens(place):
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise OSError("the JVM does not listen")
            time.sleep(0.01)
        self.address = ("127.0.0.1", int(place.read_text())) if transport == "tcp" else str(place)
        self._connect()

    def _connect(self) -> None:
        self._take(self._open(self._token))

    def _open(self, token: bytes) -> Any:
        address = f"unix:{self.address}" if isinstance(self.address, str) else "tcp://{}:{}".format(*self.address)
        return bridge.connect(address, token=token, shared_memory="shared-memory" in self.mode)

    def _take(self, gateway: Any) -> None:
        self.gateway, self.target = gateway, gateway.jvm.tested.Soaked

    @property
    def pid(self) -> int:
        return int(self.gateway.process.pid if self.gateway.process is not None else self._process.pid)

    def killed(self) -> None:
        self.gateway.close()
        self._end()

    def _end(self) -> None:
        if self._folder is not None:
            self._process.end_input()
            self._process.wait(30)
            self._folder.cleanup()
            self._folder = None

    def reopen(self) -> None:
        self.gateway.close()
        if self._folder is None:
            self.start()
        else:
            self._connect()

    def close(self) -> None:
        self.gateway.close()
        self.gateway = self.target = None
        self._end()

    def kind(self, error: BaseException) -> str:
        return f"SamewireError {error.code}" if isinstance(error, SamewireError) else type(error).__name__

    def message(self, error: BaseException) -> str | None:
        is_it = isinstance(error, bridge.JavaError) and type(error).__name__ == "IllegalStateException"
        return str(error) if is_it else None

    def calls(self, names: list[str]) -> list[Any]:
        with self.gateway.batch():
            futures = [self.target.run(name) for name in names]
        return [future.result() for future in futures]

    async def awaited(self, member: str, *arguments: Any) -> Any:
        return await getattr(self.gateway.aio.tested.Soaked, member)(*arguments)

    def strangers(self) -> bool:
        return self.address is None or super().strangers()

    def wrong_token(self) -> bool:
        try:
            self._open(WRONG).close()
        except SamewireError as error:
            return error.code == "misuse"
        return False

    def in_fork(self) -> bool:
        try:
            self.target.run("in a fork")
        except SamewireError as error:
            return error.code == "misuse"
        return False

    def left(self) -> dict[str, int]:
        for _ in range(200):
            gc.collect()
            self.gateway.jvm.java.lang.System.gc()
            counts = self.gateway.statistics()
            found = {"of Java": int(counts["java"]["exported"]), "of Python": int(counts["exported"])}
            if not any(found.values()):
                break
            time.sleep(0.05)
        return found


def _listens(place: Path) -> bool:
    if not place.is_socket():
        return place.is_file() and bool(place.read_text())
    with socket.socket(socket.AF_UNIX) as asked:
        return asked.connect_ex(str(place)) == 0


class Py4J(Side):
    """Py4J as its documentation starts it: a `JavaGateway`, with a token and a server for callbacks."""

    name = "py4j"
    keeps_threads = False

    def start(self) -> None:
        self.mode = "tcp"
        port, self._token, self._jvm = launch_gateway(
            classpath=str(self.classes),
            javaopts=[f"-Dsoak.ledger={self.ledger}"],
            die_on_exit=True,
            return_proc=True,
            enable_auth=True,
        )
        self.address = ("127.0.0.1", port)
        self._connect()

    def _connect(self) -> None:
        parameters = GatewayParameters(port=self.address[1], auth_token=self._token, auto_convert=True)
        gateway = JavaGateway(gateway_parameters=parameters, callback_server_parameters=CallbackServerParameters(port=0))
        server = gateway.java_gateway_server
        port = gateway.get_callback_server().get_listening_port()
        server.resetCallbackClient(server.getCallbackClient().getAddress(), port)
        self.gateway, self.target = gateway, gateway.jvm.tested.Soaked

    @property
    def pid(self) -> int:
        return int(self._jvm.pid)

    def killed(self) -> None:
        self.gateway.shutdown_callback_server()
        self.gateway.close()
        self._jvm.stdin.close()
        self._jvm.wait()

    def reopen(self) -> None:
        self.gateway.shutdown_callback_server()
        self.gateway.close()
        self._connect()

    def close(self) -> None:
        self.gateway.shutdown()
        self.killed()
        self.gateway = self.target = None

    def message(self, error: BaseException) -> str | None:
        if not isinstance(error, Py4JJavaError):
            return None
        thrown = error.java_exception
        return str(thrown.getMessage()) if thrown.getClass().getName() == "java.lang.IllegalStateException" else None

    _threads = ThreadPoolExecutor(32)

    async def awaited(self, member: str, *arguments: Any) -> Any:
        # It has no asyncio: this is how its users do it. A call that is cancelled goes on.
        return await asyncio.get_running_loop().run_in_executor(self._threads, getattr(self.target, member), *arguments)

    def wrong_token(self) -> bool:
        stranger = JavaGateway(gateway_parameters=GatewayParameters(port=self.address[1], auth_token="wrong"))
        try:
            stranger.jvm.java.lang.System.currentTimeMillis()
        except Py4JAuthenticationError:
            return True
        finally:
            stranger.close()
        return False


# It logs each connection that ends, with its stacks.
logging.disable(logging.CRITICAL)

SIDES: dict[str, type[Side]] = {side.name: side for side in (Samewire, Py4J)}


def forked(side: Side) -> bool:
    """Whether a child of this process meets what is promised to it, in time."""
    pid = os.fork()
    if pid == 0:
        well = False
        try:
            signal.alarm(30)
            well = side.in_fork()
        finally:
            os._exit(0 if well else 1)
    return os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0


def holdings() -> dict[str, int]:
    """What this process has open: descriptors, threads, and temporary folders of gateways."""
    folders = sum(1 for _ in Path(tempfile.gettempdir()).glob(f"samewire-{os.getpid()}-*"))
    return {
        "descriptors": sum(1 for _ in Path("/proc/self/fd").iterdir()),
        "threads": threading.active_count(),
        "folders": folders,
    }
