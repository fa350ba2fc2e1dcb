"""How the peers of each language are built and started.

Every runner answers two command lines: ``list`` prints a JSON object, each peer with its shapes; ``PEER WORKLOAD --warm S --samples N
--sample S`` times one peer on one shape and prints JSON objects, one a line (see ``run.py``).
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
PEERS = ROOT / "bench" / "peers"
BUILD = ROOT / "build" / "bench"


class Language(NamedTuple):
    """``build`` makes the runner and answers its command; ``warm`` is its longest warm-up per operation, in seconds."""

    name: str
    build: Callable[[], list[str]]
    version: tuple[str, ...]
    """The command that prints the version of what runs it."""
    warm: float
    starts: bool = False
    """Whether a process of its own, with no samples, times what is paid once."""


class CannotBuild(Exception):
    """A runner could not be built; the text is the tool's own last words."""


def _call(*command: str | Path, cwd: Path = ROOT) -> str:
    words = [str(part) for part in command]
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise CannotBuild(f"{command[0]} is not installed") from missing
    if done.returncode:
        raise CannotBuild(f"{command[0]}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def _python() -> list[str]:
    return [sys.executable, "-m", "bench.peers.python"]


def _packages() -> Path:
    folder = PEERS / "node"
    if not (folder / "node_modules").is_dir():
        _call("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=folder)
    return folder


def _node() -> list[str]:
    return ["node", str(_packages() / "main.mjs")]


def _chromium() -> list[str]:
    if shutil.which(os.environ.get("CHROMIUM", "/usr/bin/chromium")) is None:
        raise CannotBuild("no Chromium: apt-get install chromium, or set CHROMIUM to its path")
    return ["node", str(_packages() / "chromium.mjs")]


def _rust() -> list[str]:
    manifest = PEERS / "rust" / "Cargo.toml"
    target = BUILD / "rust"
    _call("cargo", "build", "-q", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
    return [str(target / "release" / "samewire-bench-peers")]


def _class_path() -> str:
    """Peers as the root's Makefile resolved them, ours as `make build` left it."""
    resolved = ROOT / "build" / "bench" / "peers" / "java" / "classpath.txt"
    if not resolved.exists():
        resolved.parent.mkdir(parents=True, exist_ok=True)
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
        _call("mvn", "-q", "-B", "-ntp", "-f", PEERS / "java" / "pom.xml", goal, f"-Dmdep.outputFile={resolved}")
    ours = ROOT / "java" / "pack" / "target"
    if not (ours / "classpath.txt").exists():
        raise CannotBuild("java/pack is not built: make build-java")
    return ":".join([str(ours / "classes"), (ours / "classpath.txt").read_text().strip(), resolved.read_text().strip()])


def _jvm() -> list[str]:
    libraries = _class_path()
    classes = BUILD / "java-classes"
    sources = sorted((PEERS / "java" / "src").rglob("*.java"))
    scala = sorted((PEERS / "java" / "src").rglob("*.scala"))
    stamp = classes / "stamp"
    if not stamp.exists() or stamp.stat().st_mtime < max(path.stat().st_mtime for path in [*sources, *scala]):
        classes.mkdir(parents=True, exist_ok=True)
        _call("javac", "-Xlint:all,-path", "-Werror", "-d", classes, "-cp", libraries, *sources)
        both = f"{classes}:{libraries}"
        _call("java", "-cp", libraries, "scala.tools.nsc.Main", "-nobootcp", "-cp", both, "-d", classes, *scala)
        stamp.touch()
    return ["java", "-Xbatch", "-Xmx1g", "-Xmn32m", "-cp", f"{classes}:{libraries}", "io.samewire.bench.Main"]


LANGUAGES = (
    Language("jvm", _jvm, ("java", "--version"), 1.5, starts=True),
    Language("node", _node, ("node", "--version"), 0.8),
    Language("chromium", _chromium, ("chromium", "--version"), 0.8),
    Language("python", _python, (sys.executable, "--version"), 0.2),
    Language("rust", _rust, ("rustc", "--version"), 0.2),
)


def version(language: Language) -> str:
    """The first line of what the language's platform says of itself."""
    return _call(*language.version).splitlines()[0]


def peers(command: list[str]) -> dict[str, list[str]]:
    """The names of a runner's peers, each with its shapes."""
    found = json.loads(_call(*command, "list"))["peers"]
    return {name: peer["workloads"] for name, peer in found.items()}
