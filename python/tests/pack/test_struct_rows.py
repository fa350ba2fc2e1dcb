"""Lists of structs of texts and numbers alone, which the fast row writer writes several at a time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

import pytest
from samewire import pack


@dataclass(slots=True)
class Slotted:
    id: str
    year: Annotated[int, pack.I32]
    name: str
    size: int


@dataclass
class Plain:
    id: str
    year: Annotated[int, pack.I32]
    name: str
    size: int


class Named(NamedTuple):
    id: str
    year: Annotated[int, pack.I32]
    name: str
    size: int


class Keyed(TypedDict):
    id: str
    year: Annotated[int, pack.I32]
    name: NotRequired[str]


class Slow(list[Any]):
    """A list that the fast encoder falls back on."""


KINDS = (Slotted, Plain, Named)
TEXTS = ("", "x", "é", "café", "twelve bytes", "x" * 95, "y" * 96, "é" * 300, "Ω", "Ωmega", "Ω" * 29, "😀", "a😀" * 40)


def same(kind: Any, values: list[Any]) -> None:
    """Both encoders write the same bytes in both profiles, and the bytes round-trip."""
    for profile in ("compact", "fast"):
        codec = pack.codec(list[kind], profile=profile)
        data = codec.encode(values)
        assert data == codec.encode(Slow(values))
        assert codec.decode(data) == values


@pytest.mark.parametrize("kind", KINDS)
def test_lists_of_every_length(kind: Any) -> None:
    for length in range(40):
        same(kind, [kind(f"R{i}", i * i, "name", -i) for i in range(length)])


@pytest.mark.parametrize("kind", KINDS)
def test_texts_and_numbers_that_take_another_way_stand_anywhere(kind: Any) -> None:
    for place in range(18):
        for text in TEXTS:
            values = [kind(f"R{i}", i, "name", i) for i in range(19)]
            values[place] = kind(text, -(2**31), text, 2**63 - 1)
            same(kind, values)


@pytest.mark.parametrize("kind", KINDS)
def test_sites_close_within_a_list(kind: Any) -> None:
    for repeated in range(120, 150, 3):
        same(kind, [kind(f"{i}", i, f"a longer name, number {i % repeated}", i) for i in range(300)])


@pytest.mark.parametrize("kind", KINDS)
def test_dicts_that_were_asked_for(kind: Any) -> None:
    values = [kind(f"R{i}", i, "name", i) for i in range(20)]
    if kind is Plain:
        vars(values[3])["name"] = "other"
        vars(values[9])["more"] = 1
        values[11].__dict__ = {"size": 4, "name": "d", "year": 2, "id": "o"}
    codec = pack.codec(list[kind])
    assert codec.encode(values) == codec.encode(Slow(values))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("place", [0, 7, 8, 17])
def test_what_does_not_fit_is_named(kind: Any, place: int) -> None:
    codec = pack.codec(list[kind])
    for wrong, path in (
        (kind("a", 2**31, "b", 0), f"$[{place}].year"),
        (kind("a", 0, None, 0), f"$[{place}].name"),
        (kind("a", 0, "b", 1.5), f"$[{place}].size"),
        (None, f"$[{place}]"),
    ):
        values: list[Any] = [kind(f"R{i}", i, "name", i) for i in range(20)]
        values[place] = wrong
        with pytest.raises(pack.SamewireError) as caught:
            codec.encode(values)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", path)


def test_dicts_that_stand_for_structs() -> None:
    same(Keyed, [{"id": text, "year": i, "name": text} for i, text in enumerate(TEXTS * 3)])
    same(Keyed, [{"year": i, "id": f"R{i}"} if i % 3 else {"name": "n", "id": "", "year": 0} for i in range(50)])
    codec = pack.codec(list[Keyed])
    for wrong, path in (
        ({"id": "a", "year": None}, "$[9].year"),
        ({"id": "a"}, "$[9].year"),
        ({"id": "a", "year": 1, "more": 2}, "$[9]"),
        ({"id": "a", "year": 1, 5: 2}, "$[9]"),
        (5, "$[9]"),
    ):
        values: list[Any] = [Keyed(id="a", year=1) for _ in range(20)]
        values[9] = wrong
        with pytest.raises(pack.SamewireError) as caught:
            codec.encode(values)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", path)


@dataclass
class Branch:
    name: str
    alive: bool
    kids: list[Branch]
    note: str | None
    dead: bool


@dataclass(slots=True)
class Stem:
    kids: list[Stem]
    name: str


class Bush(NamedTuple):
    name: str
    kids: list[Bush]


class Hedge(TypedDict):
    name: str
    kids: list[Hedge]


MAKERS: list[Any] = [
    lambda name, kids: Branch(name, len(kids) > 1, kids, name if len(name) % 2 else None, not kids),
    lambda name, kids: Stem(kids, name),
    lambda name, kids: Bush(name, kids),
    lambda name, kids: Hedge(name=name, kids=kids),
]


@pytest.mark.parametrize(("kind", "make"), list(zip((Branch, Stem, Bush, Hedge), MAKERS, strict=True)))
def test_trees_with_texts_of_every_kind_and_rows_of_every_length(kind: Any, make: Any) -> None:
    def tree(depth: int, number: int, wrap: Any) -> Any:
        name = TEXTS[number % len(TEXTS)] + "-" * (number % 40)
        return make(name, wrap(tree(depth - 1, number * 7 + n, wrap) for n in range(number % 6 if depth else 0)))

    for profile in ("compact", "fast"):
        codec = pack.codec(kind, profile=profile)
        for number in (0, 1, 5, 11, 23):
            value = tree(5, number, list)
            data = codec.encode(value)
            assert data == codec.encode(tree(5, number, Slow))
            assert codec.decode(data) == value
