"""The harness itself: data, ratios, verdicts, and the way of figures to a file and back."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.pack import table, targets
from bench.pack.languages import Language
from bench.pack.report import report, summary
from bench.pack.results import Encoding, Key, Results, load, new
from bench.pack.run import DIGESTS, Job, record
from bench.pack.stats import best_peer, ratio
from bench.pack.verdicts import verdicts
from bench.peers.python import reference

OURS = Key("rust", "booksNum", "samewire-compact", "borrowed")
THEIRS = Key("rust", "booksNum", "bitcode", "decode")


@pytest.fixture
def results() -> Results:
    """Two rounds in which ours is first twice, then three times as fast."""
    made = new({"quick": True})
    made.cpu = {OURS: {0: 100.0, 1: 100.0}, THEIRS: {0: 200.0, 1: 300.0}}
    made.wall = dict(made.cpu)
    made.encodings = {
        ("rust", "booksNum", "samewire-compact"): Encoding(196, 189, "aa"),
        ("rust", "booksNum", "bitcode"): Encoding(262, 183, "bb"),
    }
    made.platforms = {"rust": "rustc"}
    made.versions = {("rust", "bitcode"): "0.6.9"}
    made.troubles = {("rust", "tree", "bitcode"): "failed: no recursive types"}
    return made


@pytest.mark.parametrize("shape", reference.SHAPES)
def test_data_have_the_committed_digest(shape: str) -> None:
    assert reference.digest(reference.make(shape)) == DIGESTS[shape]


def test_ratio_is_the_median_within_rounds(results: Results) -> None:
    assert ratio(results, OURS, THEIRS) == (2.5, 2.0, 3.0, 2)
    assert ratio(results, OURS, THEIRS._replace(peer="absent")) is None


def test_best_peer_is_never_ours(results: Results) -> None:
    results.cpu[OURS._replace(op="decode")] = {0: 1.0}
    assert best_peer(results, THEIRS) == "bitcode"


def test_verdicts(results: Results) -> None:
    said = {(verdict.what, verdict.met) for verdict in verdicts(results)}
    assert ("booksNum borrowed, samewire-compact / bitcode decode", True) in said
    assert ("booksNum borrowed, samewire-compact / postcard decode", None) in said
    assert ("booksNum, compact", True) in said


def test_every_target_names_a_known_shape() -> None:
    shapes = {size.shape for size in targets.SIZES} | {speed.shape for speed in targets.SPEEDS}
    assert shapes <= set(reference.SHAPES)


def test_results_come_back_from_their_file(results: Results, tmp_path: Path) -> None:
    path = tmp_path / "run.json"
    results.save(path)
    assert load([path, path]) == results


def test_report_shows_figures_and_what_failed(results: Results) -> None:
    for render in (table.plain, table.markdown):
        text = report(results, render)
        assert "100 ns" in text
        assert "no recursive types" in text
    assert summary(results).startswith("|")


@pytest.mark.parametrize(
    ("line", "trouble"),
    [
        ({"digest": "0" * 16}, "its reference data differ from the committed digest"),
        ({"wrong": "another value"}, "wrong result: another value"),
        ({"failed": "a crash"}, "failed: a crash"),
    ],
)
def test_anything_but_figures_is_a_trouble(line: dict[str, str], trouble: str) -> None:
    made = new({})
    job = Job(0, Language("rust", list, ("true",), 0.1), ["true"], "event", "postcard")
    record(job, [line], made)
    assert made.troubles == {("rust", "event", "postcard"): trouble}
    assert not made.cpu
