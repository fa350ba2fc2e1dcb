"""What holds for the tests of all parts."""

from __future__ import annotations

import gc
import signal

import pytest


@pytest.fixture(scope="session", autouse=True)
def interruptible() -> None:
    """Lets Ctrl-C interrupt, also where the run was begun in the background: a shell has it ignored there, and so do children."""
    signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.fixture(scope="module", autouse=True)
def unseen_by_the_collector() -> None:
    """Takes the modules, the tests themselves and reports of thousands that ran out of the collector's sight.

    Many tests collect again and again, and each time would look at a million objects that none of them made: a collection
    takes 0.1 s behind the vectors.
    """
    gc.collect()
    gc.freeze()
