"""What an error says to do about arguments that fit no overload."""

from __future__ import annotations

import datetime
from typing import Any

import pytest
from samewire import bridge

NOON = datetime.datetime(2026, 1, 31, 12)
INSTANT = NOON.replace(tzinfo=datetime.UTC)


@pytest.mark.parametrize(
    ("call", "remedy"),
    [
        (lambda g: g.java.util.ArrayList().add(len), "argument 1 is a callable, which may be any interface: say which"),
        (lambda g: g.java.util.Date.from_(NOON), "argument 1 is a time without a zone, and no instant: give it one"),
        (lambda g: g.java.util.Date.from_(NOON.date()), "argument 1 is a date: pass a datetime.datetime"),
        (lambda g: g.java.time.ZoneOffset.UTC.getRules().getValidOffsets(INSTANT), "pass its local time"),
        (lambda g: g.java.time.Period.between(NOON.date(), NOON), r"argument 2 is a datetime: pass value.date\(\)"),
        (lambda g: g.java.time.LocalDate.now().atTime(INSTANT), r"argument 1 is a datetime: pass value.time\(\)"),
        (lambda g: g.java.time.Clock.system("UTC"), r"argument 1 is text: pass gateway.java.time.ZoneId.of\(\.\.\.\) of it"),
        (lambda g: g.java.util.Date.from_("x"), r"pass gateway.java.time.Instant.parse\(\.\.\.\) of it"),
        (lambda g: g.tested.Generic.maybe("x"), r"pass gateway.java.util.Optional.of\(\.\.\.\) or .empty\(\)"),
        (lambda g: g.tested.Generic.entry(("a", 1)), r"pass gateway.java.util.Map.entry\(key, value\)"),
        (lambda g: g.tested.Generic.decimal(5), "pass arguments of those types"),
    ],
)
def test_a_remedy_is_named(call: Any, remedy: str, gateway: bridge.Gateway) -> None:
    with pytest.raises(bridge.NoOverload, match=remedy):
        call(gateway)


@pytest.mark.parametrize("length", [1.5, "2", None])
def test_a_length_is_a_whole_number(length: Any, gateway: bridge.Gateway) -> None:
    with pytest.raises(TypeError):
        gateway.new_array("int", length)
