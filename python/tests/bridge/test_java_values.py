"""Values of Python's library, by value both ways."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections import OrderedDict, deque
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

import pytest
from java_records import Book
from samewire import bridge


def back(gateway: bridge.Gateway, value: Any) -> Any:
    """A value to Java and home again."""
    holder = gateway.java.util.ArrayList()
    holder.add(value)
    came = holder.get(0)
    return came.to_py() if isinstance(came, bridge.JavaObject) else came


@pytest.mark.parametrize(
    "value",
    [
        None,
        True,
        5,
        -(2**31),
        2**40,
        2**63 - 1,
        2**63,
        -(10**30),
        0.5,
        "text",
        "\u20ac\U0001f600",
        "",
        b"\x00\xff",
        Decimal("1.50"),
        uuid.UUID(int=7),
        dt.date(2024, 2, 29),
        dt.time(12, 30, 1, 5),
        dt.datetime(2024, 2, 29, 12, tzinfo=dt.UTC),
        dt.datetime(2024, 2, 29, 12, 1, 2, 3),
        dt.timedelta(days=1, seconds=5),
        [1, "a", [2.5]],
        {"a": 1},
        {1, 2},
    ],
    ids=repr,
)
def test_values_come_back(gateway: bridge.Gateway, value: Any) -> None:
    came = back(gateway, value)
    assert came == value
    assert type(came) is type(value)


def test_values_are_javas_own(gateway: bridge.Gateway) -> None:
    added = gateway.java.util.ArrayList()
    for value in (
        1,
        2**40,
        2**80,
        0.5,
        Decimal(1),
        dt.date(2024, 1, 1),
        uuid.UUID(int=1),
        dt.datetime(2024, 1, 1, tzinfo=dt.UTC),
    ):
        added.add(value)
    names = [gateway.java.lang.String.valueOf(kind.getSimpleName()) for kind in added.stream().map(lambda v: type_of(gateway, v))]
    assert len(names) == len(added)


def type_of(gateway: bridge.Gateway, value: Any) -> Any:
    """The class of a value as Java has it."""
    return (
        gateway.java.util.Objects.requireNonNull(value).getClass()
        if isinstance(value, bridge.JavaObject)
        else gateway.java.lang.String.class_
    )


def test_subclasses_and_other_containers_cross_as_what_they_are(gateway: bridge.Gateway) -> None:
    class Number(int):
        pass

    class Level(enum.IntEnum):
        HIGH = 3

    assert gateway.java.lang.Math.max(Number(4), Level.HIGH) == 4
    added = gateway.java.util.ArrayList()
    added.addAll(deque([1, 2]))
    added.addAll(range(3, 5))
    added.add(OrderedDict(a=1))
    assert added.to_py() == [1, 2, 3, 4, {"a": 1}]


def test_an_enum_is_javas_enum_of_that_name(gateway: bridge.Gateway) -> None:
    class Colour(enum.Enum):
        RED = 1
        GREEN = 2

    assert gateway.tested.Names.of(Colour.GREEN) == "green"
    assert gateway.tested.Names.Colour.RED.to_py() == "RED"


def test_records_cross_by_value(gateway: bridge.Gateway) -> None:
    books = gateway.tested.Books
    assert books.later(Book("1", 1974)).year() == 1975
    assert books.later(Book("1", 1974)).to_py() == Book("1", 1975)
    assert books.later(Book("1", 1974)).to_py(Book) == Book("1", 1975)
    assert books.years([Book("a", 1), Book("b", 2)]) == 3
    assert books.some(3).to_py() == [Book(f"b{i}", 1900 + i) for i in range(3)]
    assert books.some(3).to_py(list[Book]) == [Book(f"b{i}", 1900 + i) for i in range(3)]


def test_records_are_records_where_anything_is_declared(gateway: bridge.Gateway) -> None:
    books = gateway.tested.Books
    assert books.kindOf(Book("1", 1974)) == "tested.Books$Book"
    kept = gateway.java.util.ArrayList([Book("1", 1974), None])
    assert kept.get(0).year() == 1974
    assert books.kindOf(gateway.java.util.HashMap({"one": Book("1", 1974)}).get("one")) == "tested.Books$Book"
    assert books.kindOf([Book("1", 1974)]) == "java.util.ArrayList"


def test_a_struct_that_does_not_fit_is_refused(gateway: bridge.Gateway) -> None:
    @dataclass
    class Other:
        title: str

    with pytest.raises(bridge.SamewireError):
        gateway.tested.Books.later(Other("x"))
