"""The command ``bench`` from end to end, with Python's own runner and the smallest of runs."""

from __future__ import annotations

import csv
import io
import json
import signal
import time
from pathlib import Path

import pytest

from bench.lab.cli import main
from bench.lab.store import JOURNAL
from bench.tests.conftest import Copy

CONTRACT = (
    "area workload op language peer version ours unit median low high cpu_median bytes gz ratio ratio_low ratio_high reference status note"
).split()
PYTHON = ("--language", "python")
SMALL = ("--workload", "event", "--peer", "ormsgpack", "--peer", "samewire-compact.slots")


@pytest.fixture(scope="module")
def ran(lab: Copy) -> Copy:
    """A tree with one finished run."""
    out = lab.run(*SMALL)
    assert "1/6 pack event, round 1: python" in out
    assert "left, ends about" in out
    assert "pack, in Python: encode" in out
    return lab


def test_cells_are_a_stable_contract(ran: Copy) -> None:
    cells = json.loads(ran.bench("show", "--json"))
    assert cells and all(list(cell) == CONTRACT for cell in cells)
    ours = [cell for cell in cells if cell["ours"] and cell["op"] == "decode"]
    theirs = [cell for cell in cells if not cell["ours"] and cell["op"] == "decode"]
    assert {cell["reference"] for cell in [*ours, *theirs]} == {"ormsgpack.plain"}
    assert all(cell["ratio"] > 0 and cell["status"] == "ok" and cell["bytes"] == 5 for cell in ours)
    assert [(cell["ratio"], cell["ratio_low"], cell["ratio_high"]) for cell in theirs] == [(1.0, 1.0, 1.0)]
    # What is paid once has one round in a quick run, and no interval.
    assert all(cell["op"] in ("load", "first") or cell["low"] <= cell["median"] <= cell["high"] for cell in cells)


def test_other_forms_say_the_same(ran: Copy) -> None:
    cells = json.loads(ran.bench("show", "--json"))
    table = list(csv.DictReader(io.StringIO(ran.bench("show", "--csv"))))
    assert [row["peer"] for row in table] == [cell["peer"] for cell in cells]
    assert sum(line.startswith("|") for line in ran.bench("show", "--md").splitlines()) == len(cells) + 2
    shown = ran.bench("show", "--sort", "bytes", "--peer", "samewire")
    assert "ormsgpack" not in shown and "samewire-compact.slots" in shown


@pytest.mark.parametrize(
    "words",
    [
        ["show"],
        ["show", "--reference", "boopickle"],
        ["show", "--targets"],
        ["compare", "last", "last"],
        ["report", "--out", "stamped.html"],
    ],
)
def test_a_quick_run_is_stamped_wherever_it_is_shown(ran: Copy, words: list[str]) -> None:
    out = ran.bench(*words)
    assert "Quick mode" in ((ran.root / "stamped.html").read_text("utf-8") if words[0] == "report" else out)
    if words[0] != "report":
        quoted = [line for line in ran.bench(*words, "--md").splitlines() if "Quick mode" in line]
        assert quoted and all(line.startswith("> ") for line in quoted)


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_where_programs_read_the_stamp_stands_aside(ran: Copy, form: str) -> None:
    with ran.start("show", form) as process:
        out, err = process.communicate(timeout=60)
    assert "Quick mode" not in out and "Quick mode" in err


def test_published_tables_and_targets_are_shown(ran: Copy) -> None:
    shown = ran.bench("show", "--reference", "boopickle")
    assert "ops/s" in shown and "BooPickle, size" in shown
    assert "met" in ran.bench("show", "--targets")


def test_a_run_beside_itself_has_not_changed(ran: Copy) -> None:
    assert "0 slower, 0 faster" in ran.bench("compare", "last", "last", "--threshold", "1%")
    assert "ratios within 10% of each other" in ran.bench("compare", "last", "last", "--within", "10%")


def test_a_report_is_written_where_asked(ran: Copy) -> None:
    path = ran.root / "page.html"
    assert ran.bench("report", "--out", str(path)).strip() == str(path)
    assert "</html>" in path.read_text("utf-8")
    (ran.root / "pages").mkdir()
    assert ran.bench("report", "--out", "pages").strip() == "pages/report.html"
    assert (ran.root / "pages/report.html").read_text("utf-8") == path.read_text("utf-8")


def test_a_kept_run_needs_no_toolchain(ran: Copy, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    kept = ran.bench("keep").strip()
    before = ran.bench("show", "--json")
    moved = ran.runs[0].rename(ran.root / "elsewhere")
    monkeypatch.setenv("PATH", str(tmp_path))
    try:
        assert ran.bench("show", kept, "--json") == before
        assert ran.bench("show", "--json") == before
        for words in (["report"], ["show", "--targets"], ["show", "--reference", "boopickle"], ["compare", kept, kept]):
            assert ran.bench(*words)
        missing = ran.bench("doctor", "--language", "node", status=1)
        assert "node is not installed" in missing and "get Node.js 20 and npm; then make bench" in missing
        assert "npm is not installed" in ran.bench("list", "--language", "node")
    finally:
        moved.rename(ran.root / "build/bench/runs" / json.loads((moved / "run.json").read_text())["name"])


def test_the_list_and_the_doctor_name_what_there_is(ran: Copy) -> None:
    listed = ran.bench("list", "--language", "python")
    assert "booksNum" in listed
    named = [line for line in listed.splitlines() if line.startswith(f"  {ran.runs[0].name} ")]
    assert any(": python; " in line and "stored" not in line for line in named)
    about = {line.split()[0]: line for line in listed.splitlines() if line.startswith("  ")}
    assert about["ormsgpack.plain"].endswith("dynamic, checks syntax, UTF-8, depth, your own data")
    assert "only booksNum, tree, event" in about["msgspec.plain"] and "trusts its input" in about["pickle.plain"]
    found = ran.bench("doctor", "--language", "python")
    assert "Python" in found and "load" in found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["run", "pakc"], "there is no area 'pakc'; there are: pack, field, redis_jvm, bridge, grpc, redis, spark"),
        (["run", "--language", "cobol", "--workload", "event"], "there is no language 'cobol'"),
        (["run", "--workload", "boks"], "there is no workload 'boks'"),
        (["run", "--quick", "--full"], "not both"),
        (["run", "--paired"], "say how many, --busy 1"),
        (["run", "--resume", "--rounds", "3"], "leave rounds out"),
        (["run", "--data", "no.csv"], "no.csv: No such file"),
        (["run", "--data", "no.csv", "--workload", "event"], "leave --workload out"),
        (["run", "--data", "no.txt"], "a .json, .ndjson or .csv file is expected"),
        (["compare", "last", "last", "--threshold", "much"], "'much' is not a share"),
        (["compare", "last", "last", "--within", "nan"], "'nan' is not a share"),
        (["show", "--md", "--csv"], "one form at a time: --md or --csv"),
        (["show", "--targets", "--json"], "--json is a form of cells"),
    ],
)
def test_a_refusal_is_one_line(
    words: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["bench", *words])
    with pytest.raises(SystemExit) as stopped:
        main()
    assert stopped.value.code == 2
    assert said in capsys.readouterr().err


def test_what_is_not_there_is_refused(ran: Copy) -> None:
    assert "there is no run 'never'" in ran.bench("show", "never", status=2)
    assert "nothing to resume" in ran.bench("run", "--resume", status=2)
    assert "no peer is called anything like 'nobody' in Python" in ran.bench("run", "pack", *PYTHON, "--peer", "nobody", status=2)
    assert "nothing to run" in ran.bench("run", "grpc", *PYTHON, status=2)
    assert "it has the languages python and the workloads event" in ran.bench("show", "--workload", "tree", status=2)
    (ran.root / "other.json").write_text('{"cells": [{}]}')
    assert "not a run of this lab" in ran.bench("show", "other.json", status=2)
    assert "other.json/page.html: " in ran.bench("report", "--out", "other.json/page.html", status=2)


def test_a_peer_is_meant_by_a_part_of_its_name_or_a_pattern(ran: Copy) -> None:
    def peers(*words: str) -> set[str]:
        return {cell["peer"] for cell in json.loads(ran.bench("show", "--json", *words))}

    assert peers("--peer", "samewire") == peers("--peer", "*.slots") == {"samewire-compact.slots"}
    assert peers("--peer", "samewire", "--peer", "pack") == {"samewire-compact.slots", "ormsgpack.plain"}
    assert peers("--peer", "o*") == {"ormsgpack.plain"}


def test_an_interrupted_run_keeps_its_cells_and_goes_on(lab: Copy) -> None:
    before = len(lab.runs)
    words = ["run", "pack", "--quick", "--language", "python", "--rounds", "4", "--busy", "1", "--paired", *SMALL]
    process = lab.start(*words)
    deadline = time.monotonic() + 60
    while not (len(lab.runs) > before and (lab.runs[before] / JOURNAL).exists()):
        assert time.monotonic() < deadline and process.poll() is None
        time.sleep(0.05)
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=30)
    assert process.returncode == 130, out + err
    assert "processes are kept" in out and "--resume goes on" in out
    assert lab.processes() == []
    folder, alone = lab.runs[before:]
    assert alone.name == f"{folder.name}-alone"
    kept = (folder / JOURNAL).read_text().splitlines()
    assert 1 <= len(kept) < 8
    assert "has not ended" in lab.bench("show", folder.name)
    lab.bench("run", "--resume")
    after = (folder / JOURNAL).read_text().splitlines()
    assert after[: len(kept)] == kept and len(after) == 8
    assert len({line.partition('"seconds"')[0] for line in after}) == 8
    heads = [json.loads((each / "run.json").read_text()) for each in (folder, alone)]
    assert [(bool(head["ended"]), head["busy"]) for head in heads] == [(True, 1), (True, 0)]
    # A process that was interrupted beside its neighbour is measured alone once more too.
    again = (alone / JOURNAL).read_text().splitlines()
    assert len({line.partition('"seconds"')[0] for line in again}) == 8 <= len(again) <= 9


def test_begun_with_other_code_a_run_is_not_resumed(lab: Copy) -> None:
    folder = next(each for each in reversed(lab.runs) if not each.name.endswith("-alone"))
    head = json.loads((folder / "run.json").read_text())
    head["ended"] = ""
    head["code"]["python"] = dict.fromkeys(head["code"]["python"], "other")
    (folder / "run.json").write_text(json.dumps(head))
    assert "begun with other code" in lab.bench("run", "--resume", status=2)
