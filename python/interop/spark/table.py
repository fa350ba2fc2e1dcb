"""The table of what was run: examples that passed and failed, and time, of both sides."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, NamedTuple

Failures = set[tuple[str, int]]


class Row(NamedTuple):
    """A module on both sides."""

    module: str
    records: tuple[dict[str, Any], dict[str, Any]]

    @property
    def worse(self) -> bool:
        """Whether something passes with Py4J alone."""
        theirs, ours = self.records
        return bool(self.only_ours) or (theirs["status"] == 0 and ours["status"] != 0) or _tried(ours) < _tried(theirs)

    @property
    def only_ours(self) -> Failures:
        """The examples that fail with samewire.py4j alone."""
        theirs, ours = self.records
        return _failures(ours) - _failures(theirs)

    def line(self) -> str:
        """The row, as text."""
        theirs, ours = self.records
        return (
            f"| {self.module} | {_passed(theirs)} / {len(_failures(theirs))} | {_passed(ours)} / {len(_failures(ours))} "
            f"| {'**worse**' if self.worse else 'same' if _same(theirs, ours) else 'better'} "
            f"| {theirs['wall']:.1f} / {ours['wall']:.1f} | {theirs['cpu']:.1f} / {ours['cpu']:.1f} |"
        )


def row(results: Path, module: str) -> Row:
    """The row of a module that has been run."""
    theirs, ours = (json.loads((results / f"{module}.{side}.json").read_text()) for side in ("py4j", "samewire"))
    return Row(module, (theirs, ours))


def write(file: Path, versions: dict[str, Path]) -> None:
    """Writes the table of all that has been run, for each version of PySpark. Rows of modules that were not run here stay."""
    before = _rows_of(file.read_text()) if file.exists() else {}
    lines = [
        "# PySpark's doctests with Py4J and with samewire.py4j",
        "",
        "Made by `make interop-spark`. Each classic module of PySpark's package that runs its doctests as a program",
        "(`python -m MODULE`) ran once with Py4J and once with samewire.py4j and its jar, in fresh processes. The examples",
        "that fail on both sides need files that the package lacks, or depend on versions of other libraries.",
        "Seconds are of one run on a machine that did other work too: they show the order of magnitude, the sums more.",
    ]
    for spark, results in versions.items():
        names = [found.name.removesuffix(".samewire.json") for found in results.glob("*.samewire.json")]
        made = {name: row(results, name).line() for name in names if (results / f"{name}.py4j.json").exists()}
        rows = before.get(spark, {}) | made
        if rows:
            lines += ["", *_section(spark, [rows[name] for name in sorted(rows)])]
    file.write_text("\n".join(lines) + "\n")


def _rows_of(text: str) -> dict[str, dict[str, str]]:
    """The rows of a table by version and module."""
    found: dict[str, dict[str, str]] = {}
    spark = ""
    for line in text.splitlines():
        if heading := re.fullmatch(r"## PySpark (\S+)", line):
            spark = heading[1]
        elif module := re.match(r"\| (pyspark\S*) \|", line):
            found.setdefault(spark, {})[module[1]] = line
    return found


def _section(spark: str, rows: list[str]) -> list[str]:
    """A version's heading, sums and rows."""
    # Passed and failed, and seconds: pairs of both sides.
    sums = [sum(column) for column in zip(*(_numbers(line) for line in rows), strict=True)]
    theirs, their_failures, ours, our_failures, *seconds = sums
    return [
        f"## PySpark {spark}",
        "",
        f"{len(rows)} modules, {sum('**worse**' in line for line in rows)} of them worse than with Py4J.",
        "",
        "| module | Py4J: passed / failed | samewire | | wall s: Py4J / samewire | CPU s: Py4J / samewire |",
        "|---|---|---|---|---|---|",
        *rows,
        f"| all | {theirs:.0f} / {their_failures:.0f} | {ours:.0f} / {our_failures:.0f} | "
        f"| {seconds[0]:.0f} / {seconds[1]:.0f} | {seconds[2]:.0f} / {seconds[3]:.0f} |",
    ]


def _numbers(line: str) -> list[float]:
    """The numbers of a row."""
    return [float(number) for pair in re.findall(r"\| ([\d.]+ / [\d.]+) (?=\|)", line) for number in pair.split(" / ")]


def _same(theirs: dict[str, Any], ours: dict[str, Any]) -> bool:
    """Whether the same examples ran and failed, and the module ended alike."""
    return (_tried(theirs), _failures(theirs), theirs["status"]) == (_tried(ours), _failures(ours), ours["status"])


def _tried(record: dict[str, Any]) -> int:
    """How many examples ran."""
    return sum(tried for tried, _ in (record["tests"] or {}).values())


def _failures(record: dict[str, Any]) -> Failures:
    """The examples that failed: name of the test, line."""
    return {(name, line) for name, (_, lines) in (record["tests"] or {}).items() for line in lines}


def _passed(record: dict[str, Any]) -> int:
    """How many examples passed."""
    return _tried(record) - len(_failures(record))
