"""``bench run --data FILE`` from end to end: one answer, and what a peer cannot carry."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.tests.conftest import Copy

CITIES = "city,founded,harbour\n" + "Genoa,-600,true\nTurin,-28,false\n" * 20
BEYOND = [{"id": 2**70, "name": "beyond what 64 bits hold"}]
PEERS = ("--peer", "ormsgpack", "--peer", "jso[n].plain", "--peer", "samewire-compact.slots")


@pytest.fixture(scope="module")
def answered(lab: Copy) -> str:
    """What a run on a CSV file said."""
    (lab.root / "cities.csv").write_text(CITIES)
    return lab.run("--rounds", "1", "--data", "cities.csv", *PEERS)


def test_the_question_is_answered_in_one_sentence(answered: str) -> None:
    (said,) = (line for line in answered.splitlines() if line.startswith("For cities, in Python: "))
    assert "smallest samewire-compact.slots (" in said and "fastest to encode " in said and "fastest to decode " in said


def test_every_peer_is_measured_on_the_same_value(lab: Copy, answered: str) -> None:
    assert answered
    cells = json.loads(lab.bench("show", "--json"))
    assert {(cell["peer"], cell["workload"], cell["status"]) for cell in cells} == {
        (peer, "cities", "ok") for peer in ("ormsgpack.plain", "json.plain", "samewire-compact.slots")
    }
    assert {cell["op"] for cell in cells} >= {"encode", "into", "fresh", "decode"}
    about = json.loads((lab.runs[-1] / "run.json").read_text())["data"]
    assert (about["file"], about["items"]) == ("cities.csv", 40) and len(about["sha256"]) == 64
    assert "{ city: string, founded: i32, harbour: bool }" in about["schema"]
    sizes = {cell["peer"]: cell["bytes"] for cell in cells}
    assert sizes["json.plain"] == about["json_bytes"]


def test_the_report_answers_too_and_its_commands_name_the_file(lab: Copy, answered: str) -> None:
    assert answered
    text = Path(lab.bench("report", "--out", "cities.html").strip()).name
    page = (lab.root / text).read_text("utf-8")
    assert '<p class="lead answer">For cities, in Python: smallest samewire-compact.slots' in page
    assert "bench run pack --language python --data cities.csv --peer " in page


def test_what_a_peer_cannot_carry_is_named(lab: Copy) -> None:
    (lab.root / "beyond.json").write_text(json.dumps(BEYOND))
    said = lab.run("--rounds", "1", "--data", "beyond.json", *PEERS)
    assert "Python ormsgpack.plain: cannot carry it: " in said
    assert "For beyond, in Python: smallest " in said
    cells = json.loads(lab.bench("show", "--json"))
    refused = [cell for cell in cells if cell["status"] != "ok"]
    assert [(cell["peer"], cell["status"]) for cell in refused] == [("ormsgpack.plain", "cannot")]
    assert refused[0]["note"] and refused[0]["median"] is None


def test_a_file_that_changed_does_not_go_on_with_old_rounds(lab: Copy) -> None:
    head = lab.runs[-1] / "run.json"
    unfinished = json.loads(head.read_text()) | {"ended": ""}
    head.write_text(json.dumps(unfinished))
    (lab.root / "beyond.json").write_text(json.dumps(BEYOND * 2))
    assert "beyond.json has changed since " in lab.bench("run", "--resume", status=2)
