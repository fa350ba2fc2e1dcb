"""Counts come from the runners' own reports, and a report that proves nothing is refused."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from house.tally import Unproven, cargo, fuzzers, junit, of_vectors, write
from house.tests.trees import plant

CARGO = """\
     Running unittests src/lib.rs (target/debug/deps/samewire_pack-1)
test result: ok. 7 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
     Running tests/vectors.rs (target/debug/deps/vectors-2)
test result: ok. 11 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
   Doc-tests samewire_pack
test result: ok. 2 passed; 0 failed; 0 ignored; 0 measured; 0 filtered out; finished in 0.01s
"""
FUZZ = {name: f"fuzz {name}: 1,234 inputs in 30 s, nothing found\n" for name in ("rust", "python", "java", "typescript")}
FUZZ |= {name: FUZZ[name] + f"fuzz {name}-redis: 56 inputs in 15 s, no finding\n" for name in ("rust", "python", "java")}
FUZZ |= {name: FUZZ[name] + f"fuzz {name}-bridge: 78 inputs in 15 s, no finding\n" for name in ("rust", "python", "java")}
FUZZ["rust"] += "fuzz rust-arrow: 12 inputs in 15 s, no finding\n"


def case(file: str, inside: str = "") -> str:
    return f'<testsuites><testsuite><testcase file="{file}" name="n">{inside}</testcase></testsuite></testsuites>'


def test_cargo_counts_all_but_the_vector_runner() -> None:
    assert cargo(CARGO) == 9


@pytest.mark.parametrize("line", ["FAILED. 6 passed; 1 failed; 0 ignored", "ok. 6 passed; 0 failed; 1 ignored"])
def test_cargo_refuses_failures_and_ignored_tests(line: str) -> None:
    with pytest.raises(Unproven):
        cargo(CARGO + f"test result: {line}; 0 measured\n")


@pytest.mark.parametrize("kind", ["failure", "error", "skipped"])
def test_junit_refuses_anything_but_a_pass(kind: str) -> None:
    with pytest.raises(Unproven, match=kind):
        junit([case("a.test.js", f"<{kind}/>")])


@pytest.mark.parametrize(
    "place",
    [
        "dist/test/vectors.test.js",
        "python.tests.test_vectors",
        "io.samewire.pack.VectorsTest",
        "tests/vectors.rs",
    ],
)
def test_the_vector_runner_is_known_by_name(place: str) -> None:
    assert of_vectors(place)


def test_a_folder_called_vectors_does_not_hide_tests() -> None:
    assert not of_vectors("/clones/vectors/dist/test/limits.test.js")


def test_every_fuzzer_must_report_inputs() -> None:
    assert fuzzers(FUZZ) == 11
    with pytest.raises(Unproven, match="python-redis"):
        fuzzers(FUZZ | {"python": FUZZ["python"].partition("\n")[0]})
    for broken in ("", "fuzz java: 0 inputs in 30 s\n", "fuzz rust: 9 inputs\n"):
        with pytest.raises(Unproven, match="java"):
            fuzzers(FUZZ | {"java": broken})


def test_the_number_of_a_suite_replaces_what_it_claims(tmp_path: Path) -> None:
    claimed = json.dumps({"language": "java", "vectors": {"pack/a.json": 3}, "tests": 999})
    report = case("io.samewire.pack.LimitsTest") + "\n"
    plant(
        tmp_path,
        {"build/executed/java.json": claimed, "java/pack/target/surefire-reports/TEST-x.xml": report},
    )
    assert write("java", tmp_path) == "java: 3 vector cases and 1 other tests ran"
    assert json.loads((tmp_path / "build/executed/java.json").read_text()) == {
        "language": "java",
        "vectors": {"pack/a.json": 3},
        "tests": 1,
    }


def test_a_language_without_executed_vectors_is_refused(tmp_path: Path) -> None:
    plant(tmp_path, {"build/reports/python.xml": case("python.tests.test_limits")})
    with pytest.raises(Unproven, match="vector test wrote no"):
        write("python", tmp_path)


def test_a_suite_that_ran_nothing_is_refused(tmp_path: Path) -> None:
    plant(tmp_path, {"build/reports/house.xml": "<testsuites/>"})
    with pytest.raises(Unproven, match="no house test ran"):
        write("house", tmp_path)
