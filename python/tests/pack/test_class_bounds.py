"""Classes at the limits of a schema, and just beyond them: counts, names, repetitions."""

from __future__ import annotations

import enum
from types import GenericAlias

import pytest
from samewire import pack


def refused(kind: object, code: str) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind)
    assert caught.value.code == code


def test_a_tuple_has_1_to_255_values() -> None:
    full = pack.codec(GenericAlias(tuple, (int,) * 255))
    assert full.schema.text == f"tuple<{', '.join(['i64'] * 255)}>"
    refused(GenericAlias(tuple, (int,) * 256), "unsupported")
    refused(tuple[()], "unsupported")


@pack.named(A="x", B="x")
class Twice(enum.Enum):
    A = 1
    B = 2


@pack.named(A="B")
class Taken(enum.Enum):
    A = 1
    B = 2


@pack.named(A="B", B="A")
class Swapped(enum.Enum):
    A = 1
    B = 2


class Empty(enum.Enum):
    pass


def test_an_enum_has_a_symbol_for_each_of_its_members() -> None:
    for cls in (Twice, Taken, Empty):
        refused(cls, "misuse")
    codec = pack.codec(Swapped, check=False)
    assert codec.schema.text == "enum Swapped { A, B }"
    assert codec.encode(Swapped.B) == bytes.fromhex("8000")
    assert codec.decode(bytes.fromhex("8000")) is Swapped.B
