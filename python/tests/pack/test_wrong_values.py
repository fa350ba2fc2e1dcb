"""Values that do not fit their type are refused with a code and a path, and no other error leaves `encode`."""

from __future__ import annotations

import array
import collections
import copy
import dataclasses
import datetime
import decimal
import enum
import json
import random
import uuid
from pathlib import Path
from typing import Any

from notation import Values
from samewire.pack import SamewireError, codec, types_of
from samewire.pack.introspect import native_type_of

VECTORS = Path(__file__).parents[3] / "spec" / "vectors" / "pack"
RUNS = 4_000


class Whole(int):
    pass


class Text(str):
    pass


class Rows:
    """A sequence by its methods alone."""

    def __len__(self) -> int:
        return 3

    def __getitem__(self, place: int) -> int:
        if place > 2:
            raise IndexError
        return place


class Colour(enum.Enum):
    RED = "red"
    GREEN = 1


class NoOffset(datetime.tzinfo):
    def utcoffset(self, when: datetime.datetime | None) -> None:
        return None

    dst = utcoffset

    def tzname(self, when: datetime.datetime | None) -> str:
        return "none"


#: Values of many types. Methods of theirs that raise are the program's own affair.
STRANGE: list[Any] = [
    *(None, True, 1, -1, 2**31, 2**64, -(2**200), 1.5, float("nan"), float("inf"), "", "x", "\ud800", b"", b"x", bytearray(b"x")),
    *(memoryview(b"abcd").cast("I"), array.array("d", [1.0]), array.array("i", [1]), [], [None], ["x"], (), (1,), (1, 2, 3), {}),
    *({1: 2}, {"a": None}, {None: 1}, {(1,): 1}, set(), {1, "a"}, frozenset([None]), Whole(3), Text("s"), Rows(), Colour.RED),
    *(object(), object, len, lambda: 1, iter([1]), range(3), 1j, Ellipsis, NotImplemented, ValueError(), random, [[object()]]),
    *(decimal.Decimal("NaN"), decimal.Decimal("sNaN"), decimal.Decimal("Infinity"), decimal.Decimal("1E+999999")),
    *(uuid.UUID(int=1), datetime.date.max, datetime.datetime.min, datetime.datetime.max.replace(tzinfo=datetime.UTC)),
    *(datetime.datetime(2020, 1, 1, tzinfo=NoOffset()), datetime.time(1, tzinfo=datetime.UTC), datetime.timedelta.max),
    *(collections.OrderedDict(a=1), collections.deque([1]), collections.ChainMap({}), collections.UserDict(), {Colour.RED: 1}),
    *(dict(enumerate(range(70))), [object()] * 70, [None] * 70, ["\ud800"] * 70),
]


def hashable(value: Any) -> bool:
    try:
        hash(value)
    except (TypeError, ValueError):
        return False
    return True


#: Those of them that a dict or set can hold.
KEYS = [value for value in STRANGE if hashable(value)]


def spoiled(value: Any, rng: random.Random) -> Any:
    """Returns a value with one part replaced."""
    if rng.random() < 0.3:
        return rng.choice(STRANGE)
    if type(value) in (list, tuple) and value:
        place = rng.randrange(len(value))
        return type(value)([*value[:place], spoiled(value[place], rng), *value[place + 1 :]])
    if type(value) is dict and value:
        key = rng.choice(list(value))
        if rng.random() < 0.3:
            return {**value, rng.choice(KEYS): value[key]}
        return {**value, key: spoiled(value[key], rng)}
    if isinstance(value, set | frozenset):
        return {*value, rng.choice(KEYS)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type) and dataclasses.fields(value):
        other = copy.copy(value)
        name = rng.choice(dataclasses.fields(value)).name
        object.__setattr__(other, name, spoiled(getattr(value, name), rng))
        return other
    return rng.choice(STRANGE)


def test_values_of_wrong_types_are_written_or_refused_with_code_and_path() -> None:
    rng = random.Random(12)
    files = [json.loads(path.read_text(encoding="utf-8"))["cases"] for path in sorted(VECTORS.glob("*.json"))]
    cases = [case for file in files for case in file if case["kind"] == "canonical" and len(case["hex"]) < 400]
    refused = 0
    for _ in range(RUNS // 4):
        case = rng.choice(cases)
        kind = types_of(case["schema"])
        own = codec(kind, profile=rng.choice(["compact", "fast"]), sort_keys=rng.random() < 0.5)
        value = Values().of(case["value"], native_type_of(kind))
        for _ in range(4):
            try:
                own.encode(spoiled(value, rng))
            except SamewireError as error:
                assert error.path is not None, str(error)
                refused += 1
    assert refused > RUNS / 2
