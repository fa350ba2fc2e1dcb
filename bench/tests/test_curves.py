"""Latency by percentile, drawn of figures that are known."""

from __future__ import annotations

import re

import pytest

from bench.lab import suite
from bench.lab.cells import rows
from bench.lab.curves import curves, latencies
from bench.lab.record import Cell, Key, Run
from bench.lab.report.page import html
from bench.tests import figures

AREA = suite.load("grpc")
TIMES = {"p50": 1e6, "p90": 2e6, "p99": 4e6, "p99.9": 32e6}


def run(*ops: str) -> Run:
    """Ours takes those times for a call, the other three times as long."""
    cells = {
        Key("grpc", "steady", op, "grpc", peer): Cell(unit="ns", wall=dict.fromkeys("012", TIMES[op] * factor))
        for op in ops
        for peer, factor in (("samewire", 1.0), ("grpc-js", 3.0))
    }
    cells[Key("grpc", "steady", "call", "grpc", "samewire")] = figures.cell([5e3] * 3)
    return Run(figures.header(areas=["grpc"], peers={}), cells)


def test_the_percentiles_of_each_peer_make_a_curve() -> None:
    made = curves(rows(run(*TIMES)), AREA)
    assert made == {
        "samewire": {50: 1e6, 90: 2e6, 99: 4e6, 99.9: 32e6},
        "grpc-js": {50: 3e6, 90: 6e6, 99: 12e6, 99.9: 96e6},
    }


def test_a_curve_rises_to_the_right_and_ours_stands_out() -> None:
    drawn = latencies(rows(run(*TIMES)), AREA, "grpc", "latency")
    found = {}
    for about, way in re.findall(r"<title>(.*?)</title><path d=\"M([^\"]+)\" class=\"curve\"", drawn):
        found[about.partition(":")[0]] = [tuple(map(float, place.split())) for place in way.split("L")]
    assert found.keys() == {"samewire", "grpc-js"}
    for places in found.values():
        across, down = zip(*places, strict=True)
        assert list(across) == sorted(across) and list(down) == sorted(down, reverse=True)
    # Lower is faster, everywhere.
    assert all(ours[1] > theirs[1] for ours, theirs in zip(found["samewire"], found["grpc-js"], strict=True))
    assert drawn.count('<g class="ours">') == 1
    assert [f">{tick}</text>" in drawn for tick in ("50", "90", "99", "99.9")] == [True] * 4


def test_names_do_not_cover_each_other() -> None:
    drawn = latencies(rows(run("p50", "p99")), AREA, "grpc", "latency")
    lines = [float(y) for y in re.findall(r'y="([\d.]+)" class="name', drawn)]
    assert len(lines) == 2 and abs(lines[0] - lines[1]) >= 12


@pytest.mark.parametrize("ops", [[], ["p99"]])
def test_one_percentile_is_no_curve(ops: list[str]) -> None:
    assert latencies(rows(run(*ops)), AREA, "grpc", "latency") == ""


def test_it_stands_in_the_report() -> None:
    made = run(*TIMES)
    assert 'class="chart latency grpc"' in html(made, rows(made))


def test_the_longest_name_has_room() -> None:
    made = run(*TIMES)
    named = {
        each._replace(peer="grpc-js-with-a-long-name") if each.peer == "grpc-js" else each: cell
        for each, cell in made.cells.items()
    }
    for cells, longest in ((made.cells, len("samewire")), (named, len("grpc-js-with-a-long-name"))):
        drawn = latencies(rows(Run(made.header, cells)), AREA, "grpc", "latency")
        starts = {float(x) for x in re.findall(r'<text x="([\d.]+)" y="[\d.]+" class="name', drawn)}
        assert len(starts) == 1 and starts.pop() + 6.5 * longest <= 400
