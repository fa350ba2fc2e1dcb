"""What a peer's file gives: its rows."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

HARNESS = f"CPython {sys.version.split()[0]}"
START = "start"
WORKLOADS = ("select-50", "agg-500", "agg-repeated", "create-10000", START)


class Row(NamedTuple):
    """One row of the lab.

    package: the distribution that tells the version, or a text that is the version. prepare: makes Py4J importable. check: raises
    WrongResult if a session does not go the way that the row stands for. missing: why it cannot run here.
    """

    package: str
    prepare: Callable[[], object]
    check: Callable[[Any], None]
    kind: str = "process"
    checks: str = "class and number of arguments, in Java"
    workloads: Sequence[str] = WORKLOADS
    missing: str = ""


class WrongResult(Exception):
    """A result is not the one that is expected."""
