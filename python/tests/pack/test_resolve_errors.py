"""Errors of `resolve`: the path, both types, and what to do."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pytest
from samewire import pack


class Color(Enum):
    RED = 1


@dataclass
class Book:
    id: str
    year: int
    color: Color = Color.RED


@pytest.mark.parametrize(
    ("writer", "path", "says"),
    [
        ("struct Book { id: string }", "$.year", "give it a default"),
        ("struct Books { id: string, year: i64 }", "$", "pack.named('Books') above the reader's class"),
        ("struct Book { id: string, year: i64, color: enum Colour { RED } }", "$.color", "pack.named('Colour')"),
        ("struct Book { id: string, year: f64 }", "$.year", "the writer has f64, the reader i64: no rule"),
        ("struct Book { id: string, year: struct Year { ad: i64 } }", "$.year", "the writer has struct Year, the reader i64"),
    ],
)
def test_the_first_difference_is_named(writer: str, path: str, says: str) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(Book).resolve(writer)
    assert (caught.value.code, caught.value.path) == ("schema_mismatch", path)
    assert says in caught.value.text


def test_codecs_and_decoders_say_what_they_read() -> None:
    codec = pack.codec(int)
    assert repr(codec) == "<Codec of i64>"
    assert repr(codec.resolve("u8")) == "<Decoder of messages of u8>"
