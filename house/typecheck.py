"""Runs mypy once per import root: each part is checked with exactly the folders that it can import from."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]

# What is checked, and the folders on its import path beside the root of the repository.
PARTS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("python/samewire", ("python",)),
    ("python/tests", ("python", "python/tests")),
    ("spec/oracle", ("spec/oracle",)),
    ("spec/matrix", ("spec/matrix", "spec/oracle")),
    ("tour", ("python",)),
    ("bench", ("python",)),
    ("house", ()),
)


def check(part: str, path: tuple[str, ...]) -> bool:
    """Whether mypy accepts every module of one part."""
    environment = {**os.environ, "MYPYPATH": os.pathsep.join(path)}
    command = [sys.executable, "-m", "mypy", "--config-file", "python/pyproject.toml", "--no-error-summary"]
    command += ["--cache-dir", f"build/mypy/{part.replace('/', '-')}", part]
    return subprocess.run(command, cwd=ROOT, env=environment, check=False).returncode == 0


if __name__ == "__main__":
    # A list, not a generator: every part's findings are shown.
    accepted = [check(part, path) for part, path in PARTS if any((ROOT / part).rglob("*.py"))]
    sys.exit(not all(accepted))
