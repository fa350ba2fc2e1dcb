"""The languages that are measured; ``bench/peers/building.py`` builds their runners, `protocol` tells what these print."""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from bench.lab.places import PEERS
from bench.lab.protocol import Listing, listing
from bench.lab.refusal import Refusal
from bench.peers import building
from bench.peers.own import typed


class Language(NamedTuple):
    """``build`` makes the runner and returns its command; ``warm`` is its longest warm-up per operation, in seconds."""

    name: str
    title: str
    build: Callable[[], list[str]]
    version: tuple[str, ...]
    """The command that prints the version of what runs it."""
    warm: float
    sources: tuple[Path, ...]
    """The folder of its peers, and files beside it that they are made of."""
    need: str
    """What to install where it cannot run."""
    starts: bool = False
    """Whether a process of its own, with no samples, times what is paid once."""
    tools: tuple[tuple[str, str], ...] = ()
    """Programs that it or some of its peers start, each with how to get it."""
    programs: tuple[tuple[str, Path], ...] = ()
    """Peers that are built each from a folder of its own, with that folder."""


class CannotRun(Exception):
    """A runner could not be built or started; the text is the tool's own last words."""


_MESSAGES = PEERS / "reference.proto"
"""The reference data as protobuf: its peers in two languages are made of it."""

LANGUAGES = (
    Language(
        "jvm",
        "JVM",
        building.jvm,
        ("java", "--version"),
        8.0,
        (PEERS / "java", _MESSAGES),
        "JDK 17 and Maven: apt-get install openjdk-17-jdk-headless maven",
        starts=True,
    ),
    Language(
        "node", "Node", building.node, ("node", "--version"), 0.8, (PEERS / "node", _MESSAGES), "Node.js 20 and npm", starts=True
    ),
    Language(
        "chromium",
        "Chromium",
        building.chromium,
        ("chromium", "--version"),
        0.8,
        (PEERS / "node", _MESSAGES),
        "Chromium, by apt-get install chromium, and Node.js 20",
    ),
    Language(
        "python",
        "Python",
        building.python,
        (sys.executable, "--version"),
        0.2,
        (PEERS / "python",),
        "CPython 3.11: apt-get install python3 python3-venv",
        starts=True,
    ),
    Language(
        "rust",
        "Rust",
        building.rust,
        ("rustc", "--version"),
        0.2,
        (PEERS / "rust",),
        "cargo 1.85 or newer, from rustup or the distribution",
        starts=True,
    ),
    Language(
        "grpc",
        "gRPC",
        building.grpc,
        ("node", "--version"),
        4.0,
        (PEERS / "node-grpc",),
        "Node.js 20, and h2load: apt-get install nghttp2-client",
        tools=(
            ("h2load", "apt-get install nghttp2-client"),
            ("nghttpd", "apt-get install nghttp2-server"),
            ("openssl", "apt-get install openssl"),
            ("go", "get Go 1.26 for grpc-go's server"),
            ("cargo", "get Rust 1.85 for tonic's server"),
        ),
        programs=(("grpc-go", PEERS / "go-grpc"), ("tonic", PEERS / "rust-grpc")),
    ),
    Language(
        "redis",
        "Redis",
        building.redis,
        (sys.executable, "--version"),
        0.3,
        (PEERS / "redis",),
        "CPython 3.11: apt-get install python3 python3-venv",
        tools=(
            ("redis-benchmark", "apt-get install redis-tools"),
            ("cc", "apt-get install gcc libc6-dev libhiredis-dev, for the raw loop and hiredis"),
            ("cargo", "get Rust 1.85 for redis-rs"),
        ),
        programs=(("redis-rs", PEERS / "rust-redis"),),
    ),
    Language(
        "redis_jvm",
        "Redis, JVM",
        building.redis_jvm,
        ("java", "--version"),
        1.2,
        (PEERS / "redis-jvm", building.COST),
        "JDK 17 and Maven: apt-get install openjdk-17-jdk-headless maven",
        tools=(("redis-benchmark", "apt-get install redis-tools"), ("taskset", "apt-get install util-linux")),
    ),
    Language(
        "redis_jvm_25",
        "Redis, JDK 25",
        lambda: building.redis_jvm(building.java_25()),
        (building.java_25(), "--version"),
        1.2,
        (PEERS / "redis-jvm", building.COST),
        "JDK 25 beside JDK 17 and Maven: apt-get install openjdk-25-jdk-headless, or JAVA_25_HOME",
    ),
    Language(
        "bridge",
        "Bridge",
        building.bridge,
        ("java", "--version"),
        1.5,
        (PEERS / "bridge",),
        "JDK 17, Maven and CPython 3.11: apt-get install openjdk-17-jdk-headless maven python3-venv",
        tools=(("cc", "apt-get install gcc libc6-dev, for the floors"),),
    ),
    Language(
        "spark",
        "PySpark",
        building.spark,
        ("java", "--version"),
        8.0,
        (PEERS / "spark",),
        "JDK 17, and PySpark in an environment of its own: make build/spark/4.3/.stamp",
    ),
)
TITLES = {language.name: language.title for language in LANGUAGES}


def chosen(names: Sequence[str]) -> list[Language]:
    """The named ones, or all, in the lab's order. Raises Refusal for an unknown name."""
    for name in names:
        if name not in TITLES:
            raise Refusal(f"there is no language {name!r}; there are: {', '.join(TITLES)}")
    return [language for language in LANGUAGES if not names or language.name in names]


def built(language: Language) -> list[str]:
    """The command of a language's runner, built if need be. Raises CannotRun."""
    try:
        return language.build()
    except building.BuildError as why:
        raise CannotRun(str(why)) from why


def own(language: Language, command: list[str], data: Path, schema: Path) -> list[str]:
    """The command of a runner for a value from a file, whose types it compiles if it must. Raises CannotRun."""
    try:
        return typed(language.name, command, data, schema)
    except building.BuildError as why:
        raise CannotRun(str(why)) from why


def without_options(command: list[str]) -> list[str]:
    """The command of a runner whose engine runs with its defaults, as users start it."""
    return building.without_options(command)


def version(language: Language) -> str:
    """The first line of the platform's own version text. Raises CannotRun."""
    return _call(*language.version).splitlines()[0]


def offered(command: Sequence[str]) -> Listing:
    """What a runner offers. Raises CannotRun."""
    try:
        return listing(_call(*command, "list"))
    except ValueError as wrong:
        raise CannotRun(f"{command[-1]} list: {wrong}") from wrong


def _call(*command: str) -> str:
    try:
        return building.call(*command)
    except building.BuildError as why:
        raise CannotRun(str(why)) from why
