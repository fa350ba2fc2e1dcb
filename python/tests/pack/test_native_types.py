"""Python types and their schema types."""

from __future__ import annotations

import array
import collections
import datetime
import uuid
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any, Literal, NewType, Optional, Union

import numpy as np
import pytest
from samewire import pack
from samewire.pack.schema import Schema
from sample_classes import Cat, Color, Dog, Level

UTC = datetime.UTC
UserId = NewType("UserId", int)
#: `Any` as a value: to a type checker, `codec(Any)` is a codec of the class `Any`.
ANYTHING: Any = Any


@dataclass
class Tree:
    name: str
    kids: list[Tree]
    twin: Tree | None = None


@dataclass
class Node:
    n: int
    next: Annotated[Node, pack.REF] | None


KINDS: list[tuple[Any, str, list[Any]]] = [
    (bool, "bool", [True, False]),
    (int, "i64", [0, -1, 2**63 - 1, -(2**63)]),
    (Annotated[int, pack.U64], "u64", [0, 2**64 - 1, 2**60]),
    (Annotated[int, pack.I8], "i8", [-128, 127]),
    (Annotated[int, pack.BIGINT], "bigint", [0, -1, 2**64, -(2**300), 127, 128, -128, -129, 255, 256]),
    (float, "f64", [0.5, -0.0, float("inf"), 1e300]),
    (Annotated[float, pack.F32], "f32", [0.5, float("-inf")]),
    (Decimal, "decimal", [Decimal("1.00"), Decimal("-12.5"), Decimal("1E+5"), Decimal(10**40) / 7, Decimal("0E-7")]),
    (str, "string", ["", "a", "é", "ÿ" * 50, "日本", "😀x", "a" * 1000, "日" * 40, "x\0y"]),
    (bytes, "bytes", [b"", b"abc", bytes(1000)]),
    (bytearray, "bytes", [bytearray(b"abc")]),
    (uuid.UUID, "uuid", [uuid.UUID(int=0), uuid.UUID(int=2**128 - 1), uuid.UUID(int=77)]),
    (datetime.date, "date", [datetime.date.min, datetime.date.max, datetime.date(1970, 1, 1), datetime.date(2024, 2, 29)]),
    (datetime.time, "time", [datetime.time.min, datetime.time.max, datetime.time(1, 2, 3, 4)]),
    (
        datetime.datetime,
        "timestamp",
        [
            datetime.datetime(1970, 1, 1, tzinfo=UTC),
            datetime.datetime(1, 1, 1, tzinfo=UTC),
            datetime.datetime(9999, 12, 31, 23, 59, 59, 999999, tzinfo=UTC),
            datetime.datetime(1969, 12, 31, 23, 59, 59, 1, tzinfo=UTC),
            datetime.datetime(2024, 5, 6, 7, 8, 9, 10, tzinfo=datetime.timezone(datetime.timedelta(hours=5, seconds=3))),
        ],
    ),
    (
        datetime.timedelta,
        "duration",
        [datetime.timedelta(0), datetime.timedelta(microseconds=-1), datetime.timedelta.max, datetime.timedelta.min],
    ),
    (Annotated[int, pack.TIMESTAMP], "timestamp", [0, -1, 10**18 + 1]),
    (Annotated[int, pack.TIME], "time", [0, 86_399_999_999_999]),
    (Annotated[int, pack.DURATION], "duration", [0, -1, 2**63, -(2**63) - 5, (2**63 - 1) * 10**9 + 999_999_999]),
    (Color, "enum Color { GREEN, RED }", [Color.RED, Color.GREEN]),
    (Level, "enum Level { HIGH, LOW }", [Level.HIGH]),
    (Optional[int], "option<i64>", [None, 5]),  # noqa: UP045 - the older spelling
    (bool | None, "option<bool>", [None, True, False]),
    (list[bool], "list<bool>", [[], [True] * 9, [True, False] * 20]),
    (list[bool | None], "list<option<bool>>", [[None, True, False]]),
    (list[int], "list<i64>", [[], [1, -1], list(range(-100, 1000)), [2**62] * 40, [2**63 - 1, -(2**63)] * 20]),
    (list[float], "list<f64>", [[], [0.5] * 100]),
    (tuple[int, ...], "list<i64>", [(), (1, 2), tuple(range(100))]),
    (tuple[int, str], "tuple<i64, string>", [(1, "a")]),
    (tuple[bool, int | None, bool], "tuple<bool, option<i64>, bool>", [(True, None, True), (False, 3, True)]),
    (set[str], "set<string>", [set(), {"b", "a", "😀", "！"}]),
    (frozenset[int], "set<i64>", [frozenset({3, -1, 2})]),
    (set[uuid.UUID], "set<uuid>", [{uuid.UUID(int=9), uuid.UUID(int=2**127)}]),
    (set[Color], "set<enum Color { GREEN, RED }>", [set(Color)]),
    (set[Annotated[int, pack.BIGINT]], "set<bigint>", [{-(2**100), 2**100, 0, 5, -5, 2**64}]),
    (dict[str, int], "map<string, i64>", [{}, {"b": 1, "a": 2}]),
    (dict[bool, list[int]], "map<bool, list<i64>>", [{True: [1], False: []}]),
    (Sequence[int], "list<i64>", [[1, 2]]),
    (Mapping[str, int], "map<string, i64>", [{"a": 1}]),
    (UserId, "i64", [5]),
    (Literal["a", "b"], "string", ["a"]),
    (Literal["a", None], "option<string>", ["a", None]),
    (Literal[Color.RED, None], "option<enum Color { GREEN, RED }>", [Color.RED, None]),
    (Cat | Dog, "union { struct Cat { name: string }, struct Dog { name: string, age: i64 } }", [Cat("a"), Dog("b", 3)]),
    (
        Union[Dog, Cat, None],  # noqa: UP007 - the older spelling
        "option<union { struct Cat { name: string }, struct Dog { name: string, age: i64 } }>",
        [None, Cat("a")],
    ),
    (Annotated[Cat, pack.UNION], "union { struct Cat { name: string } }", [Cat("a")]),
    (int | str, "any", [1, "a"]),
    (int | str | None, "any", [1, "a", None]),
    (Any, "any", [None, True, 5, -5, 2**70, 0.5, "x", b"y", [1, [2]], {"a": {1: 2}}, Decimal("1.5"), uuid.UUID(int=3)]),
    (list, "list<any>", [[1, "a"]]),
    (dict, "any", [{"a": 1}]),
    (Tree, "struct Tree { name: string, kids: list<Tree>, twin: option<Tree> }", [Tree("a", [Tree("b", [])], Tree("c", []))]),
    (Annotated[int, pack.I16] | None, "option<i16>", [None, 7]),
    (Annotated[int | None, pack.I16], "option<i16>", [None, 7]),
]


@pytest.mark.parametrize(("kind", "text", "values"), KINDS, ids=[text[:40] for _, text, _ in KINDS])
def test_kind(kind: Any, text: str, values: list[Any]) -> None:
    own = pack.codec(kind)
    assert own.schema.text == text
    assert Schema.parse(text) == own.schema
    for value in values:
        data = own.encode(value)
        decoded = own.decode(data)
        assert decoded == value
        assert type(decoded) is type(value) or isinstance(value, datetime.datetime | dict | list)
        assert own.encode(decoded) == data
        fast = pack.codec(kind, profile="fast")
        assert own.decode(fast.encode(value)) == value
        assert fast.decode(data) == value


def test_any_holds_all_of_datetime_and_nanoseconds() -> None:
    own = pack.codec(ANYTHING)
    for value in (
        *(datetime.date(2000, 1, 1), datetime.time(1, 2), datetime.timedelta(days=-3)),
        *(datetime.datetime(2000, 1, 1, tzinfo=UTC), pack.TimestampNs(1), pack.TimeNs(1), pack.DurationNs(-1)),
    ):
        decoded = own.decode(own.encode(value))
        assert decoded == value
        assert type(decoded) is type(value)
    assert own.decode(own.encode(pack.TimestampNs(1000))) == datetime.datetime(1970, 1, 1, 0, 0, 0, 1, tzinfo=UTC)
    assert repr(pack.TimeNs(5)) == "TimeNs(5)"
    assert repr(pack.TimestampNs(5)) == "TimestampNs(5)"
    assert repr(pack.DurationNs(5)) == "DurationNs(5)"
    longest = pack.DurationNs((2**63 - 1) * 10**9)
    assert own.decode(own.encode(longest)) == longest


@pack.named("Row")
@dataclass
class Fine:
    time: Annotated[int, pack.TIME]
    at: Annotated[int, pack.TIMESTAMP]
    took: Annotated[int, pack.DURATION]


@pack.named("Row")
@dataclass
class Coarse:
    time: datetime.time
    at: datetime.datetime
    took: datetime.timedelta


@pytest.mark.parametrize("count", [1, 64])
def test_times_between_two_microseconds_are_refused_or_truncated(count: int) -> None:
    for time, at, took in ((1_999, 0, 0), (0, -1, 0), (0, 1_700_000_000_123_456_789, 0), (0, 0, -1), (0, 0, 10**12 + 1)):
        data = pack.codec(list[Fine]).encode([Fine(time, at, took)] * count)
        with pytest.raises(pack.SamewireError, match="times='truncate'") as caught:
            pack.codec(list[Coarse]).decode(data)
        assert caught.value.code == "type_mismatch"
        expected = Coarse(
            (datetime.datetime.min + datetime.timedelta(microseconds=time // 1000)).time(),
            datetime.datetime(1970, 1, 1, tzinfo=UTC) + datetime.timedelta(microseconds=at // 1000),
            datetime.timedelta(microseconds=took // 1000),
        )
        truncating = pack.codec(list[Coarse], times="truncate")
        assert truncating.decode(data) == [expected] * count
        assert truncating.resolve(truncating.schema).decode(data) == [expected] * count
    with pytest.raises(pack.SamewireError, match="times='round': expected 'exact' or 'truncate'"):
        pack.codec(int, times="round")  # type: ignore[call-overload]


def test_lenient_inputs() -> None:
    own = pack.codec(list[int])
    wanted = own.encode([1, 2, 3])
    for value in (
        *((1, 2, 3), range(1, 4), collections.deque([1, 2, 3]), iter([1, 2, 3]), [True + 0, np.int64(2), Level.LOW + 2]),
        *([np.int8(1), np.uint64(2), 3], {1: 0, 2: 0, 3: 0}.keys() and [1, 2, 3]),
    ):
        assert own.encode(value) == wanted  # type: ignore[arg-type]
    assert pack.codec(float).encode(3) == pack.codec(float).encode(3.0)
    assert pack.codec(float).encode(np.float32(0.5)) == pack.codec(float).encode(0.5)  # type: ignore[arg-type]
    assert pack.codec(int).encode(Level.HIGH) == pack.codec(int).encode(9)
    assert pack.codec(dict[str, int]).encode(collections.OrderedDict(a=1)) == pack.codec(dict[str, int]).encode({"a": 1})
    assert pack.codec(set[str]).encode({"a": 1}.keys()) == pack.codec(set[str]).encode({"a"})  # type: ignore[arg-type]

    class Text(str):
        pass

    assert pack.codec(str).encode(Text("x")) == pack.codec(str).encode("x")
    assert pack.codec(bytes).encode(bytearray(b"x")) == pack.codec(bytes).encode(b"x")  # type: ignore[arg-type]
    loose = pack.codec(ANYTHING)
    assert loose.encode(Text("x")) == loose.encode("x")
    assert loose.encode(np.int16(300)) == loose.encode(300)
    assert loose.encode(np.arange(3, dtype="i4")) == loose.encode(array.array("i", range(3)))
