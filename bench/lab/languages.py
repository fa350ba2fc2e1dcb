"""How the runner of each language is built and started; what it answers is told in `protocol`."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.lab.places import BUILD, PEERS, ROOT
from bench.lab.protocol import Listing, listing


class Language(NamedTuple):
    """``build`` makes the runner and answers its command; ``warm`` is its longest warm-up per operation, in seconds."""

    name: str
    title: str
    build: Callable[[], list[str]]
    version: tuple[str, ...]
    """The command that prints the version of what runs it."""
    warm: float
    sources: Path
    """The folder of its peers."""
    need: str
    """What to install where it cannot run."""
    starts: bool = False
    """Whether a process of its own, with no samples, times what is paid once."""


class CannotRun(Exception):
    """A runner could not be built or started; the text is the tool's own last words."""


def call(*command: str | Path, cwd: Path = ROOT) -> str:
    """The standard output of a command. Raises CannotRun."""
    words = [str(part) for part in command]
    try:
        done = subprocess.run(words, cwd=cwd, capture_output=True, text=True, check=False)
    except FileNotFoundError as missing:
        raise CannotRun(f"{command[0]} is not installed") from missing
    if done.returncode:
        raise CannotRun(f"{command[0]}: {(done.stderr or done.stdout).strip()[-2000:]}")
    return done.stdout


def _python() -> list[str]:
    return [sys.executable, "-m", "bench.peers.python"]


def _packages() -> Path:
    folder = PEERS / "node"
    if not (folder / "node_modules").is_dir():
        call("npm", "ci", "--silent", "--no-audit", "--no-fund", cwd=folder)
    if not (ROOT / "typescript" / "dist").is_dir():
        raise CannotRun("typescript is not built: make build-typescript")
    return folder


def _node() -> list[str]:
    return ["node", str(_packages() / "main.mjs")]


def chromium() -> str:
    """The path of the browser. Raises CannotRun."""
    found = shutil.which(os.environ.get("CHROMIUM", "chromium"))
    if found is None:
        raise CannotRun("no Chromium: apt-get install chromium, or set CHROMIUM to its path")
    return found


def _chromium() -> list[str]:
    chromium()
    return ["node", str(_packages() / "chromium.mjs")]


def _rust() -> list[str]:
    manifest = PEERS / "rust" / "Cargo.toml"
    target = BUILD / "rust"
    call("cargo", "build", "-q", "--release", "--locked", "--manifest-path", manifest, "--target-dir", target)
    return [str(target / "release" / "samewire-bench-peers")]


def _class_path() -> str:
    """Peers as the root's Makefile resolved them, ours as `make build` left it."""
    resolved = ROOT / "build" / "bench" / "peers" / "java" / "classpath.txt"
    if not resolved.exists():
        resolved.parent.mkdir(parents=True, exist_ok=True)
        goal = "org.apache.maven.plugins:maven-dependency-plugin:3.8.1:build-classpath"
        call("mvn", "-q", "-B", "-ntp", "-f", PEERS / "java" / "pom.xml", goal, f"-Dmdep.outputFile={resolved}")
    ours = ROOT / "java" / "pack" / "target"
    if not (ours / "classpath.txt").exists():
        raise CannotRun("java/pack is not built: make build-java")
    return ":".join([str(ours / "classes"), (ours / "classpath.txt").read_text().strip(), resolved.read_text().strip()])


def _jvm() -> list[str]:
    libraries = _class_path()
    classes = BUILD / "java-classes"
    sources = sorted((PEERS / "java" / "src").rglob("*.java"))
    scala = sorted((PEERS / "java" / "src").rglob("*.scala"))
    stamp = classes / "stamp"
    if not stamp.exists() or stamp.stat().st_mtime < max(path.stat().st_mtime for path in [*sources, *scala]):
        classes.mkdir(parents=True, exist_ok=True)
        call("javac", "-Xlint:all,-path", "-Werror", "-d", classes, "-cp", libraries, *sources)
        both = f"{classes}:{libraries}"
        call("java", "-cp", libraries, "scala.tools.nsc.Main", "-nobootcp", "-cp", both, "-d", classes, *scala)
        stamp.touch()
    return ["java", "-Xbatch", "-Xmx1g", "-Xmn32m", "-cp", f"{classes}:{libraries}", "io.samewire.bench.Main"]


LANGUAGES = (
    Language("jvm", "JVM", _jvm, ("java", "--version"), 1.5, PEERS / "java", "JDK 17 and Maven", starts=True),
    Language("node", "Node", _node, ("node", "--version"), 0.8, PEERS / "node", "Node.js 20 and npm"),
    Language("chromium", "Chromium", _chromium, ("chromium", "--version"), 0.8, PEERS / "node", "chromium and Node.js 20"),
    Language("python", "Python", _python, (sys.executable, "--version"), 0.2, PEERS / "python", "CPython 3.11"),
    Language("rust", "Rust", _rust, ("rustc", "--version"), 0.2, PEERS / "rust", "cargo 1.85"),
)
TITLES = {language.name: language.title for language in LANGUAGES}


def chosen(names: Sequence[str]) -> list[Language]:
    """The named ones, or all, in the lab's order. Raises KeyError for a name that is none."""
    unknown = [name for name in names if name not in TITLES]
    if unknown:
        raise KeyError(unknown[0])
    return [language for language in LANGUAGES if not names or language.name in names]


def version(language: Language) -> str:
    """The first line of what the language's platform says of itself. Raises CannotRun."""
    return call(*language.version).splitlines()[0]


def offered(command: list[str]) -> Listing:
    """What a runner offers. Raises CannotRun."""
    try:
        return listing(call(*command, "list"))
    except ValueError as wrong:
        raise CannotRun(f"{command[-1]} list: {wrong}") from wrong
