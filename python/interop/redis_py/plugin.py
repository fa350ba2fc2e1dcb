"""What redis-py's tests run with: the judge's ports, and a report of each test's outcome.

Loaded by `-p`, in the interpreter that has redis-py's requirements.
"""

from __future__ import annotations

import json
import os
import socket
import tracemalloc
from pathlib import Path
from typing import Any

import absent
import mirror
import pytest

#: Ports that tests have written down, and where their servers are: {"6379": 40123}.
PORTS: dict[str, int] = json.loads(os.environ["JUDGE_PORTS"])
#: Where the outcomes go.
OUTCOMES = Path(os.environ["JUDGE_OUTCOMES"])

# Now: pytest imports conftest.py before it configures plugins. redis_entraid is a service's, beyond what is judged here.
PACKAGES = json.loads(os.environ["JUDGE_FILLS"])
if "redis" in PACKAGES:
    mirror.install()
MISSING = absent.fill(Path("tests"), "redis_entraid", *PACKAGES)
OUTCOMES.with_suffix(".missing").write_text("\n".join(MISSING) + "\n")

_connect = socket.socket.connect
_connect_ex = socket.socket.connect_ex


def _moved(address: Any) -> Any:
    """An address of this machine with the port where its server is."""
    if isinstance(address, tuple) and address[0] in ("127.0.0.1", "localhost", "::1"):
        return ("127.0.0.1" if str(address[1]) in PORTS else address[0], PORTS.get(str(address[1]), address[1]), *address[2:])
    return address


def _connect_there(self: socket.socket, address: Any) -> None:
    if self.family != socket.AF_INET6 or str(address[1]) not in PORTS:
        return _connect(self, _moved(address))
    raise ConnectionRefusedError(111, "the judge's servers have IPv4 alone")


def _connect_ex_there(self: socket.socket, address: Any) -> int:
    return _connect_ex(self, _moved(address))


class Judge:
    """Keeps what became of each test, and writes it at the end."""

    def __init__(self) -> None:
        self.outcomes: dict[str, tuple[str, str, float]] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        before, text, seconds = self.outcomes.get(report.nodeid, ("", "", 0.0))
        outcome = before if before in ("failed", "skipped") else report.outcome
        if report.failed and hasattr(report, "longreprtext"):
            text = report.longreprtext[-6000:]
        elif report.skipped and isinstance(report.longrepr, tuple):
            text = report.longrepr[2]
        self.outcomes[report.nodeid] = (outcome, text, seconds + report.duration)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.outcomes[report.nodeid] = ("failed", report.longreprtext[-6000:], 0.0)
        elif report.skipped and isinstance(report.longrepr, tuple):
            self.outcomes[report.nodeid] = ("skipped", report.longrepr[2], 0.0)

    def pytest_sessionfinish(self) -> None:
        OUTCOMES.write_text(json.dumps(self.outcomes, indent=0))


def pytest_configure(config: pytest.Config) -> None:
    # A fixture of theirs traces every allocation, which takes as long as the tests themselves.
    tracemalloc.start = lambda *_: None
    socket.socket.connect = _connect_there  # type: ignore[method-assign]
    socket.socket.connect_ex = _connect_ex_there  # type: ignore[method-assign]
    config.pluginmanager.register(Judge())
