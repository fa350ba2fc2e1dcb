"""Runs on disk.

A run that is being made is a folder: ``run.json``, the header, and ``processes.ndjson``, to which every finished process adds one
line with its raw figures. Nothing is ever rewritten there, so a run can be stopped at any time and gone on with. A kept run is
one JSON file with the header and, for every cell, one figure a round.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from pathlib import Path
from typing import Any

from bench.lab.places import RESULTS, RUNS
from bench.lab.plan import Job
from bench.lab.record import Cells, Header, Run, fill

HEADER, JOURNAL = "run.json", "processes.ndjson"
ALONE = "-alone"
"""Ends the name of a run whose processes ran in turn with those of a busy one."""


class StoreError(Exception):
    """There is no such run, or its files are damaged."""


class Folder:
    """A run that is being made."""

    def __init__(self, path: Path) -> None:
        self.path = path

    @property
    def name(self) -> str:
        """Of the run."""
        return self.path.name

    @property
    def alone(self) -> Folder:
        """The run whose processes are those of this one without busy neighbours."""
        return Folder(self.path.with_name(self.name + ALONE))

    @property
    def is_alone(self) -> bool:
        """Whether this is such a run."""
        return self.name.endswith(ALONE)

    def write_header(self, header: Header) -> None:
        """Replaces the header as a whole: a reader never sees half of it."""
        self.path.mkdir(parents=True, exist_ok=True)
        fresh = self.path / f"{HEADER}.new"
        fresh.write_text(json.dumps(header.as_json(), indent=1) + "\n", "utf-8")
        fresh.replace(self.path / HEADER)

    def header(self) -> Header:
        """Raises StoreError."""
        return Header.from_json(_json(self.path / HEADER))

    def append(self, job: Job, lines: list[dict[str, Any]], seconds: float) -> None:
        """Adds one finished process; it is on disk when this returns."""
        entry = {**job._asdict(), "seconds": round(seconds, 3), "lines": lines}
        with (self.path / JOURNAL).open("a", encoding="utf-8") as file:
            file.write(json.dumps(entry, separators=(",", ":")) + "\n")
            file.flush()
            os.fsync(file.fileno())

    def processes(self) -> Iterator[tuple[Job, list[dict[str, Any]]]]:
        """Every finished process. A last line that was cut off by a crash does not count."""
        path = self.path / JOURNAL
        if not path.exists():
            return
        for line in path.read_text("utf-8").splitlines(keepends=True):
            if line.endswith("\n"):
                entry = json.loads(line)
                yield Job(*(entry[name] for name in Job._fields)), entry["lines"]


def new_folder(now: datetime, commit: str, root: Path = RUNS) -> Folder:
    """A folder named after date, time and commit."""
    base = f"{now:%Y-%m-%d-%H%M%S}-{commit[:7] or 'nocommit'}"
    name, number = base, 2
    while (root / name).exists():
        name, number = f"{base}-{number}", number + 1
    return Folder(root / name)


def folders(root: Path = RUNS) -> list[Folder]:
    """Runs made here, the oldest first."""
    return [Folder(path.parent) for path in sorted(root.glob(f"*/{HEADER}"))]


def kept(root: Path = RESULTS) -> list[Path]:
    """Runs that are committed, the oldest first."""
    return sorted(root.glob("*/*.json"))


def find(name: str, runs: Path = RUNS, results: Path = RESULTS) -> Path:
    """The folder or file of a run: ``last``, its name, the end or the beginning of it (of several the newest), or a path.

    Raises StoreError.
    """
    made = [folder.path for folder in folders(runs)]
    stored = kept(results)
    if name == "last":
        if made or stored:
            return (made or stored)[-1]
        raise StoreError("there is no run yet: bench run --quick makes one")
    if (path := Path(name)).exists():
        return path
    every = [*made, *stored]
    found = [path for path in every if path.stem == name] or [
        path for path in every if path.stem.startswith(name) or path.stem.endswith(name)
    ]
    if not found:
        raise StoreError(f"there is no run {name!r}: bench list names those that there are")
    return max(found, key=lambda path: path.stem)


def read(path: Path) -> Run:
    """A run from its folder or its file. Raises StoreError."""
    if path.is_dir():
        folder = Folder(path)
        cells: Cells = {}
        for job, lines in folder.processes():
            fill(cells, job, lines)
        return Run(folder.header(), cells)
    found = _json(path)
    try:
        return Run.from_json(found)
    except (AttributeError, KeyError, TypeError, ValueError):
        raise StoreError(f"{path} is not a run of this lab") from None


def read_all(names: Iterable[str]) -> Run:
    """One run, or several merged: of each language and workload the last run that has it. Raises StoreError."""
    runs = [read(find(name)) for name in names]
    merged = runs[0]
    for run in runs[1:]:
        merged = merged.merged(run)
    return merged


def keep(run: Run, root: Path = RESULTS) -> Path:
    """Writes a run as one small file, to be committed."""
    cpu = re.sub(r"[^a-z0-9]+", "-", run.header.machine["cpu"].lower()).strip("-")
    path = root / f"{cpu}-{run.header.machine['cores']}-cores" / f"{run.header.name}.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    document = run.as_json()
    head = {name: value for name, value in document.items() if name != "cells"}
    # One cell a line: small, and a diff shows what changed.
    rows = ",\n".join(json.dumps(cell, separators=(",", ":")) for cell in document["cells"])
    path.write_text(json.dumps(head, indent=1)[:-2] + f',\n "cells": [\n{rows}\n]}}\n', "utf-8")
    return path


def _json(path: Path) -> Any:
    try:
        return json.loads(path.read_text("utf-8"))
    except FileNotFoundError:
        raise StoreError(f"{path} does not exist") from None
    except OSError as wrong:
        raise StoreError(f"{path}: {wrong.strerror}") from None
    except ValueError as wrong:
        raise StoreError(f"{path} is damaged: {wrong}") from None
