"""Which tests need not pass, and why: `expected.toml`."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from pathlib import Path

#: What became of a test: "passed", "failed" or "skipped"; why; seconds.
Outcomes = dict[str, tuple[str, str, float]]


def listed(path: Path) -> dict[str, str]:
    """Reasons by test. A test without parameters stands for all that it is run with."""
    reasons: dict[str, str] = {}
    for entry in tomllib.loads(path.read_text()).get("fails", []):
        for test in entry["tests"]:
            if test in reasons:
                raise SystemExit(f"{path.name}: {test} is listed twice")
            reasons[test] = entry["reason"]
    return reasons


def not_run(path: Path) -> list[str]:
    """Tests that are not run at all: they would hang, or end what others need."""
    return [test for entry in tomllib.loads(path.read_text()).get("not_run", []) for test in entry["tests"]]


def plain(test: str) -> str:
    """A test without its parameters."""
    return test.partition("[")[0]


def unlisted(outcomes: Outcomes, reasons: dict[str, str]) -> list[str]:
    """Tests that failed and are not listed."""
    failed = (test for test, (outcome, _, _) in outcomes.items() if outcome == "failed")
    return [test for test in failed if test not in reasons and plain(test) not in reasons]


def problems(outcomes: Outcomes, reasons: dict[str, str], whole: bool) -> Iterator[str]:
    """Tests that fail and are not listed; those that are listed and pass, or, of a whole run, do not exist."""
    runs: dict[str, list[str]] = {}
    for test, (outcome, why, _) in outcomes.items():
        found = test if test in reasons else plain(test)
        if found in reasons:
            runs.setdefault(found, []).append(outcome)
        elif outcome == "failed":
            said = [line for line in why.splitlines() if line and not line.startswith((" ", "Use -v"))]
            yield f"{test}: {' '.join(said[-1:])[:200]}"
    for test, came in runs.items():
        if "failed" not in came:
            yield f"{test}: is listed in expected.toml, and {came[0]}"
    if whole:
        files = {test.partition("::")[0] for test in outcomes}
        for test in reasons:
            if test not in runs and test.partition("::")[0] in files:
                yield f"{test}: is listed in expected.toml, and there is no such test"
