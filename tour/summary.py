"""Every format over all data sets: geometric means of its figures beside Samewire's compact profile."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, log

from tour.results import Report, Row


@dataclass(frozen=True)
class Mean:
    """How many times Samewire compact's size, encode and decode time in the same language. sets: over how many data sets."""

    language: str
    name: str
    ours: bool
    size: float
    encode: float
    decode: float
    sets: int


def means(reports: Sequence[Report]) -> list[Mean]:
    """One for each language and format, in the order of the reports."""
    found: list[Mean] = []
    for report in reports:
        pairs: dict[str, list[tuple[Row, Row]]] = {}
        for name, rows in report.sets.items():
            for row in rows:
                # protobuf writes an empty value as 0 bytes, which have no ratio.
                if isinstance(row, Row) and row.bytes > 0:
                    pairs.setdefault(row.name, []).append((row, report.ours(name)))
        for name, both in pairs.items():
            found.append(
                Mean(
                    language=report.language,
                    name=name,
                    ours=both[0][0].ours,
                    size=_mean([row.bytes / first.bytes for row, first in both]),
                    encode=_mean([row.encode_median / first.encode_median for row, first in both]),
                    decode=_mean([row.decode_median / first.decode_median for row, first in both]),
                    sets=len(both),
                )
            )
    return found


def _mean(ratios: list[float]) -> float:
    return exp(sum(map(log, ratios)) / len(ratios))
