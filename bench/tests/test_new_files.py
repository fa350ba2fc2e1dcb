"""A new peer is one file, and so is a new workload: both are added in a copy of the lab and measured."""

from __future__ import annotations

import json

import pytest

from bench.tests.conftest import Copy

PEER = '''
"""marshal: CPython's own form of plain values, for one version of it."""

import marshal

from bench.peers.python.peer import Peer, Row, Workload
from bench.peers.python.records import decoding


def _prepare(workload: Workload) -> Peer:
    return Peer(marshal.dumps, decoding(marshal.loads, workload))


ROWS = {"marshal": Row(None, "dynamic", "bounds", True, ("plain",), True, _prepare)}
'''

WORKLOAD = [
    {"city": name, "founded": year, "harbour": name == "Genoa"}
    for name, year in (("Genoa", -600), ("Turin", -28))
    for _ in range(20)
]


@pytest.fixture(scope="module")
def cells(lab: Copy) -> list[dict[str, object]]:
    """What one run with the two new files measured."""
    (lab.root / "bench/peers/python/with_marshal.py").write_text(PEER)
    (lab.root / "bench/suites/pack/workloads/cities.json").write_text(json.dumps(WORKLOAD))
    lab.run(
        "--rounds", "1", "--workload", "ints", "--workload", "cities", "--peer", "marshal", "--peer", "samewire-compact.slots"
    )
    found: list[dict[str, object]] = json.loads(lab.bench("show", "--json"))
    return found


@pytest.mark.parametrize("workload", ["ints", "cities"])
@pytest.mark.parametrize("peer", ["marshal.plain", "samewire-compact.slots"])
def test_both_are_measured(cells: list[dict[str, object]], workload: str, peer: str) -> None:
    ops = {cell["op"] for cell in cells if (cell["workload"], cell["peer"], cell["status"]) == (workload, peer, "ok")}
    assert {"encode", "decode"} <= ops


def test_ours_is_compared_with_the_new_peer(cells: list[dict[str, object]]) -> None:
    ours = [cell for cell in cells if cell["ours"] and cell["workload"] == "cities" and cell["op"] == "encode"]
    assert [cell["reference"] for cell in ours] == ["marshal.plain"]
    assert all(isinstance(cell["ratio"], float) for cell in ours)


def test_both_are_listed(lab: Copy, cells: list[dict[str, object]]) -> None:
    assert cells
    listed = lab.bench("list", "--language", "python")
    assert "marshal.plain" in listed and "trusts its input" in listed and "cities.json" in listed
