"""Which decoded values the cyclic collector tracks, and when it runs."""

from __future__ import annotations

import gc
import sys
import weakref
from dataclasses import dataclass
from typing import Any, NamedTuple

from samewire import pack
from sample_classes import Attrs, FrozenSlots, Plain, Slots, Struct, one


def test_cycles_made_later_are_collected() -> None:
    classes: list[Any] = [Slots, Plain, Attrs, Struct]
    for cls in classes:
        own = pack.codec(cls)
        made = own.decode(own.encode(one(cls, 3)))
        made.tags.append(made)
        made.note = made
        alive = len([o for o in gc.get_objects() if type(o) is cls])
        del made
        gc.collect()
        assert len([o for o in gc.get_objects() if type(o) is cls]) == alive - 1, cls


def test_records_that_cannot_be_in_a_cycle_are_not_tracked() -> None:
    @dataclass(slots=True, frozen=True)
    class Point:
        x: float
        name: str | None

    class Pair(NamedTuple):
        first: Point
        second: tuple[Point, ...]

    own = pack.codec(list[Pair], namespace={"Point": Point})
    pair = own.decode(own.encode([Pair(Point(1.0, "a"), (Point(2.0, None),))]))[0]
    assert not gc.is_tracked(pair)
    assert not gc.is_tracked(pair.first)
    listed = pack.codec(list[FrozenSlots]).decode(pack.codec(list[FrozenSlots]).encode([one(FrozenSlots, 2)]))
    assert gc.is_tracked(listed)
    assert gc.is_tracked(listed[0])
    trusted = pack.codec(list[FrozenSlots], gc=False)
    listed = trusted.decode(trusted.encode([one(FrozenSlots, 2)]))
    assert not gc.is_tracked(listed)
    assert not gc.is_tracked(listed[0])


def large(count: int = 2000) -> bytes:
    return pack.codec(list[Slots]).encode([one(Slots, number) for number in range(count)])


def test_large_values_skip_the_collection_that_finds_nothing() -> None:
    own = pack.codec(list[Slots])
    data = large()
    walked: list[int] = []

    def look(phase: str, _: object) -> None:
        if phase == "start":
            walked.append(sum(type(known) is Slots for known in gc.get_objects(generation=0)))

    gc.collect()
    gc.callbacks.append(look)
    try:
        decoded = own.decode(data)
        more: list[list[int]] = [[] for _ in range(2000)]
    finally:
        gc.callbacks.remove(look)
    assert more and walked
    # CPython 3.14.0 to 3.14.4 collect by increments; there the collector walks over the value.
    if not (3, 14) <= sys.version_info < (3, 14, 5):
        assert walked[0] == 0
    assert all(gc.is_tracked(item) and gc.is_tracked(item.tags) for item in decoded)
    for generation in (0, 1, 2):
        gc.collect(generation)
    assert decoded == [one(Slots, number) for number in range(2000)]


def test_a_large_value_is_not_walked_over_by_a_later_collection() -> None:
    own = pack.codec(list[Slots])
    data = large(300)
    thresholds = gc.get_threshold()
    gc.collect()
    try:
        gc.set_threshold(6_000, 10, 10)
        decoded = own.decode(data)
        few = own.decode(large(100))
        young = {id(known) for known in gc.get_objects(generation=0)}
    finally:
        gc.set_threshold(*thresholds)
    # As above.
    if not (3, 14) <= sys.version_info < (3, 14, 5):
        assert not any(id(item) in young for item in (decoded, decoded[0], decoded[-1].tags))
        assert id(few) in young
    for generation in (0, 1, 2):
        gc.collect(generation)
    assert decoded == [one(Slots, number) for number in range(300)]


def test_cycles_through_large_values_are_collected_by_themselves() -> None:
    own = pack.codec(list[Slots])
    data = large(1000)
    dead = 0

    def count(_: object) -> None:
        nonlocal dead
        dead += 1

    class Sign:
        pass

    watches = []
    for _ in range(60):
        decoded: Any = own.decode(data)
        decoded[7].note = decoded
        sign = Sign()
        watches.append(weakref.ref(sign, count))
        decoded[8].note = sign
        del decoded, sign
    assert dead > 20


def test_decoding_while_the_collector_runs() -> None:
    own = pack.codec(list[Slots])
    data = large()
    held = []

    class Last:
        def __init__(self) -> None:
            self.itself = self

        def __del__(self) -> None:
            held.append(own.decode(data))

    def watch(phase: str, info: dict[str, int]) -> None:
        if info["generation"] < 2:
            held.append(own.decode(data))

    gc.callbacks.append(watch)
    try:
        for generation in (0, 1, 2, 0, 1, 2):
            for _ in range(3):
                Last()
            gc.collect(generation)
    finally:
        gc.callbacks.remove(watch)
    gc.collect()
    assert len(held) >= 18
    assert all(value == held[0] for value in held)
    found = {id(known) for known in gc.get_objects()}
    assert all(id(value) in found and id(value[5].tags) in found for value in held)


def test_thresholds_are_kept() -> None:
    own = pack.codec(list[Slots])
    data = large()
    thresholds = gc.get_threshold()
    try:
        gc.set_threshold(0)
        decoded = own.decode(data)
        assert any(decoded is known for known in gc.get_objects(generation=0))
        gc.set_threshold(100_000, 10, 10)
        decoded = own.decode(data)
        assert any(decoded is known for known in gc.get_objects(generation=0))
    finally:
        gc.set_threshold(*thresholds)
