"""What runs, what is left, and when it will end: a live line on a terminal, else one line a process."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from statistics import mean
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column

from bench.lab.languages import Language
from bench.lab.plan import Job
from bench.lab.run import Watcher
from bench.lab.words import gist


class Forecast:
    """Seconds that are left, from what processes of the same language took."""

    def __init__(self, every: Sequence[Job], budget: float | None) -> None:
        self._every = every
        self._budget = budget
        self._took: dict[str, list[float]] = {}
        self._spent = 0.0

    def ended(self, job: Job, seconds: float) -> None:
        """Takes in what one process took."""
        self._took.setdefault(job.language, []).append(seconds)
        self._spent += seconds

    def left(self, done: int) -> float | None:
        """Seconds for what comes after the first ``done`` processes; none before the first has ended."""
        if not self._took:
            return None
        known = {language: mean(took[-50:]) for language, took in self._took.items()}
        other = mean(known.values())
        seconds = sum(known.get(job.language, other) for job in self._every[done:])
        if self._budget is not None:
            # The first workload is measured whatever it takes.
            first = sum(known.get(job.language, other) for job in self._every[done:] if job.workload == self._every[0].workload)
            seconds = min(seconds, max(self._budget - self._spent, first, 0.0))
        return seconds


class Display(Watcher):
    """Shows a run on a console. A context manager: the live line goes when it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
        self._forecast = Forecast([], None)
        self._live: Progress | None = None
        if console.is_terminal:
            what = TextColumn("{task.description}", table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1))
            columns = [TextColumn("{task.completed:,.0f}/{task.total:,.0f}"), BarColumn(16), what]
            self._live = Progress(*columns, console=console, transient=True, expand=True)
            self._task = self._live.add_task("building", total=1)

    def __enter__(self) -> Display:
        if self._live:
            self._live.start()
        return self

    def __exit__(self, *_: object) -> None:
        if self._live:
            self._live.stop()

    def expect(self, every: Sequence[Job], budget: float | None) -> None:
        """Told once what will run."""
        self._forecast = Forecast(every, budget)

    def building(self, language: Language) -> None:
        if self._live:
            self._live.update(self._task, description=f"building {language.title}", total=1, completed=0)
        else:
            self._console.print(f"building {language.title}")

    def begins(self, job: Job, done: int, total: int) -> None:
        where = f"{job.area} {job.workload}, round {job.round + 1}: {job.language} {job.peer}"
        if self._live:
            self._live.update(self._task, description=escape(f"{self._end(done)}; {where}"), completed=done, total=total)
        else:
            self._console.print(
                f"{done + 1:,}/{total:,} {where}, {self._end(done)}", highlight=False, markup=False, soft_wrap=True
            )

    def ended(self, job: Job, lines: list[dict[str, Any]], seconds: float) -> None:
        self._forecast.ended(job, seconds)
        for line in lines:
            for word in ("wrong", "cannot", "failed"):
                if word in line and job.round == 0:
                    text = f"{job.language} {job.peer}, {job.workload}: {word}: {gist(str(line[word]))}"
                    self._console.print(text, style="yellow", highlight=False, markup=False)

    def _end(self, done: int) -> str:
        left = self._forecast.left(done)
        if left is None:
            return "end not known yet"
        end = datetime.now() + timedelta(seconds=left)
        return f"{minutes(left)} left, ends about {end:%H:%M}"


def minutes(seconds: float) -> str:
    """A time span for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
