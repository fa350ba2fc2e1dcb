"""The input of the hops: which data sets, and how long to measure."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path


@dataclass(frozen=True)
class PlannedSet:
    """id: of the data set. outer: of its Java class."""

    id: str
    outer: str


@dataclass(frozen=True)
class Plan:
    """warm: seconds of warm-up for each operation. rounds: each operation is timed once in each. round: seconds of one."""

    sets: tuple[PlannedSet, ...]
    warm: float
    rounds: int
    round: float

    def write(self, work: Path) -> None:
        """Writes `tour.json`."""
        (work / "tour.json").write_text(json.dumps(asdict(self), indent=1) + "\n", "utf-8")

    @classmethod
    def read(cls, work: Path) -> Plan:
        """Reads what `write` wrote."""
        found = json.loads((work / "tour.json").read_text("utf-8"))
        return cls(tuple(PlannedSet(**each) for each in found.pop("sets")), **found)
