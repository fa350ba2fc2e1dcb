"""The page of the hard steps has a row for each, and the newest result in it."""

from __future__ import annotations

from house.hard import HEAD, Step, with_row

NAMES = ["first", "second"]


def rows(page: str) -> list[str]:
    assert page.startswith(HEAD)
    return page.removeprefix(HEAD).splitlines()


def test_rows_stand_in_the_order_of_steps_and_the_newest_replaces() -> None:
    page = with_row("", NAMES, Step("second", "what", []), "passed", 1)
    page = with_row(page, NAMES, Step("first", "what", []), "failed (1)", 2)
    page = with_row(page, NAMES, Step("second", "what", []), "failed (2)", 3)
    assert [line.split(" | ")[:4] for line in rows(page)] == [
        ["| first", "what", "failed (1)", "2"],
        ["| second", "what", "failed (2)", "3"],
    ]


def test_a_step_that_is_no_more_loses_its_row() -> None:
    page = with_row("", [*NAMES, "gone"], Step("gone", "what", []), "passed", 1)
    assert rows(with_row(page, NAMES, Step("first", "what", []), "passed", 1))[0].startswith("| first")
    assert len(rows(with_row(page, NAMES, Step("first", "what", []), "passed", 1))) == 1
