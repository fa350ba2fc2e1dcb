"""Long lists of texts without repetitions: consecutive misses disable the dedup slot, in both encoders alike."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest
from samewire import pack

MISSES = 128
"""Consecutive misses that disable a dedup slot (spec/pack.md section 6)."""

UNIQUE = [f"text {i}" for i in range(3 * MISSES)]


class Slow(list[Any]):
    """A list that the fast encoder falls back on; the other looks up every text."""


@dataclass
class Titled:
    title: str
    texts: list[str]
    end: str


def same(texts: list[str]) -> bytes:
    """Both encoders write the same bytes, which round-trip."""
    codec = pack.codec(list[str])
    data = codec.encode(texts)
    assert data == codec.encode(Slow(texts))
    assert codec.decode(data) == texts
    return data


@pytest.mark.parametrize("length", [MISSES - 1, MISSES, MISSES + 1, 2 * MISSES, 3 * MISSES])
def test_nothing_repeats(length: int) -> None:
    assert len(same(UNIQUE[:length])) > sum(map(len, UNIQUE[:length]))


@pytest.mark.parametrize("first", [0, 1, MISSES - 2, MISSES - 1, MISSES])
@pytest.mark.parametrize("second", [MISSES - 1, MISSES, MISSES + 1, 2 * MISSES])
def test_one_text_twice(first: int, second: int) -> None:
    texts = [*UNIQUE]
    texts[second] = texts[first]
    refers = len(same(texts)) < len(same(UNIQUE)) - len(texts[first]) + 2
    assert refers == (first < second < MISSES)


@pytest.mark.parametrize("text", ["", "x", "é", "é" * 95, "x" * 96, "Ω", "Ωmega", "Ω" * 29])
@pytest.mark.parametrize("places", [range(1), range(40, 300, 3), range(MISSES), range(300)])
def test_texts_that_are_too_short_too_long_or_wide(text: str, places: range) -> None:
    texts = [*UNIQUE]
    for place in places:
        texts[place] = text
    same(texts)


@pytest.mark.parametrize("title", ["", "text 5", "text 200", "other"])
@pytest.mark.parametrize("end", ["", "text 7", "text 300"])
def test_beside_other_dedup_slots(title: str, end: str) -> None:
    codec = pack.codec(Titled)
    value = Titled(title, UNIQUE, end)
    data = codec.encode(value)
    assert data == codec.encode(Titled(title, Slow(UNIQUE), end))
    assert codec.decode(data) == value


@pytest.mark.parametrize("value", [[UNIQUE, UNIQUE[:5], UNIQUE], [UNIQUE[:5], UNIQUE, UNIQUE]])
def test_rows_of_one_dedup_slot(value: list[list[str]]) -> None:
    codec = pack.codec(list[list[str]])
    data = codec.encode(value)
    assert data == codec.encode(Slow(map(Slow, value)))
    assert codec.decode(data) == value


def test_what_is_no_text_is_refused_where_it_stands() -> None:
    for place in (0, MISSES - 1, MISSES, 2 * MISSES):
        values: list[Any] = [*UNIQUE]
        values[place] = 5
        with pytest.raises(pack.SamewireError) as raised:
            pack.codec(list[str]).encode(values)
        assert raised.value.path == f"$[{place}]"
