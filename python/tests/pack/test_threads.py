"""One codec in several threads, called recursively, and with values that change while they are written."""

from __future__ import annotations

import gc
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import pytest
from samewire import pack
from sample_classes import Cat, Plain, one

THREADS = 8


@pytest.fixture(autouse=True)
def _quick_switches() -> Iterator[None]:
    interval = sys.getswitchinterval()
    sys.setswitchinterval(1e-5)
    yield
    sys.setswitchinterval(interval)


def in_threads(work: Callable[[int], None]) -> None:
    """Runs `work` in all threads at once and raises their exceptions."""
    start = threading.Barrier(THREADS)

    def begin(number: int) -> None:
        start.wait()
        work(number)

    with ThreadPoolExecutor(THREADS) as pool:
        for done in [pool.submit(begin, number) for number in range(THREADS)]:
            done.result()


def test_threads_share_a_codec() -> None:
    own = pack.codec(list[Plain])

    def work(number: int) -> None:
        value = [one(Plain, number * 100 + i) for i in range(30)]
        data = own.encode(value)
        for turn in range(200):
            assert own.encode(value) == data
            assert own.decode(data) == value
            if turn % 10 == 0:
                with pytest.raises(pack.SamewireError):
                    own.decode(data[: turn % len(data)])

    in_threads(work)


def test_threads_take_turns_inside_a_call() -> None:
    """Hooks and properties let other threads run, and use the same codec, in the middle of a message."""

    @dataclass
    class Sleepy:
        name: str
        twice: str

        def __post_init__(self) -> None:
            time.sleep(0)
            assert self.twice == self.name * 2

    class Lazy(Sleepy):
        @property
        def twice(self) -> str:
            time.sleep(0)
            return self.name * 2

        @twice.setter
        def twice(self, value: str) -> None:
            pass

    own = pack.codec(list[Sleepy], namespace={"Sleepy": Sleepy})

    def work(number: int) -> None:
        value: list[Sleepy] = [Lazy(f"{number} {i % 7}", f"{number} {i % 7}" * 2) for i in range(40)]
        plain = [Sleepy(item.name, item.twice) for item in value]
        data = own.encode(plain)
        for _ in range(30):
            assert own.encode(value) == data
            assert [(item.name, item.twice) for item in own.decode(data)] == [(item.name, item.twice) for item in plain]

    in_threads(work)
    assert gc.isenabled()


def test_one_exception_in_one_thread_is_nobody_elses() -> None:
    @dataclass
    class Picky:
        x: int
        names: list[str]

        def __post_init__(self) -> None:
            time.sleep(0)
            if self.x == 3:
                raise ZeroDivisionError

    own = pack.codec(list[Picky], namespace={"Picky": Picky})
    good = own.encode([Picky(n, ["same", "same"]) for n in (1, 2, 4)])
    items = own.decode(good)
    items[2].x = 3
    bad = own.encode(items)

    def work(number: int) -> None:
        for _ in range(100):
            if number % 2:
                with pytest.raises(ZeroDivisionError):
                    own.decode(bad)
            else:
                assert [item.x for item in own.decode(good)] == [1, 2, 4]

    in_threads(work)


def test_a_codec_is_used_inside_itself() -> None:
    codecs: list[Any] = []

    @dataclass
    class Inner:
        depth: int
        name: str

        def __post_init__(self) -> None:
            if codecs and self.depth > 0:
                (own,) = codecs
                less = own.decode(own.encode([_made(Inner, self.depth - 1, self.name)]))
                assert less[0].name == self.name

    class Outer(Inner):
        @property
        def name(self) -> str:
            (own,) = codecs
            assert own.encode([_made(Inner, 0, "other")]) == own.encode([_made(Inner, 0, "other")])
            return "own name"

        @name.setter
        def name(self, value: str) -> None:
            pass

    own = pack.codec(list[Inner], namespace={"Inner": Inner})
    codecs.append(own)
    value = [_made(Inner, n % 4, f"name {n % 3}") for n in range(12)]
    assert own.decode(own.encode(value)) == value
    outer = [_made(Outer, 0, "x"), _made(Outer, 0, "y")]
    assert [item.name for item in own.decode(own.encode(outer))] == ["own name", "own name"]


def _made(cls: Any, depth: int, name: str) -> Any:
    made = cls.__new__(cls)
    made.depth = depth
    made.name = name
    return made


@dataclass
class Box:
    name: str
    items: list[Any]
    table: dict[str, Any]
    cats: list[Cat]


class Shrinking(Cat):
    """Reading its name empties its victims."""

    victims: tuple[Any, ...] = ()

    @property
    def name(self) -> str:
        for victim in self.victims:
            victim.clear()
        gc.collect()
        return "shrinking"

    @name.setter
    def name(self, value: str) -> None:
        pass


@pytest.mark.long
def test_a_list_that_shrinks_while_it_is_written() -> None:
    own = pack.codec(Box)
    for _ in range(8):
        shrinking = Shrinking("x")
        value = Box("b" * 5, [str(n) * 9 for n in range(9)], {"k": [1, 2]}, [Cat("a" * 9), shrinking, *map(Cat, "bcd" * 9)])
        shrinking.victims = (value.cats, value.items, value.table, value.__dict__)
        try:
            own.encode(value)
        except pack.SamewireError as error:
            assert error.code == "type_mismatch"
    cats = [Shrinking("x"), *(Cat(f"cat number {n}") for n in range(40))]
    cats[0].victims = (cats,)  # type: ignore[attr-defined]
    decoded = pack.codec(list[Cat]).decode(pack.codec(list[Cat]).encode(cats))
    assert [cat.name for cat in decoded] == ["shrinking", *(f"cat number {n}" for n in range(40))]
    assert cats == []


def test_a_dict_and_a_set_that_change_while_they_are_written() -> None:
    class Eager(int):
        victims: tuple[Any, ...] = ()

        def __index__(self) -> int:
            for victim in self.victims:
                victim.clear()
            return 5

    for kind, make in (
        (dict[str, int], lambda item: {"a": item, **{f"key {n}": n for n in range(20)}}),
        (dict[int, list[int]], lambda item: {1: [item, 2, 3], 2: [item] * 20}),
        (list[list[int]], lambda item: [[item, 2], [item] * 30, [3]]),
        (tuple[int, ...], lambda item: (item, 2, 3)),
        (dict[str, Any], lambda item: {"a": [item], "b": [{"c": item}]}),
    ):
        for _ in range(20):
            item = Eager(5)
            value: Any = make(item)
            inner = list(value.values()) if isinstance(value, dict) else list(value)
            item.victims = tuple(part for part in (value, *inner) if hasattr(part, "clear"))
            try:
                pack.codec(kind).encode(value)
            except pack.SamewireError as error:
                assert error.code == "type_mismatch"


def test_a_hook_that_changes_what_is_being_made() -> None:
    """A hook that searches the collector's objects never finds an incomplete list."""
    found: list[Any] = []

    @dataclass
    class Nosy:
        x: int
        names: list[str]

        def __post_init__(self) -> None:
            for holder in gc.get_objects():
                if type(holder) in (list, tuple) and len(holder) in (613, 617):
                    found.append(len(holder))
                    if isinstance(holder, list):
                        holder.clear()

    own = pack.codec(list[tuple[Nosy | None, ...]], namespace={"Nosy": Nosy})
    data = own.encode([(), (_nosy(Nosy, 1), None, _nosy(Nosy, 2)), (*[None] * 616, _nosy(Nosy, 3)), *[()] * 610])
    decoded = own.decode(data)
    assert found == []
    assert len(decoded) == 613
    assert [item.x for group in decoded for item in group if item] == [1, 2, 3]
    assert gc.is_tracked(decoded)
    assert gc.is_tracked(decoded[2])


def _nosy(cls: Any, n: int) -> Any:
    made = cls.__new__(cls)
    made.x, made.names = n, ["one", "two"]
    return made


def test_the_collector_stays_as_it_was() -> None:
    own = pack.codec(list[Plain])
    data = own.encode([one(Plain, n) for n in range(10)])
    for on in (True, False):
        if not on:
            gc.disable()
        try:
            own.decode(data)
            assert gc.isenabled() == on
            with pytest.raises(pack.SamewireError):
                own.decode(data[:-1])
            assert gc.isenabled() == on
        finally:
            gc.enable()
