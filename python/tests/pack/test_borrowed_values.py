"""The fast encoder borrows the values that it writes, so no Python code may run meanwhile that could free them: no class's, no
profiler's and no finalizer's.
"""

from __future__ import annotations

import gc
import sys
import uuid
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta, tzinfo
from decimal import Decimal
from typing import Any, TypedDict

import numpy as np
import pytest
from samewire import pack


class Emptying:
    """Empties its victims when it is compared with a key of the same hash."""

    def __init__(self, like: str) -> None:
        self.like = like
        self.victims: list[Any] = []

    def __hash__(self) -> int:
        return hash(self.like)

    def __eq__(self, other: object) -> bool:
        for victim in self.victims:
            victim.clear()
        return False


class Person(TypedDict):
    name: str
    year: int


@contextmanager
def profiled(victim: list[Any]) -> Iterator[None]:
    """Within the block, a profiler empties the list at every call of a Python function."""

    def profile(_frame: object, event: str, _argument: object) -> None:
        if event == "call":
            victim.clear()

    sys.setprofile(profile)
    try:
        yield
    finally:
        sys.setprofile(None)


@pytest.mark.parametrize("kind", [list[Decimal], list[Any]])
def test_decimals_are_taken_apart_without_python(kind: Any) -> None:
    own = pack.codec(kind)
    value = [Decimal(10**digits + 1).scaleb(-2) for digits in range(60)]
    expected, before = own.encode(value), list(value)
    encode = own.encode
    with profiled(value):
        data = encode(value)
    assert data == expected
    assert own.decode(data) == before


@pytest.mark.parametrize("kind", [list[set[int]], list[frozenset[str]]])
def test_a_finalizer_that_empties_what_is_written(kind: Any) -> None:
    class Trap:
        def __init__(self, victim: list[Any]) -> None:
            self.victim = victim
            self.cycle = self

        def __del__(self) -> None:
            self.victim.clear()

    own = pack.codec(kind)
    text = kind.__args__[0].__args__[0] is str
    value: Any = [{str(n) * 9 if text else n << 40 for n in range(i)} for i in range(30)]
    value = [frozenset(part) for part in value] if text else value
    expected = own.encode(value)
    encode, thresholds = own.encode, gc.get_threshold()
    gc.collect()
    gc.disable()
    try:
        Trap(value)
        gc.set_threshold(1, 1, 1)
        gc.enable()
        data = encode(value)
    finally:
        gc.set_threshold(*thresholds)
        gc.enable()
    assert data == expected
    gc.collect()
    assert value == []


def test_keys_of_a_dict_that_stands_for_a_struct() -> None:
    own = pack.codec(list[Person])
    for _ in range(20):
        value: Any = [{"name": "a" * 50, "year": n} for n in range(20)]
        keys = [Emptying("name"), Emptying("year")]
        value[3] = dict.fromkeys(keys, 1)
        value[3].update(name="b" * 50, year=7)
        for key in keys:
            key.victims.append(value)
        with pytest.raises(pack.SamewireError) as caught:
            own.encode(value)
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[3]")
    value = [{"name": "a", "year": 1}, {"name": "b", "year": 2}, Person(name="c", year=3)]
    del value[1]["name"]
    value[1]["name"] = "b"
    assert own.decode(own.encode(value)) == value


def test_indices_of_subclasses_inside_any() -> None:
    value: list[Any] = []

    class Index(np.int64):
        def __index__(self) -> int:
            value.clear()
            return 5

    own = pack.codec(list[Any])
    for _ in range(20):
        rest = ["text " * 20, *range(1000, 1100)]
        value += [Index(5), np.int64(6), *rest]
        assert own.decode(own.encode(value)) == [5, 6, *rest]
        assert value == []


def test_keys_of_sets_that_run_code_of_their_own() -> None:
    outer: list[Any] = []

    class Zone(tzinfo):
        def utcoffset(self, _: datetime | None) -> timedelta:
            outer.clear()
            return timedelta(hours=1)

        def dst(self, _: datetime | None) -> timedelta:
            return timedelta(0)

        def tzname(self, _: datetime | None) -> str:
            return "one hour ahead"

    class Index:
        def __init__(self, number: int) -> None:
            self.number = number

        def __index__(self) -> int:
            outer.clear()
            return self.number

    own = pack.codec(list[set[datetime]])
    times = {datetime(2000, 1, day, tzinfo=Zone()) for day in range(1, 20)}
    outer += [times, set(times), set(times)]
    assert own.decode(own.encode(outer)) == [times] * 3
    numbers: Any = {Index(n) for n in range(20)}
    outer += [numbers, set(numbers)]
    assert pack.codec(list[set[int]]).decode(pack.codec(list[set[int]]).encode(outer)) == [set(range(20))] * 2


def test_a_uuid_of_a_number_that_none_has() -> None:
    wrong = uuid.uuid4()
    object.__setattr__(wrong, "int", 1 << 128)
    for kind in (list[uuid.UUID], list[Any]):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(kind).encode([uuid.uuid4(), wrong])
        assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[1]")
