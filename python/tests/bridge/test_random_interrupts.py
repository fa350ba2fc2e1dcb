"""KeyboardInterrupt at random times, in the midst of calls, callbacks and batches within one another, over each transport."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

PROGRAM = Path(__file__).with_name("interrupted_program.py")
#: A tenth of what has been tried: SAMEWIRE_HOSTILE=10 sends ten times as many.
INTERRUPTS = 500 * int(os.environ.get("SAMEWIRE_HOSTILE", "1"))


@pytest.mark.long
@pytest.mark.parametrize("transport", ["in-process", "shared-memory", "unix", "tcp"])
def test_interrupts_come_out_of_calls_and_leave_nothing(transport: str) -> None:
    command = [sys.executable, str(PROGRAM), transport, str(INTERRUPTS), "3"]
    done = subprocess.run(command, capture_output=True, text=True, timeout=60 + INTERRUPTS // 5, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("True [] True\n", "", 0)
