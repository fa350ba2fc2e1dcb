"""Bun and Deno are held to the list of expected failures in both directions, and a file that hangs or ends early is judged."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from house.runtimes.engines import files
from house.runtimes.engines.files import WHOLE, Engine, Outcome, listed, problems, read, run

REPORT = """<testsuites><testsuite><testcase name="good"/><testcase name="bad"><failure/></testcase>
<testcase name="left"><skipped/></testcase></testsuite></testsuites>"""


def shell(script: str) -> Engine:
    """An engine that runs a line of shell in place of the file; the report is its first argument."""
    return Engine("shell", "/bin/bash", ("-c", script, "{report}"))


def test_what_fails_unlisted_and_what_passes_listed_are_problems() -> None:
    outcome = Outcome(3, frozenset({"new", "known"}), "exit 1")
    assert problems("a", {"known": "why", "mended": "why"}, outcome) == [
        "a: new: failed, and is not listed (exit 1)",
        "a: mended: passes: take it off the list",
    ]
    assert problems("a", {"new": "why", "known": "why"}, outcome) == []
    assert problems("a", {"new": "why", "known": "why", "flaky": "now and then: why"}, outcome) == []


def test_skipped_tests_have_not_passed(tmp_path: Path) -> None:
    (tmp_path / "report.xml").write_text(REPORT)
    assert read(tmp_path / "report.xml") == (1, frozenset({"bad", "left"}))


@pytest.mark.parametrize(
    ("script", "ended"),
    [("exit 3", "exit 3"), ("exit 0", "exit 0"), ("kill -ABRT $$", "exit -6"), ("sleep 60 & wait", "not done after 1 s")],
)
def test_a_file_that_reports_nothing_fails_whole(tmp_path: Path, script: str, ended: str) -> None:
    assert run(shell(script), tmp_path, "a", tmp_path / "log", 1) == Outcome(0, frozenset({WHOLE}), ended)


def test_a_file_whose_tests_pass_fails_whole_if_the_process_then_fails(tmp_path: Path) -> None:
    report = '<testsuite><testcase name="good"/></testsuite>'
    passing = f"echo '{report}' > $0"
    assert run(shell(passing), tmp_path, "a", tmp_path / "log") == Outcome(1, frozenset(), "exit 0")
    assert run(shell(f"{passing}; exit 1"), tmp_path, "a", tmp_path / "log").failed == {WHOLE}


def test_every_expected_failure_has_its_reason_and_its_file() -> None:
    tests = Path(__file__).parents[2] / "typescript/test"
    for engine in ("bun", "deno"):
        for file, failures in listed(engine).items():
            assert (tests / f"{file}.test.ts").is_file(), file
            assert failures and all(failures.values()), file
    assert set(json.loads((files.HERE / "expected.json").read_text())) == {"bun", "deno"}
