"""What a run says while it runs."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from bench.lab.languages import LANGUAGES
from bench.lab.plan import Job
from bench.lab.progress import Display, Forecast, minutes

JOBS = [Job("pack", workload, 0, language, "a") for workload in ("booksNum", "tree") for language in ("jvm", "rust")]


def test_what_is_left_is_told_by_language() -> None:
    forecast = Forecast(JOBS, None)
    assert forecast.left(0) is None
    forecast.ended(JOBS[0], 6.0)
    assert forecast.left(1) == pytest.approx(18.0)
    forecast.ended(JOBS[1], 1.0)
    assert forecast.left(2) == pytest.approx(7.0)
    assert forecast.left(4) == 0.0


def test_a_budget_ends_all_but_the_first_workload() -> None:
    forecast = Forecast(JOBS, 8.0)
    forecast.ended(JOBS[0], 6.0)
    assert forecast.left(1) == pytest.approx(6.0)
    forecast.ended(JOBS[1], 1.0)
    assert forecast.left(2) == pytest.approx(1.0)


@pytest.mark.parametrize("terminal", [True, False])
def test_a_run_is_shown(terminal: bool) -> None:
    out = io.StringIO()
    with Display(Console(file=out, force_terminal=terminal, width=140)) as display:
        display.building(LANGUAGES[0])
        display.expect(JOBS, None)
        for done, job in enumerate(JOBS):
            display.begins(job, done, len(JOBS))
            display.ended(job, [{"cannot": "no unions [at all]"}] if done == 1 else [], 2.0)
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert "rust a, booksNum: cannot: no unions [at all]" in text
    if terminal:
        # The live line is drawn some times a second; its last state always.
        assert "building" in text and "pack tree, round 1: rust a" in text
    else:
        assert "building JVM" in text and "1/4 pack booksNum, round 1: jvm a, end not known yet" in text
        assert re.search(r"4/4 pack tree, round 1: rust a, 2 s left, ends about \d\d:\d\d", text)


@pytest.mark.parametrize(("seconds", "text"), [(5.0, "5 s"), (120.0, "2 min"), (7200.0, "2.0 h")])
def test_time_spans(seconds: float, text: str) -> None:
    assert minutes(seconds) == text
