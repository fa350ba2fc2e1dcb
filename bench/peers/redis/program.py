"""Peers that are programs: each window is a process, which measures itself."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path

from bench.peers.redis.peer import Task, Window, WrongReply
from bench.peers.redis.server import Server

BUILT = Path(__file__).resolve().parents[3] / "build" / "bench" / "redis"


def missing(name: str) -> str:
    """Why a program is not there; empty if it is."""
    why = BUILT / f"{name}.missing"
    return "" if (BUILT / name).exists() else why.read_text() if why.exists() else "it is not built: bench run builds it"


def task(name: str, workload: str, server: Server) -> Task:
    """A built program: WORKLOAD, a port or path, how many operations."""

    def window(count: int) -> Window:
        where = server.path if workload.startswith("unix-") else str(server.port)
        done = subprocess.run([str(BUILT / name), workload, where, str(count)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise WrongReply(done.stderr.strip()[-300:])
        said = json.loads(done.stdout)
        return Window(said["cpu"] / count, said["wall"] / count, said["growth"])

    return Task(window, lambda: None)


def found(command: str) -> str:
    """Why a command is not there; empty if it is."""
    return "" if shutil.which(command) else f"no {command}: apt-get install redis-tools"
