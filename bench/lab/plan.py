"""How much is measured, and in which order."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple


@dataclass(frozen=True)
class Plan:
    """``rounds`` fresh processes for each peer and workload; each takes ``samples`` samples of ``sample`` seconds.

    warm: share of a language's longest warm-up that is used. budget: seconds in which workloads after the first
    have to find room, or none.
    """

    mode: str
    rounds: int
    samples: int
    sample: float
    warm: float
    budget: float | None = None
    once_rounds: int = 3
    """Rounds in which also what is paid once is timed."""


QUICK = Plan("quick", rounds=3, samples=3, sample=0.02, warm=0.3, budget=420.0, once_rounds=1)
NORMAL = Plan("normal", rounds=5, samples=5, sample=0.05, warm=1.0)
FULL = Plan("full", rounds=12, samples=5, sample=0.05, warm=1.0)


class Job(NamedTuple):
    """One process: a peer on a workload, in a round. Round numbers begin with 0."""

    area: str
    workload: str
    round: int
    language: str
    peer: str

    @property
    def place(self) -> tuple[str, str, str, str]:
        """What it measures, whichever the round."""
        return self.area, self.language, self.workload, self.peer


def jobs(area: str, workloads: Sequence[str], offered: dict[str, dict[str, list[str]]], rounds: int) -> Iterator[Job]:
    """Every process of an area: workloads outermost, so that an interrupted run has finished cells; then rounds, languages, peers.

    offered: by language and peer, the workloads that it carries. The order of peers rotates with the round, so that none always
    runs after the same neighbour.
    """
    for workload in workloads:
        for number in range(rounds):
            for language, peers in offered.items():
                names = [peer for peer, carried in peers.items() if workload in carried]
                turn = number % max(len(names), 1)
                for peer in names[turn:] + names[:turn]:
                    yield Job(area, workload, number, language, peer)
