"""An area's suite: its workloads, operations and what it says of them, read from its folder.

A workload is one file in the suite's ``workloads/``: ``NAME.toml`` names a value that every runner makes itself (its digest is
compared) or data of a package with a ``source`` and, beside it, a ``.schema``; ``NAME.json``, ``.ndjson`` or ``.csv`` *is* the value.
What stands in files runners carry as they carry a user's own.
"""

from __future__ import annotations

import fnmatch
import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.lab.places import SUITES

LAST = 1_000
"""The place of areas and workloads whose file gives none."""
DATA_ENDINGS = (".json", ".ndjson", ".csv")


class SuiteError(Exception):
    """A file of a suite is not what it has to be, or there is no such suite or workload."""


@dataclass(frozen=True)
class Operation:
    """One thing that is timed. whole: stands in sentences and charts. once: paid once a process, never in a ratio of speeds.

    percentile: of single calls or messages, what so many of a hundred do not exceed.
    """

    name: str
    about: str
    whole: bool = False
    once: bool = False
    percentile: float | None = None


@dataclass(frozen=True)
class Workload:
    """One value. digest: of what runners make themselves; data: the file that is the value. One of the two is given."""

    name: str
    title: str
    about: str
    order: int
    digest: str = ""
    items: int = 0
    quick: bool = False
    summary: bool = False
    """Whether it stands in the README's table."""
    rounds: int = 0
    """The most rounds that are measured of it; 0 for all of the run."""
    data: Path | None = None
    source: str = ""
    """Where the data of a field corpus are: a file in a package that the suite installs, or the suite's module that generates them."""
    part: str = ""
    """The member of the file's object that is the value; empty for all of it."""
    rows: int = 0
    """How many rows are generated; 0 for a file."""
    schema: Path | None = None
    """The schema of such data, as an expert would write it. A file of the workload's name, or of the generator's."""
    held_out: bool = False
    """Whether it is kept out of profiling and tuning, so that it shows what users of other data get."""

    @property
    def carried(self) -> bool:
        """Whether runners are handed the value in a file; else they make it themselves."""
        return self.data is not None or self.schema is not None


@dataclass(frozen=True)
class Reason:
    """Why we are behind where ``language/workload/peer/op`` of our row matches ``where``, a shell pattern."""

    where: str
    why: str


@dataclass(frozen=True)
class Suite:
    """One area."""

    name: str
    title: str
    about: str
    languages: tuple[str, ...]
    """Runners that measure this area, by the names in ``languages.py``."""
    operations: tuple[Operation, ...]
    workloads: dict[str, Workload]
    lead: dict[str, list[str]]
    profiles: tuple[str, ...]
    """Ours in its settings: rows ``samewire-PROFILE…``, a column each where bytes are shown."""
    incumbent: str
    """The peer that most users come from, if there is one: it is shown beside ours, however many are faster."""
    quick_without: tuple[str, ...]
    """Shell patterns of ``language/peer`` that ``--quick`` leaves out, as others stand for them."""
    reasons: tuple[Reason, ...]
    reference: dict[str, Any]
    left_out: tuple[str, ...] = ()
    """Shell patterns of ``language/workload/peer`` that no run measures."""
    full_only: tuple[str, ...] = ()
    """Such patterns of what only ``--full`` measures, and a run that names a workload or a peer."""
    engine_defaults: bool = False
    """Whether engines run as users start them, without the options that steady figures elsewhere."""
    instead_by: str = ""
    """The area that stands for this one in the README once it has been measured."""
    trailing: float = 0.0
    """A peer that takes more than so many times the best one's time in every operation has one round; 0 for all rounds."""

    def operation(self, name: str) -> Operation:
        """The operation of that name; one that the suite does not know has no text of its own."""
        return next((each for each in self.operations if each.name == name), Operation(name, ""))

    def rank(self, op: str) -> int:
        """The place of an operation in a table."""
        names = [each.name for each in self.operations]
        return names.index(op) if op in names else len(names)

    def leads(self, language: str) -> list[str]:
        """Rows of ours that may stand for all in that language, the first that was measured first."""
        return self.lead.get(language, self.lead.get("default", []))

    def in_quick(self, language: str, peer: str) -> bool:
        """Whether ``--quick`` measures a peer."""
        return not any(fnmatch.fnmatchcase(f"{language}/{peer}", pattern) for pattern in self.quick_without)

    def measures(self, language: str, workload: str, peer: str) -> bool:
        """Whether a run measures a peer on a workload that it carries."""
        return not any(fnmatch.fnmatchcase(f"{language}/{workload}/{peer}", pattern) for pattern in self.left_out)

    def in_every(self, language: str, workload: str, peer: str) -> bool:
        """Whether a run without ``--full`` measures a peer on a workload when neither is named."""
        return not any(fnmatch.fnmatchcase(f"{language}/{workload}/{peer}", pattern) for pattern in self.full_only)

    def reason(self, language: str, workload: str, peer: str, op: str) -> str:
        """Why this row of ours is behind; empty without a recorded reason. Size (op ``bytes``) has reasons of its own."""
        cell = f"{language}/{workload}/{peer}/{op}"
        fitting = (reason for reason in self.reasons if reason.where.endswith("/bytes") == (op == "bytes"))
        return next((reason.why for reason in fitting if fnmatch.fnmatchcase(cell, reason.where)), "")


def names(root: Path = SUITES) -> list[str]:
    """The areas that there are, in the order that their files give."""
    found = [(_toml(path).get("order", LAST), path.parent.name) for path in root.glob("*/suite.toml")]
    return [name for _, name in sorted(found)]


def load(name: str, root: Path = SUITES) -> Suite:
    """Reads one suite. Raises SuiteError."""
    folder = root / name
    if not (folder / "suite.toml").is_file():
        raise SuiteError(f"there is no area {name!r}; there are: {', '.join(names(root))}")
    head = _toml(folder / "suite.toml")
    reasons = _toml(folder / "reasons.toml").get("reason", []) if (folder / "reasons.toml").exists() else []
    return Suite(
        name=name,
        title=head["title"],
        about=head["about"],
        languages=tuple(head["languages"]),
        operations=tuple(Operation(**each) for each in head["operation"]),
        workloads=_workloads(folder / "workloads"),
        lead=head.get("lead", {}),
        profiles=tuple(head.get("profiles", [])),
        incumbent=head.get("incumbent", ""),
        quick_without=tuple(head.get("quick_without", [])),
        left_out=tuple(head.get("left_out", [])),
        full_only=tuple(head.get("full_only", [])),
        engine_defaults=head.get("engine_defaults", False),
        instead_by=head.get("instead_by", ""),
        trailing=head.get("trailing", 0.0),
        reasons=tuple(Reason(**each) for each in reasons),
        reference=_toml(folder / "reference.toml") if (folder / "reference.toml").exists() else {},
    )


def _workloads(folder: Path) -> dict[str, Workload]:
    found = [workload(path) for path in sorted(folder.iterdir()) if path.suffix in (".toml", *DATA_ENDINGS)]
    return {each.name: each for each in sorted(found, key=lambda each: (each.order, each.name))}


def workload(path: Path) -> Workload:
    """One workload from its file. Raises SuiteError."""
    if path.suffix in DATA_ENDINGS:
        return Workload(path.stem, path.name, "a file carried as a user's own", order=LAST, data=path)
    told = _toml(path)
    if told.get("source"):
        told["schema"] = path.with_name(f"{told['source'] if told.get('rows') else path.stem}.schema")
    try:
        return Workload(path.stem, **told)
    except TypeError as wrong:
        raise SuiteError(f"{path}: {str(wrong).replace('Workload.__init__() ', '')}") from None


def choose(workloads: dict[str, Workload], wanted: Sequence[str], quick: bool) -> list[Workload]:
    """The named ones, or all; of ``--quick`` those marked so. Raises SuiteError for an unknown name."""
    for name in wanted:
        if name not in workloads:
            raise SuiteError(f"there is no workload {name!r}; there are: {', '.join(workloads)}")
    return [each for each in workloads.values() if (each.name in wanted if wanted else each.quick or not quick)]


def chosen(suites: Sequence[Suite], wanted: Sequence[str], quick: bool) -> list[tuple[Suite, list[Workload]]]:
    """Areas with what is chosen of each; those that have none of the named workloads are left out. Raises SuiteError."""
    every = {name: workload for suite in suites for name, workload in suite.workloads.items()}
    named = {workload.name for workload in choose(every, wanted, quick)}
    found = [(suite, [workload for workload in suite.workloads.values() if workload.name in named]) for suite in suites]
    return [(suite, workloads) for suite, workloads in found if workloads]


def _toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text("utf-8"))
    except tomllib.TOMLDecodeError as wrong:
        raise SuiteError(f"{path}: {wrong}") from None
