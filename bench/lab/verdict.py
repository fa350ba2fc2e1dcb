"""Targets of a suite beside what was measured. A suite that has any keeps them in its ``verdicts.py``."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import NamedTuple

from bench.lab.record import Run

WORDS = {True: "met", False: "MISSED", None: "no figure"}


class Verdict(NamedTuple):
    """``met`` is none where something needed was not measured."""

    language: str
    what: str
    wanted: str
    measured: str
    met: bool | None


def verdicts(run: Run) -> list[Verdict]:
    """Every target of the run's areas."""
    found: list[Verdict] = []
    for area in run.header.areas:
        name = f"bench.suites.{area}.verdicts"
        if find_spec(f"bench.suites.{area}") and find_spec(name):
            found += import_module(name).verdicts(run)
    return found


def counted(found: Sequence[Verdict]) -> str:
    """How many were met."""
    return ", ".join(f"{sum(verdict.met is met for verdict in found)} {word}" for met, word in WORDS.items())
