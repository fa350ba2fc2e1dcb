"""Resolution into native classes: cases beyond the vectors, whose types are generated from the schema."""

from __future__ import annotations

import array
from dataclasses import dataclass, field
from enum import Enum
from typing import Annotated, Any, Literal, NotRequired, TypedDict

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
    assert (caught.value.code, caught.value.at) == ("bad_number", 4)


class Kind(Enum):
    CRIME = 1


@dataclass
class Tome:
    title: str
    year: Annotated[int, pack.I32]
    kind: Kind
    pages: int | None


@pack.aliased("Sort", "Kind")
class Genre(Enum):
    CRIME = 1
    POETRY = 2


@dataclass
@pack.aliased("Tome")
class Book:
    title: str
    genre: Annotated[Genre, pack.Alias("sort", "kind")]
    published: Annotated[int, pack.Alias("year")] = 1900
    pages: int = 7


def test_fields_and_classes_are_known_by_aliases_and_null_takes_a_default() -> None:
    writer, reader = pack.codec(Tome), pack.codec(Book)
    message = writer.encode(Tome("Carrie", 1974, Kind.CRIME, None))
    assert reader.resolve(writer.schema).decode(message) == Book("Carrie", Genre.CRIME, 1974, 7)
    many = pack.codec(list[Tome])
    tomes = [Tome(f"Title {i % 9}", i, Kind.CRIME, None if i % 3 else i) for i in range(700)]
    books = pack.codec(list[Book]).resolve(many.schema).decode(many.encode(tomes))
    assert books == [Book(f"Title {i % 9}", Genre.CRIME, i, 7 if i % 3 else i) for i in range(700)]
    assert reader.schema.annotated == (
        "struct Book @alias(Tome) { title: string, genre: enum Genre @alias(Sort, Kind) { CRIME, POETRY } "
        "@alias(sort, kind), published: i64 @default @alias(year), pages: i64 @default }"
    )
    assert reader.schema.digest == pack.Schema.parse(reader.schema.text).digest


@dataclass
class Twice:
    a: Annotated[int, pack.Alias("b")]
    b: int


@dataclass
class NoName:
    a: Annotated[int, pack.Alias("")]


@pytest.mark.parametrize("kind", [Twice, NoName])
def test_aliases_that_cannot_be_are_misuse(kind: type) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind)
    assert caught.value.code == "misuse"
    with pytest.raises(TypeError, match="a name is a str, not int"):
        pack.Alias(3)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match=r"aliased\(\) marks a class, not int"):
        pack.aliased("a")(3)  # type: ignore[type-var]


@pack.fallback("UNKNOWN")
@pack.named(UNKNOWN="other")
class Mood(Enum):
    CALM = 1
    UNKNOWN = 2
    TENSE = 3


@dataclass
class Entry:
    mood: Mood
    moods: list[Mood]
    tags: set[Mood]


def test_symbols_that_an_enum_lacks_become_its_fallback_except_in_keys() -> None:
    reader = pack.codec(Entry)
    mood = "struct Entry { mood: enum Mood { CALM, TENSE, other @fallback }, moods: list<Mood>, tags: set<Mood> }"
    assert reader.schema.annotated == mood
    resolved = reader.resolve("struct Entry { mood: enum Mood { ANGRY, CALM, GRIM, TENSE }, moods: list<Mood>, tags: set<Mood> }")
    entry = resolved.decode(b"\x80\x00\x03\x01\x02\x03\x01\x03")
    assert entry == Entry(Mood.UNKNOWN, [Mood.CALM, Mood.UNKNOWN, Mood.TENSE], {Mood.TENSE})
    with pytest.raises(pack.SamewireError) as caught:
        resolved.decode(b"\x80\x00\x00\x01\x02")
    assert (caught.value.code, caught.value.at, caught.value.path) == ("schema_mismatch", 4, "$.tags[0]")
    assert pack.types_of(mood).__annotations__["mood"].__samewire_fallback__.name == "other"


@dataclass
class Dot:
    pass


@dataclass
class Unknown:
    name: str


def test_members_that_a_union_lacks_become_its_fallback_with_their_names() -> None:
    reader = pack.codec(list[Dot | Annotated[Unknown, pack.FALLBACK]])
    annotated = "list<union { struct Dot {}, struct Unknown { name: string } @fallback }>"
    assert reader.schema.annotated == annotated
    resolved = reader.resolve("list<union { struct Arc { x: i32, s: string }, struct Dot {} }>")
    assert resolved.decode(b"\x81\x01a\x02\x00\x02\x01\x01") == [Unknown("Arc"), Dot()]
    alone = pack.codec(Annotated[Unknown, pack.UNION, pack.FALLBACK])
    assert alone.schema.annotated == "union { struct Unknown { name: string } @fallback }"
    assert alone.resolve("union { struct Dot {} }").decode(b"\x80\x00") == Unknown("Dot")


@pytest.mark.parametrize(
    "kind",
    [
        Dot | Annotated[Tome, pack.FALLBACK],
        Annotated[Dot, pack.FALLBACK] | Annotated[Unknown, pack.FALLBACK],
        Annotated[Unknown, pack.FALLBACK],
        Annotated[Unknown, pack.FALLBACK] | None,
    ],
)
def test_members_that_cannot_be_fallbacks_are_misuse(kind: Any) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind)
    assert caught.value.code == "misuse"


def test_fallbacks_that_cannot_be_are_refused() -> None:
    with pytest.raises(pack.SamewireError, match="Genre has no member NONE"):
        pack.fallback("NONE")(Genre)
    with pytest.raises(pack.SamewireError, match="Tome has no member title"):
        pack.fallback("title")(Tome)
    with pytest.raises(TypeError, match=r"fallback\(\) marks a class, not int"):
        pack.fallback("a")(3)  # type: ignore[type-var]


@dataclass
class Size:
    width: int = 1
    height: int = 2


@dataclass
@pack.named("Box")
class MaybeSized:
    size: Size | None
    pair: tuple[int, str] | None


@dataclass
class Box:
    pair: tuple[int, str] = (7, "seven")
    size: Size = field(default_factory=Size)


@pytest.mark.parametrize("profile", ["compact", "fast"])
def test_structs_and_tuples_that_are_there_and_their_defaults(profile: Literal["compact", "fast"]) -> None:
    boxes = [MaybeSized(Size(i, i) if i % 2 else None, (i, "there") if i % 3 else None) for i in range(700)]
    writer = pack.codec(list[MaybeSized], profile=profile)
    read = pack.codec(list[Box]).resolve(writer.schema).decode(writer.encode(boxes))
    assert read == [Box(box.pair or (7, "seven"), box.size or Size()) for box in boxes]
    assert len({id(box.size) for box in read}) == 700
