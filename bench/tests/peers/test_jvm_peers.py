"""The JVM's runner from end to end with the smallest of counts: built, asked what it offers, and one report of each kind."""

from __future__ import annotations

import subprocess
from typing import Any

import pytest

from bench.lab import suite
from bench.lab.languages import offered
from bench.lab.places import ROOT
from bench.lab.protocol import LIMIT, lines
from bench.peers import building
from bench.tests.test_peers import COMPILED

SMALLEST = ("--warm", "0", "--sample", "0.001", "--samples")
DIGEST = suite.load("pack").workloads["booksNum"].digest


@pytest.fixture(scope="module")
def runner() -> list[str]:
    """Its command."""
    return building.jvm()


def report(runner: list[str], peer: str, samples: int) -> list[dict[str, Any]]:
    """What one process says of the books."""
    command = [*runner, peer, "booksNum", *SMALLEST, str(samples)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stderr
    return lines(done.stdout)


def test_every_peer_declares_what_it_is(runner: list[str]) -> None:
    found = offered(runner)
    assert found.harness.startswith("jmh 1.") and set(COMPILED["java/src"]) <= set(found.peers)
    for name, peer in found.peers.items():
        assert peer.version and peer.checks and not peer.missing and "booksNum" in peer.workloads, name
        assert (peer.kind == LIMIT) == (name == "limit") and peer.kind in ("typed", "dynamic", "schema", LIMIT), name
    assert {name.partition("-")[0] for name, peer in found.peers.items() if peer.trusted} == {"limit", "boopickle"}


@pytest.mark.parametrize(
    ("peer", "ops"),
    [
        ("samewire-compact", {"encode", "into", "fresh", "decode"}),
        ("boopickle-size", {"encode", "fresh", "decode"}),
        ("limit", {"encode", "decode"}),
    ],
)
def test_a_report_has_the_data_the_bytes_and_a_time_for_each_operation(runner: list[str], peer: str, ops: set[str]) -> None:
    said = report(runner, peer, 1)
    assert said[0] == {"digest": DIGEST} and said[1]["bytes"] > 100 and said[1]["gz"] > 100
    timed = {line["op"]: line for line in said if "op" in line}
    assert timed.keys() == ops
    assert all(len(line["wall"]) == len(line["cpu"]) == 1 and line["wall"][0] > 0 for line in timed.values())
    assert timed["encode"]["heap"] > 0
    counted = [line["stats"] for line in said if "stats" in line]
    assert [each["messages"] for each in counted] == ([] if peer == "limit" else [1_000])


def test_what_is_paid_once_is_timed_in_a_process_of_its_own(runner: list[str]) -> None:
    assert [line["op"] for line in report(runner, "samewire-compact", 0)[1:]] == ["load", "first"]


def test_a_library_that_is_not_there_is_missed_alone(runner: list[str]) -> None:
    at = runner.index("-cp") + 1
    without = ":".join(part for part in runner[at].split(":") if "/kryo/" not in part)
    found = offered([*runner[:at], without, *runner[at + 1 :]]).peers
    assert "NoClassDefFoundError" in found["kryo"].missing or "ClassNotFoundException" in found["kryo"].missing
    assert not any(peer.missing for name, peer in found.items() if name != "kryo")
