"""Values of numpy, pandas and other libraries, enums that extend values, iterables: as what they are, or refused with a reason."""

from __future__ import annotations

import copy
import ctypes
import datetime as dt
import enum
import itertools
import pickle
from collections.abc import Iterator
from typing import Any

import numpy as np
import pytest
from samewire import bridge


def shown(gateway: bridge.Gateway, value: Any) -> tuple[str, str]:
    """A value's class in Java, and its text there."""
    holder = gateway.java.util.ArrayList([value])
    kind = gateway.java.util.Objects.toString(holder.get(0)) if value is None else None
    return (kind or str(gateway.reference(value).getClass().getName())), str(holder)[1:-1]


class Colour(str, enum.Enum):  # noqa: UP042 - what is tested
    RED = "red"


class Number(int, enum.Enum):
    FIVE = 5


class Level(enum.IntEnum):
    HIGH = 2**40


class Ratio(float, enum.Enum):
    HALF = 0.5


class Loud(str):
    __slots__ = ()

    def __str__(self) -> str:
        return "not the value"


@pytest.mark.parametrize(
    ("value", "text"),
    [(Colour.RED, "red"), (Number.FIVE, "5"), (Level.HIGH, str(2**40)), (Ratio.HALF, "0.5"), (Loud("own"), "own")],
)
def test_what_extends_a_value_is_that_value(gateway: bridge.Gateway, value: Any, text: str) -> None:
    assert str(gateway.java.util.ArrayList([value])) == f"[{text}]"
    assert gateway.java.lang.String.valueOf(gateway.java.util.Objects.requireNonNull(value)) == text
    assert gateway.java.util.HashMap({value: 1}).to_py() == {value: 1}
    assert gateway.java.util.Map.of("k", value).to_py() == {"k": value}


@pytest.mark.parametrize(
    ("value", "kind", "text"),
    [
        (np.datetime64("2024-02-29"), "LocalDate", "2024-02-29"),
        (np.datetime64("2024-02"), "LocalDate", "2024-02-01"),
        (np.datetime64("2024-02-29T12:30"), "LocalDateTime", "2024-02-29T12:30"),
        (np.datetime64("2024-02-29T12:30:00.123456789"), "LocalDateTime", "2024-02-29T12:30:00.123456789"),
        (np.datetime64("1969-12-31T23:59:59.999999999"), "LocalDateTime", "1969-12-31T23:59:59.999999999"),
        (np.timedelta64(5, "s"), "Duration", "PT5S"),
        (np.timedelta64(-1, "ns"), "Duration", "PT-0.000000001S"),
        (np.timedelta64(2, "W"), "Duration", "PT336H"),
        (bridge.Datetime.of(dt.datetime(2024, 1, 1, tzinfo=dt.UTC), 7), "Instant", "2024-01-01T00:00:00.000000007Z"),
        (bridge.Time.of(dt.time(1), 7), "LocalTime", "01:00:00.000000007"),
        (bridge.Timedelta.of(dt.timedelta(), 7), "Duration", "PT0.000000007S"),
    ],
    ids=repr,
)
def test_times_of_numpy_and_finer_ones_keep_every_nanosecond(gateway: bridge.Gateway, value: Any, kind: str, text: str) -> None:
    assert shown(gateway, value) == (f"java.time.{kind}", text)
    assert (
        str(gateway.java.util.ArrayList(np.array([value, value]) if isinstance(value, np.generic) else [value] * 2))
        == f"[{text}, {text}]"
    )


def test_missing_times_are_null(gateway: bridge.Gateway) -> None:
    held = gateway.java.util.ArrayList([np.datetime64("NaT"), np.timedelta64("NaT", "s")])
    assert list(held) == [None, None]
    assert list(gateway.java.util.ArrayList(np.array(["2024-01-01", "NaT"], "M8[D]"))[1:]) == [None]


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (np.timedelta64(1, "M"), "no fixed length"),
        (np.datetime64(1, "ps"), "finer than a nanosecond"),
        (np.datetime64(10_000_000, "D"), "years from 1 to 9999"),
        (np.datetime64(10**10, "h"), "years from 1 to 9999"),
        (np.array([1j]), "convert it to numbers"),
    ],
    ids=repr,
)
def test_values_that_java_has_not_are_refused(gateway: bridge.Gateway, value: Any, text: str) -> None:
    for given in (value, [value], {"k": value}):
        with pytest.raises(TypeError, match=text):
            gateway.java.util.Objects.toString(given)


def test_masked_arrays_keep_their_mask(gateway: bridge.Gateway) -> None:
    masked = np.ma.array([1, 2], mask=[False, True])
    assert list(gateway.java.util.ArrayList(masked)) == [1, None]
    assert gateway.java.util.ArrayList([masked, np.ma.masked]).to_py() == [[1, None], None]
    assert gateway.java.util.Arrays.toString(np.ma.array([1, 2])) == "[1, 2]"
    assert gateway.java.util.ArrayList([np.ma.array([[1, 2], [3, 4]], mask=[[False, True], [False, False]])]).to_py() == [
        [[1, None], [3, 4]]
    ]


def test_memory_that_is_lent_crosses_as_its_numbers(gateway: bridge.Gateway) -> None:
    numbers = (ctypes.c_int32 * 3)(1, 2, 3)
    assert gateway.java.util.Arrays.toString(numbers) == "[1, 2, 3]"
    assert gateway.java.util.ArrayList([np.array([[1, 2]]).view(type("Grid", (np.ndarray,), {}))]).to_py() == [[[1, 2]]]
    assert gateway.java.util.Arrays.toString(np.array([1, 2]).view(type("Sub", (np.ndarray,), {}))) == "[1, 2]"


class Table:
    """What pandas, polars and others have in common."""

    columns = ("a", "b")

    def __dataframe__(self) -> Any:
        raise NotImplementedError

    def __len__(self) -> int:
        return 2

    def __iter__(self) -> Iterator[str]:
        return iter(self.columns)

    def __contains__(self, name: object) -> bool:
        return name in self.columns


def test_a_table_is_refused_with_what_to_write(gateway: bridge.Gateway) -> None:
    for given in (Table(), [Table()]):
        with pytest.raises(TypeError, match=r"Table cannot be passed to Java: pass its rows, df\.to_dict\('records'\)"):
            gateway.java.util.ArrayList(given)


def test_generators_are_iterables_that_java_walks_through(gateway: bridge.Gateway) -> None:
    asked: list[int] = []

    def counting() -> Iterator[int]:
        for number in itertools.count():
            asked.append(number)
            yield number

    joined = gateway.java.lang.String.join("-", (text for text in ("a", "b", "c")))
    assert joined == "a-b-c"
    spliterator = gateway.java.util.Spliterators.spliteratorUnknownSize(counting(), 0)
    first = gateway.java.util.stream.StreamSupport.stream(spliterator, False).limit(3).toList()
    assert first.to_py() == [0, 1, 2]
    assert len(asked) < 100

    class Again:
        def __iter__(self) -> Iterator[str]:
            return iter("xy")

    again = Again()
    assert [gateway.java.lang.String.join("", again) for _ in range(2)] == ["xy", "xy"]
    assert gateway.java.lang.String.join("", map(str, range(3))) == "012"


def test_what_a_generator_raises_is_raised(gateway: bridge.Gateway) -> None:
    def failing() -> Iterator[str]:
        yield "a"
        raise KeyError("mine")

    with pytest.raises(KeyError, match="mine"):
        gateway.java.lang.String.join("", failing())


def test_finer_times_have_texts_and_are_equal_only_to_themselves() -> None:
    plain = dt.datetime(2024, 1, 2, 3, 4, 5, 6, dt.UTC)
    fine = bridge.Datetime.of(plain, 7)
    assert str(fine) == "2024-01-02 03:04:05.000006007+00:00"
    assert repr(fine) == "Datetime('2024-01-02T03:04:05.000006007+00:00')"
    assert fine != plain and plain != fine and fine == bridge.Datetime.of(plain, 7) and hash(fine) == hash(plain)
    time = bridge.Time.of(dt.time(1), 7)
    span = bridge.Timedelta.of(dt.timedelta(1), 7)
    assert str(time) == "01:00:00.000000007" and time != dt.time(1) and span != dt.timedelta(1)
    for value in (fine, time, span):
        for again in (pickle.loads(pickle.dumps(value)), copy.deepcopy(value)):
            assert again == value and type(again) is type(value)
