"""The first stage: a day's trips of a bike rental, invented and always the same, into a record file.

usage: generate.py FILE
"""

import random
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Annotated

from samewire import pack

STATIONS = ("Harbour", "Market", "Museum", "Station", "University", "Zoo")
TRIPS = 5_000


@dataclass(slots=True, frozen=True)
class Trip:
    """One ride."""

    bike: Annotated[int, pack.I32]
    start: str
    end: str
    started: datetime
    minutes: Annotated[int, pack.I32]


def trips() -> Iterator[Trip]:
    """All trips of the day, in any order."""
    chance = random.Random(1)
    midnight = datetime(2026, 6, 1, tzinfo=UTC)
    for _ in range(TRIPS):
        start, end = chance.sample(STATIONS, 2)
        started = midnight + timedelta(seconds=int(chance.gauss(13 + STATIONS.index(start), 3) * 3600) % 86_400)
        yield Trip(chance.randrange(400), start, end, started, 3 + chance.randrange(40))


if __name__ == "__main__":
    with pack.RecordWriter(sys.argv[1], Trip) as out:
        out.write_many(trips())
