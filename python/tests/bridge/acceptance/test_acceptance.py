"""The acceptance cases hold on samewire.bridge; on Py4J and JPype they hold too, but for the listed differences."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

RUN = Path(__file__).with_name("run.py")


@pytest.mark.long
@pytest.mark.parametrize("library", ["ours", "py4j", "jpype"])
def test_cases_hold_but_for_listed_differences(library: str) -> None:
    ended = subprocess.run(
        [sys.executable, RUN, "--on", library, "--quiet"], capture_output=True, text=True, timeout=120, check=False
    )
    assert ended.returncode == 0, ended.stdout + ended.stderr
    sums = re.search(r"(\d+) cases, \d+ hold, \d+ differ, 0 wrong", ended.stdout)
    assert sums and int(sums[1]) >= 400, ended.stdout
