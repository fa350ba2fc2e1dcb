"""Runs make targets and names each with its place, its time and its CPU time; stops at the first that fails.

Those that make ready run alone, in order, and are seen as they work. Those beside one another are taken from their list two
at a time, and what one prints comes when it ends, in one piece. After a failure none begins any more.

usage: steps.py --make MAKE TARGET... --beside TARGET...
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from threading import Lock
from typing import IO

#: As many as make cores of the smallest machine busy.
AT_ONCE = 2


@dataclass
class Steps:
    """What has begun and how it ended; one line of output at a time."""

    make: str
    total: int
    began: float = field(default_factory=time.monotonic)
    begun: int = 0
    status: int = 0
    lock: Lock = field(default_factory=Lock)

    def alone(self, target: str) -> None:
        """Runs one and lets it print."""
        self._run(target, None)

    def beside(self, target: str) -> None:
        """Runs one while others run."""
        with tempfile.TemporaryFile() as output:
            self._run(target, output)

    def _run(self, target: str, output: IO[bytes] | None) -> None:
        with self.lock:
            if self.status:
                return
            self.begun += 1
            _say(f"== [{self.begun}/{self.total}] {target}")
        start = time.monotonic()
        process = subprocess.Popen([self.make, target], stdout=output, stderr=subprocess.STDOUT if output else None)
        _, ended, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(ended)
        spent = time.monotonic() - start
        with self.lock:
            if output:
                output.seek(0)
                sys.stdout.buffer.write(output.read())
            if process.returncode:
                self.status = process.returncode
                _say(f"== {target} failed after {spent:.0f} s (make {target} repeats it alone)")
            else:
                cpu = used.ru_utime + used.ru_stime
                _say(f"== {target}: {spent:.0f} s, CPU {cpu:.0f} s; {time.monotonic() - self.began:.0f} s since the start")


def _say(line: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def run(make: str, ready: list[str], beside: list[str]) -> int:
    """Returns the exit status of a target that failed, else 0."""
    steps = Steps(make, len(ready) + len(beside))
    for target in ready:
        steps.alone(target)
    with ThreadPoolExecutor(AT_ONCE) as pool:
        list(pool.map(steps.beside, beside))
    return steps.status


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", default="make")
    parser.add_argument("ready", nargs="*", metavar="TARGET", default=[])
    parser.add_argument("--beside", nargs="*", metavar="TARGET", default=[])
    options = parser.parse_args(arguments)
    return run(options.make, options.ready, options.beside)


if __name__ == "__main__":
    sys.exit(main())
