"""Which texts become enums: few symbols that repeat, not names of things, identifiers or prose."""

from __future__ import annotations

from typing import Any

import pytest
from samewire.schema.infer import Options, infer

LETTERS = "abcdefghijklmnopqrstuvwxyz"
STATES = ["open", "paid", "sent", "lost", "back", "done", "held", "void"]
CURRENCIES = [f"{one}{two}D" for one in "ABCDE" for two in "UVWXY"]
WORDS = [letter * 3 for letter in LETTERS]

ENUMS: list[tuple[list[str], int]] = [
    (STATES, 264),
    (["INFO", "WARN", "ERROR"], 220),
    (["G", "PG", "PG-13", "R", "NC-17", "Not Rated"], 220),
    (["A+", "A-", "O+", "O-"], 220),
    (["R & B", "Thriller/Suspense", "Children's"], 220),
    (["rock_and_roll", "hip-hop"], 220),
    (["日本", "中国"], 220),
    (WORDS[:16], 600),
    (CURRENCIES, 900),
]


@pytest.mark.parametrize(("symbols", "count"), ENUMS)
def test_symbols(symbols: list[str], count: int) -> None:
    texts = [symbols[number % len(symbols)] for number in range(count)]
    assert infer(texts).schema.text.startswith("list<enum Record {")


TEXTS: list[list[str]] = [
    [f"{letter}.example.com" for letter in LETTERS],
    [f"host-{letter}" for letter in LETTERS],
    [f"web-{number:02}" for number in range(26)],
    ["web-1", "web-2", "db"],
    WORDS[:17],
    ["10.0.0.1", "10.0.0.2"],
    ["https://a.example", "https://b.example"],
    ["/tmp/a", "/tmp/b"],
    ["a/b/c", "d/e/f"],
    ["me@example.com", "you@example.com"],
    ["d9f1c2", "ab45cd9"],
    ["It rains.", "The sun shines today, all day"],
    ["one two three four five", "six"],
    ["+", "-"],
    ["1 star", "2 stars"],
    ["red", ""],
    ["a" * 41, "b"],
    ["1,003", "-12 %"],
    ["007", "008"],
]


@pytest.mark.parametrize("texts", TEXTS)
def test_texts(texts: list[str]) -> None:
    assert infer(texts * 100).schema.text == "list<string>"


@pytest.mark.parametrize(
    "texts",
    [
        [STATES[number % 8] for number in range(263)],
        [*STATES * 100, "new"],
        [*["open"] * 300, *["paid"] * 299],
        ["open"] * 400,
        [f"s{number}" for number in range(400)],
    ],
    ids=["too few", "still grows", "new in the later half", "one", "all differ"],
)
def test_sets_that_are_not_closed(texts: list[str]) -> None:
    assert infer(texts).schema.text == "list<string>"


@pytest.mark.parametrize("field", ["host", "hostName", "user_id", "name", "Title", "url", "version", "ver", "message"])
def test_fields_whose_name_says_a_thing(field: str) -> None:
    rows = [{field: STATES[number % 3], "state": STATES[number % 3]} for number in range(300)]
    text = infer(rows).schema.text
    assert "string, state: enum State { open, paid, sent }" in text


@pytest.mark.parametrize(("enums", "count"), [(2, 2), (0, 0), (1, 0)])
def test_most_symbols(enums: int, count: int) -> None:
    rows: Any = [{"two": STATES[number % 2], "three": STATES[number % 3]} for number in range(300)]
    text = infer(rows, Options(enums=enums)).schema.text
    assert text.count("enum") == (1 if count else 0)
