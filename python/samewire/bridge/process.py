"""The process of a launched JVM.

Not `subprocess`: importing it, and what it imports, would take a good part of what a JVM needs to start.
"""

from __future__ import annotations

import os
import time

from samewire.errors import SamewireError

#: As in `__init__`: nothing slow is imported before the JVM is started.
TYPE_CHECKING = False

if TYPE_CHECKING:
    from collections.abc import Sequence

#: Seconds between two looks at a process that is waited for.
_LOOK = 0.002


class Process:
    """A child process that ends when its standard input does: when this process is gone, however it ended.

    A fork of this process holds that input open too, for as long as it runs. The child has a process group of its own, so that
    an interrupt from the terminal is Python's to handle.
    """

    def __init__(self, arguments: Sequence[str], inherited: Sequence[int] = ()) -> None:
        """Starts it. Raises OSError if the program cannot be run.

        inherited: descriptors of this one that it gets, under numbers of which it learns by the option `--pipes`.
        """
        reader, writer = os.pipe()
        try:
            # Beyond the numbers of all that is copied: none takes the place of one that is copied after it. What another thread
            # opens meanwhile is not copied.
            first = max(reader, *inherited, 2) + 1
            actions = [(os.POSIX_SPAWN_DUP2, ours, number) for number, ours in enumerate(inherited, first)]
            actions.append((os.POSIX_SPAWN_DUP2, reader, 0))
            if inherited:
                arguments = [*arguments, "--pipes", ",".join(str(first + index) for index in range(len(inherited)))]
            self.pid = os.posix_spawn(arguments[0], list(arguments), os.environ, file_actions=actions, setpgroup=0)
        except BaseException:
            os.close(writer)
            raise
        finally:
            os.close(reader)
        self.args = tuple(arguments)
        self.returncode: int | None = None
        self._input: int | None = writer
        self._owner = os.getpid()

    def say(self, text: str) -> None:
        """Writes to its standard input, which stays open."""
        if self._input is not None:
            try:
                os.write(self._input, text.encode())
            except BrokenPipeError:
                return  # it has ended: whoever waits for it finds out

    def end_input(self) -> None:
        """Closes its standard input, upon which a gateway ends."""
        if self._input is not None:
            os.close(self._input)
            self._input = None

    def poll(self) -> int | None:
        """The exit code, or None while it runs; negative if a signal ended it, as in `subprocess`."""
        if self.returncode is None and os.getpid() == self._owner:
            try:
                pid, status = os.waitpid(self.pid, os.WNOHANG)
            except ChildProcessError:  # somebody else has waited for it
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
        """Asks it to end (SIGTERM)."""
        self._signal(15)

    def kill(self) -> None:
        """Ends it (SIGKILL)."""
        self._signal(9)

    def _signal(self, number: int) -> None:
        if self.poll() is None and os.getpid() == self._owner:
            os.kill(self.pid, number)

    def __repr__(self) -> str:
        state = "running" if self.poll() is None else f"ended with {self.returncode}"
        return f"<process {self.pid}, {state}>"


def connected(arguments: Sequence[str]) -> tuple[Process, tuple[int, int, int, int]]:
    """Starts a process with two connections, each of a pipe from it and one to it, and returns it with their ends in that order.

    Raises OSError.
    """
    ours: list[int] = []
    theirs: list[int] = []
    try:
        for _ in range(2):
            for kept, given in ((0, 1), (1, 0)):
                pipe = os.pipe()
                ours.append(pipe[kept])
                theirs.append(pipe[given])
        # Its control channel's and its call channel's, each to read and to write.
        process = Process(arguments, (theirs[1], theirs[0], theirs[3], theirs[2]))
    except BaseException:
        for end in ours:
            os.close(end)
        raise
    finally:
        for end in theirs:
            os.close(end)
    return process, (ours[0], ours[1], ours[2], ours[3])
