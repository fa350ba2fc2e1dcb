"""``python -m bench.peers.spark``: the runner of PySpark, as `bench/peers/runner.py` says. It runs in PySpark's environment."""

from __future__ import annotations

import argparse
import faulthandler
import sys
from collections.abc import Iterator
from typing import Any

from bench.peers import runner
from bench.peers.spark import sampling
from bench.peers.spark.peer import HARNESS, Row, WrongResult
from bench.peers.spark.programs import Session

LONGEST = 600.0
"""Seconds of a process. Spark alone takes ten to start, and many times that on a machine with other work."""


def run(row: Row, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        row.prepare()
        session = Session()
        try:
            row.check(session)
            yield from sampling.lines(chosen.workload, session, chosen.warm, chosen.samples)
        finally:
            session.close()
    except WrongResult as wrong:
        yield {"wrong": str(wrong)}
    finally:
        faulthandler.cancel_dump_traceback_later()


runner.main("bench.peers.spark", lambda: HARNESS, run, sys.argv[1:])
