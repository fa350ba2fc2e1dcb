"""The process of a launched JVM.

It does not use `subprocess`, whose import takes a large part of the time in which a JVM starts.
"""

from __future__ import annotations

import os
import time
from itertools import chain, repeat, starmap
from operator import methodcaller

from samewire.errors import SamewireError

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

#: Seconds between two checks of a process that is waited for.
_LOOK = 0.002

#: Processes that have not been reaped and are no longer referenced: each start reaps those that have ended.
_dropped: list[int] = []


def _pipes(count: int) -> Iterator[int]:
    """Makes so many pipes lazily: the read end and the write end of each.

    For `list.extend`: a signal handler runs between two calls of Python's, so a descriptor that one call makes and
    another one keeps would leak if the handler raises. Within the one call of `extend` there is no such gap.
    """
    return chain.from_iterable(starmap(os.pipe, repeat((), count)))


def _close(ends: list[int], places: Iterable[int]) -> None:
    """Removes descriptors from a list and closes them, in one call as above. places: indices in descending order."""
    try:
        any(map(os.close, map(ends.pop, places)))
    except IndexError:
        return  # another thread has closed them


class Process:
    """A child process that exits when its standard input is closed, so also when this process is killed.

    A fork of this process keeps that input open, too, while it runs. The child has a process group of its own, so that
    Python handles an interrupt from the terminal.

    connections: this process's ends of the child's pipes, one to read and one to write in turn. A user removes those
    that it takes; `discard` closes the others.
    """

    def __init__(self) -> None:
        self.args: tuple[str, ...] = ()
        self.connections: list[int] = []
        self.returncode: int | None = None
        self._pid: list[int] = []
        self._input: list[int] = []
        self._owner = os.getpid()

    def start(self, arguments: Sequence[str], connections: int = 0) -> None:
        """Starts the process with so many connections, each of two pipes. Raises OSError if the program cannot be run.

        It gets the numbers of its own ends by the option `--pipes`. If this raises at any point, also by an interrupt,
        `discard` ends and closes what has been started and opened so far.
        """
        for pid in tuple(_dropped):
            _reap(pid)
        self._input.extend(_pipes(1))
        self.connections.extend(_pipes(2 * connections))
        theirs = [4 * connection + end for connection in range(connections) for end in (2, 1)]
        inherited = [self.connections[end] for end in theirs]
        # Copies get numbers above all originals, so that none overwrites an original that is copied later. Descriptors
        # that another thread opens meanwhile are not inherited.
        first = max(self._input[0], *inherited, 2) + 1
        actions = [(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in enumerate(inherited, first)]
        actions.append((os.POSIX_SPAWN_DUP2, self._input[0], 0))
        if inherited:
            arguments = [*arguments, "--pipes", ",".join(str(first + index) for index in range(len(inherited)))]
        self.args = tuple(arguments)
        spawn = methodcaller("posix_spawn", self.args[0], self.args, os.environ, file_actions=actions, setpgroup=0)
        self._pid.extend(map(spawn, (os,)))
        _close(self._input, (0,))
        _close(self.connections, sorted(theirs, reverse=True))

    @property
    def pid(self) -> int:
        """The process id, once it is started."""
        return self._pid[0]

    def say(self, text: str) -> None:
        """Writes to its standard input, which stays open."""
        if self._input:
            try:
                os.write(self._input[0], text.encode())
            except BrokenPipeError:
                return  # it has ended: `wait` reports that

    def end_input(self) -> None:
        """Closes its standard input, which makes a gateway exit."""
        _close(self._input, reversed(range(len(self._input))))

    def discard(self) -> None:
        """Sends SIGKILL, closes all descriptors, and waits for the end. Call it again if an interrupt ends it early."""
        _close(self.connections, reversed(range(len(self.connections))))
        self.end_input()
        if self._pid:
            self.kill()
            self.wait()

    def poll(self) -> int | None:
        """The exit code, or None while it runs; negative if a signal ended it, as in `subprocess`."""
        if self.returncode is None and os.getpid() == self._owner:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # other code has reaped it
                self.returncode = 0
                return self.returncode
            if pid:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Waits for its end, and returns the exit code. Raises SamewireError `timeout` after `timeout` seconds."""
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() >= deadline:
                raise SamewireError("timeout", text=f"process {self.pid} still runs after {timeout} s")
            time.sleep(_LOOK)
        return code

    def terminate(self) -> None:
        """Sends SIGTERM."""
        self._signal(15)

    def kill(self) -> None:
        """Sends SIGKILL."""
        self._signal(9)

    def _signal(self, number: int) -> None:
        if self.poll() is None and os.getpid() == self._owner:
            os.kill(self.pid, number)

    def __del__(self) -> None:
        # An interrupt may have ended `__init__` at any line: then no process was started.
        if self.__dict__.get("_pid") and self.poll() is None and os.getpid() == self._owner:
            self.end_input()
            _dropped.append(self.pid)

    def __repr__(self) -> str:
        if not self._pid:
            return "<process, not started>"
        state = "running" if self.poll() is None else f"ended with {self.returncode}"
        return f"<process {self.pid}, {state}>"


def _reap(pid: int) -> None:
    try:
        ended = os.waitpid(pid, os.WNOHANG)[0]
    except ChildProcessError:  # other code has reaped it
        ended = pid
    if ended:
        try:
            _dropped.remove(pid)
        except ValueError:
            return  # another thread has reaped it, too
