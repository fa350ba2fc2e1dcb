"""CPU time and memory of the two sides of a bridge: this process, and that of the JVM where it has one of its own."""

from __future__ import annotations

import os
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class Memory(NamedTuple):
    """Bytes of resident memory."""

    now: int
    most: int


class Sides:
    """This process and some others, each a process id."""

    def __init__(self, others: tuple[int, ...] = ()) -> None:
        self.others = others
        # The kernel's number for the CPU clock of a process (MAKE_PROCESS_CPUCLOCK): nanoseconds, its dead threads included.
        self._clocks = [(~process << 3) | 2 for process in others]

    def cpu(self) -> int:
        """Nanoseconds of CPU time of all sides together."""
        return time.process_time_ns() + self.others_cpu()

    def others_cpu(self) -> int:
        """Without that of this process."""
        return sum(time.clock_gettime_ns(clock) for clock in self._clocks)

    def memory(self) -> Memory:
        """Now, and at most since `forget`."""
        every = [_memory(process) for process in ("self", *map(str, self.others))]
        return Memory(sum(each.now for each in every), sum(each.most for each in every))

    def forget(self) -> None:
        """Lets the most begin anew."""
        for process in ("self", *map(str, self.others)):
            Path(f"/proc/{process}/clear_refs").write_text("5")

    def pin(self, own: int, theirs: int) -> None:
        """Binds every thread of this process to one core, and those of the others to one."""
        for process, core in ((os.getpid(), own), *((other, theirs) for other in self.others)):
            for thread in Path(f"/proc/{process}/task").iterdir():
                # One may end meanwhile.
                with suppress(ProcessLookupError):
                    os.sched_setaffinity(int(thread.name), {core})


def _memory(process: str) -> Memory:
    words = dict(line.split(":", 1) for line in Path(f"/proc/{process}/status").read_text().splitlines())
    return Memory(*(int(words[name].split()[0]) * 1024 for name in ("VmRSS", "VmHWM")))
