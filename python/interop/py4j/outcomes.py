"""A plugin of pytest: writes the outcome of each test as it ends, to the file that PY4J_OUTCOMES names.

A line for each test that there is, and one for each that has ended. A test that does not end within PY4J_SECONDS ends the
process: what it has started still has the port of all others. A wait for what a test has started takes
PY4J_PATIENCE times as long. The tests that PY4J_LEFT_OUT names are not run.
"""

from __future__ import annotations

import os
import signal
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

_FILE = Path(os.environ["PY4J_OUTCOMES"])
_SECONDS = int(os.environ["PY4J_SECONDS"])
_PATIENCE = int(os.environ["PY4J_PATIENCE"])
_LEFT_OUT = os.environ["PY4J_LEFT_OUT"].split("\n")
#: How long the tests wait where they say no time: for what they have started.
_WAIT = 0.25


def _stretch(sleep: Any) -> Any:
    return lambda seconds: sleep(seconds * _PATIENCE if seconds == _WAIT else seconds)


if _PATIENCE > 1:
    time.sleep = _stretch(time.sleep)  # which the tests look up there


def _name(nodeid: str) -> str:
    path, _, rest = nodeid.partition("::")
    return f"{Path(path).name}::{rest}"


def _write(nodeid: str, outcome: str) -> None:
    with _FILE.open("a") as file:
        file.write(f"{_name(nodeid)}\t{outcome}\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Writes which tests there are. (Pytest's own `--deselect` takes the beginning of a name.)"""
    items[:] = [item for item in items if _name(item.nodeid) not in _LEFT_OUT]
    for item in items:
        _write(item.nodeid, "no outcome")


@pytest.hookimpl(wrapper=True)
def pytest_runtest_protocol(item: pytest.Item) -> Iterator[None]:
    """Gives a test its time."""
    signal.alarm(_SECONDS)
    try:
        return (yield)
    finally:
        signal.alarm(0)


def pytest_runtest_logreport(report: pytest.TestReport) -> None:
    """Writes how a test has ended; a failure of what comes before or after it is one of the test."""
    if report.when == "call" or report.outcome != "passed":
        _write(report.nodeid, report.outcome)
