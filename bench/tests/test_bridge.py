"""The suite of bridges: its targets and its tables."""

from __future__ import annotations

from bench.lab import suite
from bench.lab.record import Cell, Key, Run
from bench.lab.reference import tables
from bench.lab.verdict import verdicts
from bench.peers.bridge.peer import WORKLOADS
from bench.suites.bridge import targets
from bench.tests import figures

AREA = suite.load("bridge")


def by_clock(figure: float, unit: str = "ns/op") -> Cell:
    return Cell(unit=unit, wall=dict.fromkeys("012", figure))


def key(workload: str, op: str, peer: str) -> Key:
    return Key("bridge", workload, op, "bridge", peer)


def run() -> Run:
    """Ours takes 0.4 µs a call, and 40 MB beyond the JVM."""
    found = {
        key("args-0", "call", "samewire"): by_clock(400.0),
        key("args-0", "cpu", "samewire"): by_clock(800.0),
        key("args-0", "call", "py4j"): by_clock(30_000.0),
        key("args-0", "call", "py4j-clientserver"): by_clock(18_000.0),
        key("one-core", "call", "samewire"): by_clock(9_000.0),
        key("idle", "cpu", "samewire"): by_clock(2.5e6),
        key("idle", "cpu", "jvm"): by_clock(1.0e6),
        key("to-64MiB", "call", "samewire"): by_clock(20e6),
        key("memory", "memory", "samewire"): by_clock(90e6, "B"),
        key("memory", "memory", "jvm"): by_clock(50e6, "B"),
    }
    return Run(figures.header(areas=["bridge"], peers={}), found)


def test_targets_name_known_workloads_and_operations() -> None:
    named = {target.workload for target in targets.RATIOS} | {target.workload for target in targets.MOST}
    assert named <= set(AREA.workloads)
    assert tuple(AREA.workloads) == WORKLOADS
    assert {target.op for target in targets.MOST} <= {operation.name for operation in AREA.operations}


def test_targets_beside_what_was_measured() -> None:
    said = {verdict.what: (verdict.measured, verdict.met) for verdict in verdicts(run())}
    assert said["args-0: time, samewire"] == ("400 ns", True)
    assert said["args-0: time, samewire (aim)"] == ("400 ns", False)
    assert said["args-0: speed, samewire / py4j"] == ("45.0× (45.0–45.0)", False)
    assert said["idle: cpu, samewire beyond jvm"] == ("1.50 ms", False)
    assert said["memory: memory, samewire beyond jvm (aim)"] == ("40.0 MB", True)
    assert said["start: speed, samewire / jvm"] == ("-", None)


def test_the_tables_have_the_shape_of_the_study() -> None:
    shown = [line.split("|") for line in tables(run(), "bridge", as_markdown=True).splitlines() if line.startswith("| samewire")]
    sizes, counts, places = ([word.strip() for word in line[2:-1]] for line in shown)
    assert sizes == ["", "", "", "20.0", ""]
    assert counts[0] == "0.0004" and counts[1:] == [""] * 10
    assert places == ["0.40", "0.80", "", "", "9.00", "", "2.50"]
