"""A copy of the lab in a folder of its own: tests may add files there, and its runs are its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import NamedTuple

import pytest

from bench.lab.places import ROOT

SKIPPED = shutil.ignore_patterns("node_modules", "target", "__pycache__", "results", "*.egg-info", "tests")


class Copy(NamedTuple):
    """A copied tree."""

    root: Path
    bytecode: Path
    """Of the modules of all copies, and of what they import: they are compiled once."""

    def start(self, *words: str) -> subprocess.Popen[str]:
        """Begins ``bench`` with these words."""
        command = [sys.executable, "-m", "bench", *words]
        environment = {**os.environ, "COLUMNS": "200", "PYTHONPYCACHEPREFIX": str(self.bytecode)}
        return subprocess.Popen(
            command, cwd=self.root, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )

    def bench(self, *words: str, status: int = 0) -> str:
        """Runs ``bench`` to its end; returns what it printed."""
        with self.start(*words) as process:
            out, err = process.communicate(timeout=120)
        assert process.returncode == status, out + err
        return out if status == 0 else out + err

    def run(self, *words: str) -> str:
        """A run so small that it says nothing, in Python."""
        return self.bench("run", "pack", "--quick", "--language", "python", *words)

    @property
    def runs(self) -> list[Path]:
        """Folders of runs made here, the oldest first."""
        return sorted((self.root / "build/bench/runs").glob("*"))

    def processes(self) -> list[Path]:
        """Running processes that were started in this tree."""
        found = []
        for link in Path("/proc").glob("[0-9]*/cwd"):
            try:
                if link.readlink() == self.root:
                    found.append(link)
            except OSError:
                continue
        return found


def copied(folder: Path, bytecode: Path, parts: Sequence[str] = ("bench", "tour")) -> Copy:
    """The parts of the repository in a new folder."""
    for part in parts:
        shutil.copytree(ROOT / part, folder / part, ignore=SKIPPED)
    return Copy(folder.resolve(), bytecode)


@pytest.fixture(scope="module")
def lab(tmp_path_factory: pytest.TempPathFactory) -> Copy:
    """One copy for the tests of a file."""
    return copied(tmp_path_factory.mktemp("lab"), tmp_path_factory.getbasetemp() / "bytecode")


@pytest.fixture(scope="session", autouse=True)
def _short_lived_jvms() -> Iterator[None]:
    """JVMs that run one operation once: what C2 would compile ends first, and half a gigabyte of heap is not touched.

    The tests that start the runners of the JVM take 17.5 s of CPU instead of 29.9 s. The lab's own runs keep their options.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:-AlwaysPreTouch -Xms16m")
        yield
