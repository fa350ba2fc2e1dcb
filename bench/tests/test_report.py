"""The report, opened in a real browser: it loads without errors and without network, its tables sort, its charts can be seen."""

from __future__ import annotations

import json
import random
import re
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import pytest

from bench.lab import suite
from bench.lab.cells import rows
from bench.lab.languages import TITLES
from bench.lab.places import BUILD, ROOT
from bench.lab.protocol import Peer
from bench.lab.record import ANY, CANNOT, WRONG, Cell, Run
from bench.lab.report.page import html
from bench.tests import figures
from bench.tests.figures import cell, key

HOSTILE = 'it said </script><script>alert("no")</script> & left'
LANGUAGES = ("jvm", "node", "chromium", "python", "rust")
PEERS = {
    "samewire-compact": 1.0,
    "samewire-fast": 0.8,
    "samewire-compact-untracked.slots": 0.9,
    "rival": 1.5,
    "small & slow": 4.0,
    "quick": 0.7,
    "limit": 0.2,
}
OPERATIONS = ("encode", "into", "fresh", "decode", "held")


def made_up() -> Run:
    """Five languages, three workloads, six peers; some that failed."""
    r = random.Random(4)
    cells = {}
    for language in LANGUAGES:
        for size, workload in ((196, "booksNum"), (2_321, "tree"), (40_000, "ints")):
            for peer, factor in PEERS.items():
                for op in (*OPERATIONS, "first"):
                    some = [size * factor * r.gauss(1.0, 0.05) for _ in range(5)]
                    made = cell(some, int(size * (1.6 - factor / 5)), version="1.2.3", allocs=3.0, heap=2.0 * size)
                    if language == "chromium":
                        made.cpu = {}
                    cells[key(peer, op, workload, language)] = made
    cells[key("broken", ANY, "tree", "rust")] = Cell(status=WRONG, note=HOSTILE)
    cells[key("narrow", ANY, "tree", "rust")] = Cell(status=CANNOT, note="no recursive types")
    declared = {
        peer: Peer(["tree"], "1.2.3", "limit" if peer == "limit" else "typed", "bounds", peer == "quick") for peer in PEERS
    }
    declared["gone"] = Peer([], missing="not on this platform")
    head = figures.header(
        mode="quick",
        dirty=True,
        load_before=2.5,
        peers={"rust": declared, "python": declared},
        absent={"cobol": "cobol is not installed"},
    )
    return Run(head, cells)


@pytest.fixture(scope="module")
def written() -> Path:
    path = BUILD / "test-report.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    run = made_up()
    path.write_text(html(run, rows(run)), "utf-8")
    return path


@pytest.fixture(scope="module")
def seen(written: Path) -> dict[str, Any]:
    """What a browser found; pictures for a person to look at are left beside the report."""
    command = ["node", str(ROOT / "bench/tests/page.mjs"), str(written), str(written.parent)]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=900)
    assert done.returncode == 0, done.stderr
    found: dict[str, Any] = json.loads(done.stdout)
    return found


def test_it_loads_without_errors_and_without_network(seen: dict[str, Any]) -> None:
    assert seen["errors"] == []
    assert seen["requests"] == []


def light(color: str) -> float:
    """How light a colour is, from 0 to 765."""
    return sum(map(float, re.findall(r"[\d.]+", color)[:3]))


def test_both_colour_schemes_can_be_read(seen: dict[str, Any]) -> None:
    assert light(seen["schemes"]["light"]["paper"]) > 700 and light(seen["schemes"]["light"]["ink"]) < 200
    assert light(seen["schemes"]["dark"]["paper"]) < 100 and light(seen["schemes"]["dark"]["ink"]) > 600


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_charts_can_be_seen(seen: dict[str, Any], scheme: str) -> None:
    found = seen["schemes"][scheme]
    # Two charts of ratios, and for each language one of speed and size for both workloads that stand in summaries.
    assert found["charts"] >= 2 + 2 * len(LANGUAGES)
    assert found["empty"] == 0
    assert found["dots"] >= 2 * 3 * len(LANGUAGES)
    assert found["flat"] == 0


def test_tables_sort_both_ways(seen: dict[str, Any]) -> None:
    up, down = ([int(value) for value in some] for some in seen["sizes"])
    assert up == sorted(up) and down == sorted(down, reverse=True) and len(set(up)) > 2
    up, down = seen["peers"]
    assert up == sorted(up, key=str.lower) and down == up[::-1]


def test_pictures_are_left_for_a_person(written: Path, seen: dict[str, Any]) -> None:
    assert seen
    for name in ("light", "dark", "phone"):
        assert (written.parent / f"report-{name}.png").stat().st_size > 10_000


def test_a_phone_needs_no_sideways_scrolling(seen: dict[str, Any]) -> None:
    assert seen["phone"]["width"] <= seen["phone"]["window"]


def test_nothing_is_folded_on_paper(seen: dict[str, Any]) -> None:
    assert seen["folded"] == 0


def test_paper_is_white_holds_the_whole_width_and_has_no_menu(written: Path, seen: dict[str, Any]) -> None:
    """Printed from a window that is dark."""
    paper = seen["paper"]
    assert light(paper["paper"]) > 700 and light(paper["ink"]) < 200
    assert paper["width"] <= paper["window"]
    assert (paper["empty"], paper["flat"], paper["menu"]) == (0, 0, False)
    assert (written.parent / "report.pdf").stat().st_size > 10_000


def test_every_row_has_a_command_that_measures_it_again(seen: dict[str, Any]) -> None:
    tables = seen["told"]["commands"]
    assert len(tables) == 3 * len(LANGUAGES)
    for table in tables:
        assert len(table["lines"]) == table["rows"] == len(PEERS)
        assert all(
            re.fullmatch(r"bench run pack --language \w+ --workload \w+( --peer ('[^']+'|\S+))+", line) for line in table["lines"]
        )


def test_the_environment_is_told(seen: dict[str, Any]) -> None:
    text = seen["told"]["environment"]
    for words in ("Some <CPU>", "performance", "Linux 6", "rustc 1.95", "2.5 before, 0.9 after", "bench run pack"):
        assert words in text


def test_intervals_and_the_frontier_are_drawn(seen: dict[str, Any]) -> None:
    told = seen["told"]
    assert told["planes"] == told["frontiers"] == 3 * len(LANGUAGES)
    # Of each operation the peer that others are compared with has none.
    assert told["intervals"] == 3 * len(LANGUAGES) * len(OPERATIONS) * (len(PEERS) - 1)


def test_what_an_operation_takes_of_memory_is_told_with_its_unit(written: Path) -> None:
    text = written.read_text("utf-8")
    assert "takes encode 392 B in 3 pieces, into 392 B in 3 pieces, " in text


def test_all_that_was_found_is_told(seen: dict[str, Any]) -> None:
    text = seen["text"]
    for words in (
        "Quick mode",
        "The machine was at work",
        "differed from commit",
        "Where we lose",
        HOSTILE,
        "no recursive types",
    ):
        assert words in text
    assert "not on this platform" in text and "cobol is not installed" in text
    assert seen["cells"] == len(rows(made_up()))


def test_every_loss_has_its_reason_or_says_that_there_is_none(seen: dict[str, Any]) -> None:
    behind = seen["text"].partition("Where we lose\n")[2].partition("\nPaid once")[0]
    assert "quick" in behind
    assert re.search(r"0\.\d\d×", behind)


class Balance(HTMLParser):
    """Fails unless every element is closed where it was opened."""

    VOID = frozenset({"meta", "link", "br", "line", "circle", "rect", "path"})

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag not in self.VOID:
            assert self.open and self.open.pop() == tag, tag


def test_elements_are_balanced_and_nothing_comes_from_elsewhere(written: Path) -> None:
    text = written.read_text("utf-8")
    parser = Balance()
    parser.feed(text)
    assert parser.open == []
    assert not re.search(r'(?:src|href)="(?!#|data:)', text)
    assert "url(" not in text


def test_a_run_without_anything_is_still_a_page() -> None:
    empty = Run(figures.header(absent={"rust": "cargo is not installed"}), {})
    text = html(empty, rows(empty))
    assert "nothing of ours was measured" in text
    assert "cargo is not installed" in text


def test_reasons_are_shown() -> None:
    area = suite.load("pack")
    assert area.reasons, "the suite of pack keeps its reasons in reasons.toml"
    for reason in area.reasons:
        assert len(reason.why) > 20 and reason.where.count("/") == 3


def test_every_language_and_area_has_a_colour() -> None:
    """Without one, intervals are not drawn and dots are holes."""
    style = (ROOT / "bench/lab/report/style.css").read_text()
    for name in TITLES:
        found = re.search(rf"\.{name}(?:, \.\w+)* {{ --hue: var\((--\w+)\); }}", style)
        assert found and style.count(f"{found[1]}: #") == 2, name
