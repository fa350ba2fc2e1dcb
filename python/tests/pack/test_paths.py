"""Errors of writing and reading have the path of the offending value."""

from __future__ import annotations

import datetime
from dataclasses import dataclass
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

import pytest
from samewire import pack
from sample_classes import Cat, Color, Dog


@dataclass
class Book:
    title: str
    year: Annotated[int, pack.I16]
    tags: dict[str, list[str]]
    owner: Cat | Dog | None = None
    cover: Color = Color.RED
    seen: datetime.datetime | None = None


@dataclass
class Shelf:
    books: list[Book]
    rest: Any = None


class Place(NamedTuple):
    room: str
    shelf: Annotated[int, pack.U8]


class House(TypedDict):
    places: dict[str, Place]
    owner: NotRequired[tuple[str, Annotated[int, pack.U8]]]


def shelf() -> Any:
    return Shelf([Book(f"number {n}", 1900 + n, {"a": ["x", "y"]}) for n in range(5)])


def house() -> Any:
    return {"places": {"attic": Place("a", 1), "hall": Place("b", 2)}, "owner": ("me", 7)}


def put(value: Any, path: str, item: Any) -> Any:
    """Returns `value` with the item at the path replaced."""
    exec(f"value{path} = item", {"value": value, "item": item})
    return value


WRONG: list[tuple[Any, str, str, str]] = [
    (shelf(), ".books", "$.books", "x"),
    (shelf(), ".books[3]", "$.books[3]", "x"),
    (shelf(), ".books[3].year", "$.books[3].year", "x"),
    (shelf(), ".books[4].tags", "$.books[4].tags", "x"),
    (shelf(), ".books[4].tags['a']", "$.books[4].tags[0].value", "x"),
    (shelf(), ".books[4].tags['a'][1]", "$.books[4].tags[0].value[1]", ""),
    (shelf(), ".books[4].tags[5]", "$.books[4].tags[1].key", ""),
    (shelf(), ".books[0].owner", "$.books[0].owner", "x"),
    (shelf(), ".books[0].cover", "$.books[0].cover", "x"),
    (shelf(), ".books[0].seen", "$.books[0].seen", "x"),
    (shelf(), ".rest", "$.rest", ""),
    (house(), "['places']", "$.places", "x"),
    (house(), "['places']['hall']", "$.places[1].value", "x"),
    (house(), "['places']['hall']", "$.places[1].value.shelf", "place"),
    (house(), "['owner']", "$.owner", "x"),
    (house(), "['owner']", "$.owner[1]", "tuple"),
]


@pytest.mark.parametrize(("value", "at", "path", "item"), WRONG)
def test_writing(value: Any, at: str, path: str, item: str) -> None:
    wrong: dict[str, Any] = {"x": "x", "": object(), "place": Place("a", 300), "tuple": ("me", -1)}
    kind: Any = Shelf if isinstance(value, Shelf) else House
    for profile in pack.Profile:
        own = pack.codec(kind, profile=profile)
        good = own.encode(shelf() if kind is Shelf else house())
        changed = put(value, at, wrong[item])
        for _ in range(3):
            with pytest.raises(pack.SamewireError) as caught:
                own.encode(changed)
            assert caught.value.code == "type_mismatch"
            assert caught.value.path == path
            assert caught.value.at is None
        assert own.encode(shelf() if kind is Shelf else house()) == good


def test_inside_any() -> None:
    anything: Any = Any
    own = pack.codec(anything)
    for value, path in (
        ([1, [2, object()]], "$[1][1]"),
        ({"a": 1, "b": {"c": object()}}, "$[1].value[0].value"),
        ({"a": 1, (): 2}, "$[1].key"),
    ):
        with pytest.raises(pack.SamewireError) as caught:
            own.encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", path)


def test_reading_says_code_offset_and_path() -> None:
    own = pack.codec(Shelf)
    data = own.encode(shelf())
    for cut in range(len(data)):
        with pytest.raises(pack.SamewireError) as caught:
            own.decode(data[:cut])
        error = caught.value
        assert (error.code, error.at) in (("truncated", cut), ("truncated", error.at), ("malformed", error.at))
        assert error.at is not None
        assert 0 <= error.at <= cut
        assert error.path is not None
        assert error.path.startswith("$")
    with pytest.raises(pack.SamewireError) as caught:
        own.decode(data + b"\0")
    assert (caught.value.code, caught.value.at) == ("trailing", len(data))

    years = pack.codec(list[Annotated[int, pack.I16]])
    with pytest.raises(pack.SamewireError) as caught:
        years.decode(bytes.fromhex("80 03 00 00 ff ff ff 01"))
    assert (caught.value.code, caught.value.at, caught.value.path) == ("bad_number", 4, "$")


def test_limits_are_kept_writing_and_reading() -> None:
    texts = pack.codec(list[str]).encode(["some text"] * 50)
    for limits, code in (
        (pack.Limits(items=49), "limit_items"),
        (pack.Limits(frame_bytes=len(texts) - 1), "limit_size"),
    ):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(list[str], limits=limits).decode(texts)
        assert caught.value.code == code
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(list[str], limits=limits).encode(["some text"] * 50)
        assert (caught.value.code, caught.value.path) == (code, "$")


def test_errors_are_exceptions_with_a_readable_text() -> None:
    own = pack.codec(Shelf)
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(put(shelf(), ".books[3].year", 1 << 20))
    assert "$.books[3].year" in str(caught.value)
    assert "i16" in caught.value.text
    for wrong in ("text", 5, None):
        with pytest.raises(TypeError):
            own.decode(wrong)  # type: ignore[arg-type]
