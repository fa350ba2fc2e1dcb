"""A plugin of pytest: writes the outcome of each test as it ends, to the file that PY4J_OUTCOMES names.

A line for each test that there is, and one for each that has ended. A test that does not end within its time ends the process:
what it has started still has the port of all others.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

_FILE = Path(os.environ["PY4J_OUTCOMES"])
_SECONDS = int(os.environ["PY4J_SECONDS"])


def _write(nodeid: str, outcome: str) -> None:
    path, _, rest = nodeid.partition("::")
    with _FILE.open("a") as file:
        file.write(f"{Path(path).name}::{rest}\t{outcome}\n")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Writes which tests there are."""
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
