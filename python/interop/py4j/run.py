"""Runs Py4J's own tests with our client, our jar and both, and its tests of Java on our classes.

usage: run.py SOURCE [--only COMBINATION] [--beside N] [-k TEXT] [--write]

  SOURCE    a folder with a copy of Py4J's repository, 0.10.9.9; it is copied, compiled and not changed
  --only    theirs-ours (client, jar), ours-theirs, ours-ours, theirs-theirs (not run otherwise) or junit
  --beside  how many files run beside one another, if each can have a network of its own: their ports are fixed
  -k        files with TEXT in their names
  --write   writes how many pass to the head of KNOWN.md, with all files only

A test that does not pass must stand in KNOWN.md with the reason.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from trees import ROOT, Tree  # noqa: E402 (found by the line above)

COMBINATIONS = ("theirs-ours", "ours-theirs", "ours-ours")
#: A file's tests end within, and each of them, also on a busy machine.
SECONDS = 1800
SECONDS_OF_TEST = 90
#: How often what is left of a file is run, if a test does not end.
PASSES = 4
#: How a test is tried alone: many wait for a JVM, or for a callback, a time that a busy machine does not keep. So the wait
#: for what a test has started takes so many times as long.
PATIENCE = (1, 6, 1)
#: At least so many of Python's tests pass in each combination.
LEAST = 185
#: Not run: it needs TLS 1.0, fails with Py4J itself, and leaves a JVM on the port of all others.
NOT_RUN = ("java_tls_test.py",)
#: Gives a command a network of its own, where the system allows that.
ALONE = ["unshare", "-rn", "sh", "-c", 'ip link set lo up && exec "$@"', "sh"]

#: The outcome of each test by its name.
Outcomes = dict[str, str]


def alone() -> list[str]:
    """What goes before a command, or nothing."""
    try:
        works = subprocess.run([*ALONE, "true"], capture_output=True, check=False).returncode == 0
    except FileNotFoundError:
        return []
    return ALONE if works else []


def ended(command: list[str], environment: dict[str, str], log: Path, folder: Path) -> None:
    """Runs a command until it ends or has had its time, and ends what it has started."""
    with log.open("w") as out:
        process = subprocess.Popen(command, cwd=folder, env=environment, stdout=out, stderr=out, start_new_session=True)
        try:
            process.wait(SECONDS)
        except subprocess.TimeoutExpired:
            print(f"  {log.stem}: not over after {SECONDS} s", flush=True)
        finally:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def python_tests(tree: Tree, client: str, log: Path, test: str, left: list[str], patience: int = 1) -> Outcomes:
    """The outcomes of a test or of a file's without those that are left out, in a network of their own where that is possible."""
    found = log.with_suffix(".outcomes")
    found.write_text("")
    path = [HERE, ROOT / "python"] if client == "ours" else [tree.python, HERE]
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join(map(str, path)),
        "PY4J_TESTED": str(tree.python / "py4j"),
        "PY4J_OUTCOMES": str(found),
        "PY4J_SECONDS": str(SECONDS_OF_TEST),
        "PY4J_PATIENCE": str(patience),
        "PY4J_LEFT_OUT": "\n".join(left),
    }
    plugins = ["-p", "outcomes", *(["-p", "ours"] if client == "ours" else [])]
    command = [*alone(), sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *plugins]
    command += ["-o", "python_files=*.py", "--tb", "short", "--rootdir", str(tree.python)]
    ended([*command, str(tree.python / "py4j/tests" / test)], environment, log, tree.python)
    return dict(line.rsplit("\t", 1) for line in found.read_text().splitlines())


def combination(tree: Tree, client: str, names: list[str], expected: set[str], beside: int, logs: Path) -> Outcomes:
    """The outcomes of all files. What does not pass, or need not, is tried alone, each in a process of its own."""

    def together(name: str) -> Outcomes:
        # A test that fails may leave its JVM running, which waits for an end, and so take the file's others along: without those
        # that fail, and without one that did not end, the others are run.
        outcomes: Outcomes = {}
        stuck: set[str] = set()
        for number in range(PASSES):
            done = {test for test, outcome in outcomes.items() if outcome != "no outcome"}
            found = python_tests(tree, client, logs / f"{name}.{number}.log", name, sorted(expected | done | stuck))
            outcomes.update(found)
            waiting = [test for test, outcome in found.items() if outcome == "no outcome"]
            if not waiting:
                break
            stuck.add(waiting[0])
        return outcomes or {f"{name}::": "no outcome"}

    outcomes: Outcomes = {}
    with ThreadPoolExecutor(beside if alone() else 1) as pool:
        for found in pool.map(together, names):
            outcomes.update(found)
    first = {test: outcome for test, outcome in outcomes.items() if outcome != "passed"}
    first.update(dict.fromkeys((test for test in expected if test.partition("::")[0] in names), "left out"))
    for number, (test, outcome) in enumerate(sorted(first.items())):
        outcomes.pop(test, None)
        for tried, patience in enumerate(PATIENCE[: 1 if test in expected else None]):
            log = logs / f"alone-{number}.{tried}.log"
            again = python_tests(tree, client, log, test.removesuffix("::"), [], patience)
            outcomes.update(again or {test: "no outcome"})
            if outcomes.get(test) == "passed":
                break
        if outcome != "left out" and outcomes.get(test) == "passed":
            print(f"  {test}: {outcome} among others, passes alone", flush=True)
    return outcomes


def java_tests(tree: Tree, logs: Path) -> Outcomes:
    """The outcomes of Java's tests. A class that does not compile has one outcome."""
    classes = tree.java_tests()
    log = logs / "junit.log"
    java = ["java", "-cp", tree.class_path, "org.junit.runner.JUnitCore"]
    outcomes = {name: "not compiled" for name in tree.left_out if (tree.sources / "test/java" / name).name.endswith("Test.java")}
    for name in classes:
        ended([*alone(), *java, name], dict(os.environ), log, tree.folder)
        text = log.read_text("utf-8", "replace")
        counted = re.search(r"^OK \((\d+) test|^Tests run: (\d+)", text, re.MULTILINE)
        failed = set(re.findall(r"^\d+\) (\w+)\(([\w.]+)\)$", text, re.MULTILINE))
        short = name.rpartition(".")[2]
        for test, _ in failed:
            outcomes[f"{short}::{test}"] = "failed"
        passed = int(counted[1] or counted[2]) - len(failed) if counted else 0
        for number in range(passed):
            outcomes[f"{short}::passed {number}"] = "passed"
        if not counted:
            outcomes[f"{short}::"] = "no outcome"
    return outcomes


def known() -> dict[str, set[str]]:
    """By combination, the tests that need not pass."""
    found: dict[str, set[str]] = {}
    for line in (HERE / "KNOWN.md").read_text("utf-8").splitlines():
        cells = [cell.strip().strip("`") for cell in line.strip("|").split("|")]
        if line.startswith("| `") and len(cells) >= 3:
            for where in cells[1].split(", "):
                found.setdefault(where, set()).add(cells[0])
    return found


def judged(name: str, outcomes: Outcomes, expected: set[str]) -> bool:
    """Prints a line of the table, and what is wrong. Returns whether nothing is."""
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    missed = {test: outcome for test, outcome in outcomes.items() if outcome != "passed"}
    surprises = sorted(set(missed) - expected)
    print(f"| {name:13} | {passed:6} | {len(missed):10} | {len(expected):5} |", flush=True)
    for test in surprises:
        print(f"  {test}: {missed[test]}, and KNOWN.md does not say so", flush=True)
    for test in sorted(test for test in expected if outcomes.get(test) == "passed"):
        print(f"  {test}: passed, though KNOWN.md has it", flush=True)
    return not surprises


def write_counts(name: str, outcomes: Outcomes) -> None:
    """Writes a combination's line at the head of KNOWN.md."""
    passed = sum(outcome == "passed" for outcome in outcomes.values())
    known = HERE / "KNOWN.md"
    text = re.sub(rf"^\| {name} \|.*$", f"| {name} | {passed} | {len(outcomes)} |", known.read_text("utf-8"), flags=re.MULTILINE)
    known.write_text(text, "utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path)
    parser.add_argument("--only", choices=[*COMBINATIONS, "theirs-theirs", "junit"])
    parser.add_argument("--beside", type=int, default=4)
    parser.add_argument("-k", default="")
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    source = options.source.resolve()
    if not (source / "py4j-python/src/py4j/tests").is_dir() or not (source / "py4j-java/src/test").is_dir():
        sys.exit(f"{source} is not a copy of Py4J's repository: it lacks py4j-python/src/py4j/tests or py4j-java/src/test")
    if shutil.which("javac") is None:
        sys.exit("a JDK is needed: javac is not on PATH")
    tests = source / "py4j-python/src/py4j/tests"
    # The longest first.
    files = sorted(tests.glob("*test.py"), key=lambda path: -path.stat().st_size)
    names = [path.name for path in files if path.name not in NOT_RUN and options.k in path.name]
    wanted = [options.only] if options.only else [*COMBINATIONS, "junit"]
    trees: dict[str, Tree] = {}
    expected, good = known(), True
    logs = ROOT / "build/interop-py4j"
    with tempfile.TemporaryDirectory(prefix="py4j-tests-") as folder:
        print("| client-jar    | passed | not passed | known |\n|---|---|---|---|", flush=True)
        for name in wanted:
            jar = "ours" if name == "junit" else name.rpartition("-")[2]
            if jar not in trees:
                trees[jar] = Tree(source, Path(folder), jar)
            (logs / name).mkdir(parents=True, exist_ok=True)
            if name == "junit":
                outcomes = java_tests(trees[jar], logs / name)
            else:
                outcomes = combination(
                    trees[jar], name.partition("-")[0], names, expected.get(name, set()), options.beside, logs / name
                )
                passed = sum(outcome == "passed" for outcome in outcomes.values())
                if not options.k and passed < LEAST:
                    print(f"  {passed} tests pass, {LEAST} must")
                    good = False
            if options.write and not options.k:
                write_counts(name, outcomes)
            good &= judged(name, outcomes, expected.get(name, set()))
    sys.exit(not good)


if __name__ == "__main__":
    main()
