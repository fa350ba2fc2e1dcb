"""The suite of gRPC: its targets, its table, and how memory and latency are shown."""

from __future__ import annotations

import subprocess

from bench.lab import suite
from bench.lab.cells import rows
from bench.lab.places import BENCH
from bench.lab.record import Cell, Key, Run
from bench.lab.reference import tables
from bench.lab.tables import cells
from bench.lab.verdict import verdicts
from bench.suites.grpc import targets
from bench.tests import figures

AREA = suite.load("grpc")


def key(workload: str, op: str, peer: str) -> Key:
    return Key("grpc", workload, op, "grpc", peer)


def run() -> Run:
    """Ours needs 2 µs where grpc-js needs 40, and 5 % more memory late than early."""
    found = {
        key("c10-m50", "call", "samewire"): figures.cell([1_900.0] * 3, stats={"rss": 2**26, "mean": 5e5, "spread": 0.01}),
        key("c10-m50", "call", "grpc-js"): figures.cell([40_000.0] * 3),
        key("steady", "p99", "samewire"): _by_clock([1e6] * 3, "ns"),
        key("steady", "p99", "grpc-js"): _by_clock([3e6] * 3, "ns"),
        key("long-run", "early", "samewire"): _by_clock([2**26] * 3, "B"),
        key("long-run", "late", "samewire"): _by_clock([1.04 * 2**26] * 3, "B"),
    }
    return Run(figures.header(areas=["grpc"], peers={}), found)


def _by_clock(some: list[float], unit: str) -> Cell:
    return Cell(unit=unit, wall={str(number): figure for number, figure in enumerate(some)})


def test_targets_and_table_name_known_workloads_and_operations() -> None:
    every = (*targets.RATIOS, *targets.MOST, *targets.GROWTHS)
    assert {target.workload for target in every} | set(AREA.reference["shapes"]) <= set(AREA.workloads)
    assert {target.op for target in targets.RATIOS} <= {operation.name for operation in AREA.operations}
    assert all(workload.title and workload.about for workload in AREA.workloads.values())


def test_targets_beside_what_was_measured() -> None:
    said = {verdict.what: (verdict.measured, verdict.met) for verdict in verdicts(run())}
    assert said["c10-m50: CPU a request"] == ("1.90 µs", True)
    assert said["c10-m50: CPU, ours / grpc-js"][1] and said["c10-m50: CPU, ours / grpc-js"][0].startswith("21.1×")
    assert said["c10-m50: CPU, ours / tonic"] == ("-", None)
    assert said["steady: latency p99, ours / grpc-js"][1] is False
    assert said["long-run: memory, late / early"][1] is True and said["long-run: memory, late / early"][0].startswith("1.04×")


def test_the_table_has_rates_and_times_beside_the_base() -> None:
    shown = tables(run(), "grpc", as_markdown=True)
    ours = next(line for line in shown.splitlines() if line.startswith("| samewire"))
    assert [word.strip() for word in ours.split("|")[2:-1]] == ["478,469", "21.1×", "1.90", "21.1×", "0.50", "", "1.0%", "64.0"]
    assert "58,764" in shown


def test_memory_is_shown_as_bytes_and_latency_as_time() -> None:
    shown = {(row.workload, row.op, row.peer): cells(row)[7] for row in rows(run())}
    assert shown["long-run", "early", "samewire"] == "64 MiB"
    assert shown["steady", "p99", "grpc-js"] == "3.00 ms"


def test_the_runners_own_parts() -> None:
    command = ["node", "--test", str(BENCH / "tests" / "grpc-peers.test.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stdout
    assert "# pass 7" in done.stdout
