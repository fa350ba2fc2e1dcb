"""Runs mypy once per import root: each part is checked with exactly the folders that it can import from."""

from __future__ import annotations

import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[1]


@dataclass(frozen=True)
class Part:
    """One import root: the folder mypy runs in, what it checks there, and other folders to import from."""

    base: str
    target: str = "."
    path: tuple[str, ...] = ()


PARTS = (
    Part("python", "samewire"),
    Part(
        "python/tests",
        path=(
            "python",
            *(
                f"python/tests/{part}"
                for part in ("core", "pack", "schema", "redis", "bridge", "bridge/acceptance", "as_py4j", "spark")
            ),
            ".",
        ),
    ),
    Part(".", "spec"),
    Part(".", "codegen"),
    Part(".", "tour", ("python",)),
    Part(".", "bench", ("python", "python/tests/redis")),
    Part(".", "house"),
    Part("typescript", "interop"),
    # The programs import packages of an environment of their own.
    Part("python/interop", "run.py", ("python", "python/tests/redis")),
    Part("python/interop", "harness.py"),
    Part("python/interop", "redis_py", ("python", "python/tests/redis", "python/interop/redis_py")),
    # As above: `doctests.py` and the programs run in Spark's environments.
    Part("python/interop/spark", "run.py"),
    Part("python/interop/spark", "on_clusters.py"),
    Part("python/interop/spark", "typed.py"),
    Part("python/interop/spark", "columns.py"),
    Part("java/interop", path=("python",)),
    # As above: those of `services` and `worker` import web frameworks and Celery.
    Part("examples/pipeline", path=("python",)),
    Part("examples/chart", path=("python",)),
)


def check(part: Part) -> bool:
    """Whether mypy accepts every module of one part."""
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(str(ROOT / folder) for folder in part.path)}
    # One for all parts: what several of them import is read once.
    cache = ROOT / "build/mypy"
    command = [sys.executable, "-m", "mypy", "--config-file", str(ROOT / "python/pyproject.toml"), "--no-error-summary"]
    command += ["--follow-imports", "silent", "--cache-dir", str(cache), part.target]
    return subprocess.run(command, cwd=ROOT / part.base, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    # A list, not a generator: every part's findings are shown.
    accepted = [check(part) for part in PARTS]
    sys.exit(not all(accepted))
