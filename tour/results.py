"""The reports of the hops."""

from __future__ import annotations

import gzip
import json
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

#: The order of the tour, and the names of the languages.
HOPS = {
    "python": "Python",
    "java": "Java",
    "bridge": "Python with Java",
    "typescript": "TypeScript",
    "redis": "Python with Valkey",
    "rust": "Rust",
}


@dataclass(frozen=True)
class Row:
    """One way to write one data set in one language.

    name: as shown. ours: whether it is Samewire. bytes, gzipped: sizes; gzip at level 6. encode, decode: nanoseconds of CPU
    time, an entry a round.
    """

    name: str
    ours: bool
    bytes: int
    gzipped: int
    encode: tuple[float, ...]
    decode: tuple[float, ...]

    @property
    def encode_median(self) -> float:
        """Nanoseconds."""
        return median(self.encode)

    @property
    def decode_median(self) -> float:
        """Nanoseconds."""
        return median(self.decode)


@dataclass(frozen=True)
class Refused:
    """A peer that cannot carry a data set, and its error."""

    name: str
    reason: str


@dataclass(frozen=True)
class Report:
    """One language. runtime: name and version of what ran it. sets: the rows of every data set by its id, ours first."""

    language: str
    runtime: str
    sets: dict[str, tuple[Row | Refused, ...]]

    def ours(self, name: str) -> Row:
        """The row that others are compared with."""
        row = self.sets[name][0]
        assert isinstance(row, Row)
        return row


def read_report(work: Path, language: str) -> Report:
    """Reads `<language>.json`.

    A row has `name`, `ours`, `file` (its bytes), `encode` and `decode`; or `name` and `refused`, the reason.
    """
    found = json.loads((work / f"{language}.json").read_text("utf-8"))
    sets = {name: tuple(_row(work / name, row) for row in rows) for name, rows in found["sets"].items()}
    return Report(language, found["runtime"], sets)


def _row(folder: Path, found: dict[str, Any]) -> Row | Refused:
    if "refused" in found:
        return Refused(found["name"], found["refused"])
    data = (folder / found["file"]).read_bytes()
    return Row(
        name=found["name"],
        ours=found["ours"],
        bytes=len(data),
        gzipped=len(gzip.compress(data, 6, mtime=0)),
        encode=tuple(found["encode"]),
        decode=tuple(found["decode"]),
    )


def write_results(path: Path, reports: list[Report]) -> None:
    """All figures as JSON."""
    path.write_text(json.dumps([asdict(report) for report in reports], indent=1) + "\n", "utf-8")
