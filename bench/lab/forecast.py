"""How long what is left will take, and how much of it a budget has room for."""

from __future__ import annotations

import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from statistics import mean

from bench.lab.plan import Job

TYPICAL = {
    "jvm": 2.5,
    "node": 0.9,
    "chromium": 1.8,
    "python": 1.3,
    "rust": 0.5,
    "grpc": 4.0,
    "redis": 2.5,
    "bridge": 2.5,
    "redis_jvm": 3.5,
    "redis_jvm_25": 3.5,
    "spark": 25.0,
}
"""Seconds of one process of a quick run on an idle machine: what a language that has not run yet is taken to need beside those that have."""
REMEMBERED = 50
"""Processes of a language that tell how long the next one takes."""


class Forecast:
    """Learns from every process that has ended how long others will take."""

    def __init__(self) -> None:
        self._took: dict[str, deque[float]] = {}

    def ended(self, language: str, seconds: float) -> None:
        """Takes in what one process took."""
        self._took.setdefault(language, deque(maxlen=REMEMBERED)).append(seconds)

    def seconds(self, processes: Mapping[str, int]) -> float | None:
        """What so many processes of each language will take; none before the first process has ended."""
        if not self._took:
            return None
        known = {language: mean(took) for language, took in self._took.items()}
        slowness = mean(seconds / TYPICAL.get(language, 1.0) for language, seconds in known.items())
        return sum(count * known.get(language, slowness * TYPICAL.get(language, 1.0)) for language, count in processes.items())


class Budget:
    """Which of a run's processes may begin within so many seconds; without a number, all.

    A workload begins if all its rounds are expected to fit, so that what is measured is measured well; the first of each area begins in
    any case. A later round of a workload that has begun needs room as well: on a machine that is too slow, cells have fewer rounds,
    which is said of them, rather than a run no end.
    """

    def __init__(
        self, seconds: float | None, every: Iterable[Job], forecast: Forecast, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._seconds = seconds
        self._forecast = forecast
        self._clock = clock
        self._began = clock()
        self._workloads: dict[tuple[str, str], Counter[str]] = {}
        self._rounds: dict[tuple[str, str, int], Counter[str]] = {}
        for job in every:
            self._workloads.setdefault((job.area, job.workload), Counter())[job.language] += 1
            self._rounds.setdefault((job.area, job.workload, job.round), Counter())[job.language] += 1
        self._workload_fits: dict[tuple[str, str], bool] = {}
        self._round_fits: dict[tuple[str, str, int], bool] = {}
        self._begun: Counter[str] = Counter()
        """Of the round that is running, by language."""

    def allows(self, job: Job) -> bool:
        """Whether this process may begin; processes are asked about in the order of the run."""
        workload, part = (job.area, job.workload), (job.area, job.workload, job.round)
        if workload not in self._workload_fits:
            first = all(area != job.area for area, _ in self._workload_fits)
            self._workload_fits[workload] = first or self._fits(self._workloads[workload])
            self._round_fits[part] = True
            self._begun.clear()
        if part not in self._round_fits:
            self._round_fits[part] = self._fits(self._rounds[part])
            self._begun.clear()
        allowed = self._workload_fits[workload] and self._round_fits[part]
        self._begun[job.language] += allowed
        return allowed

    def left(self, processes: Mapping[str, int], job: Job) -> float | None:
        """Seconds until the run ends, None while unknown; ``processes`` are all that are left, ``job`` was allowed last."""
        seconds = self._forecast.seconds(processes)
        if seconds is None or self._seconds is None:
            return seconds
        rest = self._rounds[job.area, job.workload, job.round] - self._begun + Counter([job.language])
        return min(seconds, max(self._room(), self._forecast.seconds(rest) or 0.0))

    def _room(self) -> float:
        return (self._seconds or 0.0) - (self._clock() - self._began)

    def _fits(self, processes: Mapping[str, int]) -> bool:
        return self._seconds is None or (self._forecast.seconds(processes) or 0.0) <= self._room()
