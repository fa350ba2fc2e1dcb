"""The user's question in one sentence: for this file, in this language, what is smallest and what is fastest?"""

from __future__ import annotations

from collections.abc import Sequence

from bench.lab.cells import Row, measured
from bench.lab.languages import TITLES
from bench.lab.protocol import LIMIT
from bench.lab.record import CANNOT, MISSING, OK, Run
from bench.lab.words import count, duration, gist


def sentences(run: Run, found: Sequence[Row], workload: str) -> list[str]:
    """One sentence a language: smallest, fastest to encode, fastest to decode."""
    said = []
    for language in run.languages():
        mine = [row for row in measured(found) if (row.language, row.workload) == (language, workload)]
        mine = [row for row in mine if run.peer(row.key).kind != LIMIT]
        sized = [row for row in mine if row.bytes]
        if sized:
            least = min(sized, key=lambda row: row.bytes or 0)
            parts = [f"smallest {least.peer} ({count(least.bytes)} B)"]
            for op in ("encode", "decode"):
                if timed := [row for row in mine if row.op == op]:
                    best = min(timed, key=lambda row: row.time or 0.0)
                    parts.append(f"fastest to {op} {best.peer} ({duration(best.time)})")
            said.append(f"For {workload}, in {TITLES.get(language, language)}: {', '.join(parts)}.")
    return said


def refused(found: Sequence[Row], workload: str) -> list[str]:
    """Peers that could not carry the value or changed it, with the reason."""
    return [
        f"{TITLES.get(row.language, row.language)} {row.peer}: {_why(row)}"
        for row in found
        if row.workload == workload and row.status not in (OK, MISSING)
    ]


def _why(row: Row) -> str:
    words = "cannot carry it" if row.status == CANNOT else row.status
    why = gist(row.note)
    return f"{words}: {why}" if why else words
