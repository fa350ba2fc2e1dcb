"""TypeScript's test files in Bun and Deno: each in a process of its own, judged beside the list of expected failures.

`expected.json` names, by runtime and file, the tests that fail there and why; `*` is the whole file, where the process ends
early, never ends, or reports nothing. What fails unlisted is a problem, and so is what is listed and passes: the list is
what users read, and cannot grow stale. Only a reason that begins with `now and then: ` allows both.
"""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import xml.etree.ElementTree as ElementTree
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
#: In the list and in outcomes: the whole file.
WHOLE = "*"
#: How the reason of a test begins that fails in some runs only.
SOMETIMES = "now and then: "
#: The slowest file that ends takes a third of it.
SECONDS = 150
#: Tests of Chromium, which a runtime only starts, and of how much of V8's heap Node takes.
LEFT_OUT = ("browser", "pack/memory")
#: The short form: the vectors, and calls between a client and a server of every kind.
SHORT = ("vectors", "grpc/server-calls")


@dataclass(frozen=True)
class Engine:
    """How one runtime runs one test file; `{report}` is the path of its JUnit XML."""

    name: str
    program: str
    arguments: tuple[str, ...]

    @property
    def path(self) -> Path:
        """Its binary, which `npm ci` in this folder has brought."""
        return HERE / "node_modules" / self.program

    def command(self, file: str, report: Path) -> list[str]:
        """The command for `file`, which is a path in dist/test without its ending."""
        arguments = [argument.format(report=report) for argument in self.arguments]
        return [str(self.path), *arguments, f"./dist/test/{file}.test.js"]


BUN = Engine(
    "bun", "@oven/bun-linux-x64/bin/bun", ("test", "--timeout", "60000", "--reporter=junit", "--reporter-outfile={report}")
)
DENO = Engine("deno", "@deno/linux-x64-glibc/deno", ("test", "--no-check", "--allow-all", "--no-lock", "--junit-path={report}"))


@dataclass(frozen=True)
class Outcome:
    """What one file did: the number of tests that passed, those that failed, and how the process ended."""

    passed: int
    failed: frozenset[str]
    ended: str


def files(typescript: Path, short: bool) -> list[str]:
    """The test files that are run, without their ending."""
    folder = typescript / "dist/test"
    if not folder.is_dir():
        raise FileNotFoundError(f"{folder} is missing: make generated-typescript builds it")
    found = [path.relative_to(folder).as_posix().removesuffix(".test.js") for path in folder.rglob("*.test.js")]
    return sorted(file for file in found if file in SHORT or not (short or any(word in file for word in LEFT_OUT)))


def read(report: Path) -> tuple[int, frozenset[str]]:
    """Passed and failed tests of a report; none where there is none, or a broken one. What was skipped did not pass."""
    try:
        cases = list(ElementTree.parse(report).getroot().iter("testcase"))
    except (OSError, ElementTree.ParseError):
        return 0, frozenset()
    failed = {case.get("name", "") for case in cases if any(case.find(k) is not None for k in ("failure", "error", "skipped"))}
    return sum(case.get("name", "") not in failed for case in cases), frozenset(failed)


def run(engine: Engine, typescript: Path, file: str, log: Path, seconds: float = SECONDS) -> Outcome:
    """Runs one file and appends its output to `log`; processes that it started end with it."""
    report = log.parent / f"{engine.name}.xml"
    report.unlink(missing_ok=True)
    command = engine.command(file, report)
    variables = os.environ | {"NO_COLOR": "1", "DENO_NO_UPDATE_CHECK": "1"}
    with log.open("a") as output:
        output.write(f"$ {' '.join(command)}\n")
        output.flush()
        process = subprocess.Popen(command, cwd=typescript, env=variables, start_new_session=True,
                                   stdin=subprocess.DEVNULL, stdout=output, stderr=subprocess.STDOUT)  # fmt: skip
        try:
            status = process.wait(seconds)
            ended = f"exit {status}"
        except subprocess.TimeoutExpired:
            status, ended = None, f"not done after {seconds:.0f} s"
        finally:
            with contextlib.suppress(ProcessLookupError):  # nothing of it is left
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
    passed, failed = read(report)
    if status is None or not (failed or (passed and status == 0)):
        return Outcome(passed, frozenset({WHOLE}), ended)
    return Outcome(passed, failed, ended)


def problems(file: str, expected: Mapping[str, str], outcome: Outcome) -> list[str]:
    """The differences of an outcome from the list."""
    always = {name for name, reason in expected.items() if not reason.startswith(SOMETIMES)}
    unlisted = [f"{file}: {name}: failed, and is not listed ({outcome.ended})" for name in sorted(outcome.failed - set(expected))]
    passed = [f"{file}: {name}: passes: take it off the list" for name in sorted(always - outcome.failed)]
    return unlisted + passed


def listed(engine: str) -> dict[str, dict[str, str]]:
    """The expected failures of one runtime: by file and test, the reason."""
    found: dict[str, dict[str, str]] = json.loads((HERE / "expected.json").read_text())[engine]
    return found
