"""``bench`` in forks of one process that has imported it.

A command imports for 0.6 s of CPU before it reads its words, and for 0.3 s as it works; a fork of a process that did has its own
memory, environment, output and exit code like a process that was started anew.
"""

from __future__ import annotations

import json
import select
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

LONGEST = 120
"""Seconds that a command may take."""
#: A fork leaves the loop, and ends as the program of the command does.
_PROGRAM = """
import json, os, sys
import numpy, pydantic.fields, pydantic.types
from bench.lab.cli import main

# What commands import as they work: numpy for intervals, typer for words, where pydantic is installed.
numpy.percentile(numpy.random.default_rng(0).random(2), 50)
pydantic.TypeAdapter(int)

for line in sys.stdin:
    words, environment, outputs = json.loads(line)
    if os.fork() == 0:
        break
    print(os.waitstatus_to_exitcode(os.wait()[1]), flush=True)
else:
    sys.exit()
os.environ.clear()
os.environ.update(environment)
for to, path in enumerate([os.devnull, *outputs]):
    os.dup2(os.open(path, os.O_RDWR | os.O_CREAT | os.O_TRUNC), to)
sys.argv = ["bench", *words]
main()
"""


class Forks:
    """The process, in the root of a tree."""

    def __init__(self, root: Path, outputs: Path, environment: Mapping[str, str]) -> None:
        self._outputs = [outputs / name for name in ("out.txt", "err.txt")]
        self._process = subprocess.Popen(
            [sys.executable, "-c", _PROGRAM], cwd=root, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.pid = self._process.pid

    def bench(self, words: Sequence[str], environment: Mapping[str, str]) -> tuple[int, str, str]:
        """The exit code of a command, and what it wrote to its output and to its errors."""
        asked, told = self._process.stdin, self._process.stdout
        assert asked and told
        print(json.dumps([words, dict(environment), list(map(str, self._outputs))]), file=asked, flush=True)
        assert select.select([told], [], [], LONGEST)[0], f"bench {' '.join(words)} has not ended in {LONGEST} s"
        status = int(told.readline())
        out, err = (path.read_text("utf-8") for path in self._outputs)
        return status, out, err

    def close(self) -> None:
        """Ends it."""
        self._process.communicate(timeout=LONGEST)
