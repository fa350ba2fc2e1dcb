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
#: Tests and classes of tests that are left out, without parameters.
NOT_RUN = frozenset(json.loads(os.environ["JUDGE_NOT_RUN"]))
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
    """Writes what becomes of each test as a line; a test's last line holds."""

    def __init__(self) -> None:
        self.out = OUTCOMES.open("w", buffering=1)
        self.last: tuple[str, str, str, float] = ("", "", "", 0.0)

    def _write(self, test: str, outcome: str, why: str, seconds: float) -> None:
        self.last = (test, outcome, why, seconds)
        self.out.write(json.dumps(self.last) + "\n")

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        test, outcome, why, seconds = self.last if self.last[0] == report.nodeid else (report.nodeid, "", "", 0.0)
        if outcome not in ("failed", "skipped"):
            outcome = report.outcome
        if report.failed:
            why = report.longreprtext[-6000:]
        elif report.skipped and isinstance(report.longrepr, tuple):
            why = report.longrepr[2]
        self._write(test, outcome, why, seconds + report.duration)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self._write(report.nodeid, "failed", report.longreprtext[-6000:], 0.0)
        elif report.skipped and isinstance(report.longrepr, tuple):
            self._write(report.nodeid, "skipped", report.longrepr[2], 0.0)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    def left_out(test: str) -> bool:
        return test in NOT_RUN or test.rpartition("::")[0] in NOT_RUN

    items[:] = [item for item in items if not left_out(item.nodeid.partition("[")[0])]


def pytest_configure(config: pytest.Config) -> None:
    # A fixture of theirs traces every allocation, which takes as long as the tests themselves.
    tracemalloc.start = lambda *_: None
    for name, there in (("connect", _connect_there), ("connect_ex", _connect_ex_there)):
        setattr(socket.socket, name, there)
    config.pluginmanager.register(Judge())
