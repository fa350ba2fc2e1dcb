"""The command of runners in Python: ``list`` names the peers, ``PEER WORKLOAD --warm S --samples N --sample S`` times one of them.

A peer stands in the file ``with_…`` of its runner's package whose name its own begins with, and only that file is loaded. Output is
one JSON object a line, as `bench/lab/protocol.py` says.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Protocol


class Row(Protocol):
    """What a listing tells of a peer."""

    @property
    def package(self) -> str:
        """The distribution that tells the version, or a text that is the version."""

    @property
    def kind(self) -> str:
        """What it is beside others."""

    @property
    def checks(self) -> str:
        """What it does with its input."""

    @property
    def workloads(self) -> Sequence[str]:
        """What it carries."""

    @property
    def missing(self) -> str:
        """Why it cannot run here; empty if it can."""


def files(package: str) -> list[str]:
    """The names of the peers' files, after ``with_``."""
    folder = Path(str(import_module(package).__file__)).parent
    return sorted(path.stem.removeprefix("with_") for path in folder.glob("with_*.py"))


@cache
def rows(package: str, file: str) -> dict[str, Any]:
    """The rows of one file, each of its package's own kind."""
    found: dict[str, Any] = import_module(f"{package}.with_{file}").ROWS
    return found


def row_of(package: str, name: str) -> Any:
    """The row of a peer. Raises KeyError."""
    plain = name.replace("-", "_")
    file = max((file for file in files(package) if plain == file or plain.startswith(f"{file}_")), key=len, default="")
    if not file:
        raise KeyError(name)
    return rows(package, file)[name]


def version_of(row: Row) -> str:
    """That of the installed distribution, or what the row says."""
    try:
        return version(row.package)
    except (PackageNotFoundError, ValueError):
        return row.package


def listing(package: str, harness: str) -> dict[str, Any]:
    """Every peer; one whose library is not installed says so, and the others go on."""
    peers: dict[str, Any] = {}
    for file in files(package):
        try:
            found = rows(package, file)
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
    return {"harness": harness, "peers": peers}


def main(
    package: str,
    harness: Callable[[], str],
    run: Callable[[Any, argparse.Namespace], Iterator[dict[str, Any]]],
    arguments: list[str],
) -> None:
    """Does what the arguments say. run: the lines of one process that times a row."""
    if arguments == ["list"]:
        print(json.dumps(listing(package, harness())))
        return
    parser = argparse.ArgumentParser(prog=f"python -m {package}")
    parser.add_argument("peer")
    parser.add_argument("workload")
    parser.add_argument("--warm", type=float, default=0.5)
    parser.add_argument("--samples", type=int, default=5)
    parser.add_argument("--sample", type=float, default=0.05)
    chosen = parser.parse_args(arguments)
    row = row_of(package, chosen.peer)
    print(json.dumps({"version": version_of(row)}), flush=True)
    for line in run(row, chosen):
        print(json.dumps(line), flush=True)
