"""The jobs of apscheduler_jobs.py: they are stored by their names, and found by them."""

from __future__ import annotations

#: What the jobs of this process have noted.
noted: list[str] = []


def notes(what: str) -> None:
    noted.append(what)


def fails() -> None:
    raise ValueError("wrong")
