"""The final check of `make test`: what each language executed, against spec/vectors/MANIFEST.json; and that of `make test-others`,
which has no vectors.

Reads build/executed/*.json (written during this run; `make test` empties the folder first), prints a table and fails
on any difference, any missing language and any missing suite. A suite may report that it did not run, and why, if the
machine lacks a tool: it is named and counted as skipped. The last line is `N passed, 0 failed` or
`N passed, 0 failed, N skipped`.

usage: python -m house.counts [--others | --skip SUITE REASON]      (--skip: reports a suite that cannot run here)
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("rust", "python", "java", "typescript")
SUITES = ("oracle", "matrix", "tour", "bench", "fuzz", "house", "quickstart", "examples")
#: Those of `make test-others`.
OTHERS = ("packages", "interop", "node", "peers", "compilers", "arrow")
#: Suites that may be skipped if an optional tool is missing.
SKIPPABLE = ("interop", "node")


@dataclass(frozen=True)
class Executed:
    """The report of one suite: cases by vector file, the number of other tests, or why it did not run."""

    vectors: dict[str, int]
    tests: int
    skipped: str = ""


@dataclass(frozen=True)
class Manifest:
    """Cases by vector file: those of every language, and by language those of one alone."""

    files: dict[str, int]
    only: dict[str, dict[str, int]]

    def of(self, language: str) -> dict[str, int]:
        """The cases that one language has to execute."""
        return self.files | self.only.get(language, {})

    def all(self) -> dict[str, int]:
        """Every file there is."""
        return self.files | {file: count for files in self.only.values() for file, count in files.items()}


def manifest(root: Path) -> Manifest:
    """Reads the manifest. Raises ValueError if it contradicts itself or is empty."""
    data = json.loads((root / "spec/vectors/MANIFEST.json").read_text())
    files: dict[str, int] = data["files"]
    only: dict[str, dict[str, int]] = data.get("only", {})
    if not files or sum(files.values()) != data["cases"]:
        raise ValueError(f"MANIFEST.json: {data['cases']} cases declared, {sum(files.values())} listed")
    if not only.keys() <= set(LANGUAGES) or not all(count for of in only.values() for count in of.values()):
        raise ValueError("MANIFEST.json: cases for a language that there is not, or none in a file")
    return Manifest(files, only)


def executed(root: Path) -> dict[str, Executed]:
    """Every suite's report of this run. A language's second runner, of another part, reports as `rust-redis.json`."""
    reports: dict[str, Executed] = {}
    for path in sorted((root / "build/executed").glob("*.json"), key=lambda path: path.stem):
        data = json.loads(path.read_text())
        suite = path.stem.partition("-")[0]
        before = reports.get(suite, Executed({}, 0))
        tests, skipped = before.tests + data.get("tests", 0), before.skipped or data.get("skipped", "")
        reports[suite] = Executed(before.vectors | data["vectors"], tests, skipped)
    return reports


def problems(wanted: Manifest, reports: dict[str, Executed]) -> Iterator[str]:
    """Every way in which the run falls short of the manifest."""
    yield from missing((*LANGUAGES, *SUITES), reports)
    for language in LANGUAGES:
        ran = reports.get(language, Executed({}, 0)).vectors
        files = wanted.of(language)
        for file in sorted(files.keys() | ran.keys()):
            if ran.get(file, 0) != files.get(file, 0):
                yield f"{language}: {file}: executed {ran.get(file, 0)} of {files.get(file, 0)} cases"


def missing(suites: Iterable[str], reports: dict[str, Executed]) -> Iterator[str]:
    """Suites that ran nothing, though they must run."""
    for suite in suites:
        if suite not in reports:
            yield f"{suite}: did not report"
        elif reports[suite].skipped and suite in SKIPPABLE:
            continue
        elif reports[suite].tests <= 0:
            yield f"{suite}: ran no tests of its own"


def table(wanted: Manifest, reports: dict[str, Executed]) -> str:
    """Vector files by languages, a sum row, and a row of other tests."""
    files = wanted.all()
    columns = [reports.get(language, Executed({}, 0)) for language in LANGUAGES]
    rows: list[tuple[str, ...]] = [("vector cases", "manifest", *LANGUAGES)]
    for file in sorted(files):
        counts = (
            str(c.vectors.get(file, 0)) if file in wanted.of(name) else "" for name, c in zip(LANGUAGES, columns, strict=True)
        )
        rows.append((file, str(files[file]), *counts))
    rows.append(("all vector cases", str(sum(files.values())), *(str(sum(c.vectors.values())) for c in columns)))
    rows.append(("other tests", "", *(str(c.tests) for c in columns)))
    widths = [max(len(row[i]) for row in rows) for i in range(len(rows[0]))]
    lines = [
        "  ".join(cell.ljust(w) if i == 0 else cell.rjust(w) for i, (cell, w) in enumerate(zip(row, widths, strict=True)))
        for row in rows
    ]
    rule = "-" * len(lines[0])
    lines[1:1] = [rule]
    lines[-2:-2] = [rule]
    return "\n".join([*lines, f"beside the languages: {listed(reports) or 'nothing'}"])


def listed(reports: dict[str, Executed]) -> str:
    """What ran beside the languages' own tests."""
    return ", ".join(
        f"{suite} {f'skipped ({report.skipped})' if report.skipped else report.tests}"
        for suite, report in reports.items()
        if suite not in LANGUAGES
    )


def main(root: Path) -> int:
    """Prints table, problems and the closing line of `make test`; returns the exit status."""
    wanted, reports = manifest(root), executed(root)
    print(table(wanted, reports))
    return close(reports, list(problems(wanted, reports)))


def others(root: Path) -> int:
    """Prints what ran, problems and the closing line of `make test-others`; returns the exit status."""
    reports = executed(root)
    print(listed(reports))
    return close(reports, list(missing(OTHERS, reports)))


def close(reports: dict[str, Executed], found: list[str]) -> int:
    """Prints problems and the closing line; returns the exit status."""
    for problem in found:
        print(f"FAILED {problem}")
    passed = sum(sum(report.vectors.values()) + report.tests for report in reports.values())
    skipped = sum(bool(report.skipped) for report in reports.values())
    print(f"{passed} passed, {len(found)} failed" + (f", {skipped} skipped" if skipped else ""))
    return 1 if found else 0


def skip(root: Path, suite: str, reason: str) -> int:
    """Writes the report of a suite that cannot run here."""
    (root / f"build/executed/{suite}.json").write_text(
        json.dumps({"language": suite, "vectors": {}, "tests": 0, "skipped": reason}) + "\n"
    )
    print(f"{suite}: skipped, {reason}")
    return 0


if __name__ == "__main__":
    here = Path(__file__).parents[1]
    match sys.argv[1:]:
        case ["--skip", suite, reason]:
            sys.exit(skip(here, suite, reason))
        case ["--others"]:
            sys.exit(others(here))
        case _:
            sys.exit(main(here))
