"""What runs, what is left, and when it will end: a live line on a terminal, else one line a process."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, Progress, TextColumn
from rich.table import Column

from bench.lab.languages import Language
from bench.lab.plan import Job
from bench.lab.run import Watcher
from bench.lab.words import gist


class Display(Watcher):
    """Shows a run on a console. A context manager: the live line goes when it ends."""

    def __init__(self, console: Console) -> None:
        self._console = console
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

    def building(self, language: Language) -> None:
        if self._live:
            self._live.update(self._task, description=f"building {language.title}", total=1, completed=0)
        else:
            self._console.print(f"building {language.title}")

    def begins(self, job: Job, done: int, total: int, left: float | None) -> None:
        where = f"{job.area} {job.workload}, round {job.round + 1}: {job.language} {job.peer}"
        if self._live:
            self._live.update(self._task, description=escape(f"{ending(left)}; {where}"), completed=done, total=total)
        else:
            self._console.print(f"{done + 1:,}/{total:,} {where}, {ending(left)}", highlight=False, markup=False, soft_wrap=True)

    def ended(self, job: Job, lines: list[dict[str, Any]]) -> None:
        for line in lines:
            for word in ("wrong", "cannot", "failed"):
                if word in line and job.round == 0:
                    text = f"{job.language} {job.peer}, {job.workload}: {word}: {gist(str(line[word]))}"
                    self._console.print(text, style="yellow", highlight=False, markup=False)


def ending(left: float | None) -> str:
    """When a run ends that has so many seconds left, by the clock; with the weekday if that is not today."""
    if left is None:
        return "end not known yet"
    now = datetime.now()
    end = now + timedelta(seconds=left)
    return f"{minutes(left)} left, ends about {end:{'%H:%M' if end.date() == now.date() else '%a %H:%M'}}"


def minutes(seconds: float) -> str:
    """A time span for people."""
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
