"""How figures are shown and summed up."""

from __future__ import annotations

import io

import pytest
from rich.console import Console

from tour.results import Refused, Report, Row
from tour.summary import means
from tour.table import duration, note, summary, table, times


@pytest.mark.parametrize(
    ("nanoseconds", "shown"),
    [
        (0.4, "0 ns"),
        (999, "999 ns"),
        (1234, "1.23 µs"),
        (999_600, "1.00 ms"),
        (12_345_678, "12.3 ms"),
        (2.5e9, "2.50 s"),
        (2e12, "2000 s"),
    ],
)
def test_durations(nanoseconds: float, shown: str) -> None:
    assert duration(nanoseconds) == shown


def test_ratios() -> None:
    assert [times(value) for value in (0.5, 1, 9.99, 9.996, 123.4)] == ["0.50×", "1.00×", "9.99×", "10×", "123×"]


def row(name: str, size: int, time: float) -> Row:
    return Row(name, name.startswith("Samewire"), size, size, (time, time * 9, time), (time,))


def test_means_are_geometric_and_over_what_a_peer_carried() -> None:
    sets: dict[str, tuple[Row | Refused, ...]] = {
        "a": (row("Samewire compact", 100, 10), row("peer", 200, 20), Refused("other", "no")),
        "b": (row("Samewire compact", 100, 10), row("peer", 800, 5), row("other", 100, 30)),
    }
    ours, peer, other = means([Report("python", "x", sets)])
    assert (ours.size, ours.encode, ours.sets) == (1.0, 1.0, 2)
    assert peer.size == pytest.approx(4.0)
    assert peer.encode == pytest.approx(1.0)
    assert other.encode == pytest.approx(3.0)
    assert other.sets == 1


@pytest.mark.parametrize("width", [80, 120])
def test_no_row_of_the_tables_is_folded_at_80_columns(width: int) -> None:
    rows = (row("Samewire compact", 1_234_567, 12_345_678), row("protobuf (proto-loader)", 9_876_543, 99_900_000))
    reports = [Report("typescript", "x", {"a": rows})]
    console = Console(file=io.StringIO(), width=width)
    for shown in (table("title", "a", reports), summary(reports)):
        with console.capture() as captured:
            console.print(shown)
        # Title, blank, heads, rule, the language, two formats, a blank.
        lines = captured.get().splitlines()
        assert len(lines) == 8
        assert lines[4].split() == ["TypeScript"]
        assert lines[6].startswith(" protobuf (proto-loader) ")
        assert "…" not in captured.get()


def test_the_note_counts_rounds() -> None:
    assert "median of 1 round in" in note(1)
    assert "median of 5 rounds in" in note(5)
