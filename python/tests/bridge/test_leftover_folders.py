"""The folders of sockets that processes leave which a signal or `System.exit` ended."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from samewire.bridge import folder

EMBED = "from samewire import bridge; gateway = bridge.embed(); print(gateway.java.lang.Math.max(1, 2), flush=True)\n"


@pytest.fixture
def place() -> Iterator[Path]:
    """A folder with a short path."""
    with tempfile.TemporaryDirectory(prefix="sw", dir="/tmp") as made:
        yield Path(made)


def left(place: Path, pid: int, digits: str = "0123456789abcdef") -> Path:
    """A folder such as a process of that number makes."""
    made = place / f"samewire-{pid}-{digits}"
    made.mkdir(mode=0o700)
    return made


def gone() -> int:
    """The number of a process that has ended."""
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def dead_socket(place: Path) -> None:
    with socket.socket(socket.AF_UNIX) as dead:
        dead.bind(str(place / "gateway.sock"))
        dead.listen()


def embedded(place: Path, then: str) -> int:
    """Runs a program that loads a JVM; its exit code."""
    environment = {**os.environ, "TMPDIR": str(place)}
    done = subprocess.run([sys.executable, "-c", EMBED + then], env=environment, capture_output=True, text=True, timeout=120)
    assert done.stdout == "2\n", done.stderr
    return done.returncode


def test_exit_in_java_removes_the_folder(place: Path) -> None:
    assert embedded(place, "gateway.java.lang.System.exit(3)") == 3
    assert list(place.iterdir()) == []


def test_the_next_start_removes_what_a_signal_left(place: Path) -> None:
    assert embedded(place, "import os, signal; os.kill(os.getpid(), signal.SIGTERM)") == -signal.SIGTERM
    assert len(list(place.iterdir())) == 1
    assert embedded(place, "") == 0
    assert list(place.iterdir()) == []


def test_folders_of_processes_that_are_gone_are_removed(place: Path) -> None:
    dead = left(place, gone())
    dead_socket(dead)
    former = left(place, os.getpid(), "fedcba9876543210")  # of an earlier process that had this one's number
    dead_socket(former)
    old = left(place, gone(), "00000000000000ff")
    os.utime(old, (1, 1))
    folder.remove_stale(str(place))
    assert list(place.iterdir()) == []


def test_folders_that_somebody_may_use_stay(place: Path) -> None:
    living = left(place, os.getppid())
    dead_socket(living)
    young = left(place, gone(), "00000000000000aa")
    other = place / "samewire-1-of-the-user"
    other.mkdir()
    named = place / f"samewire-{gone()}-0123456789abcdef"
    named.write_text("a file")
    away = left(place, gone(), "00000000000000bb")
    listening = socket.socket(socket.AF_UNIX)
    listening.bind(str(away / "gateway.sock"))
    listening.listen()
    with listening:
        folder.remove_stale(str(place))
    assert set(place.iterdir()) == {living, young, other, named, away}
