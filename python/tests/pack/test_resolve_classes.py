"""Resolution into native classes: cases beyond the vectors, whose types are generated from the schema."""

from __future__ import annotations

import array
from dataclasses import dataclass
from typing import Annotated, NotRequired, TypedDict

import numpy as np
import numpy.typing as npt
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


def test_arrays_take_integers_as_floats() -> None:
    message = pack.codec(list[int]).encode([-3, 1 << 60] * 20)
    for kind in (
        Annotated[array.array, pack.F64],
        Annotated[memoryview, pack.F32],
        npt.NDArray[np.float32],
        tuple[float, ...],
    ):
        assert list(pack.codec(kind).resolve("list<i64>").decode(message)) == [-3.0, 2.0**60] * 20, kind
    with pytest.raises(pack.SamewireError, match="9007199254740993 lies between two numbers of f64") as caught:
        pack.codec(npt.NDArray[np.float64]).resolve("list<i64>").decode(pack.codec(list[int]).encode([2**53 + 1]))
    assert (caught.value.code, caught.value.at) == ("bad_number", 2)
