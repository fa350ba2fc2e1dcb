"""A new area is one folder: its suite, its workloads and its published table are added in a copy of the lab, measured and shown."""

from __future__ import annotations

import json

import pytest

from bench.tests.conftest import Copy

FILES = {
    "suite.toml": """
title = "atlas"
order = 9
about = "cities, once more"
languages = ["python"]

[lead]
default = ["samewire-compact.slots"]

[[operation]]
name = "encode"
about = "to owned bytes"
whole = true

[[operation]]
name = "decode"
about = "from bytes"
whole = true
""",
    "workloads/cities.json": json.dumps([{"city": "Genoa", "founded": -600}] * 10),
    "reasons.toml": '[[reason]]\nwhere = "*/*/*/*"\nwhy = "a test measures too little to tell"\n',
    "reference.toml": 'table = "gazetteer"\n\n[[published]]\nwhere = "a printed book"\nheader = ["", "pages"]\nrows = [["Baedeker", "412"]]\n',
    "table.py": '''
"""Bytes of each peer."""


def sections(run, area):
    return [("Cities", ("", "bytes"), [[key.peer, str(cell.bytes)] for key, cell in run.cells.items() if key.op == "encode"])]
''',
}


@pytest.fixture(scope="module")
def atlas(lab: Copy) -> Copy:
    """A copy with the area, and one run of it."""
    for name, text in FILES.items():
        path = lab.root / "bench/suites/atlas" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    words = ["--quick", "--rounds", "1", "--workload", "cities", "--peer", "ormsgpack", "--peer", "samewire-compact.slots"]
    out = lab.bench("run", "atlas", *words)
    assert "atlas, in Python: encode " in out
    return lab


def test_it_is_listed_with_its_workloads(atlas: Copy) -> None:
    listed = atlas.bench("list", "--language", "python")
    assert "atlas: cities, once more" in listed and "cities.json" in listed


def test_its_cells_name_it(atlas: Copy) -> None:
    cells = json.loads(atlas.bench("show", "--json"))
    assert {(cell["area"], cell["workload"], cell["status"]) for cell in cells} == {("atlas", "cities", "ok")}
    assert {cell["op"] for cell in cells} >= {"encode", "decode"}


def test_its_published_table_is_made(atlas: Copy) -> None:
    shown = atlas.bench("show", "--reference", "gazetteer")
    assert "Cities" in shown and "ormsgpack.plain" in shown and "Published, other machines: a printed book" in shown


def test_it_has_its_part_of_the_report(atlas: Copy) -> None:
    text = (atlas.root / atlas.bench("report", "--out", "atlas.html").strip()).read_text("utf-8")
    assert "In the shape of gazetteer" in text and '<section id="atlas-python">' in text
    assert "bench run atlas --language python --workload cities" in text
