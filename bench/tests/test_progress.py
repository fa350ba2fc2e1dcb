"""What a run says while it runs."""

from __future__ import annotations

import io
import re

import pytest
from rich.console import Console

from bench.lab.languages import LANGUAGES
from bench.lab.plan import Job
from bench.lab.progress import Display, ending, minutes

JOBS = [Job("pack", workload, 0, language, "a") for workload in ("booksNum", "tree") for language in ("jvm", "rust")]


@pytest.mark.parametrize("terminal", [True, False])
def test_a_run_is_shown(terminal: bool) -> None:
    out = io.StringIO()
    with Display(Console(file=out, force_terminal=terminal, width=140)) as display:
        display.building(LANGUAGES[0])
        for done, job in enumerate(JOBS):
            display.begins(job, done, len(JOBS), 2.0 if done else None)
            display.ended(job, [{"cannot": "no unions [at all]"}] if done == 1 else [])
    text = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", out.getvalue())
    assert "rust a, booksNum: cannot: no unions [at all]" in text
    if terminal:
        # The live line is drawn some times a second; its last state always.
        assert "building" in text and "pack tree, round 1: rust a" in text
    else:
        assert "building JVM" in text and "1/4 pack booksNum, round 1: jvm a, end not known yet" in text
        assert re.search(r"4/4 pack tree, round 1: rust a, 2 s left, ends about (\w+ )?\d\d:\d\d", text)


def test_an_end_on_another_day_has_its_weekday() -> None:
    assert re.fullmatch(r"24\.0 h left, ends about [A-Z][a-z]{2} \d\d:\d\d", ending(86_400.0))


@pytest.mark.parametrize(("seconds", "text"), [(5.0, "5 s"), (120.0, "2 min"), (7200.0, "2.0 h")])
def test_time_spans(seconds: float, text: str) -> None:
    assert minutes(seconds) == text
