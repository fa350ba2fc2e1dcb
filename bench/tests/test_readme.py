"""The documents show the figures of the stored runs, not edited by hand."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import pytest

from bench.lab import extract, front, readme, store, suite
from bench.lab.cells import rows
from bench.lab.languages import TITLES
from bench.lab.losses import UNKNOWN, larger, slower
from bench.lab.places import RESULTS
from bench.lab.protocol import Peer
from bench.lab.record import Cell, Key, Run
from bench.lab.refusal import Refusal
from bench.lab.words import verdict
from bench.tests import figures

ROUNDS = 5


@pytest.fixture(scope="module")
def stored() -> list[Run]:
    """The runs of the repository."""
    return readme.stored()


@pytest.fixture(scope="module")
def made(stored: list[Run]) -> dict[Path, str]:
    """The tables of each document, made again: a quarter of a minute."""
    return {path: make(stored) for path, make in readme.DOCUMENTS.items()}


@pytest.mark.parametrize("path", readme.DOCUMENTS, ids=lambda path: path.name)
def test_the_tables_were_not_edited_by_hand(path: Path, made: dict[Path, str]) -> None:
    assert readme.between(path.read_text("utf-8")) == made[path].strip("\n") + "\n", "run `make readme-table`"


@pytest.mark.parametrize("path", readme.DOCUMENTS, ids=lambda path: path.name)
def test_making_them_again_changes_nothing_else(path: Path, made: dict[Path, str]) -> None:
    document = path.read_text("utf-8")
    assert readme.replaced(document, made[path]) == document
    changed = readme.replaced(document, "other\n")
    assert readme.between(changed) == "other\n"
    assert changed.partition(readme.BEGIN)[0] == document.partition(readme.BEGIN)[0]
    assert changed.partition(readme.END)[2] == document.partition(readme.END)[2]


def test_the_chart_was_not_edited_by_hand(stored: list[Run]) -> None:
    assert readme.CHART.read_text("utf-8") == front.chart(stored), "run `make readme-table`"


def test_the_readme_has_a_line_for_each_part_beside_what_it_replaces() -> None:
    lines = front.table([large("a", ["jvm", "node", "grpc"], 0.5)]).splitlines()
    pack = next(line for line in lines if line.startswith("| pack, in "))
    grpc = next(line for line in lines if line.startswith("| grpc "))
    assert "encode 2." in pack and pack.endswith(" | 40 / 0 / 0 / 0 |")
    assert "18." in grpc.split("|")[2] and "grpc-js" in grpc.split("|")[2] and "call 2." in grpc.split("|")[3]
    assert front.table([]) == extract.NOTHING


def test_the_chart_of_bytes_shows_shares_of_the_sets_that_all_hold() -> None:
    run = large("a", ["grpc"], 0.5)
    for at, (language, peer, _) in enumerate(front.SHOWN):
        for workload, size in {"tweets": 1_000, "countries": 10_000}.items():
            run.cells[Key("field", workload, "encode", language, peer)] = figures.cell([1.0], size // (at + 1))
    run.cells[Key("field", "movies", "encode", *front.SHOWN[0][:2])] = figures.cell([1.0], 7)
    shares = front.shares([run])
    assert [(name, round(share, 2), ours) for name, share, ours in shares][:2] == [
        ("JSON", 1.0, False),
        ("MessagePack, maps", 0.5, False),
    ]
    assert shares[-1][0] == "Samewire" and shares[-1][2] and abs(shares[-1][1] - 1 / 7) < 0.01
    drawn = front.chart([run])
    assert drawn.count("<rect ") == len(front.SHOWN) and "Samewire 0.14" in drawn
    assert front.shares([]) == []


def test_the_long_tables_have_one_small_table_an_area_and_says_what_was_measured() -> None:
    text = extract.shortest([large("a", ["jvm", "node", "grpc"], 0.5)])
    lines = [line for line in text.splitlines() if line.startswith("|")]
    pack = next(line for line in lines if line.startswith("| Node |"))
    assert pack.startswith("| Node | 2.") and pack.endswith(" | 20 / 0 / 0 / 0 |")
    assert len(lines) == (2 + 2) + (2 + sum(each.summary for each in suite.load("grpc").workloads.values()))
    words = " ".join(text.split())
    assert "reference data" in words and "options" in words and "Some <CPU>, 2 cores" in words


def test_field_data_stand_for_the_reference_data_of_their_library() -> None:
    run = large("a", ["grpc", "node", "jvm"], 0.5)
    for workload in suite.load("field").workloads:
        for key, cell in list(run.cells.items()):
            if (key.area, key.workload) == ("pack", "event") and key.op in ("encode", "decode"):
                run.cells[key._replace(area="field", workload=workload)] = cell
    run.header.areas.append("field")
    text = extract.shortest([run])
    assert "pack, in " not in text and 0 < text.index("pack on field data, in ") < text.index("grpc: ")
    assert "| encode | decode | encode, held out | decode, held out | faster" in text
    assert "half that is held out" in " ".join(text.split()) and "pack, in " in extract.speeds([run])


def test_the_results_name_the_options_of_the_engines() -> None:
    told = extract.options()
    assert "--single-threaded-gc" in told and "-Xmn32m" in told and "CompileCommand" not in told


def test_every_loss_of_the_stored_runs_has_a_reason(stored: list[Run]) -> None:
    unknown: list[tuple[str, ...]] = []
    for run in stored:
        found = rows(run)
        for area in map(suite.load, run.header.areas):
            unknown += [loss.row.key for loss in slower(found, area) if loss.reason == UNKNOWN]
            unknown += [(area.name, each.workload, each.peer) for each in larger(found, area) if each.reason == UNKNOWN]
    assert unknown == [], "write them down in bench/suites/AREA/reasons.toml"


def test_a_run_says_where_it_is_from(tmp_path: Path) -> None:
    made = figures.run([100.0, 101.0, 102.0] * 4, [200.0, 201.0, 202.0] * 4)
    store.keep(made, tmp_path)
    text = readme.text(readme.stored(tmp_path))
    assert "Measured on Some <CPU>, 2 cores: 2026-01-02, commit abcdef1234, 12 rounds." in text
    assert "| books, numerical IDs | 90 |  | 100, rival (Rust) |" in text
    assert "| books, numerical IDs | 101 ns: 1.99× (1.98–2.00) rival | 101 ns: 1.99× (1.98–2.00) rival |" in text


def large(name: str, languages: list[str], factor: float, **changes: Any) -> Run:
    """A run of every workload of `pack`, and of gRPC, in some languages; ours needs ``factor`` of the peer's time."""
    r = random.Random(name)
    cells: dict[Key, Cell] = {}
    for language in languages:
        for area in (suite.load("grpc" if language == "grpc" else "pack"),):
            for at, workload in enumerate(area.workloads):
                peers = {"samewire": factor, "tonic": 1.0, "grpc-js": 9.0}
                if area.name == "pack":
                    form = ".slots" if language == "python" else ""
                    peers = {f"samewire-compact{form}": factor, f"samewire-fast{form}": factor / 2, "rival": 1.0, "limit": 0.1}
                for op in (operation.name for operation in area.operations):
                    for peer, share in peers.items():
                        some = [1e4 * share * r.gauss(1.0, 0.01) for _ in range(ROUNDS)]
                        size = 1_000 * (at + 1) + int(share * 10)
                        cells[Key(area.name, workload, op, language, peer)] = figures.cell(
                            some, size if area.name == "pack" else 0
                        )
    areas = list(dict.fromkeys(key.area for key in cells))
    declared = {language: {"limit": Peer(kind="limit")} for language in languages}
    return Run(figures.header(name=name, areas=areas, peers=declared, **changes), cells)


def test_runs_are_merged_by_language_and_workload_and_each_is_named() -> None:
    first = large("a", ["jvm", "node", "chromium", "grpc"], 0.5, started="2026-01-01T00:00:00", commit="1111111111")
    second = large("b", ["python", "rust", "jvm"], 0.25, started="2026-02-02T00:00:00", commit="2222222222", load_before=3.25)
    text = extract.speeds([first, second])
    assert "- 2026-01-01 (Node, Chromium), commit 1111111111, 5 rounds\n" in text
    assert "- 2026-02-02 (JVM, Python, Rust), commit 2222222222, 5 rounds, a load of 3.2 when it began\n" in text
    # Of gRPC, which one of the two runs has, that run is named at once.
    assert "2 cores, in 2 runs, the last on 2026-02-02." in text and "2 cores: 2026-01-01, commit 1111111111, 5 rounds." in text
    assert text.count("<details>") == text.count("</details>") == 2
    assert "In the `fast` profile: encode 6." in text and text.count("books, numerical IDs: encode") == 2
    table = [[cell.strip() for cell in line.split("|")[1:-1]] for line in text.splitlines() if line.startswith("|")]
    assert table[0] == ["", *(TITLES[name] for name in ("jvm", "node", "chromium", "python", "rust"))]
    pack, grpc = suite.load("pack"), suite.load("grpc")
    body = table[2 : 2 + 2 * len(pack.workloads)]
    assert [line[0] for line in body] == [
        f"{each.title}: {op}" for each in pack.workloads.values() for op in ("encode", "decode")
    ]
    assert all(cell.endswith(" rival") and "–" in cell for line in body for cell in line[1:])
    # The later run's JVM: four times as fast, not twice.
    assert all(line[1].startswith(("3.", "4.")) and line[2].startswith(("1.", "2.")) for line in body)
    fast = table[2 + len(body) : 2 * (2 + len(body))]
    assert fast[:2] == table[:2] and [line[0] for line in fast[2:]] == [line[0] for line in body]
    rest = table[2 * (2 + len(body)) :]
    assert rest[0] == ["", "call", "beside grpc-js"]
    assert [line[0] for line in rest[2:]] == [each.title for each in grpc.workloads.values()]
    assert all("tonic" in line[1] and line[2].endswith(")") for line in rest[2:])


def test_speeds_are_those_of_full_runs_of_each_language_on_the_machine_with_most_workloads() -> None:
    other = {"cpu": "Another", "cores": 64}
    old = large("a", ["rust"], 0.5, started="2026-01-01T00:00:00", machine=other)
    new = large("b", ["rust"], 0.5, started="2026-02-01T00:00:00")
    look = large("c", ["python"], 0.5, started="2026-03-01T00:00:00", mode="quick")
    disturbed = large("d", ["python"], 0.5, started="2026-04-01T00:00:00", busy=1)
    text = extract.speeds([old, new, look, disturbed])
    assert "Some <CPU>" in text and "Another" not in text
    assert "pack, in Rust: " in text
    first = next(iter(new.cells)).workload
    narrow = Run(new.header, {key: cell for key, cell in new.cells.items() if key.workload == first})
    assert "Some <CPU>" not in extract.speeds([old, narrow]), "the later machine has fewer workloads"
    wider = large("e", ["rust", "node"], 0.5, started="2026-01-01T00:00:00", machine=other)
    assert "Measured on Another, 64 cores (pack in Node) and Some <CPU>, 2 cores (pack in Rust), in 2 runs" in extract.speeds(
        [wider, new]
    )
    assert extract.speeds([look]) == extract.NOTHING


def test_sizes_are_those_of_all_runs_and_no_limit_counts() -> None:
    look = large("a", ["rust"], 2.0, mode="quick")
    text = extract.sizes([look])
    lines = [line for line in text.splitlines() if line.startswith("| ")]
    assert lines[0] == "| bytes | `compact` | `fast` | smallest peer |"
    assert "| books, numerical IDs | 1,020 | 1,010 | 1,010, rival (Rust) |" in lines
    assert len(lines) == 2 + len(suite.load("pack").workloads)
    small = figures.run([1.0], [1.0], mode="quick")
    small.cells[figures.key("tiny")] = figures.cell([1.0], 7)
    text = extract.sizes([look, small])
    assert "| books, numerical IDs | 90 | 1,010 | 7, tiny (Rust) |" in text
    assert "| an event |" in text
    assert extract.sizes([]) == ""


def test_why_a_peer_is_smaller_is_told_once_for_each_reason() -> None:
    made = large("a", ["rust"], 3.0)
    for key, cell in made.cells.items():
        if key.peer.startswith("samewire") and key.workload not in ("event", "doubles", "ints"):
            cell.bytes = 1
    text = extract.sizes([made])
    assert text.count("Where a peer is smaller: ") == 1
    assert "an event: every message of ours begins with a header byte" in text


def test_without_a_stored_run_they_say_how_to_make_one(tmp_path: Path) -> None:
    assert readme.text(readme.stored(tmp_path)) == extract.NOTHING


@pytest.mark.parametrize("text", ["", readme.BEGIN, readme.BEGIN * 2 + readme.END])
def test_a_readme_without_its_marks_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="marks"):
        readme.replaced(text, "")


def test_commits_that_are_said_to_be_lost_are_those_of_stored_runs(stored: list[Run]) -> None:
    """Whether a commit is there cannot be asked: a shallow clone knows none of them."""
    assert set(extract.lost_commits()) <= {run.header.commit for run in stored}


def test_no_wide_interval_is_called_the_same(stored: list[Run]) -> None:
    found = [row for run in stored for row in rows(run) if row.ours]
    wide = [
        row for row in found if row.ratio_low and row.ratio_high and row.ratio_low <= 1.0 <= row.ratio_high > 1.5 * row.ratio_low
    ]
    assert len(wide) > 100
    assert {verdict(row) for row in wide} == {"not resolved"}


def test_results_have_every_line_that_is_told_of(made: dict[Path, str]) -> None:
    text = made[RESULTS.parent / "RESULTS.md"]
    for area in ("bridge", "redis", "redis_jvm", "grpc"):
        shown = [workload.title for workload in suite.load(area).workloads.values() if f"| {workload.title} |" in text]
        assert len(shown) > sum(workload.summary for workload in suite.load(area).workloads.values()), area
