"""Compiles the Java classes of this folder, once for each state of their sources."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
ROOT = HERE.parents[3]


def compiled() -> Path:
    """The folder of the compiled classes. Processes that compile at the same time do not see each other's halves."""
    sources = sorted((HERE / "java").rglob("*.java"))
    digest = hashlib.sha256()
    for source in sources:
        digest.update(source.read_bytes())
    folder = ROOT / "build/acceptance" / digest.hexdigest()[:16]
    if folder.is_dir():
        return folder
    folder.parent.mkdir(parents=True, exist_ok=True)
    made = Path(tempfile.mkdtemp(dir=folder.parent))
    subprocess.run(["javac", "-Xlint:all", "-Werror", "-parameters", "-d", made, *sources], check=True, timeout=120)
    try:
        made.rename(folder)
    except OSError:
        # Another process was first, with the same classes.
        shutil.rmtree(made)
    os.utime(folder)
    return folder
