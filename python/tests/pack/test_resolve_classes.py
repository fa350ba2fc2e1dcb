"""Resolution into native classes: cases beyond the vectors, whose types are generated from the schema."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NotRequired, TypedDict

import pytest
from samewire import pack


class Written(TypedDict):
    x: int


@pack.named("Written")
class Read(TypedDict):
    x: int
    missing: NotRequired[int | None]
    null: int | None


def test_a_key_that_need_not_be_there_stays_away_where_the_writer_has_none() -> None:
    message = pack.codec(Written).encode({"x": 1})
    assert pack.codec(Read).resolve(pack.codec(Written).schema).decode(message) == {"x": 1, "null": None}


@dataclass
class A:
    a: int


@dataclass
class B:
    b: int


def test_the_first_difference_of_a_union_is_that_of_its_first_member_by_name() -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(B | A).resolve("union { struct A { a: string }, struct B { b: string } }")
    assert (caught.value.code, caught.value.path) == ("schema_mismatch", "$.a")
