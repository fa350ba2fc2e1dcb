"""Writers count items and cells as readers do: what one refuses under some limits the other refuses."""

from __future__ import annotations

import dataclasses
import decimal
from collections.abc import Callable
from types import GenericAlias
from typing import Annotated, Any

import hypothesis.strategies as st
import memory_shapes
import pytest
from hypothesis import HealthCheck, given, settings
from samewire import pack
from test_properties import TYPES, Typed

SHAPES = memory_shapes.shapes()
#: So many that structs stand in columns, and that some containers are gathered in several blocks.
MANY = 150


@dataclasses.dataclass
class Tree:
    """A struct of every kind of list of its own."""

    name: str
    kids: list[Tree]
    others: list[Tree | None]
    numbers: list[int]
    names: dict[str, Tree]


@dataclasses.dataclass(slots=True)
class Point:
    x: int
    y: int | None = None


@dataclasses.dataclass
class Line:
    points: list[Point]


@dataclasses.dataclass
class Nested:
    """What lies in place, and what does not."""

    point: Point
    perhaps: Point | None
    shape: Point | Line
    shared: Annotated[Point, pack.REF]
    lists: list[list[int]]
    sets: list[set[str]]
    maps: dict[str, list[Point]]
    pair: tuple[int, tuple[str, Point | None]]
    raw: list[bytes]
    money: list[decimal.Decimal]
    any: Any


class Custom:
    """A class of the program's, written as a text."""

    def __init__(self, text: str) -> None:
        self.text = text


def tree(depth: int) -> Tree:
    kids = [tree(depth - 1)] * depth if depth > 0 else []
    return Tree("n" * depth, kids, [None, *kids], list(range(depth)), {"a": kids[0]} if kids else {})


def nested(i: int) -> Nested:
    point, shared = Point(i), Point(7)
    anything = [None, [i, b"raw"], {"key": decimal.Decimal(i)}, {"a": [1.5], "b": {}}, bytearray(b"raw")]
    return Nested(
        point,
        point if i % 2 else None,
        point if i % 3 else Line([point] * (i % 70)),
        shared,
        [[i]] * (i % 4),
        [{"a", "b"}] * (i % 2),
        {"one": [point] * i} if i % 3 else {},
        (i, ("text", point if i % 5 else None)),
        [b"raw"] * (i % 3),
        [decimal.Decimal(i)],
        anything[i % len(anything)],
    )


def least(works: Callable[[int], object]) -> int:
    """The least limit under which a call returns."""

    def suffices(limit: int) -> bool:
        try:
            works(limit)
        except pack.SamewireError as error:
            assert error.code == "limit_items"
            return False
        return True

    high = 1
    while not suffices(high):
        high *= 2
    low = high // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if suffices(middle) else (middle + 1, high)
    return high


def agree(kind: Any, value: Any, profile: str, **options: Any) -> None:
    """Writer and reader take the value under the same least limit of items, and of cells."""
    message = pack.codec(kind, profile=profile, **options).encode(value)
    for name in ("cells", "items"):

        def own(limit: int, name: str = name) -> pack.Codec[Any]:
            return pack.codec(kind, profile=profile, limits=pack.Limits(**{name: limit}), **options)

        read = least(lambda limit: own(limit).decode(message))
        # What has been found for the reader is the quickest guess for the writer.
        assert own(read).encode(value) == message
        if read > 1:
            with pytest.raises(pack.SamewireError) as caught:
                own(read - 1).encode(value)
            assert caught.value.code == "limit_items"


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize("name", SHAPES)
def test_lists_of_every_type(name: str, profile: str) -> None:
    kind, values = SHAPES[name]
    agree(GenericAlias(list, (kind,)), values(MANY), profile, namespace=vars(memory_shapes))


@pytest.mark.parametrize("name", SHAPES)
def test_columns_of_every_type(name: str) -> None:
    kind, values = SHAPES[name]
    rows = [(i, value) for i, value in enumerate(values(MANY))]
    agree(GenericAlias(list, (GenericAlias(tuple, (int, kind)),)), rows, "compact", namespace=vars(memory_shapes))


@pytest.mark.parametrize("profile", ["compact", "fast"])
@pytest.mark.parametrize("size", [0, 1, 5, 130])
def test_nested_types(size: int, profile: str) -> None:
    agree(list[Nested], [nested(i) for i in range(size)], profile)
    agree(dict[int, Nested], {i: nested(i) for i in range(size)}, profile)
    agree(list[tuple[int, Tree]], [(i, tree(i % 4)) for i in range(size)], profile)
    agree(list[Tree], [tree(i % 4) for i in range(size)], profile)
    adapted = Annotated[Custom, pack.As(str, lambda it: it.text, Custom)]
    agree(list[adapted], [Custom(str(i)) for i in range(size)], profile)
    agree(list[tuple[int, adapted]], [(i, Custom(str(i))) for i in range(size)], profile)


@pytest.mark.long
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), TYPES, st.sampled_from(["compact", "fast"]), st.integers(0, 100))
def test_random_types(data: st.DataObject, typed: Typed, profile: str, count: int) -> None:
    kind, values = typed
    value = data.draw(values)
    agree(kind, value, profile)
    agree(GenericAlias(list, (kind,)), [value] * count, profile)


@pytest.mark.parametrize("profile", ["compact", "fast"])
def test_what_no_reader_takes_by_default_is_refused_by_default(profile: str) -> None:
    own = pack.codec(list[tuple[int, int, int]], profile=profile)
    rows = [(1, 2, 3)] * 3_000_000
    with pytest.raises(pack.SamewireError) as caught:
        own.encode(rows)
    assert (caught.value.code, caught.value.path) == ("limit_items", "$")
    # What was expected, what came, what to do.
    assert "limits.cells in one message, of which 16777215 were left here" in caught.value.text
    assert "got 18000003 cells of memory more" in caught.value.text
    assert "raise limits.cells for the writer and for all readers" in caught.value.text
    raised = pack.codec(list[tuple[int, int, int]], profile=profile, limits=pack.Limits(cells=1 << 25))
    assert len(raised.decode(raised.encode(rows))) == len(rows)


def test_a_refusal_says_where() -> None:
    own = pack.codec(list[Line], profile="fast", limits=pack.Limits(items=25))
    for encode in (own.encode, lambda value: own.encode_into(value, bytearray()), lambda it: own.encode_chunks(it, 9)):
        with pytest.raises(pack.SamewireError) as caught:
            encode([Line([Point(1)] * 12)] * 3)
        assert (caught.value.code, caught.value.path) == ("limit_items", "$[1].points")
        assert "limits.items in one message, of which 10 were left here, got 12 elements more" in caught.value.text
    buffer = bytearray(b"before")
    with pytest.raises(pack.SamewireError):
        own.encode_into([Line([Point(1)] * 12)] * 3, buffer)
    assert buffer == b"before"


def test_each_message_has_the_whole_budget() -> None:
    lines = [Line([Point(1)] * 5)] * 4
    own = pack.codec(list[Line], limits=pack.Limits(items=24))
    for _ in range(5):
        assert own.decode(own.encode(lines)) == lines
        with pytest.raises(pack.SamewireError):
            own.encode([*lines, Line([])])


def test_records_of_a_file_have_a_budget_each(tmp_path: Any) -> None:
    kind = list[int]
    own = pack.codec(kind, limits=pack.Limits(items=10))
    with pack.RecordWriter(tmp_path / "records", own) as writer:
        for _ in range(50):
            writer.write([1] * 10)
        with pytest.raises(pack.SamewireError) as caught:
            writer.write([1] * 11)
        assert caught.value.code == "limit_items"
        writer.write([2])
    with pack.RecordReader(tmp_path / "records", own) as reader:
        assert list(reader) == [[1] * 10] * 50 + [[2]]
