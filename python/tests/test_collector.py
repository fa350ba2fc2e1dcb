"""What the cyclic collector sees of decoded values."""

from __future__ import annotations

import gc
from dataclasses import dataclass
from typing import Any, NamedTuple

from samewire import pack
from shelf import Attrs, FrozenSlots, Plain, Slots, Struct, one


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
