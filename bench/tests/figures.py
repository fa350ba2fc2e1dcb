"""Runs that tests make up: figures with known answers, and runners that print them."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

from bench.lab.languages import Language
from bench.lab.protocol import Peer
from bench.lab.record import Cell, Header, Key, Run
from bench.lab.run import Runner

OURS, THEIRS = "samewire-compact", "rival"


def header(**changes: Any) -> Header:
    """A header of a run that ended well."""
    about: dict[str, Any] = {
        "name": "2026-01-02-030405-abcdef1",
        "started": "2026-01-02T03:04:05",
        "args": ["run", "pack"],
        "mode": "full",
        "plan": {"rounds": 5, "samples": 3, "sample": 0.05},
        "areas": ["pack"],
        "workloads": ["booksNum"],
        "machine": {"cpu": "Some <CPU>", "cores": 2, "governor": "performance", "kernel": "Linux 6", "mem": "1 kB"},
        "versions": {"rust": "rustc 1.95"},
        "commit": "abcdef1234",
        "dirty": False,
        "load_before": 0.1,
        "load_after": 0.9,
        "noise": 0.01,
        "ended": "2026-01-02T04:04:05",
        "peers": {"rust": {OURS: Peer(["booksNum"], "0.1.0", "typed"), THEIRS: Peer(["booksNum"], "9.9", "typed", "lengths")}},
        "code": {"rust": {OURS: "aaaa", THEIRS: "bbbb"}},
    }
    return Header(**(about | changes))


def key(peer: str, op: str = "decode", workload: str = "booksNum", language: str = "rust") -> Key:
    """Of a cell of `pack`."""
    return Key("pack", workload, op, language, peer)


def cell(figures: list[float], size: int = 100, **more: Any) -> Cell:
    """A cell with one figure a round, in CPU time; wall time is ten percent more."""
    rounds = {str(number): figure for number, figure in enumerate(figures)}
    return Cell(cpu=rounds, wall={number: figure * 1.1 for number, figure in rounds.items()}, bytes=size, gz=size - 5, **more)


def run(ours: list[float], theirs: list[float], **changes: Any) -> Run:
    """A run with two peers, both encoding and decoding in the same time."""
    cells = {
        key(peer, op): cell(some, size)
        for op in ("encode", "decode")
        for peer, some, size in ((OURS, ours, 90), (THEIRS, theirs, 100))
    }
    return Run(header(**changes), cells)


RUNNER = """
import json, sys, time
script = json.loads(open({path!r}).read())
peer, workload = sys.argv[1:3]
with open({path!r} + ".calls", "a") as calls:
    calls.write(peer + " " + " ".join(sys.argv[2:]) + chr(10))
for line in script.get(peer, []):
    if "sleep" in line:
        time.sleep(line["sleep"])
    elif "exit" in line:
        sys.exit(line["exit"])
    else:
        print(json.dumps(line), flush=True)
"""


def lines(figure: float) -> list[dict[str, Any]]:
    """What a runner prints of a peer that needs ``figure`` nanoseconds."""
    return [
        {"digest": "d1"},
        {"version": "1.0", "hex": "00ff00ff"},
        *({"op": op, "unit": "ns/op", "cpu": [figure] * 3, "wall": [figure] * 3} for op in ("encode", "decode")),
    ]


def runner(folder: Path, script: dict[str, list[dict[str, Any]]], **language: Any) -> Runner:
    """A runner whose peers print what the script says."""
    path = folder / "script.json"
    path.write_text(json.dumps(script))
    command = [sys.executable, "-c", RUNNER.format(path=str(path))]
    made = Language("rust", "Rust", lambda: command, (sys.executable, "--version"), 1.0, (folder,), "nothing", **language)
    return Runner(made, command, {name: Peer(["booksNum"]) for name in script}, "made up 1.0")


def calls(folder: Path) -> list[str]:
    """The processes that were started, each with its arguments."""
    path = folder / "script.json.calls"
    return path.read_text().splitlines() if path.exists() else []
