"""The suite of RESP codecs on the JVM: its targets, its table, and its peers from end to end with the smallest of counts."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest

from bench.lab import suite
from bench.lab.places import ROOT
from bench.lab.protocol import LIMIT, lines
from bench.lab.record import Key, Run
from bench.lab.reference import tables
from bench.lab.verdict import verdicts
from bench.peers import building
from bench.suites.redis_jvm import targets
from bench.tests import figures

AREA = suite.load("redis_jvm")
CALLS = (
    ("samewire", "pairs-80"),
    ("samewire", "emoji"),
    ("samewire-lazy", "array-100"),
    ("samewire-scanned", "table-20x40"),
    ("samewire-bytes", "args-600"),
    ("lettuce", "nils-40"),
    ("jedis", "error"),
    ("netty", "array-100"),
    ("scodec", "utf8-2000"),
    ("limit", "numbers-40"),
    ("samewire", "round-trip"),
    ("samewire", "pipeline-1000"),
    ("samewire", "callers-1000"),
    ("raw-socket", "round-trip"),
    ("jedis", "pipeline-1000"),
    ("lettuce", "callers-1000"),
)


def key(workload: str, op: str, peer: str) -> Key:
    return Key("redis_jvm", workload, op, "redis_jvm", peer)


def run() -> Run:
    """Ours reads an integer in half of Lettuce's time, and allocates too much at a bulk string."""
    found = {
        key("integer", "decode", "samewire"): figures.cell([7.0] * 3),
        key("integer", "decode", "lettuce"): figures.cell([14.0] * 3),
        key("integer", "decode", "jedis"): figures.cell([28.0] * 3),
        key("bulk", "decode", "samewire"): figures.cell([100.0] * 3),
        key("pipeline-1000", "call", "samewire"): figures.cell([60.0] * 3),
        key("pipeline-1000", "call", "jedis"): figures.cell([100.0] * 3),
        key("pieces-64M", "decode", "samewire"): figures.cell([160.0] * 3),
        key("whole-64M", "decode", "samewire"): figures.cell([100.0] * 3),
    }
    found[key("bulk", "decode", "samewire")].heap = 4_160.0
    return Run(figures.header(areas=["redis_jvm"], peers={}), found)


def test_targets_and_table_name_known_workloads_and_operations() -> None:
    named = {target.workload for target in targets.RATIOS} | {target.workload for target in targets.MOST} | {targets.ONE_PIECE}
    assert named | set(AREA.reference["shapes"]) <= set(AREA.workloads)
    assert {target.op for target in targets.RATIOS} <= {operation.name for operation in AREA.operations}


def test_targets_beside_what_was_measured() -> None:
    said = {verdict.what: (verdict.measured, verdict.met) for verdict in verdicts(run())}
    assert said["integer decode: time, samewire / lettuce"] == ("0.50 (0.50 to 0.50)", True)
    assert said["pieces-64M decode: time, samewire / whole-64M"][1] is False
    assert said["pipeline-1000 call: CPU time, samewire / jedis"] == ("0.60 (0.60 to 0.60)", True)
    assert said["bulk decode: bytes allocated, samewire"] == ("4,160 B", False)
    assert said["simple decode: time, samewire / lettuce"] == ("-", None)


def test_targets_hold_on_each_jdk_that_ran() -> None:
    made = run()
    made.cells.update({each._replace(language="redis_jvm_25"): cell for each, cell in made.cells.items()})
    found = verdicts(made)
    assert [verdict.language for verdict in found] == [language for language in targets.LANGUAGES for _ in range(len(found) // 2)]


def test_every_target_is_measured_unless_it_is_left_out_on_one_jdk() -> None:
    for target in targets.RATIOS:
        for ours in ((target.workload, target.ours), (target.beside or target.workload, target.peer)):
            assert AREA.measures("redis_jvm", *ours) and AREA.measures("redis_jvm_25", *ours), target


def test_the_table_has_rates_beside_the_base_and_what_was_published() -> None:
    shown = tables(run(), "redis_jvm", as_markdown=True)
    ours = next(line for line in shown.splitlines() if line.startswith("| samewire"))
    assert [word.strip() for word in ours.split("|")[2:-1]] == ["129,870,130", "7.70", "4.00×", ""]
    assert "432,141" in shown


@pytest.fixture(scope="module")
def runner() -> list[str]:
    return building.redis_jvm()


def said(*words: str) -> str:
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def peers(runner: list[str]) -> dict[str, dict[str, Any]]:
    """What the runner lists: a JVM that loads every library."""
    found: dict[str, dict[str, Any]] = json.loads(said(*runner, "list"))["peers"]
    return found


def report(runner: list[str], peer: str, workload: str) -> dict[str, dict[str, Any]]:
    """What one process says, by operation."""
    found = lines(said(*runner, peer, workload, "--warm", "0.01", "--samples", "1", "--sample", "0.002"))
    assert not any("wrong" in line for line in found), found
    return {line["op"]: line for line in found if "op" in line}


@pytest.mark.parametrize(("peer", "workload"), CALLS)
def test_a_codec_makes_the_values_and_the_bytes(runner: list[str], peer: str, workload: str) -> None:
    told = report(runner, peer, workload)
    assert told and all(min(line["wall"]) > 0 <= line["heap"] for line in told.values())


def test_a_program_that_is_not_there_is_missed_alone(runner: list[str]) -> None:
    only_java = Path(str(shutil.which("java"))).resolve().parent
    peers = json.loads(said("env", f"PATH={only_java}", *runner, "list"))["peers"]
    assert "redis-benchmark" in peers["redis-benchmark"]["missing"]
    assert [name for name, peer in peers.items() if "missing" in peer] == ["redis-benchmark"]


def test_redis_benchmark_is_measured_where_it_is_there(runner: list[str], peers: dict[str, dict[str, Any]]) -> None:
    if "missing" not in peers["redis-benchmark"]:
        told = report(runner, "redis-benchmark", "pipeline-1000")
        assert min(told["call"]["wall"]) > 0 < max(told["call"]["cpu"])


def test_every_workload_has_peers_and_some_are_limits(peers: dict[str, dict[str, Any]]) -> None:
    carried = {workload for peer in peers.values() for workload in peer.get("workloads", [])}
    assert carried == set(AREA.workloads)
    assert {name for name, peer in peers.items() if peer.get("kind") == LIMIT} | {"redis-benchmark"} == {
        "raw-socket",
        "redis-benchmark",
        "limit",
    }
