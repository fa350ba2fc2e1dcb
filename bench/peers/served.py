"""``python -m bench.peers.served COMMAND…``: runs a command, beside a server of its own where a word of it is one of ``WORKLOADS``; the
command is then told its ``--port``, and a ``--core`` if both are to run on that one.
"""

from __future__ import annotations

import os
import subprocess
import sys

ROUND_TRIP = "round-trip"
WORKLOADS = (ROUND_TRIP, "pipeline-1000", "callers-1000")


def main(command: list[str]) -> int:
    """Returns the command's exit code."""
    if not set(WORKLOADS) & set(command):
        os.execvp(command[0], command)
    # Its libraries are loaded for those who need it.
    from bench.peers.redis.server import served

    with served() as server:
        told = ["--port", str(server.port)]
        if ROUND_TRIP in command:
            # Else the scheduler wakes the other side on the same core or on another, which takes five times as long. The command binds
            # itself, once its runtime has seen how many there are.
            core = min(os.sched_getaffinity(0))
            os.sched_setaffinity(server.control().info("server")["process_id"], {core})
            told += ["--core", str(core)]
        return subprocess.run([*command, *told], check=False).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
