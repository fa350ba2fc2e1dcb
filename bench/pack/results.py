"""One run's raw figures: everything else is computed from them, so that a report can be made again at any time."""

from __future__ import annotations

import json
import os
import platform
import subprocess
from dataclasses import asdict, dataclass, field
from datetime import datetime
from pathlib import Path
from typing import NamedTuple


class Key(NamedTuple):
    """What was timed: one operation of one peer on one shape in one language."""

    language: str
    shape: str
    peer: str
    op: str


class Encoding(NamedTuple):
    """What a peer's bytes are: their number, their number after gzip, and the bytes' SHA-256."""

    size: int
    gzip: int
    sha256: str


@dataclass
class Results:
    """``cpu`` and ``wall``: for each key one figure a round, nanoseconds per operation, the median of that process's samples."""

    started: str
    settings: dict[str, object]
    machine: dict[str, object]
    platforms: dict[str, str] = field(default_factory=dict)
    cpu: dict[Key, dict[int, float]] = field(default_factory=dict)
    wall: dict[Key, dict[int, float]] = field(default_factory=dict)
    encodings: dict[tuple[str, str, str], Encoding] = field(default_factory=dict)
    versions: dict[tuple[str, str], str] = field(default_factory=dict)
    troubles: dict[tuple[str, str, str], str] = field(default_factory=dict)

    def save(self, path: Path) -> None:
        """Writes the run as JSON, keys joined with ``/``."""
        document = {
            name: {"/".join(key): item for key, item in value.items()} if name in _KEYED else value
            for name, value in asdict(self).items()
        }
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(json.dumps(document, indent=1) + "\n")


_KEYED = ("cpu", "wall", "encodings", "versions", "troubles")


def new(settings: dict[str, object]) -> Results:
    """An empty run, started now on this machine."""
    return Results(datetime.now().isoformat(timespec="seconds"), settings, machine())


def machine() -> dict[str, object]:
    """What the figures depend on."""
    model = next(
        (line.split(":")[1].strip() for line in Path("/proc/cpuinfo").read_text().splitlines() if "model name" in line),
        platform.processor(),
    )
    return {
        "cpu": model,
        "cores": os.cpu_count(),
        "kernel": platform.release(),
        "load": round(os.getloadavg()[0], 1),
        "commit": _commit(),
    }


def _commit() -> str:
    """The commit that was measured, with a plus if the work tree differs from it; empty outside a repository."""
    command = ["git", "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*"]
    return subprocess.run(command, capture_output=True, text=True, check=False).stdout.strip()


def load(paths: list[Path]) -> Results:
    """Reads runs back and merges them; the later file wins where two hold the same peer, shape and operation."""
    merged: Results | None = None
    for path in paths:
        document = json.loads(path.read_text())
        part = Results(document["started"], document["settings"], document["machine"])
        part.platforms = document["platforms"]
        part.cpu = {_key(name): _rounds(item) for name, item in document["cpu"].items()}
        part.wall = {_key(name): _rounds(item) for name, item in document["wall"].items()}
        part.encodings = {_three(name): Encoding(*item) for name, item in document["encodings"].items()}
        part.versions = {_two(name): item for name, item in document["versions"].items()}
        part.troubles = {_three(name): item for name, item in document["troubles"].items()}
        if merged is None:
            merged = part
        else:
            for name in ("platforms", *_KEYED):
                getattr(merged, name).update(getattr(part, name))
    if merged is None:
        raise ValueError("no results given")
    return merged


def _key(name: str) -> Key:
    return Key(*name.split("/"))


def _two(name: str) -> tuple[str, str]:
    first, second = name.split("/")
    return first, second


def _three(name: str) -> tuple[str, str, str]:
    first, second, third = name.split("/")
    return first, second, third


def _rounds(item: dict[str, float]) -> dict[int, float]:
    return {int(number): figure for number, figure in item.items()}
