"""A copy of the lab in a folder of its own: tests may add files there, and its runs are its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from bench.lab.places import ROOT
from bench.tests.forks import Forks

collect_ignore = [] if find_spec("pyarrow") else ["test_pyarrow_values.py"]
"""Tests that `make pyarrow` runs, after it has installed their dependency."""
PLAN = "sample=0.02, warm=0.3, budget"
"""What a quick run's processes take their time for, as ``plan.py`` has it."""
SHORTER = "sample=0.002, warm=0.01, budget"
"""A tenth of the CPU of a process, for the tests."""
SKIPPED = shutil.ignore_patterns("node_modules", "target", "__pycache__", "results", "*.egg-info", "tests")


class Copy:
    """A copied tree. bytecode: of the modules of all copies, and of what they import: they are compiled once."""

    def __init__(self, root: Path, bytecode: Path, scratch: Path) -> None:
        self.root = root
        self._environment = {"COLUMNS": "200", "PYTHONPYCACHEPREFIX": str(bytecode)}
        self._forks = Forks(root, scratch, os.environ | self._environment)

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Begins ``bench`` with these words, as a process of its own."""
        command = [sys.executable, "-m", "bench", *words]
        environment = os.environ | self._environment
        return subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def bench(self, *words: str, status: int = 0) -> str:
        """Runs ``bench`` to its end; returns what it printed."""
        code, out, err = self._forks.bench(words, os.environ | self._environment)
        assert code == status, out + err
        return out if status == 0 else out + err

    def run(self, *words: str) -> str:
        """A run so small that it says nothing, in Python, by a process of its own."""
        with self.start("run", "pack", "--quick", "--language", "python", *words) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == 0, out + err
        return out

    @property
    def runs(self) -> list[Path]:
        """Folders of runs made here, the oldest first."""
        return sorted((self.root / "build/bench/runs").glob("*"))

    def processes(self) -> list[Path]:
        """Running processes that were started in this tree, but for the one that forks."""
        found = []
        for link in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if link.readlink() == self.root and link.parent.name != str(self._forks.pid):
                    found.append(link)
            except OSError:
                continue
        return found

    def close(self) -> None:
        """Ends the process that forks."""
        self._forks.close()


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Copy]:
    """One copy for the tests of a file; its quick runs are shorter."""
    folder = tmp_path_factory.mktemp("lab").resolve()
    for part in ("bench", "tour"):
        shutil.copytree(ROOT / part, folder / part, ignore=SKIPPED)
    plan = folder / "bench/lab/plan.py"
    text = plan.read_text("utf-8")
    assert text.count(PLAN) == 1
    plan.write_text(text.replace(PLAN, SHORTER))
    copy = Copy(folder, tmp_path_factory.getbasetemp() / "bytecode", tmp_path_factory.mktemp("outputs"))
    yield copy
    copy.close()


@pytest.fixture(scope="session", autouse=True)
def _short_lived_jvms() -> Iterator[None]:
    """JVMs that run one operation once: what C2 would compile ends first, and half a gigabyte of heap is not touched.

    The tests that start the runners of the JVM take 17.5 s of CPU instead of 29.9 s. The lab's own runs keep their options.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:-AlwaysPreTouch -Xms16m")
        yield
