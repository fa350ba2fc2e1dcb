"""The JVM's side as the lab builds it, and how a process of it is started: with Java's own defaults."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

BUILT = Path(__file__).resolve().parents[3] / "build" / "bench" / "bridge"
CLASSES = BUILT / "classes"
PACKAGE = "io.samewire.bench.bridge"


def program() -> str:
    """Java of JAVA_HOME, or of the path."""
    home = os.environ.get("JAVA_HOME")
    return str(Path(home) / "bin" / "java") if home else shutil.which("java") or "java"


def home() -> Path:
    """Where that Java is installed."""
    return Path(shutil.which(program()) or program()).resolve().parents[1]


def version() -> str:
    """The first line of what it says of itself."""
    return subprocess.run([program(), "--version"], capture_output=True, text=True, check=True).stdout.splitlines()[0]


def libraries() -> str:
    """The class path of the lab's classes and of what they are compiled with."""
    return f"{CLASSES}:{(BUILT / 'classpath.txt').read_text().strip()}"


def started(main: str, *words: str, path: str | Path = CLASSES) -> subprocess.Popen[str]:
    """A JVM that ends when its standard input does."""
    command = [program(), "-cp", str(path), f"{PACKAGE}.{main}", *words]
    return subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def said(process: subprocess.Popen[str]) -> str:
    """The next line that it prints. Raises OSError when it has ended instead."""
    assert process.stdout is not None
    line = process.stdout.readline()
    if not line:
        raise OSError(f"the JVM ended with {process.wait()}")
    return line.strip()


def ended(process: subprocess.Popen[str]) -> None:
    """Waits for its end, which closing its standard input brings about."""
    with process:
        if process.stdin:
            process.stdin.close()
        try:
            process.wait(5)
        except subprocess.TimeoutExpired:
            process.kill()
