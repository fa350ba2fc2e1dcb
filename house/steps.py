"""Runs make targets and names each with its place, its time and its CPU time; stops at the first that fails.

The plain targets make ready: they run one after another, with their output shown at once. Those after `--along` do not depend on
them: they run one after another beside them, on the core that a build leaves idle. Those after `--beside` follow, one for each core,
and further ones while cores are idle, since many tests wait. The output of the last two kinds is printed when a target ends, in one
piece. After a failure no target begins any more, and the end repeats the last lines of the failed ones: readers often have only the
end of a long output.

usage: steps.py --make MAKE TARGET... --along TARGET... --beside TARGET...
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import IO

#: As many as make cores of the smallest machine busy.
AT_ONCE = 2
#: No more than these, however idle the cores are: two gigabytes of memory are enough for each.
AT_MOST = 5
#: Seconds over which cores are watched before another begins: the last one has started by then.
WATCHED = 5.0
#: Idle cores that are worth another.
IDLE = 0.5
#: Steps that the end names with their times.
LONGEST = 8
#: Characters of what a failed step printed last that the end repeats.
REPEATED = 800


def idle_seconds() -> float:
    """Seconds that the machine's cores have been idle, all together, since it started; 0 if the system does not report it."""
    try:
        _, _, _, _, idle, waiting = Path("/proc/stat").read_text().splitlines()[0].split()[:6]
    except OSError:
        return 0.0
    return (int(idle) + int(waiting)) / os.sysconf("SC_CLK_TCK")


@dataclass
class Steps:
    """The targets that have begun and how they ended; prints one line at a time."""

    make: str
    total: int
    began: float = field(default_factory=time.monotonic)
    begun: int = 0
    status: int = 0
    spent: dict[str, tuple[float, float]] = field(default_factory=dict)
    failures: list[str] = field(default_factory=list)
    lock: Lock = field(default_factory=Lock)

    def alone(self, target: str) -> None:
        """Runs one and lets it print as it works."""
        self._run(target, None)

    def in_turn(self, targets: list[str]) -> None:
        """Runs some, one after another, while others run."""
        for target in targets:
            self.beside(target)

    def beside(self, target: str) -> None:
        """Runs one while others run."""
        with tempfile.TemporaryFile() as output:
            self._run(target, output)

    def sum_up(self) -> None:
        """Prints which targets took the most CPU time, the sum, and the free disk space; then each failure."""
        for target in sorted(self.spent, key=lambda target: self.spent[target][1], reverse=True)[:LONGEST]:
            seconds, cpu = self.spent[target]
            _say(f"   {target:<20} CPU {cpu:5.0f} s {seconds:5.0f} s")
        used = resource.getrusage(resource.RUSAGE_CHILDREN)
        seconds, cpu = time.monotonic() - self.began, used.ru_utime + used.ru_stime
        # Linkers end by a bus error when the disk is full.
        free = shutil.disk_usage(".").free / 1e9
        _say(f"== {self.begun} steps: {seconds:.0f} s, CPU {cpu:.0f} s on {os.cpu_count()} cores, {free:.0f} GB of disk left")
        for failure in self.failures:
            _say(failure)

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
            printed = b""
            if output:
                output.seek(0)
                printed = output.read()
                sys.stdout.buffer.write(printed)
            if process.returncode:
                self.status = process.returncode
                failure = f"== {target} failed after {spent:.0f} s (make {target} repeats it alone)"
                _say(failure)
                end = printed[-REPEATED:].decode(errors="replace")
                self.failures.append(f"{failure}, and printed last:\n{end}" if end else failure)
            else:
                cpu = used.ru_utime + used.ru_stime
                self.spent[target] = spent, cpu
                _say(f"== {target}: {spent:.0f} s, CPU {cpu:.0f} s; {time.monotonic() - self.began:.0f} s since the start")


def _say(line: str) -> None:
    sys.stdout.flush()
    sys.stdout.buffer.write(line.encode() + b"\n")
    sys.stdout.buffer.flush()


def run(
    make: str, ready: list[str], beside: list[str], along: list[str] | None = None, idle: Callable[[], float] = idle_seconds
) -> int:
    """Returns the exit status of a target that failed, else 0."""
    along = along or []
    steps = Steps(make, len(ready) + len(along) + len(beside))
    left = list(reversed(beside))
    with ThreadPoolExecutor(AT_MOST) as pool:
        running: set[Future[None]] = {pool.submit(steps.in_turn, along)} if along else set()
        for target in ready:
            steps.alone(target)
        while running or left:
            wanted = AT_ONCE - len(running)
            if left and wanted <= 0 and len(running) < AT_MOST:
                before, began = idle(), time.monotonic()
                ended, running = wait(running, WATCHED, FIRST_COMPLETED)
                wanted = 1 if not ended and idle() - before > IDLE * (time.monotonic() - began) else 0
            elif wanted <= 0 or not left:
                _, running = wait(running, None, FIRST_COMPLETED)
            for _ in range(min(wanted, len(left))):
                running.add(pool.submit(steps.beside, left.pop()))
    steps.sum_up()
    return steps.status


def main(arguments: list[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--make", default="make")
    parser.add_argument("ready", nargs="*", metavar="TARGET", default=[])
    parser.add_argument("--along", nargs="*", metavar="TARGET", default=[])
    parser.add_argument("--beside", nargs="*", metavar="TARGET", default=[])
    options = parser.parse_args(arguments)
    return run(options.make, options.ready, options.beside, options.along)


if __name__ == "__main__":
    sys.exit(main())
