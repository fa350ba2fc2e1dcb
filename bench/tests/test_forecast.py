"""A run's forecast of its end, and how it keeps within a budget, with a clock that the tests set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import pytest

from bench.lab.forecast import TYPICAL, Budget, Forecast
from bench.lab.languages import TITLES
from bench.lab.plan import Job, jobs

PEERS = {"jvm": {"a": ["v", "w"], "b": ["v", "w"]}, "rust": {"a": ["v", "w"]}}
JOBS = [
    *jobs("pack", ["v"], PEERS, 3),
    *jobs("grpc", ["calls"], {"grpc": {"a": ["calls"]}}, 3),
    *jobs("pack", ["w"], PEERS, 3),
]
"""Nine processes, three, nine."""


def made(seconds: float | None, took: dict[str, float], every: Sequence[Job] = JOBS) -> list[tuple[str, int]]:
    """Workloads and rounds that a run measures whose processes take so long."""
    now = [0.0]
    forecast = Forecast()
    budget = Budget(seconds, every, forecast, lambda: now[0])
    done: list[tuple[str, int]] = []
    for job in every:
        if budget.allows(job):
            now[0] += took[job.language]
            forecast.ended(job.language, took[job.language])
            done.append((job.workload, job.round))
    return list(dict.fromkeys(done))


def whole(workload: str, rounds: int = 3) -> list[tuple[str, int]]:
    return [(workload, number) for number in range(rounds)]


def test_every_language_has_a_typical_cost() -> None:
    assert set(TYPICAL) == set(TITLES)


def test_processes_are_expected_to_take_what_others_of_their_language_took() -> None:
    forecast = Forecast()
    assert forecast.seconds({"jvm": 3}) is None
    forecast.ended("jvm", 2 * TYPICAL["jvm"])
    assert forecast.seconds({"jvm": 3}) == pytest.approx(6 * TYPICAL["jvm"])
    # A language that has not run yet: as much slower than typical as those that have.
    assert forecast.seconds({"jvm": 1, "rust": 10}) == pytest.approx(2 * TYPICAL["jvm"] + 20 * TYPICAL["rust"])
    forecast.ended("rust", 0.1)
    assert forecast.seconds({"jvm": 1, "rust": 10}) == pytest.approx(2 * TYPICAL["jvm"] + 1.0)
    assert forecast.seconds({}) == 0.0


TOOK = {"jvm": 4.0, "rust": 2.0, "grpc": 5.0}
"""A workload of `pack` takes 30 seconds, the calls 15."""


@pytest.mark.parametrize(
    ("seconds", "measured"),
    [
        (None, [*whole("v"), *whole("calls"), *whole("w")]),
        (75.0, [*whole("v"), *whole("calls"), *whole("w")]),
        # No room for a second workload of thirty seconds.
        (65.0, [*whole("v"), *whole("calls")]),
        # Too slow for the first of each area: fewer rounds of them, but one of each in any case.
        (42.0, [*whole("v"), *whole("calls", 2)]),
        (25.0, [*whole("v", 2), *whole("calls", 1)]),
        (0.0, [*whole("v", 1), *whole("calls", 1)]),
    ],
)
def test_a_budget_is_held(seconds: float | None, measured: list[tuple[str, int]]) -> None:
    assert made(seconds, TOOK) == measured


def test_the_end_is_that_of_what_is_left_or_that_of_the_budget() -> None:
    now = [0.0]
    forecast = Forecast()
    budget, without = (Budget(seconds, JOBS, forecast, lambda: now[0]) for seconds in (25.0, None))
    every = Counter(job.language for job in JOBS)
    assert budget.left(every, JOBS[0]) is None
    for language, seconds in TOOK.items():
        forecast.ended(language, seconds)
    for job in JOBS[:2]:
        assert budget.allows(job) and without.allows(job)
    now[0] = 11.0
    assert without.left(every, JOBS[1]) == pytest.approx(75.0)
    assert budget.left(every, JOBS[1]) == pytest.approx(14.0)
    # The rest of a round that has begun is measured in any case: one process in each language.
    now[0] = 40.0
    assert budget.left(every, JOBS[1]) == pytest.approx(6.0)
