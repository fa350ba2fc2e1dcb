"""How much is measured, by what was asked for."""

from __future__ import annotations

from typing import Any

import pytest

from bench.lab.making import RunOptions


def options(**asked: Any) -> RunOptions:
    """Those of a command line with nothing but these words."""
    nothing: dict[str, Any] = {name: [] for name in ("areas", "languages", "workloads", "peers", "args")}
    nothing |= {"data": None, "rounds": None, "budget": None, "busy": 0}
    return RunOptions(**(nothing | dict.fromkeys(("quick", "full", "paired", "resume"), False) | asked))


@pytest.mark.parametrize(
    ("asked", "mode", "rounds", "budget"),
    [
        ({}, "normal", 5, None),
        ({"quick": True}, "quick", 3, 420.0),
        ({"full": True}, "full", 12, None),
        ({"full": True, "rounds": 5}, "full", 5, None),
        ({"quick": True, "budget": 0.5}, "quick", 3, 30.0),
        ({"quick": True, "budget": 0.0}, "quick", 3, 0.0),
    ],
)
def test_quick_full_and_neither(asked: dict[str, Any], mode: str, rounds: int, budget: float | None) -> None:
    plan = options(**asked).plan()
    assert (plan.mode, plan.rounds, plan.budget) == (mode, rounds, budget)


def test_a_full_run_warms_up_in_full_and_takes_more_of_everything() -> None:
    quick, full = options(quick=True).plan(), options(full=True).plan()
    assert full.warm == 1.0 and full.rounds >= 11
    assert all(getattr(full, name) > getattr(quick, name) for name in ("rounds", "samples", "sample", "warm", "once_rounds"))
