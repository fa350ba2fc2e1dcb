"""The closing table passes only when every language executed exactly the manifest."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from house.counts import LANGUAGES, OTHERS, SUITES, main, others, skip
from house.tests.trees import plant

FILES = {"pack/integers.json": 5, "pack/text.json": 7}


def run(root: Path, manifest: object = None, **changed: dict[str, object] | None) -> int:
    """A run in which everything was executed, but for the suites given (None: no report)."""
    reports: dict[str, dict[str, object] | None] = {name: {"language": name, "vectors": FILES, "tests": 10} for name in LANGUAGES}
    reports |= {name: {"language": name, "vectors": {}, "tests": 1} for name in SUITES}
    reports |= changed
    tree = {f"build/executed/{name}.json": json.dumps(report) for name, report in reports.items() if report is not None}
    plant(root, {**tree, "spec/vectors/MANIFEST.json": json.dumps(manifest or {"files": FILES, "cases": 12})})
    return main(root)


def test_a_full_run_passes_and_ends_with_the_sum(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{4 * 22 + len(SUITES)} passed, 0 failed"
    assert lines[0].split() == ["vector", "cases", "manifest", *LANGUAGES]


def test_a_languages_runners_count_together(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    split: dict[str, dict[str, object] | None] = {}
    split |= {"rust": {"vectors": {"pack/text.json": 7}, "tests": 10}, "rust-redis": {"vectors": {"pack/integers.json": 5}}}
    assert run(tmp_path, **split) == 0
    assert capsys.readouterr().out.splitlines()[-1] == f"{4 * 22 + len(SUITES)} passed, 0 failed"


@pytest.mark.parametrize("suite", [*LANGUAGES, *SUITES])
def test_a_missing_suite_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], suite: str) -> None:
    assert run(tmp_path, **{suite: None}) == 1
    out = capsys.readouterr().out
    assert f"FAILED {suite}: did not report" in out
    assert "passed, 0 failed" not in out


def test_a_suite_whose_tool_is_missing_is_named_and_counted(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plant(tmp_path, {f"build/executed/{name}.json": json.dumps({"language": name, "vectors": {}, "tests": 2}) for name in OTHERS})
    assert others(tmp_path) == 0
    skip(tmp_path, "interop", "missing: Go")
    capsys.readouterr()
    assert others(tmp_path) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines[-1] == f"{2 * (len(OTHERS) - 1)} passed, 0 failed, 1 skipped"
    assert "interop skipped (missing: Go)" in lines[-2]


@pytest.mark.parametrize("suite", OTHERS)
def test_a_missing_suite_of_others_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], suite: str) -> None:
    rest = [name for name in OTHERS if name != suite]
    plant(tmp_path, {f"build/executed/{name}.json": json.dumps({"language": name, "vectors": {}, "tests": 1}) for name in rest})
    assert others(tmp_path) == 1
    assert f"FAILED {suite}: did not report" in capsys.readouterr().out


def test_no_other_suite_may_be_skipped(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(tmp_path, tour={"language": "tour", "vectors": {}, "tests": 0, "skipped": "no time"}) == 1
    assert "FAILED tour: ran no tests" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("vectors", "expected"),
    [
        ({"pack/integers.json": 5, "pack/text.json": 6}, "pack/text.json: executed 6 of 7"),
        ({"pack/integers.json": 5}, "pack/text.json: executed 0 of 7"),
        (FILES | {"pack/extra.json": 1}, "pack/extra.json: executed 1 of 0"),
        (FILES | {"pack/text.json": 8}, "pack/text.json: executed 8 of 7"),
    ],
)
def test_any_difference_fails(tmp_path: Path, capsys: pytest.CaptureFixture[str], vectors: dict[str, int], expected: str) -> None:
    assert run(tmp_path, java={"language": "java", "vectors": vectors, "tests": 3}) == 1
    assert f"FAILED java: {expected}" in capsys.readouterr().out


@pytest.mark.parametrize(("ran", "status"), [(3, 0), (2, 1), (0, 1)])
def test_files_of_one_language_count_for_it_alone(tmp_path: Path, ran: int, status: int) -> None:
    manifest = {"files": FILES, "cases": 12, "only": {"typescript": {"grpc/frames.json": 3}}}
    typescript = {"language": "typescript", "vectors": FILES | ({"grpc/frames.json": ran} if ran else {}), "tests": 1}
    assert run(tmp_path, manifest=manifest, typescript=typescript) == status


def test_a_language_without_other_tests_fails(tmp_path: Path) -> None:
    assert run(tmp_path, rust={"language": "rust", "vectors": FILES, "tests": 0}) == 1


@pytest.mark.parametrize("manifest", [{"files": {}, "cases": 0}, {"files": FILES, "cases": 13}])
def test_a_manifest_that_contradicts_itself_is_refused(tmp_path: Path, manifest: object) -> None:
    plant(tmp_path, {"spec/vectors/MANIFEST.json": json.dumps(manifest)})
    with pytest.raises(ValueError, match=r"MANIFEST\.json"):
        main(tmp_path)
