"""Values of Python's library, by value both ways."""

from __future__ import annotations

import datetime as dt
import enum
import uuid
from collections import OrderedDict, deque
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path
from typing import Annotated, Any

import pytest
from java_records import Book
from samewire import bridge, pack
from samewire.errors import SamewireError


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


def test_times_finer_than_a_microsecond_come_whole_and_are_cut_off_when_a_class_is_asked_for(gateway: bridge.Gateway) -> None:
    time = gateway.java.time
    instant = time.Instant.ofEpochSecond(1_700_000_000, 123_456_789)
    utc = dt.datetime(2023, 11, 14, 22, 13, 20, 123_456, dt.UTC)
    local = time.LocalDateTime.of(2023, 11, 14, 22, 13, 20, 123_456_789)
    duration = time.Duration.ofNanos(1_999)
    for value, plain, kind in (
        (instant, utc, bridge.Datetime),
        (local, utc.replace(tzinfo=None), bridge.Datetime),
        (local.toLocalTime(), utc.time(), bridge.Time),
        (duration, dt.timedelta(microseconds=1), bridge.Timedelta),
    ):
        finer = "nanoseconds" if kind is bridge.Timedelta else "nanosecond"
        came = value.to_py()
        assert type(came) is kind and came == kind.of(plain, getattr(came, finer))
        assert getattr(came, finer) == (999 if kind is bridge.Timedelta else 789)
        assert value.equals(came)
    holder = gateway.java.util.ArrayList([instant, None, local])
    assert [getattr(came, "nanosecond", None) for came in holder.to_py()] == [789, None, 789]
    assert instant.to_py(dt.datetime) == utc
    assert instant.to_py(Annotated[int, pack.TIMESTAMP]) == 1_700_000_000_123_456_789
    assert instant.atZone(time.ZoneId.of("Europe/Berlin")).to_py(dt.datetime) == utc
    assert instant.atOffset(time.ZoneOffset.ofHours(-3)).to_py(dt.datetime) == utc
    assert local.to_py(dt.datetime) == utc.replace(tzinfo=None)
    assert local.to_py(tuple[dt.date, Annotated[int, pack.TIME]])[1] % 1000 == 789
    assert local.toLocalTime().to_py(dt.time) == dt.time(22, 13, 20, 123_456)
    assert duration.to_py(dt.timedelta) == dt.timedelta(microseconds=1)
    assert isinstance(time.Instant.now().to_py(dt.datetime), dt.datetime)
    with pytest.raises(bridge.JavaError, match=r"a value of java\.time\.LocalDate is no datetime of Python's"):
        time.LocalDate.now().to_py(dt.datetime)


def test_dates_are_values(gateway: bridge.Gateway) -> None:
    date = gateway.java.util.Date(1_700_000_000_123)
    moment = dt.datetime(2023, 11, 14, 22, 13, 20, 123_000, dt.UTC)
    assert date.to_py() == moment and date.to_py(dt.datetime) == moment
    assert gateway.java.util.ArrayList([date, moment]).to_py() == [moment, moment]
    with pytest.raises(SamewireError, match="999999999-12-31 has no value in Python, whose years are 1 to 9999"):
        gateway.java.time.LocalDate.MAX.to_py()


def test_a_date_takes_milliseconds_of_a_finer_time(gateway: bridge.Gateway) -> None:
    moment = dt.datetime(2023, 11, 14, 22, 13, 20, 123_987, dt.UTC)
    calendar = gateway.java.util.Calendar.getInstance()
    calendar.setTime(moment)
    assert calendar.getTimeInMillis() == 1_700_000_000_123
    dates = gateway.new_array("java.util.Date", 1)
    dates[0] = moment
    assert dates[0].getTime() == 1_700_000_000_123
    before = dt.datetime(1969, 12, 31, 23, 59, 59, 999_999, dt.UTC)
    calendar.setTime(before)
    assert calendar.getTimeInMillis() == -1


def test_times_of_java_sql_cross_both_ways(gateway: bridge.Gateway) -> None:
    sql = gateway.java.sql
    local = dt.datetime(2024, 2, 29, 12, 30, 1, 123_456)
    stamp = sql.Timestamp.valueOf(local)
    assert stamp.to_py() == local and stamp.to_py(dt.datetime) == local
    for name, value in (("Timestamp", local), ("Date", local.date()), ("Time", local.time().replace(microsecond=123_000))):
        held = gateway.new_array(f"java.sql.{name}", 2)
        held[0] = value
        assert held[0].__java__.name == f"java.sql.{name}"
        assert held[0].to_py() == value
        assert gateway.java.util.ArrayList([held[0]]).to_py() == [value]
    moment = dt.datetime(2023, 11, 14, 22, 13, 20, 123_456, dt.UTC)
    held = gateway.new_array("java.sql.Timestamp", 1)
    held[0] = moment
    assert held[0].toInstant().to_py() == moment
    assert stamp.compareTo(stamp) == 0 and stamp.before(moment.replace(year=2999))


@pack.named("Book")
@dataclass
class Wider:
    """As the record, with a year of 64 bits."""

    id: str
    year: int


@pack.named("Book")
@dataclass
class Worded:
    """A record's name, and another type of its year."""

    id: str
    year: str


@dataclass
class Unrelated:
    """No record's name."""

    id: str
    year: int


@pytest.mark.parametrize("registered", [True, False])
def test_a_value_is_taken_as_a_class_that_is_not_registered(classes: Path, registered: bool) -> None:
    with bridge.launch(classes, records={Book: "tested.Books$Book"} if registered else None, timeout=30) as gateway:
        books = gateway.tested.Books.some(2)
        assert books[0].to_py(Wider) == Wider("b0", 1900)
        assert books.to_py(list[Wider]) == [Wider("b0", 1900), Wider("b1", 1901)]
        with pytest.raises(SamewireError, match=r"\bi32\b.*\bstring\b") as refused:
            books[0].to_py(Worded)
        assert refused.value.code == "schema_mismatch"
        with pytest.raises(SamewireError, match=r"Book.*struct Unrelated") as refused:
            books[0].to_py(Unrelated)
        assert refused.value.code == "type_mismatch"


def test_paths_are_files_and_paths_of_java(gateway: bridge.Gateway, tmp_path: Path) -> None:
    file = tmp_path / "a file \u20ac.txt"
    file.write_text("text")
    nio = gateway.java.nio.file
    assert nio.Files.exists(file)
    assert nio.Files.readString(file) == "text"
    assert nio.Files.size(str(file)) == 4
    assert gateway.java.io.File(file).length() == 4
    assert gateway.java.io.File(tmp_path, "a").getParentFile() == gateway.java.io.File(str(tmp_path))
    assert gateway.java.io.FileReader(file).read() == ord("t")
    assert gateway.java.util.Objects.toString(file) == str(file)
    with pytest.raises(TypeError, match="Nul"):
        nio.Files.exists("a\0b")


def test_a_value_by_reference_has_the_methods_of_java(gateway: bridge.Gateway) -> None:
    text: Any = gateway.reference("Carrie")
    assert isinstance(text, gateway.java.lang.String)
    assert text.regionMatches(True, 1, "ARR", 0, 3) and text.substring(3) == "rie" and text == "Carrie"
    number = gateway.reference(Decimal("1.50"))
    assert number.scale() == 2 and number.setScale(1, gateway.java.math.RoundingMode.DOWN) == Decimal("1.5")
    assert gateway.reference(2**70).bitLength() == 71
    assert gateway.reference(5).compareTo(6) == -1
    assert gateway.java.util.ArrayList([text]).get(0) == "Carrie"
    assert gateway.reference(None) is None
