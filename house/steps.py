"""Runs make targets in order, names each with its place and time, and stops at the first that fails.

usage: steps.py MAKE TARGET...
"""

from __future__ import annotations

import subprocess
import sys
import time


def run(make: str, targets: list[str]) -> int:
    """Returns the exit status of the first target that fails, else 0."""
    began = time.monotonic()
    for number, target in enumerate(targets, 1):
        print(f"== [{number}/{len(targets)}] {target}", flush=True)
        start = time.monotonic()
        status = subprocess.run([make, target], check=False).returncode
        spent = time.monotonic() - start
        if status:
            print(
                f"== {target} failed after {spent:.0f} s (make {target} repeats it alone)",
                file=sys.stderr,
                flush=True,
            )
            return status
        print(f"== {target}: {spent:.1f} s, {time.monotonic() - began:.0f} s since the start", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(run(sys.argv[1], sys.argv[2:]))
