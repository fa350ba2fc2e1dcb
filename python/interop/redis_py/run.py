"""Runs redis-py's own tests with samewire.redis in its place.

Its source package is downloaded, pinned by hash; nothing of it is in this repository. A test that fails must stand in
`expected.toml` with the reason, and one that stands there must fail. Many of these tests wait for fixed times: a few that fail
unexpectedly are run once more, one after the other, and named (`RERUN`).

usage: run.py [--theirs] [--short] [--only TEXT] [--beside N] [-k EXPRESSION]

  --theirs   runs redis-py itself: what does not pass then says nothing of ours
  --short    leaves out the groups that are marked as long
  --only     groups (groups.toml) with TEXT in their names
  --beside   how many groups run beside one another
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import time
import tomllib
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
sys.path[:0] = [str(ROOT / "python/tests/redis"), str(ROOT / "python"), str(HERE)]

import environment  # noqa: E402 (found by the line above)
import expected  # noqa: E402
import places  # noqa: E402

SECONDS = 600
AGAIN = 5
"""Of more unexpected failures none is run again: that is no accident of time."""


def run(name: str, group: dict[str, Any], theirs: bool, expression: str | None = None) -> expected.Outcomes:
    """The outcomes of one group."""
    file = environment.PLACE / f"{name.replace(' ', '-')}.jsonl"
    file.unlink(missing_ok=True)
    with places.KINDS[group["servers"]](environment.SUITE / "dockers/standalone/tls") as place:
        ours = [ROOT / "python/samewire/redis/redis_py/shadow", ROOT / "python"]
        path = [HERE, *([environment.THEIRS] if theirs else ours)]
        settings = {
            "PYTHONPATH": os.pathsep.join(map(str, path)),
            "JUDGE_PORTS": json.dumps(place.ports),
            "JUDGE_OUTCOMES": str(file),
            "JUDGE_NOT_RUN": json.dumps([] if theirs else expected.not_run(HERE / "expected.toml")),
            "JUDGE_FILLS": json.dumps([] if theirs else ["redis"]),
        }
        command = [str(environment.PYTHON), "-m", "pytest", "-p", "plugin", "-p", "no:cacheprovider", "-q", "--timeout", "20"]
        # pytest's own tracebacks parse the whole of a test's file for each frame, which took longer than the tests.
        command += ["--tb", "native"]
        command += [f"--redis-url={place.url}", *place.options, *(["-k", expression] if expression else [])]
        command += [f"tests/{one}" for one in group["files"]]
        log = file.with_suffix(".log")
        with log.open("w") as out:
            judged = subprocess.Popen(command, cwd=environment.SUITE, env={**os.environ, **settings}, stdout=out, stderr=out)
            try:
                judged.wait(SECONDS)
            finally:
                judged.kill()
    lines = file.read_text().splitlines() if file.exists() else []
    if judged.wait() not in (0, 1) or not lines:
        raise SystemExit(f"redis-py's tests, group {name}: pytest ended early; the end of {log}:\n{log.read_text()[-3000:]}")
    return {test: (outcome, why, seconds) for test, outcome, why, seconds in map(json.loads, lines)}


def main() -> int:
    parser = argparse.ArgumentParser(description="runs redis-py's own tests with samewire.redis in its place")
    parser.add_argument("--theirs", action="store_true")
    parser.add_argument("--short", action="store_true")
    parser.add_argument("--only", default="")
    # Most of the time is waiting.
    parser.add_argument("--beside", type=int, default=2 * (os.cpu_count() or 1))
    parser.add_argument("-k", dest="expression")
    options = parser.parse_args()
    environment.prepare()
    groups = tomllib.loads((HERE / "groups.toml").read_text())
    wanted = {name: group for name, group in groups.items() if options.only in name and not (options.short and group.get("long"))}

    def timed(name: str) -> tuple[expected.Outcomes, float]:
        begun = time.monotonic()
        return run(name, wanted[name], options.theirs, options.expression), time.monotonic() - begun

    outcomes: expected.Outcomes = {}
    with ThreadPoolExecutor(options.beside) as pool:
        for name, (came, seconds) in zip(wanted, pool.map(timed, wanted), strict=True):
            print(f"{name:22} {tally(came)} {seconds:6.1f} s", flush=True)
            outcomes |= came
    (environment.PLACE / ("theirs.json" if options.theirs else "ours.json")).write_text(json.dumps(outcomes, indent=0))
    if options.theirs:
        return 0
    reasons = expected.listed(HERE / "expected.toml")
    outcomes |= again(outcomes, reasons, wanted)
    found = list(expected.problems(outcomes, reasons, whole=options.expression is None))
    for problem in found:
        print(problem, file=sys.stderr)
    print(f"redis-py's own tests: {tally(outcomes)}; those that fail are listed with reasons in expected.toml")
    if not found and not options.only and options.expression is None:
        report = ROOT / "build/executed/interop-redis.json"
        report.parent.mkdir(parents=True, exist_ok=True)
        passed = sum(one[0] == "passed" for one in outcomes.values())
        report.write_text(json.dumps({"language": "interop", "vectors": {}, "tests": passed}))
    return 1 if found else 0


def again(outcomes: expected.Outcomes, reasons: dict[str, str], groups: dict[str, Any]) -> expected.Outcomes:
    """Runs tests that failed unexpectedly once more, and returns their outcomes; nothing if they are many."""
    failed = expected.unlisted(outcomes, reasons)
    if len(failed) > AGAIN:
        return {}
    came: expected.Outcomes = {}
    for test in failed:
        print(f"RERUN {test}: {outcomes[test][1][-200:]!r}", file=sys.stderr, flush=True)
        file, _, name = test.removeprefix("tests/").partition("::")
        group = next(each for each in groups.values() if file in each["files"])
        came |= run("again", {**group, "files": [f"{file}::{name}"]}, theirs=False)
    return came


def tally(outcomes: expected.Outcomes) -> str:
    """How many tests passed, failed and were skipped."""
    counts = ((kind, sum(one[0] == kind for one in outcomes.values())) for kind in ("passed", "failed", "skipped"))
    return ", ".join(f"{count:4} {kind}" for kind, count in counts)


if __name__ == "__main__":
    sys.exit(main())
