"""The last word of `make test`: what each language executed, beside what spec/vectors/MANIFEST.json says exists.

Reads build/executed/*.json (written during this run; `make test` empties the folder first), prints a table and fails
on any difference, any missing language and any missing suite. The last line is `N passed, 0 failed`.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LANGUAGES = ("rust", "python", "java", "typescript")
SUITES = ("oracle", "matrix", "tour", "bench", "fuzz", "house", "quickstart")


@dataclass(frozen=True)
class Executed:
    """What one suite says it did: cases by vector file, and the number of other tests."""

    vectors: dict[str, int]
    tests: int


@dataclass(frozen=True)
class Manifest:
    """Cases by vector file: those of every language, and by language those of one alone."""

    files: dict[str, int]
    only: dict[str, dict[str, int]]

    def of(self, language: str) -> dict[str, int]:
        """What one language has to execute."""
        return self.files | self.only.get(language, {})

    def all(self) -> dict[str, int]:
        """Every file there is."""
        return self.files | {file: count for files in self.only.values() for file, count in files.items()}


def manifest(root: Path) -> Manifest:
    """What there is to execute. Raises ValueError when the manifest contradicts itself or is empty."""
    data = json.loads((root / "spec/vectors/MANIFEST.json").read_text())
    files: dict[str, int] = data["files"]
    only: dict[str, dict[str, int]] = data.get("only", {})
    if not files or sum(files.values()) != data["cases"]:
        raise ValueError(f"MANIFEST.json: {data['cases']} cases declared, {sum(files.values())} listed")
    if not only.keys() <= set(LANGUAGES) or not all(count for of in only.values() for count in of.values()):
        raise ValueError("MANIFEST.json: cases for a language that there is not, or none in a file")
    return Manifest(files, only)


def executed(root: Path) -> dict[str, Executed]:
    """Every suite's report of this run."""
    reports = {}
    for path in sorted((root / "build/executed").glob("*.json")):
        data = json.loads(path.read_text())
        reports[path.stem] = Executed(data["vectors"], data.get("tests", 0))
    return reports


def problems(wanted: Manifest, reports: dict[str, Executed]) -> Iterator[str]:
    """Every way in which the run falls short of the manifest."""
    for suite in (*LANGUAGES, *SUITES):
        if suite not in reports:
            yield f"{suite}: did not report"
        elif reports[suite].tests <= 0:
            yield f"{suite}: ran no tests of its own"
    for language in LANGUAGES:
        ran = reports.get(language, Executed({}, 0)).vectors
        files = wanted.of(language)
        for file in sorted(files.keys() | ran.keys()):
            if ran.get(file, 0) != files.get(file, 0):
                yield f"{language}: {file}: executed {ran.get(file, 0)} of {files.get(file, 0)} cases"


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
    rest = ", ".join(f"{suite} {report.tests}" for suite, report in reports.items() if suite not in LANGUAGES)
    return "\n".join([*lines, f"beside the languages: {rest or 'nothing'}"])


def main(root: Path) -> int:
    """Prints table, problems and the closing line; returns the exit status."""
    wanted, reports = manifest(root), executed(root)
    print(table(wanted, reports))
    found = list(problems(wanted, reports))
    for problem in found:
        print(f"FAILED {problem}")
    passed = sum(sum(report.vectors.values()) + report.tests for report in reports.values())
    print(f"{passed} passed, {len(found)} failed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(Path(__file__).parents[1]))
