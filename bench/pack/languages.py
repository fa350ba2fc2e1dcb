"""How the peers of each language are built and started.

Every runner answers two command lines: ``list`` prints a JSON object, each peer with its shapes; ``PEER WORKLOAD --warm S --samples N
--sample S`` times one peer on one shape and prints JSON objects, one a line (see ``run.py``).
"""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from typing import NamedTuple

from bench.peers import building
from bench.peers.building import BUILD, ROOT

__all__ = ["BUILD", "LANGUAGES", "ROOT", "CannotBuild", "Language", "peers", "version"]


class Language(NamedTuple):
    """``build`` makes the runner and answers its command; ``warm`` is its longest warm-up per operation, in seconds."""

    name: str
    build: Callable[[], list[str]]
    version: tuple[str, ...]
    """The command that prints the version of what runs it."""
    warm: float
    starts: bool = False
    """Whether a process of its own, with no samples, times what is paid once."""


CannotBuild = building.BuildError

LANGUAGES = (
    Language("jvm", building.jvm, ("java", "--version"), 1.5, starts=True),
    Language("node", building.node, ("node", "--version"), 0.8),
    Language("chromium", building.chromium, ("chromium", "--version"), 0.8),
    Language("python", building.python, (sys.executable, "--version"), 0.2),
    Language("rust", building.rust, ("rustc", "--version"), 0.2),
)


def version(language: Language) -> str:
    """The first line of what the language's platform says of itself."""
    return building.call(*language.version).splitlines()[0]


def peers(command: list[str]) -> dict[str, list[str]]:
    """The names of a runner's peers, each with its shapes."""
    found = json.loads(building.call(*command, "list"))["peers"]
    return {name: peer["workloads"] for name, peer in found.items()}
