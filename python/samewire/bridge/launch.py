"""Starts a JVM with a gateway, and connects to it.

The JVM is started before anything else is imported: the rest of this package is loaded while it boots.
"""

from __future__ import annotations

import os
import time

from samewire.errors import SamewireError

from .archives import archive_options, has_its_own
from .folder import folder_path, make_folder, remove_folder
from .java_program import gateway_options, java_program, old_java
from .limit_options import limit_options
from .process import Process

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from samewire._native import Session
    from samewire.limits import Limits

    from .gateway import Gateway
    from .java_program import Path
    from .policy import Policy

#: Seconds between two checks for the socket or the port of a starting JVM.
_LOOK = 0.0003

#: Seconds that a JVM gets to exit after it has closed its connection.
_LEAVE = 5.0

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
    """Starts a JVM and returns its gateway. The JVM exits with the gateway or this process, even if that is killed.

    The gateway's jar is first on the class path: its classes, and those of `samewire.pack` in Java, take precedence
    over a program's of the same names. The first launch also appends it to the boot class path (`-Xbootclasspath/a`).
    When its gateway is closed, an archive of the classes is written, with which later JVMs start faster (`archive`;
    SAMEWIRE_BRIDGE_ARCHIVE=off disables it).

    classpath: jars, folders and all jars in one (`folder/*`), one text or several paths.
    java: the program, or a home of Java; default: JAVA_HOME, then PATH.
    options: of the JVM: one, like "-Xmx2g", or several.
    transport: "shared-memory" (with a unix socket to wake), "unix", or "tcp" (loopback).
    waiting: how both sides wait in shared memory, and Python on a socket: "adaptive", "block", or ("spin", microseconds).
    records: struct classes (dataclasses and the like) that are records of Java, with those records' names.
    policy: what Python may reach; default: everything.
    timeout: seconds that a call may take, None for no limit; `gateway.timeout` changes it.
    start_timeout: seconds that the JVM may take to start.
    limits: bounds on messages, of both sides (`samewire.limits.Limits`).

    Raises SamewireError: `misuse` if there is no Java, or for an invalid option; `closed` if the JVM exits at its start
    (its own output says why); `timeout`.
    """
    if transport not in TRANSPORTS:
        raise SamewireError("misuse", text=f"transport={transport!r}: expected one of {', '.join(TRANSPORTS)}")
    folder = folder_path()
    process = Process()
    try:
        try:
            arguments = _arguments(classpath, java, options, waiting, records, policy, limits)
            make_folder(folder)
            return _started(process, folder, arguments, transport, waiting, records, timeout, start_timeout, limits)
        except BaseException:
            _undo(process, folder)
            raise
    except BaseException:
        # An interrupt may have stopped the clean-up: do it again, which is harmless.
        _undo(process, folder)
        raise


def _undo(process: Process, folder: str) -> None:
    try:
        process.discard()
    finally:
        remove_folder(folder)


def _arguments(
    classpath: Path | Iterable[Path],
    java: Path | None,
    options: str | Iterable[str],
    waiting: str | tuple[str, int],
    records: Mapping[type, str] | None,
    policy: Policy | None,
    limits: Limits | None,
) -> list[str]:
    """The command line, without the address on which the gateway listens."""
    program = java_program(java)
    own = (options,) if isinstance(options, str) else tuple(options)
    archived = archive_options(program, own)
    arguments = [
        program,
        *archived,
        *own,
        *gateway_options(classpath, archived=bool(archived) or has_its_own(own)),
        *("io.samewire.bridge.GatewayMain", "--waiting", _waiting(waiting)),
    ]
    if policy is not None:
        arguments += policy.arguments()
    if limits is not None:
        arguments += limit_options(limits)
    for name in (records or {}).values():
        arguments += ("--record", name)
    return arguments


def _started(
    process: Process,
    folder: str,
    arguments: list[str],
    transport: str,
    waiting: str | tuple[str, int],
    records: Mapping[type, str] | None,
    timeout: float | None,
    start_timeout: float,
    limits: Limits | None,
) -> Gateway:
    """Starts the process, and opens a session with it."""
    socket = os.path.join(folder, "gateway.sock")
    port = os.path.join(folder, "port")
    token = os.urandom(32)
    if transport == "shared-memory":
        process.start([*arguments, "--unix", socket], connections=2)
    else:
        listen = ("--unix", socket) if transport == "unix" else ("--tcp", "127.0.0.1:0", "--port-file", port)
        process.start([*arguments, *listen])
    process.say(token.hex() + "\n")
    # Imported while the JVM boots.
    from samewire._native import Session

    from .gateway import Gateway
    from .records import digests

    named = digests(records or {})

    def open_session(address: str | tuple[str, int]) -> Session:
        return Session(
            address,
            token,
            limits=limits,
            shared_memory=transport == "shared-memory",
            waiting=waiting,
            records=named,
            timeout=timeout,
            launched=process.connections or None,
            patience=start_timeout,
        )

    if transport == "shared-memory":
        session = _first(process, open_session, socket, start_timeout)
    else:
        session = _listening(process, open_session, socket if transport == "unix" else port, transport, start_timeout)
    return Gateway(session, process, folder, records)


def _first(process: Process, open_session: Callable[[str], Session], socket: str, start_timeout: float) -> Session:
    """Opens the session over the pipes that the JVM was started with."""
    try:
        return open_session(socket)
    except SamewireError as error:
        if error.code == "timeout":
            raise _late(start_timeout) from None
        if error.code == "closed":
            # The JVM closes its end of the connection shortly before it exits.
            process.wait(_LEAVE)
            raise _ended(process) from None
        raise


def _listening(
    process: Process,
    open_session: Callable[[str | tuple[str, int]], Session],
    place: str,
    transport: str,
    start_timeout: float,
) -> Session:
    """Connects as soon as the JVM listens."""
    deadline = time.monotonic() + start_timeout
    while True:
        if os.path.exists(place):
            try:
                return open_session(f"unix:{place}" if transport == "unix" else ("127.0.0.1", _port(place)))
            except ConnectionRefusedError:  # bound, and about to listen
                pass
        if process.poll() is not None:
            raise _ended(process)
        if time.monotonic() > deadline:
            raise _late(start_timeout)
        time.sleep(_LOOK)


def _ended(process: Process) -> SamewireError:
    old = old_java(process.args[0])
    if old is not None:
        return old
    text = f"java ended with exit code {process.returncode} before it listened; its output says why: {' '.join(process.args)}"
    return SamewireError("closed", text=text)


def _late(start_timeout: float) -> SamewireError:
    return SamewireError("timeout", text=f"the JVM did not answer within {start_timeout} s (start_timeout)")


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
