"""The suite of Redis clients: its targets and its table."""

from __future__ import annotations

from bench.lab import suite
from bench.lab.cells import rows
from bench.lab.record import Cell, Key, Run
from bench.lab.reference import tables
from bench.lab.tables import cells
from bench.lab.verdict import verdicts
from bench.peers.redis.peer import WORKLOADS
from bench.suites.redis import targets
from bench.tests import figures

AREA = suite.load("redis")


def key(workload: str, op: str, peer: str) -> Key:
    return Key("redis", workload, op, "redis", peer)


def run() -> Run:
    """Ours needs 0.5 µs a command where redis-py needs 8, and grows by 60 MB."""
    found = {
        key("pipeline-1M", "call", "samewire"): figures.cell([500.0] * 3),
        key("pipeline-1M", "call", "redis-py"): figures.cell([8_000.0] * 3),
        key("pipeline-1M", "call", "hiredis"): figures.cell([400.0] * 3),
        key("pipeline-1M", "memory", "samewire"): Cell(unit="B", wall=dict.fromkeys("012", 60e6)),
        key("books-put", "server", "samewire"): Cell(unit="B", wall=dict.fromkeys("012", 110.0)),
        key("books-put", "server", "redis-py-json"): Cell(unit="B", wall=dict.fromkeys("012", 143.0)),
    }
    return Run(figures.header(areas=["redis"], peers={}), found)


def test_targets_and_table_name_known_workloads_and_operations() -> None:
    assert {target.workload for target in targets.RATIOS} | {target.workload for target in targets.MOST} <= set(AREA.workloads)
    assert set(AREA.reference["shapes"]) == set(AREA.workloads) == set(WORKLOADS)
    assert {target.op for target in targets.RATIOS} <= {operation.name for operation in AREA.operations}


def test_targets_beside_what_was_measured() -> None:
    said = {verdict.what: (verdict.measured, verdict.met) for verdict in verdicts(run())}
    assert said["pipeline-1M: growth of the client"] == ("60.0 MB", True)
    assert said["pipeline-1M: rate, samewire / redis-py"][1] is True
    assert said["pipeline-1M: rate, samewire / hiredis"][1] is False
    assert said["pipeline-1M: rate, samewire / raw (aim)"] == ("-", None)
    assert said["books-put: memory, samewire / redis-py-json (aim)"][0].startswith("1.30×")


def test_the_table_has_rates_and_times_beside_the_base() -> None:
    shown = tables(run(), "redis", as_markdown=True)
    ours = next(line for line in shown.splitlines() if line.startswith("| samewire"))
    words = [word.strip() for word in ours.split("|")[2:-1]]
    assert words == ["1,818,182", "0.55", "16.0×", "0.50", "16.0×", "57.2", ""]
    assert "893 k/s" in shown


def test_memory_is_shown_as_bytes() -> None:
    shown = {(row.workload, row.op, row.peer): cells(row)[7] for row in rows(run())}
    assert shown["pipeline-1M", "memory", "samewire"] == "57 MiB"
