"""The rows of a run: one for each cell, with its interval and its ratio to the best peer."""

from __future__ import annotations

import fnmatch
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass
from statistics import median
from typing import Any

from bench.lab import stats
from bench.lab.protocol import LIMIT, OWN, Peer
from bench.lab.record import ANY, CANNOT, MISSING, OK, Cell, Key, Run
from bench.lab.stats import Interval

#: An interval that spans more than this factor decides nothing: neither a winner nor a tie.
RESOLVED = 1.5


@dataclass(frozen=True)
class Row:
    """One cell as ``show --json`` prints it; the names are a stable contract.

    median, low, high: wall time, in ``unit``, with its 95 % interval. cpu_median: CPU time, none where there is no clock for it.
    ratio: on our rows how many times as fast as the best peer, ``reference``; on others how many times as fast as that best peer
    (the best itself: 1). It is formed of CPU times where there are any. status: ``ok``, or why there is no figure.
    """

    area: str
    workload: str
    op: str
    language: str
    peer: str
    version: str
    ours: bool
    unit: str
    median: float | None
    low: float | None
    high: float | None
    cpu_median: float | None
    bytes: int | None
    gz: int | None
    ratio: float | None
    ratio_low: float | None
    ratio_high: float | None
    reference: str
    status: str
    note: str

    @property
    def key(self) -> Key:
        """Of the cell."""
        return Key(self.area, self.workload, self.op, self.language, self.peer)

    @property
    def time(self) -> float | None:
        """What is shown as its time: CPU time where there is a clock for it, else wall time."""
        return self.median if self.cpu_median is None else self.cpu_median

    @property
    def faster(self) -> bool:
        """Whether it is faster than the best peer: the whole interval is above 1."""
        return self.ratio_low is not None and self.ratio_low > 1.0

    @property
    def slower(self) -> bool:
        """Whether it is slower: the whole interval is below 1."""
        return self.ratio_high is not None and self.ratio_high < 1.0

    @property
    def same(self) -> bool:
        """Whether neither is faster by much: the interval includes 1, and is at most `RESOLVED` wide."""
        if self.ratio_low is None or self.ratio_high is None:
            return False
        return self.ratio_low <= 1.0 <= self.ratio_high <= RESOLVED * self.ratio_low

    @property
    def unresolved(self) -> bool:
        """Whether the interval includes 1 and is wider than that, or is not known."""
        return not (self.faster or self.slower or self.same)

    def as_json(self) -> dict[str, Any]:
        """The contract's fields, in their order."""
        return asdict(self)


def is_ours(peer: str) -> bool:
    """Whether a row is Samewire's."""
    return peer.startswith("samewire")


def wanted(peer: str, words: Sequence[str]) -> bool:
    """Whether one of the words means a peer: a part of its name (``fory`` means all of Fory's rows), or a shell pattern of all of it."""
    return not words or any(fnmatch.fnmatchcase(peer, word) if set(word) & set("*?[") else word in peer for word in words)


def rows(run: Run) -> list[Row]:
    """Every cell of a run, then one row for each language that could not run."""
    best = _best(run)
    found = [_row(run, key, cell, best.get(key._replace(peer=""))) for key, cell in run.cells.items()]
    found += [
        _absent(run, Key(area, ANY, ANY, language, ANY), why)
        for area in run.header.areas
        for language, why in run.header.absent.items()
    ]
    for language, peers in run.header.peers.items():
        for area in run.header.areas:
            for name, peer in peers.items():
                if peer.missing:
                    found.append(_absent(run, Key(area, ANY, ANY, language, name), peer.missing))
                elif run.header.data and not _carries(peers, name) and peer.kind != LIMIT:
                    key = Key(area, run.header.data["workload"], ANY, language, name)
                    found.append(_absent(run, key, "it is made for the reference data", CANNOT))
    return found


def _carries(peers: dict[str, Peer], name: str) -> bool:
    """Whether a peer carries a user's own file, in this or another of its forms; ours all do in one."""
    library = name.partition(".")[0]
    return is_ours(name) or any(OWN in peer.workloads for other, peer in peers.items() if other.partition(".")[0] == library)


def _best(run: Run) -> dict[Key, str]:
    """By cell without peer, the fastest peer: never ours, and no row that only shows a limit."""
    fastest: dict[Key, tuple[float, str]] = {}
    for key, cell in run.cells.items():
        if cell.status == OK and cell.figures and not is_ours(key.peer) and run.peer(key).kind != LIMIT:
            place, cost = key._replace(peer=""), (median(cell.figures.values()), key.peer)
            fastest[place] = min(fastest.get(place, cost), cost)
    return {place: peer for place, (_, peer) in fastest.items()}


def _row(run: Run, key: Key, cell: Cell, best: str | None) -> Row:
    wall = stats.interval(list(cell.wall.values())) if cell.wall else None
    against = against_peer(run, key, best) if best else None
    return Row(
        **key._asdict(),
        version=run.version(key),
        ours=is_ours(key.peer),
        unit=cell.unit,
        median=_short(wall and wall.middle),
        low=_short(wall and wall.low),
        high=_short(wall and wall.high),
        cpu_median=_short(median(cell.cpu.values())) if cell.cpu else None,
        bytes=cell.bytes,
        gz=cell.gz,
        ratio=_short(against and against.middle),
        ratio_low=_short(against and against.low),
        ratio_high=_short(against and against.high),
        reference=best or "",
        status=cell.status,
        note=cell.note,
    )


def against_peer(run: Run, key: Key, peer: str) -> Interval | None:
    """How many times as fast a cell is as the same cell of ``peer``; none where they share no round."""
    return stats.ONE if key.peer == peer else against_cell(run, key, key._replace(peer=peer))


def against_cell(run: Run, key: Key, other: Key) -> Interval | None:
    """How many times as fast a cell is as any other of the run; none where they share no round."""
    both = run.cells.get(key), run.cells.get(other)
    return stats.ratio(both[0].figures, both[1].figures) if both[0] and both[1] else None


def _absent(run: Run, key: Key, why: str, status: str = MISSING) -> Row:
    nothing = dict.fromkeys(("median", "low", "high", "cpu_median", "bytes", "gz", "ratio", "ratio_low", "ratio_high"))
    about = {
        "version": run.peer(key).version,
        "ours": is_ours(key.peer),
        "unit": "",
        "reference": "",
        "status": status,
        "note": why,
    }
    return Row(**key._asdict(), **nothing, **about)  # type: ignore[arg-type]


def _short(figure: float | None) -> float | None:
    return None if figure is None else float(f"{figure:.5g}")


def measured(found: Iterable[Row]) -> list[Row]:
    """Rows with figures."""
    return [row for row in found if row.median is not None]


SORTS = ("ratio", "median", "bytes", "gz", "peer", "workload")


def sort(found: list[Row], by: str) -> list[Row]:
    """Sorted by one of ``SORTS``; rows without that figure come last. Ratios descend, the others ascend."""

    def place(row: Row) -> tuple[bool, Any]:
        value = getattr(row, by)
        missing = value is None
        if missing:
            return True, 0
        return False, -value if by == "ratio" else value

    return sorted(found, key=place)
