"""Long rows of texts: where none repeats at first, the quick encoder closes the site without a table of texts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from samewire import pack

CLOSING = 128
"""Straight misses that close a site (spec/pack.md section 6)."""

UNIQUE = [f"text {i}" for i in range(3 * CLOSING)]


class Slow(list[Any]):
    """A list that only the careful encoder takes, which looks every text up."""


@dataclass
class Titled:
    title: str
    texts: list[str]
    end: str


def same(texts: list[str]) -> bytes:
    """Both encoders write the same bytes, which are read back."""
    codec = pack.codec(list[str])
    data = codec.encode(texts)
    assert data == codec.encode(Slow(texts))
    assert codec.decode(data) == texts
    return data


@pytest.mark.parametrize("length", [CLOSING - 1, CLOSING, CLOSING + 1, 2 * CLOSING, 3 * CLOSING])
def test_nothing_repeats(length: int) -> None:
    assert len(same(UNIQUE[:length])) > sum(map(len, UNIQUE[:length]))


@pytest.mark.parametrize("first", [0, 1, CLOSING - 2, CLOSING - 1, CLOSING])
@pytest.mark.parametrize("second", [CLOSING - 1, CLOSING, CLOSING + 1, 2 * CLOSING])
def test_one_text_twice(first: int, second: int) -> None:
    texts = [*UNIQUE]
    texts[second] = texts[first]
    refers = len(same(texts)) < len(same(UNIQUE)) - len(texts[first]) + 2
    assert refers == (first < second < CLOSING)


@pytest.mark.parametrize("odd", ["", "x", "é", "é" * 95, "x" * 96, "Ω", "Ωmega", "Ω" * 29])
@pytest.mark.parametrize("places", [range(1), range(40, 300, 3), range(CLOSING), range(300)])
def test_texts_that_count_otherwise(odd: str, places: range) -> None:
    texts = [*UNIQUE]
    for place in places:
        texts[place] = odd
    same(texts)


@pytest.mark.parametrize("title", ["", "text 5", "text 200", "other"])
@pytest.mark.parametrize("end", ["", "text 7", "text 300"])
def test_beside_other_sites(title: str, end: str) -> None:
    codec = pack.codec(Titled)
    value = Titled(title, UNIQUE, end)
    data = codec.encode(value)
    assert data == codec.encode(Titled(title, Slow(UNIQUE), end))
    assert codec.decode(data) == value


@pytest.mark.parametrize("value", [[UNIQUE, UNIQUE[:5], UNIQUE], [UNIQUE[:5], UNIQUE, UNIQUE]])
def test_rows_of_one_site(value: list[list[str]]) -> None:
    codec = pack.codec(list[list[str]])
    data = codec.encode(value)
    assert data == codec.encode(Slow(map(Slow, value)))
    assert codec.decode(data) == value


def test_what_is_no_text_is_refused_where_it_stands() -> None:
    for place in (0, CLOSING - 1, CLOSING, 2 * CLOSING):
        values: list[Any] = [*UNIQUE]
        values[place] = 5
        with pytest.raises(pack.SamewireError) as raised:
            pack.codec(list[str]).encode(values)
        assert raised.value.path == f"$[{place}]"
