"""What the figures depend on: the machine, its load and how steady its clock ticks."""

from __future__ import annotations

import os
import platform
import subprocess
from pathlib import Path
from statistics import median
from time import perf_counter_ns
from typing import Any

from bench.lab.places import ROOT

BUSY_LOAD = 0.75
"""A load average, without our own processes, from which a run is called disturbed."""
NOISY = 0.05
"""A spread of equal work from which a machine is called unsteady."""


def describe() -> dict[str, Any]:
    """The hardware and the kernel, as far as the system tells."""
    return {
        "cpu": _field("/proc/cpuinfo", "model name") or platform.processor() or platform.machine(),
        "cores": os.cpu_count(),
        "governor": _text("/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor") or "not told",
        "kernel": f"{platform.system()} {platform.release()}",
        "mem": _field("/proc/meminfo", "MemTotal"),
    }


def load() -> float:
    """The load average of the last minute."""
    return round(os.getloadavg()[0], 2)


def noise(rounds: int = 40) -> float:
    """How much longer than the least the longer ones of equal pieces of work, about two milliseconds each, take: 0.05 is 5 %."""
    times = sorted(_spin() for _ in range(rounds))
    return round((times[int(rounds * 0.9)] - times[0]) / times[0], 3)


def _spin() -> int:
    began = perf_counter_ns()
    total = 0
    for number in range(30_000):
        total += number & 7
    return perf_counter_ns() - began


def resolution() -> float:
    """Nanoseconds between two readings of the clock that differ."""
    steps = []
    for _ in range(200):
        first = second = perf_counter_ns()
        while second == first:
            second = perf_counter_ns()
        steps.append(second - first)
    return median(steps)


def commit() -> tuple[str, bool]:
    """The commit of the work tree (ten digits; empty outside a repository) and whether the tree differs from it."""
    short = _git("rev-parse", "--short=10", "HEAD")
    return short, bool(short) and bool(_git("status", "--porcelain", "--untracked-files=no"))


def _git(*words: str) -> str:
    done = subprocess.run(["git", *words], cwd=ROOT, capture_output=True, text=True, check=False)
    return done.stdout.strip() if done.returncode == 0 else ""


def _text(path: str) -> str:
    try:
        return Path(path).read_text().strip()
    except OSError:
        return ""


def _field(path: str, name: str) -> str:
    lines = (line.split(":", 1) for line in _text(path).splitlines() if line.startswith(name))
    return next((line[1].strip() for line in lines), "")
