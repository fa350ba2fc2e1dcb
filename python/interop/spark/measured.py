"""Runs a command with all that it starts, and tells how long it took and how much CPU all of it used."""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
import time
from pathlib import Path
from typing import NamedTuple

_PR_SET_CHILD_SUBREAPER = 36


class Cost(NamedTuple):
    """A command's exit status (None: it was killed at its limit), and seconds."""

    status: int | None
    wall: float
    cpu: float


def adopt_orphans() -> None:
    """Makes this process the parent of orphans below it: a JVM that outlives its Python is still counted and awaited."""
    ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def run(command: list[str], folder: Path, variables: dict[str, str], log: Path, limit: float) -> Cost:
    """Runs a command; waits for it and for all its descendants. Whatever is left at the limit is killed.

    Nothing else may start children meanwhile: every child of this process counts.
    """
    begun = time.monotonic()
    with log.open("w") as out:
        first = subprocess.Popen(
            command, cwd=folder, env=variables, stdin=subprocess.DEVNULL, stdout=out, stderr=out, start_new_session=True
        )
    status, cpu, killed = None, 0.0, False
    wall = 0.0
    while True:
        try:
            pid, raw, usage = os.wait4(-1, os.WNOHANG)
        except ChildProcessError:
            break
        if pid:
            cpu += usage.ru_utime + usage.ru_stime
            if pid == first.pid:
                status = first.returncode = os.waitstatus_to_exitcode(raw)
                wall = time.monotonic() - begun
            continue
        if time.monotonic() - begun > limit and not killed:
            killed = True
            _kill_below()
        time.sleep(0.05)
    return Cost(None if killed else status, wall, cpu)


def _kill_below() -> None:
    """Kills every descendant of this process."""
    parents = {}
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            after_name = stat.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(after_name[1])
    below = {os.getpid()}
    while more := {pid for pid, parent in parents.items() if parent in below} - below:
        below |= more
    for pid in below - {os.getpid()}:
        with contextlib.suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
