"""A JVM within the process that lies: damaged replies and calls, and large values that are not what their messages say.

What a client within the process sends is Python's own; that Java's side withstands damaged frames of one is a test of Java's
(`HostileLinkTest`).
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from gateway_fixtures import SHORT

HERE = Path(__file__).parent
LYING = HERE.parents[2] / "java" / "bridge" / "src" / "test" / "lying"
#: SAMEWIRE_HOSTILE=300 has more than 100,000 frames sent.
SESSIONS = 250 * int(os.environ.get("SAMEWIRE_HOSTILE", "1"))


@pytest.mark.long
def test_damaged_frames_of_a_jvm_within_the_process_are_values_or_errors(tmp_path: Path) -> None:
    classes, folder = tmp_path / "classes", tmp_path / "folder"
    folder.mkdir()
    sources = [str(source) for source in sorted(LYING.rglob("*.java"))]
    subprocess.run(["javac", *SHORT, "-Xlint:all", "-Werror", "-d", str(classes), *sources], check=True, timeout=120)
    command = [sys.executable, str(HERE / "lying_program.py"), str(classes), str(folder), str(SESSIONS), "1"]
    path = os.pathsep.join(sys.path)
    done = subprocess.run(
        command, env=os.environ | {"PYTHONPATH": path}, capture_output=True, text=True, timeout=100 + SESSIONS // 10, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)
    told = re.fullmatch(r"(\d+) frames and (\d+) calls\n", done.stdout)
    assert told is not None, done.stdout
    assert int(told[1]) > SESSIONS
    assert int(told[2]) > SESSIONS // 2
