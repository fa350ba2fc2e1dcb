"""Runs a command in whose Python processes `import redis` finds samewire.redis.

usage: python -m samewire.redis COMMAND [ARGUMENT]...

  python -m samewire.redis celery -A project worker
  python -m samewire.redis rq worker
  python -m samewire.redis program.py

A command is looked for beside the Python that runs this, then in PATH. The name of a Python file, and `python` itself,
mean that Python. Python processes that the command starts find samewire.redis as well, by their PYTHONPATH.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import NoReturn

from .redis_py.as_redis import SHADOW


def main(command: list[str]) -> NoReturn:
    """Becomes the command. Exits with a line about what is wrong if there is no such command."""
    if command and command[0] in ("-h", "--help"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--help | head -1` ends as other commands do
        print(__doc__, end="")
        sys.exit()
    if not command:
        sys.exit(__doc__)
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SHADOW), *([path] if path else [])])
    if command[0].endswith(".py"):
        command = [sys.executable, *command]
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        found = shutil.which(command[0], path=beside) or command[0]
        os.execv(found, [found, *command[1:]])
    except OSError as error:
        sys.exit(f"samewire.redis: cannot run {command[0]!r}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
