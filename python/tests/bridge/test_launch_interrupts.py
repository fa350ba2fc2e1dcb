"""Interrupts (Ctrl-C) while a JVM is launched or left: at every opcode of Python's, and by signals at random times."""

from __future__ import annotations

import gc
import os
import random
import signal
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from raw_client import descriptors
from samewire import bridge
from samewire.bridge.process import Process

#: A tenth and less of what has been tried: SAMEWIRE_HOSTILE=20 takes 20 times as many places and times.
TIMES = int(os.environ.get("SAMEWIRE_HOSTILE", "1"))
SOURCES = str(Path(bridge.__file__).parent)
#: How many places of a launch are tried, and how many times.
PLACES = 150 * TIMES
SIGNALS = 16 * TIMES


class Interrupts:
    """Raises KeyboardInterrupt before given opcodes of the bridge's Python code, counted from the start of a block."""

    def __init__(self, *places: int) -> None:
        self._places = sorted(places)
        self.seen = 0

    def _trace(self, frame: FrameType, event: str, _: Any) -> Any:
        # Not in what cannot pass an exception on: the interpreter prints that, and goes on behind it.
        if not frame.f_code.co_filename.startswith(SOURCES) or frame.f_code.co_name == "__del__":
            return None
        frame.f_trace_opcodes = True
        if event == "opcode":
            self.seen += 1
            if self._places and self.seen > self._places[0]:
                del self._places[0]
                raise KeyboardInterrupt
        return self._trace

    def __enter__(self) -> Interrupts:
        sys.settrace(self._trace)
        return self

    def __exit__(self, *_: object) -> None:
        sys.settrace(None)


def children() -> set[int]:
    """The processes that this one has started and not waited for."""
    return {int(pid) for pid in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split()}


class Left:
    """What a launch may leave: folders, descriptors, processes."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._descriptors = descriptors(os.getpid())
        self._children = children()

    def nothing(self) -> None:
        """Asserts that nothing is left, after the moment that threads and processes take to end."""
        gc.collect()
        deadline = time.monotonic() + 60
        while left := self._left():
            assert time.monotonic() < deadline, left
            time.sleep(0.002)

    def _left(self) -> str:
        for pid in children() - self._children:
            if Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0] != "Z":
                return f"process {pid} still runs"
        folders = list(self._folder.iterdir())
        more = descriptors(os.getpid()) - self._descriptors
        return f"{folders} and {more} descriptors are left" if folders or more else ""

    def reaped(self) -> None:
        """Asserts that the processes have been waited for, those of lost objects by the next start."""
        process = Process()
        process.start(["/bin/true"])
        process.wait(10)
        assert children() <= self._children


@pytest.fixture
def left(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Left]:
    folder = tmp_path / "t"
    folder.mkdir()
    monkeypatch.setenv("TMPDIR", str(folder))
    # All that is imported later, and the collector's and the interpreter's own descriptors.
    with bridge.launch():
        pass
    yield Left(folder)


@pytest.fixture
def silent(tmp_path: Path) -> Path:
    """A program that takes the place of java, and never answers."""
    program = tmp_path / "silent"
    program.write_text("#!/bin/sh\nexec cat >/dev/null\n")
    program.chmod(0o700)
    return program


def opcodes(run: Callable[[], object]) -> int:
    with Interrupts() as counted:
        run()
    return counted.seen


def given_up(program: Path) -> None:
    """A launch that times out, and cleans up by itself."""
    with pytest.raises(bridge.SamewireError, match="timeout"):
        bridge.launch(java=program, start_timeout=0.01)


def chosen(count: int) -> list[int]:
    """Places of so many: all, or as many as are tried."""
    return list(range(count)) if count <= PLACES else sorted(random.Random(count).sample(range(count), PLACES))


def test_an_interrupt_of_a_launch_leaves_nothing_at_any_opcode(left: Left, silent: Path) -> None:
    for place in chosen(opcodes(lambda: given_up(silent))):
        with suppress(KeyboardInterrupt, bridge.SamewireError), Interrupts(place):
            bridge.launch(java=silent, start_timeout=0.01)
        left.nothing()
    left.reaped()


def test_a_second_interrupt_leaves_nothing_either(left: Left, silent: Path) -> None:
    count = opcodes(lambda: given_up(silent))
    source = random.Random(count)
    for _ in range(PLACES):
        # The second one in what clears up after the first, which is shorter than a launch.
        first = source.randrange(count)
        with suppress(KeyboardInterrupt, bridge.SamewireError), Interrupts(first, first + 1 + source.randrange(150)):
            bridge.launch(java=silent, start_timeout=0.01)
        left.nothing()
    left.reaped()


@pytest.mark.long
def test_interrupts_at_random_times_leave_nothing_of_a_jvm(left: Left) -> None:
    source = random.Random(5)
    caught = 0
    for _ in range(SIGNALS):
        began = time.monotonic()
        interrupt = threading.Timer(source.uniform(0, 0.5), os.kill, (os.getpid(), signal.SIGINT))
        try:
            interrupt.start()
            with bridge.launch() as gateway:
                assert gateway.java.lang.Math.abs(-1) == 1
            while time.monotonic() < began + 20:
                time.sleep(0.01)
        except KeyboardInterrupt:
            caught += 1
        interrupt.join()
        left.nothing()
    assert caught == SIGNALS
    left.reaped()


@pytest.mark.long
def test_an_interrupt_of_a_close_leaves_nothing_at_any_opcode(left: Left) -> None:
    count = opcodes(bridge.launch().close)
    for place in random.Random(count).sample(range(count), min(count, 8 * TIMES)):
        gateway = bridge.launch()
        # How often it looks for the end of the process differs: the place may not be reached.
        with suppress(KeyboardInterrupt), Interrupts(place):
            gateway.close()
        # What an interrupt of the last steps leaves, the exit would do.
        gateway.close()
        assert gateway.process is not None
        assert gateway.process.poll() is not None
        left.nothing()


def test_a_process_whose_making_was_interrupted_is_dropped_in_silence() -> None:
    # As an interrupt before the first line of `__init__` leaves it; what a finaliser raises is only printed.
    Process.__new__(Process).__del__()
