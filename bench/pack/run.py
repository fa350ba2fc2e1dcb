"""The rounds: every peer gets a fresh process for each shape and round, in an order that rotates.

A runner prints, one JSON object a line: ``{"digest": …}`` of its data; ``{"version": …, "hex": …}``, the encoded bytes;
``{"op": …, "cpu": [ns, …], "wall": [ns, …]}`` for each operation; or ``{"wrong": why}`` if the round trip failed.
"""

from __future__ import annotations

import gzip
import hashlib
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from bench.pack.languages import ROOT, CannotBuild, Language, peers, version
from bench.pack.results import Encoding, Key, Results

DIGESTS: dict[str, str] = json.loads((Path(__file__).parent / "digests.json").read_text())
SHAPES = tuple(DIGESTS)
TIMEOUT = 300.0
"""Seconds that one process may take."""


class Plan(NamedTuple):
    """``rounds`` processes for each peer and shape; in each ``samples`` samples of ``sample`` seconds after the warm-up."""

    rounds: int
    samples: int
    sample: float
    warm: float
    """Share of the language's longest warm-up that is used."""


class Job(NamedTuple):
    """One process."""

    round: int
    language: Language
    command: list[str]
    shape: str
    peer: str


def jobs(
    languages: list[Language], shapes: list[str], wanted: Callable[[str], bool], rounds: int, results: Results
) -> Iterator[Job]:
    """Every process of the run, rounds outermost, peers innermost and rotated by the round."""
    runners = []
    for language in languages:
        try:
            command = language.build()
            results.platforms[language.name] = version(language)
            runners.append((language, command, {name: of for name, of in peers(command).items() if wanted(name)}))
        except CannotBuild as reason:
            results.troubles[language.name, "*", "*"] = str(reason)
    for number in range(rounds):
        for language, command, named in runners:
            for shape in shapes:
                names = [name for name, of in named.items() if shape in of]
                for index in range(len(names)):
                    peer = names[(index + number) % len(names)]
                    yield Job(number, language, command, shape, peer)


def run(all_jobs: list[Job], plan: Plan, results: Results, after_round: Callable[[], None]) -> None:
    """Runs the jobs one after the other, with a progress line."""
    began = time.monotonic()
    for index, job in enumerate(all_jobs):
        if (job.language.name, job.shape, job.peer) not in results.troubles:
            left = (time.monotonic() - began) / max(index, 1) * (len(all_jobs) - index) / 60
            at = f"{index + 1}/{len(all_jobs)} round {job.round + 1}/{plan.rounds}"
            _progress(f"{at} {job.language.name} {job.shape} {job.peer}, {left:.0f} min left")
            record(job, process(job, plan), results)
        if index + 1 == len(all_jobs) or all_jobs[index + 1].round != job.round:
            after_round()
    _progress("")


def _progress(text: str) -> None:
    if sys.stderr.isatty():
        sys.stderr.write(f"\r\033[K{text}")
    elif text:
        sys.stderr.write(f"{text}\n")
    sys.stderr.flush()


def process(job: Job, plan: Plan) -> list[dict[str, Any]]:
    """The report lines of one job's process, or two."""
    lines = _process(job, plan)
    return lines + _process(job, plan._replace(samples=0)) if job.language.starts else lines


def _process(job: Job, plan: Plan) -> list[dict[str, Any]]:
    """The report lines of one process; a crash or a hang is one line of its own."""
    warm = plan.warm * job.language.warm
    flags = ["--warm", str(warm), "--samples", str(plan.samples), "--sample", str(plan.sample)]
    command = [*job.command, job.peer, job.shape, *flags]
    try:
        done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=TIMEOUT, check=False)
    except subprocess.TimeoutExpired:
        return [{"failed": f"no end within {TIMEOUT:.0f} s"}]
    lines: list[dict[str, Any]] = [json.loads(line) for line in done.stdout.splitlines()]
    if done.returncode:
        lines.append({"failed": done.stderr.strip()[-600:]})
    return lines


def record(job: Job, lines: list[dict[str, Any]], results: Results) -> None:
    """Puts one process's report into the results; anything but figures is a trouble of that peer and shape."""
    place = (job.language.name, job.shape, job.peer)
    for line in lines:
        if "op" in line:
            key = Key(*place, line["op"])
            results.cpu.setdefault(key, {})[job.round] = median(line["cpu"])
            results.wall.setdefault(key, {})[job.round] = median(line["wall"])
        elif "hex" in line:
            data = bytes.fromhex(line["hex"])
            packed = len(gzip.compress(data, 9, mtime=0))
            results.encodings[place] = Encoding(len(data), packed, hashlib.sha256(data).hexdigest())
            results.versions[job.language.name, job.peer] = line["version"]
        elif "digest" in line:
            if line["digest"] != DIGESTS[job.shape]:
                results.troubles[place] = "its reference data differ from the committed digest"
                return
        else:
            kind, reason = next(iter(line.items()))
            results.troubles[place] = f"{'wrong result' if kind == 'wrong' else kind}: {reason}"
