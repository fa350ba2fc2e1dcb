"""``python -m bench.peers.bridge``: the runner of bridges to the JVM, as `bench/peers/runner.py` says."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from bench.peers import runner
from bench.peers.bridge.java import version
from bench.peers.bridge.peer import Row, WrongResult
from bench.peers.bridge.sampling import Plan, lines


def run(row: Row, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    task = None
    try:
        task = row.start(chosen.workload)
        yield from lines(chosen.workload, task, Plan(chosen.warm, chosen.samples, chosen.sample))
    except WrongResult as wrong:
        yield {"wrong": str(wrong)}
    finally:
        if task:
            task.close()


runner.main("bench.peers.bridge", version, run, sys.argv[1:])
