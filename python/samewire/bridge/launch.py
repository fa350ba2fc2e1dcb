"""Starts a JVM with a gateway, and connects to it.

The JVM is started before anything else is imported: the rest of this package is loaded while it boots.
"""

from __future__ import annotations

import os
import time

from samewire.errors import SamewireError

from .archive import archive_options
from .folder import private_folder
from .java_program import class_path, gateway_jar, java_program
from .limit_options import limit_options
from .process import Process

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samewire._native import Session
    from samewire.limits import Limits

    from .gateway import Gateway
    from .java_program import Path
    from .policy import Policy

#: Seconds between two looks for the gateway of a JVM that starts.
_LOOK = 0.0003

TRANSPORTS = ("shared-memory", "unix", "tcp")


def launch(
    classpath: Path | Iterable[Path] = (),
    *,
    java: Path | None = None,
    options: str | Iterable[str] = (),
    transport: str = "shared-memory",
    waiting: str | tuple[str, int] = "adaptive",
    records: Mapping[type, str] | None = None,
    policy: Policy | None = None,
    timeout: float | None = None,
    start_timeout: float = 30.0,
    limits: Limits | None = None,
) -> Gateway:
    """Starts a JVM and returns its gateway. The JVM ends with the gateway, or when this process does, however it ends.

    classpath: jars and folders, one text or several paths.
    java: the program, or a home of Java; default: JAVA_HOME, then PATH.
    options: of the JVM: one, like "-Xmx2g", or several.
    transport: "shared-memory" (with a unix socket to wake), "unix", or "tcp" (loopback).
    waiting: how both sides wait in shared memory, and Python on a socket: "adaptive", "block", or ("spin", microseconds).
    records: struct classes (dataclasses and the like) that are records of Java, with those records' names.
    policy: what Python may reach; default: everything.
    timeout: seconds that a call may take, None for ever; `gateway.timeout` changes it.
    start_timeout: seconds that the JVM may take to start.
    limits: bounds on messages, of both sides (`samewire.limits.Limits`).

    Raises SamewireError: `misuse` if there is no Java, or for an invalid option; `closed` if the JVM ends as it starts, whose
    own output says why; `timeout`.
    """
    if transport not in TRANSPORTS:
        raise SamewireError("misuse", text=f"transport={transport!r}: expected one of {', '.join(TRANSPORTS)}")
    folder = private_folder()
    process = None
    try:
        place = os.path.join(folder, "gateway.sock" if transport != "tcp" else "port")
        listen = ["--unix", place] if transport != "tcp" else ["--tcp", "127.0.0.1:0", "--port-file", place]
        program = java_program(java)
        own = (options,) if isinstance(options, str) else tuple(options)
        arguments = [
            program,
            *archive_options(program, own),
            *own,
            *("-cp", os.pathsep.join([gateway_jar(), *class_path(classpath)])),
            *("io.samewire.bridge.GatewayMain", *listen, "--waiting", _waiting(waiting)),
        ]
        if policy is not None:
            arguments += policy.arguments()
        if limits is not None:
            arguments += limit_options(limits)
        for name in (records or {}).values():
            arguments += ("--record", name)
        token = os.urandom(32)
        process = Process(arguments)
        process.say(token.hex() + "\n")
        # Imported while the JVM boots.
        from .gateway import Gateway

        session = _session(process, place, transport, token, waiting, records or {}, timeout, limits, start_timeout)
        return Gateway(session, process, folder, records)
    except BaseException:
        from .folder import remove_folder

        if process is not None:
            process.kill()
            process.wait()
            process.end_input()
        remove_folder(folder)
        raise


def _session(
    process: Process,
    place: str,
    transport: str,
    token: bytes,
    waiting: str | tuple[str, int],
    records: Mapping[type, str],
    timeout: float | None,
    limits: Limits | None,
    start_timeout: float,
) -> Session:
    """Connects as soon as the JVM listens."""
    from samewire._native import Session

    from .records import digests

    named = digests(records)
    deadline = time.monotonic() + start_timeout
    while True:
        if os.path.exists(place):
            address: str | tuple[str, int] = f"unix:{place}" if transport != "tcp" else ("127.0.0.1", _port(place))
            try:
                return Session(
                    address,
                    token,
                    limits=limits,
                    shared_memory=transport == "shared-memory",
                    waiting=waiting,
                    records=named,
                    timeout=timeout,
                )
            except ConnectionRefusedError:  # bound, and about to listen
                pass
        if process.poll() is not None:
            text = f"java ended with exit code {process.returncode} before it listened; its output says why: {' '.join(process.args)}"
            raise SamewireError("closed", text=text)
        if time.monotonic() > deadline:
            raise SamewireError("timeout", text=f"the JVM did not listen within {start_timeout} s (start_timeout)")
        time.sleep(_LOOK)


def _port(place: str) -> int:
    with open(place) as file:
        return int(file.read())


def _waiting(waiting: str | tuple[str, int]) -> str:
    match waiting:
        case "adaptive" | "block":
            return waiting
        case ("spin", int(microseconds)) if 0 < microseconds <= 1_000_000:
            return f"spin:{microseconds}"
    raise SamewireError("misuse", text=f"waiting={waiting!r}: expected 'adaptive', 'block' or ('spin', microseconds)")
