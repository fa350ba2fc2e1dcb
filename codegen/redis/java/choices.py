"""Arguments that are one of several (choices.txt), as enums and classes of Java."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

CHOICES = Path(__file__).parent / "choices.txt"
#: Words that other choices have, too: the table's rows mean those.
SHADOWED = frozenset({"ArrayOperation", "BitOperation", "PredicateCombinator", "DeleteCondition", "HotkeysMetric"})


@dataclass(frozen=True)
class Case:
    """One of them: the name of its factory or constant, and what is sent."""

    method: str
    pieces: tuple[str, ...]

    @property
    def token(self) -> str:
        """The words at its start."""
        return " ".join(piece for piece in self.pieces if piece.isupper())

    @property
    def parameters(self) -> list[str]:
        return [piece for piece in self.pieces if not piece.isupper()]


@dataclass(frozen=True)
class Choice:
    """A choice with a name."""

    name: str
    cases: tuple[Case, ...]
    says: str

    @property
    def shadowed(self) -> bool:
        return self.name in SHADOWED

    @property
    def is_enum(self) -> bool:
        """Whether no case has an argument."""
        return not any(case.parameters for case in self.cases)

    def words(self) -> frozenset[str]:
        """The words that tell the cases apart."""
        return frozenset(case.token for case in self.cases)


def choices() -> dict[str, Choice]:
    """All of them by name."""
    found = {}
    for line in CHOICES.read_text(encoding="utf-8").splitlines():
        if not line or line.startswith("#"):
            continue
        name, _, rest = line.partition(" = ")
        cases, _, says = rest.partition(": ")
        made = []
        for text in cases.split(" | "):
            method, _, sent = text.rpartition(" = ")
            pieces = sent.split()
            first = re.split("[ -]", pieces[0].lower())
            made.append(Case(method or first[0] + "".join(part.capitalize() for part in first[1:]), tuple(pieces)))
        found[name] = Choice(name, tuple(made), says)
    return found
