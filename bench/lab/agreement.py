"""How far two runs agree: each ratio of ours beside the same one of the other run. It shows what a busy machine does to ratios."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from bench.lab.compare import Change
from bench.lab.languages import TITLES
from bench.lab.words import span, times

APART = ("further apart", "operation", "ours", "beside", "A", "95 %", "B", "95 %", "difference", "intervals")
"""The header of `Agreement.rest`."""
OVERLAP = {True: "overlap", False: "apart", None: "too few rounds"}


@dataclass(frozen=True)
class Agreement:
    """Pairs of comparable ratios, at least one. share: 0.1 lets the larger of two be 10 % above the smaller."""

    pairs: Sequence[Change]
    share: float

    @property
    def apart(self) -> list[Change]:
        """Pairs further apart than that, the worst first."""
        return sorted((each for each in self.pairs if each.distance > self.share), key=lambda each: -each.distance)

    @property
    def within(self) -> int:
        """How many pairs are not."""
        return len(self.pairs) - len(self.apart)

    @property
    def middle(self) -> float:
        """The median difference."""
        return median(each.distance for each in self.pairs)

    @property
    def worst(self) -> float:
        """The largest difference."""
        return max(each.distance for each in self.pairs)

    @property
    def overlapping(self) -> int:
        """How many of those further apart have intervals that share a value."""
        return sum(bool(each.overlap) for each in self.apart)

    def languages(self) -> dict[str, Agreement]:
        """The agreement of each language."""
        names = [name for name in TITLES if any(each.row.language == name for each in self.pairs)]
        return {name: Agreement([each for each in self.pairs if each.row.language == name], self.share) for name in names}

    def sentence(self) -> str:
        """All of it in one line."""
        text = (
            f"{self.within} of {len(self.pairs)} ratios within {self.share:.0%} of each other; "
            f"median difference {self.middle:.1%}, worst {self.worst:.1%}"
        )
        rest = f"; of the {len(self.apart)} further apart {self.overlapping} have 95 % intervals that overlap"
        return text + rest if self.apart else text

    def header(self) -> tuple[str, ...]:
        """Of `table`."""
        return "", "ratios", f"within {self.share:.0%}", "median difference", "worst", "further apart", "their intervals overlap"

    def table(self) -> list[list[str]]:
        """A line a language; of several also one of all."""
        lines = [each.line(TITLES[name]) for name, each in self.languages().items()]
        return [*lines, self.line("all")] if len(lines) > 1 else lines

    def line(self, name: str) -> list[str]:
        """One line of `table`."""
        rest = [str(len(self.apart)), str(self.overlapping)] if self.apart else ["0", ""]
        return [name, str(len(self.pairs)), str(self.within), f"{self.middle:.1%}", f"{self.worst:.1%}", *rest]

    def rest(self) -> list[list[str]]:
        """A line for each pair further apart."""
        return [_pair(each) for each in self.apart]


def _pair(change: Change) -> list[str]:
    row = change.row
    sides = [text for side in (change.before, change.after) if side for text in (times(side.middle), span(side.low, side.high))]
    where = f"{TITLES.get(row.language, row.language)}, {row.workload}"
    return [where, row.op, row.peer, change.reference, *sides, f"{change.distance:.1%}", OVERLAP[change.overlap]]
