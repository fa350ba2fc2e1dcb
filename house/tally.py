"""Writes how many tests ran into build/executed/<suite>.json, counted in the runner's own report.

The vector test of a language has already written {"language", "vectors"} there; this adds "tests", the number of
the *other* tests, so that a case is never counted twice and no suite can claim a number of its own. A test of a
file or class whose name contains "vectors" belongs to the vector runner. Skipped, ignored and to-do tests fail the
tally: a green run proves that everything ran.

usage: tally.py rust|arrow|python|java|compilers|typescript|node|oracle|house|packages|tour|bench|peers|fuzz
"""

from __future__ import annotations

import json
import re
import sys
import xml.etree.ElementTree as ElementTree
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("rust", "python", "java", "typescript")
#: As they name themselves: by their language where they fuzz pack.
FUZZERS = (
    *LANGUAGES, "rust-arrow", "rust-redis", "python-redis", "rust-bridge", "python-bridge", "java-redis", "java-bridge"
)  # fmt: skip


class Unproven(Exception):
    """The report does not show that every test ran and passed."""


@dataclass(frozen=True)
class Ran:
    """One finished test: where it stands (file, class or crate) and its name."""

    place: str
    name: str


def of_vectors(place: str) -> bool:
    """Whether a test of this file, class or module is the vector runner's own."""
    return "vectors" in place.rsplit("/", 1)[-1].lower()


def cargo(report: str) -> int:
    """Other tests in the output of `cargo test`, from its `test result:` lines."""
    total = 0
    place = ""
    for line in report.splitlines():
        if started := re.match(r"\s+(?:Running|Doc-tests) (.*)", line):
            # "Running tests/vectors.rs (target/…)"; the folder in brackets may be named anything.
            place = started[1].split(" (")[0]
        elif result := re.match(r"test result: (\w+)\. (\d+) passed; (\d+) failed; (\d+) ignored", line):
            if result[1] != "ok" or int(result[3]) or int(result[4]):
                raise Unproven(f"{place}: {line}")
            total += 0 if of_vectors(place) else int(result[2])
    return total


def junit(reports: Iterable[str]) -> list[Ran]:
    """The tests in JUnit XML, as pytest, surefire and node write it."""
    tests: list[Ran] = []
    for text in reports:
        for case in ElementTree.fromstring(text).iter("testcase"):
            place = case.get("file") or case.get("classname") or ""
            ran = Ran(place, case.get("name") or "")
            for kind in ("failure", "error", "skipped"):
                if case.find(kind) is not None:
                    raise Unproven(f"{place} {ran.name}: {kind}")
            tests.append(ran)
    return tests


def fuzzers(reports: dict[str, str]) -> int:
    """One test per fuzzer that reported inputs; all must. A language's report has those of all its parts."""
    for fuzzer in FUZZERS:
        report = reports.get(fuzzer.partition("-")[0], "")
        found = re.search(rf"^fuzz {fuzzer}: ([\d,_]+) inputs", report, re.MULTILINE)
        if not found or int(re.sub(r"\D", "", found[1])) == 0:
            raise Unproven(f"the {fuzzer} fuzzer reported no inputs")
    return len(FUZZERS)


def count(suite: str, root: Path) -> int:
    """The number of other tests of a suite whose report stands in `root`."""
    reports = root / "build/reports"
    if suite in ("rust", "arrow"):
        return cargo((reports / f"{suite}.txt").read_text())
    if suite == "fuzz":
        return fuzzers({path.stem: path.read_text() for path in (reports / "fuzz").glob("*.txt")})
    if suite in ("java", "compilers"):
        paths = sorted((root / "java").glob("*/target/surefire-reports/TEST-*.xml"))
    else:
        paths = sorted(reports.glob(f"{suite}*.xml"))
    return sum(not of_vectors(ran.place) for ran in junit(path.read_text() for path in paths))


def write(suite: str, root: Path) -> str:
    """Completes build/executed/<suite>.json and returns one line about it."""
    tests = count(suite, root)
    path = root / f"build/executed/{suite}.json"
    vectors: dict[str, int] = {}
    if suite in LANGUAGES:
        if not path.exists():
            raise Unproven(f"the {suite} vector test wrote no build/executed/{suite}.json")
        vectors = json.loads(path.read_text())["vectors"]
    elif tests == 0:
        raise Unproven(f"no {suite} test ran")
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"language": suite, "vectors": vectors, "tests": tests}, indent=1) + "\n")
    cases = f"{sum(vectors.values())} vector cases and " if suite in LANGUAGES else ""
    return f"{suite}: {cases}{tests} {'fuzzers' if suite == 'fuzz' else 'other tests'} ran"


if __name__ == "__main__":
    try:
        print(write(sys.argv[1], Path(__file__).parents[1]))
    except (Unproven, OSError) as problem:
        sys.exit(f"tally: {problem}")
