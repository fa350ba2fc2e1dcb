"""The result record: a header that says where figures come from, and cells with raw rounds. Aggregates are never stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass, field, replace
from statistics import median
from typing import Any, NamedTuple

from bench.lab.plan import Job
from bench.lab.protocol import Peer, peer

SCHEMA = 1
OK, WRONG, CANNOT, FAILED, MISSING = "ok", "wrong result", "cannot", "failed", "missing"
COMPRESSED = ("zstd", "zstd_ns", "lz4", "lz4_ns")
ANY = "*"
"""Stands for the operation of a cell that has no figures, and for the workload and peer of a language that could not run."""


class Key(NamedTuple):
    """What a cell measures."""

    area: str
    workload: str
    op: str
    language: str
    peer: str


@dataclass
class Cell:
    """One operation of one peer on one workload.

    cpu, wall: one figure a round, by the round's name, each the median of that process's samples; cpu is empty where there is no
    clock for it. bytes, gz, zstd, lz4: of the encoded value, plain and after gzip, zstd at level 1 and lz4, with the CPU nanoseconds
    that the last two take. version: of the peer, as the process reported it. heap: bytes that one run takes; allocs: in how many
    pieces; both if reported, as bench/README.md says for each language. stats: the library's figures about itself (a buffer pool).
    """

    unit: str = "ns/op"
    cpu: dict[str, float] = field(default_factory=dict)
    wall: dict[str, float] = field(default_factory=dict)
    bytes: int | None = None
    gz: int | None = None
    zstd: int | None = None
    zstd_ns: float | None = None
    lz4: int | None = None
    lz4_ns: float | None = None
    sha256: str = ""
    version: str = ""
    allocs: float | None = None
    heap: float | None = None
    stats: dict[str, Any] = field(default_factory=dict)
    status: str = OK
    note: str = ""

    @property
    def figures(self) -> dict[str, float]:
        """What speeds are compared by: CPU time, the steadier one on a shared machine, or wall time where there is no other."""
        return self.cpu or self.wall


Cells = dict[Key, Cell]


@dataclass(frozen=True)
class Header:
    """Where a run's figures come from.

    peers: by language and name. code: by language and peer the hash of the benchmark's own code. absent: languages that could not
    run, with the reason. busy: processes that the lab itself kept spinning beside. planned: how many processes the run was to have.
    data: the user's own file, where there is one.
    """

    name: str
    started: str
    args: list[str]
    mode: str
    plan: dict[str, Any]
    areas: list[str]
    workloads: list[str]
    machine: dict[str, Any]
    versions: dict[str, str]
    commit: str
    dirty: bool
    load_before: float
    noise: float
    load_after: float | None = None
    ended: str = ""
    busy: int = 0
    planned: int = 0
    harness: dict[str, str] = field(default_factory=dict)
    peers: dict[str, dict[str, Peer]] = field(default_factory=dict)
    code: dict[str, dict[str, str]] = field(default_factory=dict)
    absent: dict[str, str] = field(default_factory=dict)
    data: dict[str, Any] | None = None
    schema: int = SCHEMA

    def as_json(self) -> dict[str, Any]:
        """What `from_json` reads."""
        return asdict(self)

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Header:
        """Reads a header; fields that this version does not know are left out."""
        known = {name: value for name, value in found.items() if name in cls.__dataclass_fields__}
        known["peers"] = {
            language: {name: peer(about) for name, about in peers.items()} for language, peers in found.get("peers", {}).items()
        }
        return cls(**known)


@dataclass(frozen=True)
class Run:
    """A run: header and cells."""

    header: Header
    cells: Cells

    def languages(self) -> list[str]:
        """Those that have cells, in the order in which they ran."""
        return list(dict.fromkeys(key.language for key in self.cells))

    def workloads(self) -> list[str]:
        """Those that have cells, in the order in which they ran."""
        return list(dict.fromkeys(key.workload for key in self.cells))

    def peer(self, key: Key) -> Peer:
        """What the peer of a cell declared."""
        return self.header.peers.get(key.language, {}).get(key.peer, Peer())

    def version(self, key: Key) -> str:
        """The version of a cell's peer."""
        cell = self.cells.get(key)
        return (cell.version if cell else "") or self.peer(key).version

    def code(self, key: Key) -> str:
        """The hash of the code that measured a cell."""
        return self.header.code.get(key.language, {}).get(key.peer, "")

    def only(self, wanted: Iterable[Key]) -> Run:
        """Returns the run with those cells alone."""
        chosen = set(wanted)
        return Run(self.header, {key: cell for key, cell in self.cells.items() if key in chosen})

    def merged(self, later: Run) -> Run:
        """Both, the later one winning by language and workload: rounds of two runs are never paired.

        A warning of one run holds for the merged one if cells of that run are still there.
        """
        taken = {(key.area, key.language, key.workload) for key in later.cells}
        cells = {key: cell for key, cell in self.cells.items() if (key.area, key.language, key.workload) not in taken}
        every = [self.header, later.header] if cells else [later.header]
        header = replace(
            later.header,
            name=f"{self.header.name}+{later.header.name}",
            commit=", ".join(dict.fromkeys(each.commit for each in every)),
            mode="quick" if any(each.mode == "quick" for each in every) else later.header.mode,
            dirty=any(each.dirty for each in every),
            busy=max(each.busy for each in every),
            load_before=max(each.load_before for each in every),
            load_after=max((each.load_after for each in every if each.load_after is not None), default=None),
            noise=max(each.noise for each in every),
            ended=later.header.ended if all(each.ended for each in every) else "",
            areas=list(dict.fromkeys([*self.header.areas, *later.header.areas])),
            workloads=list(dict.fromkeys([*self.header.workloads, *later.header.workloads])),
            versions=self.header.versions | later.header.versions,
            harness=self.header.harness | later.header.harness,
            peers=_joined(self.header.peers, later.header.peers),
            code=_joined(self.header.code, later.header.code),
            absent={
                language: why
                for language, why in (self.header.absent | later.header.absent).items()
                if language not in {key.language for key in [*cells, *later.cells]}
            },
        )
        return Run(header, cells | later.cells)

    def as_json(self) -> dict[str, Any]:
        """The result record."""
        rows = [
            {**key._asdict(), "code_hash": self.code(key), **_stored(cell), "version": self.version(key)}
            for key, cell in self.cells.items()
        ]
        return {**self.header.as_json(), "cells": rows}

    @classmethod
    def from_json(cls, found: dict[str, Any]) -> Run:
        """Reads a result record."""
        cells = {}
        for row in found["cells"]:
            key = Key(*(row[name] for name in Key._fields))
            rounds = row.get("rounds", {})
            known = {
                name: row[name]
                for name in ("unit", "bytes", "gz", *COMPRESSED, "sha256", "version", "allocs", "heap", "stats", "status", "note")
                if name in row
            }
            cpu = {name: both[0] for name, both in rounds.items() if both[0] is not None}
            cells[key] = Cell(cpu=cpu, wall={name: both[1] for name, both in rounds.items()}, **known)
        return cls(Header.from_json(found), cells)


def _joined(first: dict[str, dict[str, Any]], second: dict[str, dict[str, Any]]) -> dict[str, dict[str, Any]]:
    return {language: first.get(language, {}) | second.get(language, {}) for language in [*first, *second]}


def _stored(cell: Cell) -> dict[str, Any]:
    """Rounds as pairs of CPU and wall time; empty fields are left out."""
    rounds = {name: [cell.cpu.get(name), wall] for name, wall in cell.wall.items()}
    rest = {name: value for name, value in asdict(cell).items() if name not in ("cpu", "wall") and value not in (None, "", {})}
    return {**rest, "rounds": rounds} if rounds else rest


def fill(cells: Cells, job: Job, lines: list[dict[str, Any]]) -> None:
    """Puts the report of one process into cells. Anything but figures becomes the status of a cell without operation."""
    size: dict[str, Any] = {}
    cell = Cell()
    for line in lines:
        if "op" in line:
            figures = {name: [figure for figure in line.get(name) or [] if figure] for name in ("cpu", "wall")}
            if not figures["wall"]:
                continue
            key = Key(job.area, job.workload, line["op"], job.language, job.peer)
            cell = cells.setdefault(key, Cell(unit=line.get("unit", "ns/op")))
            for name, some in figures.items():
                if some:
                    getattr(cell, name)[str(job.round)] = _short(median(some))
            for name in ("allocs", "heap"):
                if line.get(name) is not None:
                    setattr(cell, name, _short(line[name]))
            cell.bytes, cell.gz = size.get("bytes"), size.get("gz")
            for name in COMPRESSED:
                setattr(cell, name, size.get(name))
            cell.sha256, cell.version = size.get("sha256", ""), size.get("version", "")
        elif "bytes" in line:
            size = line
        elif "stats" in line:
            cell.stats = line["stats"]
        else:
            for word, status in (("wrong", WRONG), ("cannot", CANNOT), ("failed", FAILED)):
                if word in line:
                    key = Key(job.area, job.workload, ANY, job.language, job.peer)
                    cells[key] = Cell(status=status, note=str(line[word]))


def _short(figure: float) -> float:
    """Five digits: more than the resolution of any clock here."""
    return float(f"{figure:.5g}")
