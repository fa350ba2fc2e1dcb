"""The README's table is what the last stored full run says, and nobody's hand has changed it."""

from __future__ import annotations

from pathlib import Path

import pytest

from bench.lab import readme, store
from bench.lab.places import ROOT
from bench.lab.refusal import Refusal
from bench.tests import figures

README = (ROOT / "README.md").read_text("utf-8")


def test_the_table_was_not_edited_by_hand() -> None:
    assert readme.between(README) == readme.text(readme.stored()), "run `make readme-table`"


def test_making_it_again_changes_nothing_else() -> None:
    assert readme.replaced(README, readme.text(readme.stored())) == README
    changed = readme.replaced(README, "other\n")
    assert readme.between(changed) == "other\n"
    assert changed.partition(readme.BEGIN)[0] == README.partition(readme.BEGIN)[0]
    assert changed.partition(readme.END)[2] == README.partition(readme.END)[2]


def test_the_table_of_a_run_says_where_it_is_from(tmp_path: Path) -> None:
    made = figures.run([100.0, 101.0, 102.0] * 4, [200.0, 201.0, 202.0] * 4)
    store.keep(made, tmp_path)
    store.keep(figures.run([1.0] * 3, [2.0] * 3, mode="quick", name="later", started="2027-01-01T00:00:00"), tmp_path)
    found = readme.stored(tmp_path)
    assert found is not None and found.header == made.header
    text = readme.text(found)
    assert "2026-01-02" in text and "abcdef1234" in text and "Some <CPU>, 2 cores" in text
    assert "| Rust | books, numerical IDs | 90 | 101 ns, 1.99× (1.98–2.00) rival | 101 ns, 1.99× (1.98–2.00) rival |" in text


def test_without_a_stored_run_it_says_how_to_make_one(tmp_path: Path) -> None:
    assert readme.text(readme.stored(tmp_path)) == readme.NOTHING


@pytest.mark.parametrize("text", ["", readme.BEGIN, readme.BEGIN * 2 + readme.END])
def test_a_readme_without_its_marks_is_refused(text: str) -> None:
    with pytest.raises(Refusal, match="marks"):
        readme.replaced(text, "")
