"""The interpreter ends while threads run Python code for a codec: it does not wait for them, nor do they end it badly."""

from __future__ import annotations

import subprocess
import sys

import pytest

#: Each thread runs forever in a function of the program's, which the codec calls.
PROGRAM = """
import threading
from dataclasses import dataclass
from datetime import datetime, timedelta, tzinfo
from typing import Annotated
from samewire import pack

begun = threading.Semaphore(0)


def spin(*_):
    if threading.current_thread() is not threading.main_thread():
        begun.release()
        while True:
            pass


@dataclass
class Checked:
    number: int

    def __post_init__(self):
        spin()


class Rows(list):
    def __iter__(self):
        spin()
        return super().__iter__()


class Zone(tzinfo):
    def utcoffset(self, when):
        spin()
        return timedelta(hours=1)


class Own:
    pass


def decode(codec, data):
    return lambda: codec.decode(data)


checked = pack.codec(list[Checked])
own = pack.codec(list[Annotated[Own, pack.As(int, spin, lambda number: Own())]])
read = pack.codec(list[Annotated[Own, pack.As(int, lambda value: 7, lambda number: spin(number))]])
targets = [
    decode(checked, checked.encode([Checked(1)])),
    lambda: own.encode([Own()]),
    decode(read, read.encode([Own()])),
    lambda: pack.codec(datetime).encode(datetime(2026, 1, 1, tzinfo=Zone())),
    lambda: pack.codec(list[int]).encode(Rows([1, 2])),
]
for target in targets:
    threading.Thread(target=target, daemon=True).start()
for _ in targets:
    assert begun.acquire(timeout=60)
print("the end")
"""


@pytest.mark.parametrize("attempt", range(2))
def test_daemon_threads_end_with_the_interpreter(attempt: int) -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=120, check=False)
    assert (done.returncode, done.stdout) == (0, "the end\n"), done.stderr
