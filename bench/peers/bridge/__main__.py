"""``python -m bench.peers.bridge``: the runner of bridges to the JVM, as `bench/peers/runner.py` says."""

from __future__ import annotations

import argparse
import faulthandler
import sys
from collections.abc import Iterator
from typing import Any

from bench.peers import runner
from bench.peers.bridge.java import version
from bench.peers.bridge.peer import Row, WrongResult
from bench.peers.bridge.sampling import Plan, lines

LONGEST = 120.0
"""Seconds of a process: the slowest, Py4J's 64 MiB of text, take a quarter of it."""


def run(row: Row, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    task = None
    # A library that waits for ever (Py4J's pinned threads did, in a callback) is one failed process, whose stacks say where.
    faulthandler.dump_traceback_later(LONGEST, exit=True)
    try:
        task = row.start(chosen.workload)
        yield from lines(chosen.workload, task, Plan(chosen.warm, chosen.samples, chosen.sample))
    except WrongResult as wrong:
        yield {"wrong": str(wrong)}
    finally:
        if task:
            task.close()
        faulthandler.cancel_dump_traceback_later()


runner.main("bench.peers.bridge", version, run, sys.argv[1:])
