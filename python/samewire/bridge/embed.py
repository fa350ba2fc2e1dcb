"""Loads a JVM into this process, and connects to it: a call costs a fraction of a microsecond, and no other process is needed.

Limits of a JVM in the same process:

- A process can have one JVM, which stays until the process ends. After a session was closed, another one on the same
  class path may follow. A child of `fork` cannot use it: start processes by `spawn`.
- Signals are handled by Python (`-Xrs`): Ctrl-C raises KeyboardInterrupt, and interrupts the Java thread for which the
  main thread waits. The JVM handles SIGSEGV and others for its own purposes: enable `faulthandler` before, if at all:
  enabled after, it ends the process at Java's first StackOverflowError or NullPointerException that the JVM meant to handle.
- `System.exit` in Java ends Python, too, at once. At Python's exit Java's shutdown hooks run, for a few seconds at
  most.
- Calls have no `timeout`, since they run on the calling thread: setting one raises SamewireError `unsupported`.
"""

from __future__ import annotations

import atexit
import os
import pathlib

from samewire.errors import SamewireError

from .folder import folder_path, make_folder, remove_folder
from .java_program import class_path, gateway_jar, java_program, old_java, with_jars
from .limit_options import limit_options

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from samewire.limits import Limits

    from .gateway import Gateway
    from .java_program import Path
    from .policy import Policy

#: Seconds that Java's shutdown hooks may take at exit.
_EXIT = 5.0

#: Of the main thread's stack Java uses only as much as its own threads have, independent of the stack's limit: 1 MB by
#: default, enough for 100 nested calls. The pages of a larger stack are allocated when they are touched.
_STACK = "-Xss8m"

#: The class path and options of this process's JVM, and the gateway that was made last.
_started: tuple[list[str], list[str]] | None = None
_open: Gateway | None = None


def embed(
    classpath: Path | Iterable[Path] = (),
    *,
    java: Path | None = None,
    options: str | Iterable[str] = (),
    records: Mapping[type, str] | None = None,
    policy: Policy | None = None,
    limits: Limits | None = None,
) -> Gateway:
    """Starts a JVM within this process, and returns its gateway.

    classpath: jars, folders and all jars in one (`folder/*`), one text or several paths.
    java: the program, or a home of Java; default: JAVA_HOME, then PATH.
    options: of the JVM: one, like "-Xmx2g", or several.
    records: struct classes (dataclasses and the like) that are records of Java, with those records' names.
    policy: what Python may reach; default: everything.
    limits: bounds on messages, of both sides (`samewire.limits.Limits`).

    Raises SamewireError: `misuse` if there is no Java, for an invalid option, or if this process has a JVM already: only one whose
    gateway was closed may be taken again, with the same class path and options.
    """
    global _started, _open
    from samewire._native import Session, has_jvm, start_gateway, start_jvm

    paths, chosen = class_path(classpath), [options] if isinstance(options, str) else list(options)
    if not has_jvm():
        program = java_program(java)
        old = old_java(program)
        if old is not None:
            raise old
        # Stored first: an interrupt may come as soon as it has started.
        _started = (paths, chosen)
        path = os.pathsep.join([gateway_jar(), *with_jars(paths)])
        # Without the JVM's file of counters in /tmp, which would be left behind if the process ends while the JVM runs.
        start_jvm(_library(program), ["-Xrs", "-XX:-UsePerfData", _STACK, f"-Djava.class.path={path}", *chosen])
    elif _open is not None and not _open.session.closed:
        raise SamewireError("misuse", text="this process has a JVM, whose gateway is open: use that, there is never a second")
    elif _started is not None and _started != (paths, chosen):
        was = f"classpath {_started[0]} and options {_started[1]}"
        raise SamewireError("misuse", text=f"this process has a JVM, started with {was}: there is never a second")

    from .gateway import Gateway
    from .records import digests

    folder = folder_path()
    try:
        make_folder(folder)
        place, token = f"{folder}/gateway.sock", os.urandom(32)
        arguments = [place, *(policy.arguments() if policy is not None else ())]
        if limits is not None:
            arguments += limit_options(limits)
        for name in (records or {}).values():
            arguments += ("--record", name)
        start_gateway(arguments, token)
        session = Session(f"process:{place}", token, limits=limits, records=digests(records or {}))
        _open = Gateway(session, None, folder, records)
    except BaseException:
        remove_folder(folder)
        raise
    return _open


def _library(program: str) -> str:
    """The JVM's library beside a program `java`, which may be a link to it."""
    home = pathlib.Path(program).resolve().parent.parent
    for place in ("lib/server/libjvm.so", "lib/server/libjvm.dylib", "jre/lib/server/libjvm.so"):
        library = home / place
        if library.is_file():
            return str(library)
    text = f"no lib/server/libjvm.so in {home}, where {program} is: set JAVA_HOME, or give a home of Java: embed(java=...)"
    raise SamewireError("misuse", text=text)


@atexit.register
def _stop() -> None:
    from samewire._native import stop_jvm

    stop_jvm(_EXIT)
