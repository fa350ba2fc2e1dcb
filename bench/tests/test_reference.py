"""BooPickle's table of a run whose figures are known."""

from __future__ import annotations

import pytest

from bench.lab import suite
from bench.lab.protocol import Peer
from bench.lab.record import Run
from bench.lab.reference import sections, tables
from bench.lab.suite import SuiteError
from bench.tests import figures
from bench.tests.figures import OURS, THEIRS, key

PACK = suite.load("pack")
SHAPES = ["event", "ints", "doubles", "strings", "tree", "map", "booksRandom", "booksNum"]


def run() -> Run:
    """Ours needs 100 ns for 90 bytes, the rival 200 ns for 100, on every workload; both have a pool; the limit needs one."""
    cells = {}
    for workload in PACK.workloads:
        for op in ("encode", "into", "decode"):
            for peer, time, size in ((OURS, 100.0, 90), (THEIRS, 200.0, 100), ("limit", 1.0, 1)):
                cells[key(peer, op, workload)] = figures.cell([time] * 5, size)
    cells[key(OURS)].stats = {"allocations": 1_000, "misses": 2}
    return Run(figures.header(peers={"rust": {"limit": Peer(kind="limit")}}), cells)


def test_it_has_rates_and_sizes_with_their_shares() -> None:
    made = {title: (list(header), body) for title, header, body in sections(run(), PACK)}
    header, body = made["Rust, encoding: books, numerical IDs"]
    assert header[1:] == ["ops/s", "%", "size", "%", "size.gz", "%"]
    assert body == [
        [OURS, "10,000,000", "100%", "90", "100%", "85", "100%"],
        [THEIRS, "5,000,000", "50%", "100", "111%", "95", "112%"],
    ]


def test_all_eight_shapes_are_encoded_and_decoded_then_comes_the_pool_then_what_was_published() -> None:
    titles = [title for title, _, _ in sections(run(), PACK)]
    assert titles[:16] == [f"Rust, {way}: {PACK.workloads[shape].title}" for way in ("encoding", "decoding") for shape in SHAPES]
    assert titles[16] == "Buffer pool"
    assert [title.partition(":")[0] for title in titles[17:]] == ["Published, other machines"] * 2


def test_the_pool_tells_what_was_asked_of_it_and_what_it_had_to_make() -> None:
    (body,) = (body for title, _, body in sections(run(), PACK) if title == "Buffer pool")
    assert body == [[OURS, "booksNum", "allocations", "1,000"], [OURS, "booksNum", "misses", "2"]]


def test_an_unknown_table_is_refused() -> None:
    with pytest.raises(SuiteError, match="there are: boopickle, redis_jvm, bridge, grpc, redis"):
        tables(run(), "smartpickle", as_markdown=False)
