"""``python -m bench.peers.bridge list`` names the peers; ``… PEER WORKLOAD --warm S --samples N --sample S`` times one of them.

Only the file of that peer is loaded. Output is one JSON object a line, as `bench/lab/protocol.py` says.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Iterator
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from bench.peers.bridge.java import version as version_of_java
from bench.peers.bridge.peer import Row, WrongResult
from bench.peers.bridge.sampling import Plan, lines


def files() -> list[str]:
    """The names of the peers' files, after ``with_``."""
    return sorted(path.stem.removeprefix("with_") for path in Path(__file__).parent.glob("with_*.py"))


@cache
def rows(file: str) -> dict[str, Row]:
    """The rows of one file."""
    found: dict[str, Row] = import_module(f"bench.peers.bridge.with_{file}").ROWS
    return found


def row_of(name: str) -> Row:
    """The row of a peer. Raises KeyError."""
    plain = name.replace("-", "_")
    file = max((file for file in files() if plain == file or plain.startswith(f"{file}_")), key=len, default="")
    if not file:
        raise KeyError(name)
    return rows(file)[name]


def version_of(row: Row) -> str:
    """That of the installed distribution, or what the row says."""
    try:
        return version(row.package)
    except (PackageNotFoundError, ValueError):
        return row.package


def listing() -> dict[str, Any]:
    """Every peer; one whose library is not installed says so, and the others go on."""
    peers: dict[str, Any] = {}
    for file in files():
        try:
            found = rows(file)
        except ImportError as why:
            peers[file] = {"missing": str(why)}
            continue
        for name, row in found.items():
            peers[name] = {
                "workloads": list(row.workloads),
                "version": "" if row.missing else version_of(row),
                "kind": row.kind,
                "checks": row.checks,
                "missing": row.missing,
            }
    return {"harness": version_of_java(), "peers": peers}


def run(chosen: argparse.Namespace) -> Iterator[dict[str, Any]]:
    """The lines of one process."""
    row = row_of(chosen.peer)
    plan = Plan(chosen.warm, chosen.samples, chosen.sample)
    yield {"version": version_of(row)}
    task = None
    try:
        task = row.start(chosen.workload)
        yield from lines(chosen.workload, task, plan)
    except WrongResult as wrong:
        yield {"wrong": str(wrong)}
    finally:
        if task:
            task.close()


def main(arguments: list[str]) -> None:
    """See the module's own text."""
    if arguments == ["list"]:
        print(json.dumps(listing()))
        return
    parser = argparse.ArgumentParser(prog="python -m bench.peers.bridge")
    parser.add_argument("peer")
    parser.add_argument("workload")
    parser.add_argument("--warm", type=float, default=0.5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--sample", type=float, default=0.05)
    for line in run(parser.parse_args(arguments)):
        print(json.dumps(line), flush=True)


main(sys.argv[1:])
