"""``python -m bench.peers.redis``: the runner of clients of Redis, as `bench/peers/runner.py` says. Each process has a server of its own."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from typing import Any

from bench.peers import runner
from bench.peers.redis.peer import Row, WrongReply
from bench.peers.redis.sampling import Plan, lines
from bench.peers.redis.server import served, version


def run(row: Row, chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    with served() as server:
        try:
            task = row.start(chosen.workload, server)
            yield from lines(chosen.workload, task, Plan(chosen.warm, chosen.samples, chosen.sample))
            task.close()
        except WrongReply as wrong:
            yield {"wrong": str(wrong)}


runner.main("bench.peers.redis", version, run, sys.argv[1:])
