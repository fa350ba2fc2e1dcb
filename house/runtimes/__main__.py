"""Builds, tests and runs the quick starts of each language in the runtimes that users have beside the developer's own.

Each runtime works in a copy of the tree. Bun and Deno run what Node built here, and are held to a list of expected failures. What it executed is compared with spec/vectors/MANIFEST.json and printed; a
runtime that cannot be had fails. CPython and the JDKs need root, for chroots; Node's are npm packages.

usage: python -m house.runtimes [--short] [NAME...]      (default: all; --short: vectors instead of all tests; in Bun
and Deno calls of gRPC too)
"""

from __future__ import annotations

import argparse
import fcntl
import json
import platform
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

from house.counts import executed, manifest
from house.runtimes.copies import copy, share_built, share_server, share_types
from house.runtimes.debian import Debian, Unavailable, environment, inside, place, require
from house.runtimes.engines import files as engines
from house.runtimes.engines.files import BUN, DENO, Engine
from house.steps import AT_ONCE

ROOT = Path(__file__).parents[2]
TRIXIE = Debian(
    "trixie", ("python3.13", "python3.13-dev", "python3.13-venv", "openjdk-21-jdk-headless", "openjdk-25-jdk-headless", "maven")
)
FORKY = Debian("forky", ("python3.14", "python3.14-dev", "python3.14-venv", "openjdk-25-jdk-headless", "maven"))

#: The test that executes the vectors, as `make quick-LANGUAGE T=` takes it.
VECTORS = {"python": "vectors", "java": "VectorsTest", "typescript": "vectors"}
QUICK_STARTS = {"python": ["python", "sh"], "java": ["java"], "typescript": ["ts"]}


class Failed(Exception):
    """A command failed, or executed too little."""


@dataclass(frozen=True)
class Runtime:
    """One version of one language's runtime."""

    name: str
    language: str
    asked: tuple[str, ...]
    says: str
    debian: Debian | None = None
    #: Shell words that go before every command.
    settings: str = ""
    #: Runs TypeScript's files by itself.
    engine: Engine | None = None

    @property
    def work(self) -> Path:
        """The copy of the tree."""
        return self.debian.tree / "srv" / self.name if self.debian else ROOT / "build/runtimes" / self.name

    def run(self, script: str, log: Path) -> str:
        """The output of shell commands that run in the copy. Raises Failed."""
        script = f"{self.settings} {script}"
        if self.debian:
            command = self.debian.enter(["bash", "-ec", f"cd /srv/{self.name}; {script}"])
            variables = inside() | {"PATH": f"{inside()['PATH']}"}
        else:
            command, variables = ["bash", "-ec", script], environment()
        ran = subprocess.run(command, cwd=self.work, env=variables, text=True, check=False,
                             stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)  # fmt: skip
        with log.open("a") as file:
            file.write(f"$ {script}\n{ran.stdout}")
        if ran.returncode:
            raise Failed(f"{script.strip()}: exit {ran.returncode}\n{ran.stdout[-6000:]}")
        return ran.stdout


def cpython(version: str, debian: Debian) -> Runtime:
    # What another language's compiler says of emitted sources does not depend on this interpreter; the tree has no compiler.
    settings = "export PYTEST_ADDOPTS='-m \"not compiler\"';"
    return Runtime(f"cpython-{version}", "python", (f"python{version}", "--version"), f"Python {version}.", debian, settings)


def jdk(version: str) -> Runtime:
    home = f"export JAVA_HOME=$(echo /usr/lib/jvm/java-{version}-openjdk-*) PATH=$(echo /usr/lib/jvm/java-{version}-openjdk-*)/bin:$PATH;"
    return Runtime(f"jdk-{version}", "java", ("javac", "-version"), f"javac {version}.", TRIXIE, home)


def node(version: str) -> Runtime:
    programs = ROOT / f"house/runtimes/node_modules/node-{version}/bin"
    return Runtime(
        f"node-{version}", "typescript", ("node", "--version"), f"v{version}.", settings=f"export PATH={programs}:$PATH;"
    )


def engine(which: Engine, says: str) -> Runtime:
    return Runtime(which.name, "typescript", (str(which.path), "--version"), says, engine=which)


RUNTIMES = (
    cpython("3.13", TRIXIE), cpython("3.14", FORKY), jdk("21"), jdk("25"), node("22"), node("24"), node("25"),
    engine(BUN, "1.4."), engine(DENO, "deno 2.9."),
)  # fmt: skip


@dataclass(frozen=True)
class Result:
    """What one runtime executed."""

    runtime: str
    version: str
    vectors: int
    tests: str
    quick_starts: int
    seconds: float


def judge(runtime: Runtime, short: bool) -> Result:
    """Builds, tests and runs one. Raises Failed, naming the command, and Unavailable."""
    began = time.monotonic()
    log = ROOT / f"build/runtimes/{runtime.name}.log"
    log.write_text("")
    copy(ROOT, runtime.work)
    version = runtime.run(" ".join(runtime.asked), log).strip()
    if runtime.says not in version:
        raise Failed(f"{' '.join(runtime.asked)} says {version}, not {runtime.says}")
    if runtime.engine:
        return judge_engine(runtime, runtime.engine, version, short, log, began)
    variables = ""
    if runtime.language == "java":
        share_types(ROOT, runtime.work)
        variables = f"VALKEY=$PWD/{share_server(runtime.work)} PYTHON=python3.13"
    elif runtime.language == "python":
        variables = f"PYTHON={runtime.asked[0]}"
    runtime.run("rm -rf build/executed", log)
    target = f"quick-{runtime.language} T={VECTORS[runtime.language]}" if short else f"test-{runtime.language}"
    runtime.run(f"make {variables} {target}", log)
    # The short form has built the extension of the fast loop, which lies beside the package.
    python = {
        "python": "PYTHONPATH=$PWD/build/quick .venv/bin/python" if short else ".venv/bin/python",
        "java": "python3.13",
        "typescript": sys.executable,
    }[runtime.language]
    runtime.run(f"{python} -m house.quickstart {' '.join(QUICK_STARTS[runtime.language])}", log)

    reports = executed(runtime.work)
    wanted, found = manifest(ROOT).of(runtime.language), reports[runtime.language]
    if found.vectors != wanted:
        raise Failed(f"executed {sum(found.vectors.values())} of {sum(wanted.values())} vector cases")
    if (not short and found.tests <= 0) or reports["quickstart"].tests <= 0:
        raise Failed("ran no tests of its own")
    return Result(
        runtime.name,
        version,
        sum(found.vectors.values()),
        "" if short else str(found.tests),
        reports["quickstart"].tests,
        time.monotonic() - began,
    )


def judge_engine(runtime: Runtime, engine: Engine, version: str, short: bool, log: Path, began: float) -> Result:
    """Runs the files that Node built in the work tree, against the list of expected failures. Raises Failed."""
    share_built(ROOT, runtime.work)
    runtime.run("rm -rf build/executed && mkdir -p build/executed", log)
    typescript = runtime.work / "typescript"
    names = engines.files(typescript, short)
    listed = engines.listed(engine.name)
    problems = [f"{file}: is listed, and is not a test" for file in listed if not short and file not in names]
    tests = 0
    for name in names:
        outcome = engines.run(engine, typescript, name, log)
        problems += engines.problems(name, listed.get(name, {}), outcome)
        tests += 0 if name == "vectors" else outcome.passed
    if problems:
        raise Failed("\n  ".join(["other results than expected.json lists:", *problems, f"see {log}"]))
    wanted = manifest(ROOT).of("typescript")
    found = json.loads((runtime.work / "build/executed/typescript.json").read_text())["vectors"]
    if found != wanted:
        raise Failed(f"executed {sum(found.values())} of {sum(wanted.values())} vector cases")
    expected = sum(len(listed.get(name, {})) for name in names)
    others = f"{tests}, {expected} fail as listed" if expected else str(tests)
    return Result(runtime.name, version.splitlines()[0].split(" (")[0], sum(found.values()), others, 0, time.monotonic() - began)


def table(results: list[Result]) -> str:
    """One line a runtime."""
    rows = [("runtime", "version", "vector cases", "other tests", "quick starts", "seconds")]
    rows += [
        (each.runtime, each.version, str(each.vectors), each.tests, str(each.quick_starts), f"{each.seconds:.0f}")
        for each in results
    ]
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]))]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def prepare(chosen: list[Runtime]) -> None:
    """Prepares the tools that the chosen runtimes need. Raises Unavailable."""
    if any(runtime.debian for runtime in chosen):
        require()
    if any(runtime.language == "typescript" for runtime in chosen) and platform.machine() != "x86_64":
        raise Unavailable("needs an x64 machine for the binaries of Node, Bun and Deno")
    for debian in {runtime.debian for runtime in chosen if runtime.debian}:
        debian.ready()


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--short", action="store_true")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(runtime.name for runtime in RUNTIMES))
    options = parser.parse_args()
    chosen = [runtime for runtime in RUNTIMES if not options.names or runtime.name in options.names]
    if unknown := set(options.names) - {runtime.name for runtime in chosen}:
        parser.error(f"no such runtime: {', '.join(sorted(unknown))}")
    (ROOT / "build/runtimes").mkdir(parents=True, exist_ok=True)
    place().mkdir(parents=True, exist_ok=True)

    results: list[Result] = []
    failures: list[str] = []

    def one(runtime: Runtime) -> None:
        try:
            results.append(judge(runtime, options.short))
            print(f"{runtime.name}: {results[-1].seconds:.0f} s", flush=True)
        except (Failed, Unavailable, OSError, KeyError) as problem:
            failures.append(f"{runtime.name}: {problem}")
            print(f"FAILED {failures[-1]}", file=sys.stderr, flush=True)

    with (place() / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        try:
            prepare(chosen)
        except Unavailable as problem:
            print(f"test-runtimes: {problem}", file=sys.stderr)
            return 1
        with ThreadPoolExecutor(AT_ONCE) as pool:
            list(pool.map(one, chosen))
    print(table(sorted(results, key=lambda each: each.runtime)))
    print(f"{len(results)} runtimes passed, {len(failures)} failed")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
