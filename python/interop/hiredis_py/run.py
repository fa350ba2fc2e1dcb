"""Runs hiredis-py's own tests with `samewire.redis.Reader` in its place. All of them must pass.

Its source package is downloaded, pinned by the hash in requirements.txt; nothing of it is in this repository.

usage: run.py
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[2]
PLACE = ROOT / "build/interop/hiredis-py"
REQUIREMENTS = ROOT / "requirements.txt"


def prepare() -> Path:
    """The folder with its tests. It is made once for each pinned release."""
    lines = REQUIREMENTS.read_text().replace("\\\n", " ").splitlines()
    (pinned,) = (line for line in lines if line.startswith("hiredis=="))
    tests = PLACE / "tests"
    source = PLACE / "source.txt"
    if tests.exists() and source.exists() and source.read_text() == pinned + "\n":
        return tests
    shutil.rmtree(PLACE, ignore_errors=True)
    PLACE.mkdir(parents=True)
    source.write_text(pinned + "\n")
    pip = (sys.executable, "-m", "pip", "-q", "--disable-pip-version-check", "download", "--require-hashes", "--no-deps")
    subprocess.run([*pip, "--no-binary", "hiredis", "-r", str(source), "-d", str(PLACE)], check=True)
    (archive,) = PLACE.glob("hiredis-*.tar.gz")
    with tarfile.open(archive) as packed:
        packed.extractall(PLACE / "unpacked", filter="data")
    (unpacked,) = (PLACE / "unpacked").iterdir()
    # The tests alone: its package would be found before ours.
    (unpacked / "tests").rename(tests)
    shutil.rmtree(PLACE / "unpacked")
    return tests


def main() -> int:
    tests = prepare()
    paths = os.pathsep.join(map(str, (HERE, ROOT / "python")))
    command = [sys.executable, "-m", "pytest", "-p", "in_its_place", "-p", "no:cacheprovider", "-q", "-c", os.devnull, "."]
    run = subprocess.run(command, cwd=tests, env={**os.environ, "PYTHONPATH": paths}, check=False, capture_output=True, text=True)
    found = re.search(r"^(\d+) passed(?:, \d+ warnings?)? in", run.stdout, re.MULTILINE)
    if run.returncode or not found:
        print(run.stdout, run.stderr, sep="\n", file=sys.stderr)
        return 1
    report = ROOT / "build/executed/interop-hiredis.json"
    report.parent.mkdir(parents=True, exist_ok=True)
    report.write_text(json.dumps({"vectors": {}, "tests": int(found[1])}))
    print(f"hiredis-py's own tests: {found[1]} passed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
