"""Limits: messages without any protocol between a program in C and the JVM, by every transport. There and back they cost what no
bridge between processes can beat.
"""

from __future__ import annotations

import functools
import json
import subprocess
import tempfile
from collections.abc import Sequence
from pathlib import Path

from bench.peers.bridge import java, tasks
from bench.peers.bridge.peer import FROM, IDLE, PLACES, TO, Row, Task, Window, WrongResult
from bench.peers.bridge.sides import Sides
from bench.peers.bridge.values import SIZES

PROGRAM = java.BUILT / "floor"
RINGS = 4096 + 2 * 2**20
"""Bytes of the shared file."""
SHARED = Path("/dev/shm")
SPINS = 2_000
PING = ("args-0", *PLACES)
BASE64 = "base64"


class Floor:
    """The JVM's side, and how the other is started. spins: None for a socket; how often a ring's side looks before it sleeps, less
    than 0 for ever.
    """

    def __init__(self, transport: str, spins: int | None) -> None:
        self.folder = tempfile.TemporaryDirectory(prefix="samewire-bench-", dir=SHARED if SHARED.is_dir() else None)
        socket, rings = (str(Path(self.folder.name) / name) for name in ("socket", "rings"))
        if transport == "tcp":
            self.process = java.started("FloorMain", "tcp")
        elif spins is None:
            self.process = java.started("FloorMain", "unix", socket)
        else:
            Path(rings).write_bytes(bytes(RINGS))
            self.process = java.started("FloorMain", "ring", socket, rings, str(spins))
        port = java.said(self.process)
        self.where = port if transport == "tcp" else socket if spins is None else f"{rings}:{spins}:{socket}"

    def window(self, message: str, sides: Sides, count: int) -> Window:
        """So many messages. Raises WrongResult."""
        before = sides.others_cpu()
        done = subprocess.run([str(PROGRAM), message, self.where, str(count)], capture_output=True, text=True, check=False)
        if done.returncode:
            raise WrongResult(done.stderr.strip()[-300:])
        said = json.loads(done.stdout)
        return Window((said["cpu"] + sides.others_cpu() - before) / count, said["wall"] / count)

    def close(self) -> None:
        """Ends the JVM, and what it shared."""
        java.ended(self.process)
        self.folder.cleanup()


def start(transport: str, spins: int | None, base64: bool, workload: str) -> Task:
    """A message, or an idle connection's JVM."""
    floor = Floor(transport, spins)
    sides = Sides((floor.process.pid,))
    if workload == IDLE:
        return Task(lambda _: tasks.idle(sides), floor.close)
    if workload in PLACES:
        tasks.pin(workload, sides)
    direction, _, size = workload.partition("-")
    kind = "give" if direction == "from" else BASE64 if base64 else "take"
    message = "ping" if workload in PING else f"{kind}-{SIZES[size]}"
    return Task(functools.partial(floor.window, message, sides), floor.close)


def missing() -> str:
    """Why the program is not there; empty if it is."""
    why = PROGRAM.with_suffix(".missing")
    return "" if PROGRAM.exists() else why.read_text() if why.exists() else "it is not built: bench run builds it"


def row(transport: str, spins: int | None, carried: Sequence[str], base64: bool = False) -> Row:
    """One of the floors."""
    return Row("a program in C", "limit", "nothing", carried, functools.partial(start, transport, spins, base64), missing())


# A side that never sleeps, or not soon, keeps the only core from the other.
ROWS = {
    "floor-tcp": row("tcp", None, [*PING, *TO, *FROM]),
    "floor-tcp-base64": row("tcp", None, TO, base64=True),
    "floor-unix": row("unix", None, [*PING, *TO, *FROM]),
    "floor-shm": row("ring", SPINS, ["args-0", "apart", *TO, *FROM]),
    "floor-shm-spin": row("ring", -1, ["args-0", "apart"]),
    "floor-shm-bell": row("ring", 0, ["args-0", "one-core"]),
}
