"""Starts a JVM with a gateway."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import deque
from pathlib import Path
from subprocess import PIPE, Popen
from typing import Any

from .compat import CompatThread, Queue, hasattr2
from .errors import Py4JError
from .log import logger
from .protocol import smart_decode
from .sockets import quiet_close
from .version import __version__

#: The jar that comes with this package.
OUR_JAR = Path(__file__).parent / "samewire-py4j.jar"


def find_jar_path() -> str:
    """Returns where the jar is: this package's, or that of an installed Py4J. An empty text if there is none."""
    name = f"py4j{__version__}.jar"
    places = [OUR_JAR, Path(sys.prefix) / "share/py4j" / name]
    # `pip install --target` puts the jar beside its packages.
    places += [Path(folder) / "share/py4j" / name for folder in sys.path if folder]
    return next((str(place) for place in places if place.exists()), "")


def get_create_new_process_group_kwargs() -> dict[str, Any]:
    """Returns the arguments of Popen that keep signals to this process from the new one."""
    if os.name == "nt":
        return {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP}  # type: ignore[attr-defined]
    return {"process_group": 0}


class OutputConsumer(CompatThread):
    """Copies the lines of a stream to a queue, a deque or a file."""

    def __init__(self, redirect: Any, stream: Any, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.redirect = redirect
        self.stream = stream
        self.redirect_func: Any
        if isinstance(redirect, Queue):
            self.redirect_func = redirect.put
        if isinstance(redirect, deque):
            self.redirect_func = redirect.appendleft
        if hasattr2(redirect, "write"):
            self.redirect_func = redirect.write

    def run(self) -> None:
        """Reads to the end of the stream."""
        for line in iter(self.stream.readline, b""):
            self.redirect_func(smart_decode(line))


class ProcessConsumer(CompatThread):
    """Closes a process's streams once it has ended."""

    def __init__(self, proc: Any, closable_list: list[Any], *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.proc = proc
        self.closable_list = closable_list or []

    def run(self) -> None:
        """Waits for the process."""
        self.proc.wait()
        for closable in (self.proc.stdout, self.proc.stderr, *self.closable_list):
            quiet_close(closable)


def launch_gateway(
    port: int = 0,
    jarpath: str = "",
    classpath: str = "",
    javaopts: Any = (),
    die_on_exit: bool = False,
    redirect_stdout: Any = None,
    redirect_stderr: Any = None,
    daemonize_redirect: bool = True,
    java_path: str | None = "java",
    create_new_process_group: bool = False,
    enable_auth: bool = False,
    cwd: str | None = None,
    return_proc: bool = False,
    use_shell: bool = False,
) -> Any:
    """Starts a JVM with a gateway; returns its port, followed in a tuple by the token with `enable_auth`, and by the Popen with
    `return_proc`.

    port: 0 for any free one. jarpath: the jar of the gateway; default: found. classpath, javaopts: additional ones.
    die_on_exit: the JVM exits when its standard input is closed, which is when this process ends.
    redirect_stdout, redirect_stderr: a file, a Queue (`put`) or a deque (`appendleft`) for the JVM's lines; None drops them.
    java_path: None takes the java of JAVA_HOME. create_new_process_group: Ctrl-C does not reach the JVM.
    """
    jarpath = jarpath or find_jar_path()
    if not java_path:
        home = os.environ.get("JAVA_HOME")
        java_path = str(Path(home, "bin", "java")) if home else "java"
    if not Path(jarpath or " ").exists():
        raise Py4JError(f"Could not find py4j jar at {jarpath}")
    command = [java_path, "-classpath", os.pathsep.join((jarpath, classpath)), *javaopts, "py4j.GatewayServer"]
    if die_on_exit:
        command.append("--die-on-broken-pipe")
    if enable_auth:
        command.append("--enable-auth")
    command.append(str(port))
    logger.debug("Launching gateway with command %s", command)

    piped = isinstance(redirect_stderr, (Queue, deque))
    stderr: Any = PIPE if piped else subprocess.DEVNULL if redirect_stderr is None else redirect_stderr
    if redirect_stdout is None:
        redirect_stdout = Path(os.devnull).open("w")  # noqa: SIM115
    group = get_create_new_process_group_kwargs() if create_new_process_group else {}
    process = Popen(command, stdout=PIPE, stdin=PIPE, stderr=stderr, cwd=cwd, shell=use_shell, **group)
    assert process.stdout is not None

    # The program prints its port, and its token if it has one, as its first lines.
    output: tuple[Any, ...] = (int(process.stdout.readline()),)
    if enable_auth:
        output += (process.stdout.readline()[: -len(os.linesep)],)
    OutputConsumer(redirect_stdout, process.stdout, daemon=daemonize_redirect).start()
    if piped:
        OutputConsumer(redirect_stderr, process.stderr, daemon=daemonize_redirect).start()
    ProcessConsumer(process, [redirect_stdout], daemon=daemonize_redirect).start()
    if return_proc:
        output += (process,)
    return output[0] if len(output) == 1 else output
