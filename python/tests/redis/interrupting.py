"""Interrupts: what a handler of signals raises while a call waits."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

import pytest

#: Seconds after which a call that waits is interrupted.
SOON = 0.1


class Interrupt(Exception):
    """Raised by a program's own handler."""


@contextlib.contextmanager
def interrupted(raised: type[BaseException] = Interrupt) -> Iterator[None]:
    """What is called within waits, and a handler of signals raises this meanwhile."""

    def interrupt(*_: object) -> None:
        raise raised

    before = signal.signal(signal.SIGALRM, interrupt)
    try:
        with pytest.raises(raised):
            signal.setitimer(signal.ITIMER_REAL, SOON)
            yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
