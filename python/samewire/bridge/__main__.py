"""Runs a command, in whose Python processes `import py4j` imports samewire.py4j.

usage: python -m samewire.bridge COMMAND [ARGUMENT]...

  python -m samewire.bridge program.py
  python -m samewire.bridge pyspark
  python -m samewire.bridge spark-submit program.py

A command is searched beside the Python that runs this, then in PATH. A Python file, and `python` itself, are run by
that Python. Python processes that the command starts import samewire.py4j, too, by their PYTHONPATH, and Spark's
drivers have Samewire's jar before Spark's own copy of Py4J.
"""

from __future__ import annotations

import os
import shutil
import signal
import sys
from pathlib import Path
from typing import NoReturn

from .as_py4j import SHADOW, prepare_spark


def main(command: list[str]) -> NoReturn:
    """Replaces this process by the command. Exits with an error text if there is no such command."""
    if command and command[0] in ("-h", "--help"):
        signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `--help | head -1` ends as other commands do
        print(__doc__, end="")
        sys.exit()
    if not command:
        sys.exit(__doc__)
    path = os.environ.get("PYTHONPATH")
    os.environ["PYTHONPATH"] = os.pathsep.join([str(SHADOW), *([path] if path else [])])
    # Spark puts its own Py4J before PYTHONPATH where the JVM starts Python.
    os.environ.setdefault("SAMEWIRE_PY4J", "1")
    prepare_spark(os.environ)
    if command[0].endswith(".py"):
        command = [sys.executable, *command]
    beside = os.pathsep.join([str(Path(sys.executable).parent), os.environ.get("PATH", os.defpath)])
    try:
        found = shutil.which(command[0], path=beside) or command[0]
        os.execv(found, [found, *command[1:]])
    except OSError as error:
        sys.exit(f"samewire.bridge: cannot run {command[0]!r}: {error.strerror}")


if __name__ == "__main__":
    main(sys.argv[1:])
