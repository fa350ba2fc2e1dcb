"""Bridges, from end to end with the smallest of counts."""

from __future__ import annotations

import json
import subprocess
from typing import Any

import pytest

from bench.lab.places import ROOT
from bench.lab.protocol import lines
from bench.peers import building

CALLS = (
    ("samewire", "args-8"),
    ("samewire-unix", "batch-8"),
    ("py4j-clientserver", "callback"),
    ("jpype", "exception"),
    ("jpy", "ints-to-list"),
    ("pyjnius", "new"),
    ("grpc", "args-8"),
)
FLOORS = (
    ("floor-unix", "to-1KiB"),
    ("floor-tcp-base64", "to-1KiB"),
    ("floor-shm", "from-512KiB"),
    ("floor-shm-bell", "one-core"),
)


@pytest.fixture(scope="module")
def runner() -> list[str]:
    return building.bridge()


def said(*words: str) -> str:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def report(runner: list[str], peer: str, workload: str) -> dict[str, dict[str, Any]]:
    """What one process says, by operation."""
    found = lines(said(*runner, peer, workload, "--warm", "0.001", "--samples", "1", "--sample", "0.0004"))
    assert not any("wrong" in line for line in found), found
    return {line["op"]: line for line in found if "op" in line}


@pytest.mark.parametrize(("peer", "workload"), CALLS)
def test_a_bridge_returns_what_java_does(runner: list[str], peer: str, workload: str) -> None:
    told = report(runner, peer, workload)
    assert set(told) == {"call", "cpu"}
    assert min(told["call"]["wall"]) > 0 < min(told["cpu"]["wall"])


def test_floors_are_measured_or_say_what_is_missing(runner: list[str]) -> None:
    peers = json.loads(said(*runner, "list"))["peers"]
    assert len(peers) >= 15
    for peer, workload in FLOORS:
        if missing := peers[peer]["missing"]:
            assert "cc" in missing
        else:
            assert report(runner, peer, workload)["call"]["wall"][0] > 0


def test_memory_is_that_of_both_sides(runner: list[str]) -> None:
    assert report(runner, "jvm", "memory")["memory"]["wall"][0] > 20e6
