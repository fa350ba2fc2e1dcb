"""The whole chain on small data sets of a user: unusual keys, nulls, other scripts, mixed types."""

from __future__ import annotations

import io
import json
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from rich.console import Console

from tour.__main__ import tour
from tour.datasets import load
from tour.definitions import write_all
from tour.hops import HopError, carry
from tour.places import ROOT
from tour.plan import Plan, PlannedSet
from tour.python_hop import begin
from tour.results import HOPS

NAMES = 'id,class,Größe,seen at,state,"a ""quoted"" name",1st'
SALES = """1,x,1.5,2024-02-29T12:00:00Z,open,日本,007
2,,2,2024-03-01T12:00:00Z,closed,🙂 and é,
3,y,,2024-03-02T12:00:00Z,open,"two
lines",012
4,z,1e3,2024-03-03T12:00:00Z,open,ÿĀ,x
5,x,-0.25,2024-03-04T12:00:00Z,closed,,y
6,x,0,2024-03-05T12:00:00Z,open,n,z
7,x,0,2024-03-06T12:00:00Z,open,n,z
8,x,0,2024-03-07T12:00:00Z,closed,n,z
"""
#: So many rows that the states are an enum, and the classes, of which some are missing, are not.
CSV = f"{NAMES}\n{SALES * 26}"
ROWS = [
    {"type": "a", "$type": 1, "__proto__": None, "constructor": {"toString": 1}, "mixed": 1, "self": "s", "10": 1, "9": 2},
    {
        "type": "b",
        "$type": 2,
        "__proto__": 0,
        "constructor": {"toString": 2, "x": None},
        "mixed": "x",
        "self": "é",
        "10": 1,
        "9": 2,
    },
    {"type": "日", "$type": 3, "mixed": [1, 2.5, {"k": None}], "self": "", "constructor": {}, "10": 1, "9": 2},
    {"type": "", "$type": -(1 << 40), "mixed": None, "self": "🙂", "big": 1 << 70, "u": 1 << 63, "10": 1, "9": 2},
    {"tags": {f"t{i}": i for i in range(40)}, "kids": [{"name": "k", "kids": [{"name": "kk", "kids": None}]}], "at": "12:30"},
]
TREE = {"name": "r", "kids": [{"name": "a", "kids": [{"name": "b", "kids": []}]}], "uuid": "01234567-89ab-cdef-0123-456789abcdef"}


@pytest.fixture(scope="module", autouse=True)
def _unoptimised() -> Iterator[None]:
    """The tests check the hops' output and not their speed, so Rust and the JVMs compile without optimisation."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CARGO_PROFILE_RELEASE_OPT_LEVEL", "0")
        patch.setenv("_JAVA_OPTIONS", "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC")
        yield


@pytest.fixture(scope="module")
def toured(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One tour over all of them; returns its work folder."""
    folder = tmp_path_factory.mktemp("tour")
    data = {
        "shop sales.csv": CSV,
        "class.ndjson": "".join(json.dumps(row) + "\n" for row in ROWS),
        "tree.json": json.dumps(TREE),
        "numbers.json": "[1, 2, 3, 250, -7]",
        "times.json": json.dumps(
            {"from": "0001-01-01T00:00:00Z", "to": "9999-12-31T23:59:59.999999Z", "none": "1970-01-01T00:00:00Z"}
        ),
        "empty.json": "[]",
        # More columns than a Java record can have, and than serde's peers have types for.
        "wide.csv": "\n".join(",".join(f"{word}{i}" for i in range(130)) for word in ("c", "", "1", "2.")),
    }
    for name, text in data.items():
        (folder / name).write_text(text, "utf-8")
    shown = io.StringIO()
    work = folder / "work"
    tour([folder / name for name in data], work, 0.0, 1, 0.0, Console(file=shown, width=200))
    (folder / "shown.txt").write_text(shown.getvalue(), "utf-8")
    return work


def test_every_hop_hands_on_the_same_bytes(toured: Path) -> None:
    for name in ("shop_sales", "class_data", "tree", "numbers", "times", "empty", "wide"):
        messages = {(toured / name / f"{hop}.pack").read_bytes() for hop in (*HOPS, "grpc", "grpc-protobuf")}
        assert len(messages) == 1


def test_schemas(toured: Path) -> None:
    assert (toured / "shop_sales/schema.txt").read_text("utf-8") == (
        'list<struct ShopSale { id: i32, class: option<string>, "Größe": option<f64>, "seen at": timestamp, '
        'state: enum State { closed, open }, "a \\"quoted\\" name": option<string>, "1st": option<string> }>\n'
    )
    assert (toured / "tree/schema.txt").read_text("utf-8").startswith("struct Tree { name: string, kids: list<Tree>")
    assert "mixed: any" in (toured / "class_data/schema.txt").read_text("utf-8")


def test_the_page_stands_alone(toured: Path) -> None:
    page = (toured / "index.html").read_text("utf-8")
    assert "prefers-color-scheme: dark" in page
    for word in ("http:", "https:", "<script", "<link", "url("):
        assert word not in page
    assert [page.count(f'<th scope="rowgroup">{language}</th>') for language in HOPS.values()] == [8] * 6
    for word in (
        "<li>gRPC</li>",
        "<li>Valkey</li>",
        "redis-py, pickle",
        "Samewire bridge, a message of pack",
        "Py4J, JSON (orjson, Jackson)",
        "shop sales.csv",
        "Samewire compact",
        "msgspec",
        "Fory",
        "msgpackr",
        "postcard",
        "&quot;",
    ):
        assert word in page


def test_the_terminal_shows_schema_and_table(toured: Path) -> None:
    shown = (toured.parent / "shown.txt").read_text("utf-8")
    for word in (
        "list<struct ShopSale",
        "same bytes after every hop",
        "Samewire fast",
        "protobuf (proto-loader)",
        "JSON (Jackson)",
        "rmp-serde",
        "postcard (untyped)",
    ):
        assert word in shown


def test_results_are_complete(toured: Path) -> None:
    reports = json.loads((toured / "results.json").read_text("utf-8"))
    assert [report["language"] for report in reports] == list(HOPS)
    for report in reports:
        assert len(report["sets"]) == 7
        for name, rows in report["sets"].items():
            assert rows[0]["ours"]
            assert report["language"] == "bridge" or rows[1]["ours"]
            for row in rows:
                if "reason" in row:
                    continue
                # protobuf writes an empty list as 0 bytes.
                assert row["bytes"] > 0 or (name, row["name"]) == ("empty", "protobuf (proto-loader)")
                assert len(row["encode"]) == len(row["decode"]) == 1


def test_a_peer_that_cannot_is_shown_to_refuse(toured: Path) -> None:
    """No peer but Jackson and Fory holds an integer of 71 bits."""
    python = json.loads((toured / "results.json").read_text("utf-8"))[0]["sets"]["class_data"]
    assert {row["name"] for row in python if "reason" in row} >= {"JSON (orjson)", "msgpack"}
    assert "refuses: " in (toured / "index.html").read_text("utf-8")
    assert "refuses" in (toured.parent / "shown.txt").read_text("utf-8")


def test_a_changed_message_is_noticed(toured: Path) -> None:
    """The proof can fail: a message for another value arrives at the second hop."""
    plan = json.loads((toured / "tour.json").read_text("utf-8"))
    said: list[str] = []

    def swap(what: str) -> None:
        said.append(what)
        if what == "TypeScript":
            (toured / "numbers/java.pack").write_bytes(bytes.fromhex("800102"))

    with pytest.raises(HopError, match="numbers: the hop through TypeScript wrote other bytes"):
        carry(toured, swap)
    assert len(plan["sets"]) == 7
    assert said[-1] == "TypeScript"


def test_data_beyond_a_limit_is_named(tmp_path: Path) -> None:
    (tmp_path / "deep.json").write_text("[" * 100 + "]" * 100)
    data = load(tmp_path / "deep.json", set())
    write_all([data], tmp_path, Plan((PlannedSet(data.id, data.outer),), 0.0, 1, 0.0))
    with pytest.raises(SystemExit, match=r"^deep: limit_depth \("):
        begin(tmp_path)


@pytest.mark.parametrize(("name", "text", "says"), [("bad.json", "[1,", "line 1"), ("bad.csv", "a\n1,2\n", "line 2")])
def test_bad_data_is_refused(name: str, text: str, says: str, tmp_path: Path) -> None:
    (tmp_path / name).write_text(text)
    run = subprocess.run(
        [sys.executable, "-m", "tour", "--data", str(tmp_path / name), "--work", str(tmp_path / "work")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 1
    assert says in run.stdout
