"""Runs a command in whose Python processes `import redis` finds samewire.redis.

usage: python -m samewire.redis COMMAND [ARGUMENT]...

  python -m samewire.redis celery -A project worker
  python -m samewire.redis rq worker
  python -m samewire.redis python program.py

Python processes that the command starts find it as well, by their PYTHONPATH.
"""

from __future__ import annotations

import os
import sys
from typing import NoReturn

from .as_redis import SHADOW


def main(command: list[str]) -> NoReturn:
    """Becomes the command. Exits with a line about what is wrong if there is no such command."""
    if not command or command[0] in ("-h", "--help"):
        sys.exit(__doc__)
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SHADOW), *([path] if path else [])])
    try:
        os.execvp(command[0], command)
    except OSError as error:
        sys.exit(f"samewire.redis: cannot run {command[0]!r}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
