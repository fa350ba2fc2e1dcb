"""Batches of calls."""

from __future__ import annotations

import gc
import signal
import threading
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from samewire import bridge


def test_calls_of_a_batch_go_together(gateway: bridge.Gateway) -> None:
    names = gateway.java.util.ArrayList()
    add, before = names.add, gateway.statistics()["batches"]
    with gateway.batch() as batch:
        futures = [add(str(number)) for number in range(100)]
        assert len(batch) == 100
        assert not futures[0].done()
    assert gateway.statistics()["batches"] == before + 1
    assert all(future.result() for future in futures)
    assert names.size() == 100


def test_results_are_arguments_and_receivers(gateway: bridge.Gateway) -> None:
    with gateway.batch():
        builder = gateway.java.lang.StringBuilder("a")
        longer = builder.append("b").append("c")
        text = longer.toString()
        length = gateway.java.lang.String.valueOf(text)
    assert text.result() == "abc"
    assert length.result() == "abc"


def test_a_call_that_throws_leaves_the_others(gateway: bridge.Gateway) -> None:
    parse = gateway.java.lang.Integer.parseInt
    with gateway.batch():
        first, wrong = parse("1"), parse("x")
        after = gateway.java.lang.Math.abs(wrong)
        last = parse("2")
    assert (first.result(), last.result()) == (1, 2)
    assert isinstance(wrong.exception(), gateway.java.lang.NumberFormatException)
    with pytest.raises(gateway.java.lang.NumberFormatException):
        after.result()


def test_an_exception_drops_the_batch(gateway: bridge.Gateway) -> None:
    names = gateway.java.util.ArrayList()
    with pytest.raises(KeyError), gateway.batch():
        future = names.add("x")
        raise KeyError
    assert names.size() == 0
    with pytest.raises(bridge.SamewireError, match="misuse"):
        future.result()


def test_a_result_is_not_there_before_the_end(gateway: bridge.Gateway) -> None:
    with gateway.batch():
        future = gateway.java.lang.Math.abs(-1)
        with pytest.raises(bridge.SamewireError, match="misuse"):
            future.result()
    assert future.result() == 1


def test_text_and_equality_within_a_batch_are_at_once(gateway: bridge.Gateway) -> None:
    names = gateway.java.util.ArrayList(["a"])
    with gateway.batch():
        assert repr(names) == "<java.util.ArrayList ['a']>"
        assert len(names) == 1
        assert names == ["a"]


def test_replies_of_every_length_stand_in_one_message(gateway: bridge.Gateway) -> None:
    lengths = [0, 1, 120, 126, 127, 128, 129, 16_380, 16_384, 100_000]
    with gateway.batch():
        texts = [gateway.java.lang.String.valueOf("x" * length) for length in lengths]
        last = gateway.java.lang.Math.abs(-3)
    assert [len(text.result()) for text in texts] == lengths
    assert last.result() == 3


def test_numbers_of_every_kind_change_their_call_site_within_a_batch(gateway: bridge.Gateway) -> None:
    """Calls like the one before them take a short way: what is another kind, or no number, must not."""
    text = gateway.java.lang.String.valueOf
    ints = [0, -1, 2**31 - 1, -(2**31), 2**31, -(2**31) - 1, 2**63 - 1, -(2**63), 1, 2]
    values: list[object] = [*ints, 0.5, -0.0, 1.5, True, False, 7, "seven", 8, None, 9, 2**40, 1e300, True]
    with gateway.batch():
        text(5), text(5)
        texts = [text(value) for value in values if value is not None]
        hash_of = gateway.java.util.Objects.hashCode
        hashes = [hash_of(value) for value in (1, 1, None, 1)]
    java = {True: "true", False: "false", 1e300: "1.0E300"}
    expected = [java[v] if isinstance(v, bool) or v == 1e300 else str(v) for v in values if v is not None]
    assert [future.result() for future in texts] == expected
    assert [future.result() for future in hashes] == [1, 1, 0, 1]


def test_plain_values_of_every_length_cross_in_a_batch_as_in_calls(gateway: bridge.Gateway) -> None:
    java = gateway.java
    # Around the lengths up to which a value, and a call, are written without an encoder.
    texts = ["", "a", "x" * 30, "x" * 62, "x" * 63, "x" * 64, "\xe9" * 63, "\u2026", "\U0001f600"]
    calls: list[tuple[Callable[..., Any], tuple[object, ...]]] = []
    calls += [(java.lang.String.join, (",", one, other)) for one in texts for other in texts]
    calls += [(java.util.Arrays.hashCode, (bytes(range(length)),)) for length in (0, 1, 62, 63, 64, 127, 128)]
    given = [7, -1, 1 << 31, 1 << 62, 1 << 70, 0.25, True, False, None]
    calls += [(java.lang.String.format, ("%s|%s|%s", one, other, text)) for one in given for other in given for text in texts[:3]]
    expected = [call(*arguments) for call, arguments in calls]
    with gateway.batch():
        futures = [call(*arguments) for call, arguments in calls]
    assert [future.result() for future in futures] == expected


def test_numbers_and_nothing_are_returned_by_a_batch_as_by_calls(gateway: bridge.Gateway) -> None:
    math, thread = gateway.java.lang.Math, gateway.java.lang.Thread
    with gateway.batch():
        ints = [math.addExact(value, 1) for value in (-6, 0, 255, 2**31 - 2, 2**31 - 1)]
        longs = [math.addExact(value, 1) for value in (2**40, -(2**63), 2**63 - 2, 2**63 - 1)]
        floats = [math.sqrt(value) for value in (0.25, 2.0, float("inf"), -1.0)]
        nothing = [thread.sleep(0) for _ in range(3)]
    assert [future.result() for future in ints[:4]] == [-5, 1, 256, 2**31 - 1]
    assert [future.result() for future in longs[:3]] == [2**40 + 1, -(2**63) + 1, 2**63 - 1]
    for future in (ints[4], longs[3]):
        assert isinstance(future.exception(), gateway.java.lang.ArithmeticException)
    assert [future.result() for future in floats[:3]] == [0.5, 2.0**0.5, float("inf")]
    assert floats[3].result() != floats[3].result()
    assert [type(future.result()) for future in ints[:4] + floats] == [int] * 4 + [float] * 4
    assert [future.result() for future in nothing] == [None] * 3


def test_a_future_that_is_dropped_lets_its_object_go(gateway: bridge.Gateway) -> None:
    gateway.java.util.ArrayList()
    gc.collect()
    before = gateway.session.statistics()["references"]
    with gateway.batch() as batch:
        kept, dropped = gateway.java.util.ArrayList(["a"]), gateway.java.util.ArrayList()
        for _ in range(10):
            gateway.java.util.ArrayList()
    assert gateway.session.statistics()["references"] == before + 2
    assert len(dropped.result()) == 0
    del dropped
    assert gateway.session.statistics()["references"] == before + 1
    assert kept.result() == ["a"] and len(batch) == 12


def test_what_a_call_threw_is_the_same_each_time(gateway: bridge.Gateway) -> None:
    with gateway.batch():
        wrong = gateway.java.lang.Integer.parseInt("x")
    with pytest.raises(gateway.java.lang.NumberFormatException) as raised:
        wrong.result()
    assert raised.value is wrong.exception()
    assert wrong.done() and "failed" in repr(wrong)
    with pytest.raises(AttributeError, match="result"):
        wrong.intValue  # noqa: B018


def test_a_future_that_has_raised_is_freed_with_the_frames_that_it_was_raised_through(gateway: bridge.Gateway) -> None:
    def attempt() -> None:
        kept = gateway.java.util.ArrayList()
        with gateway.batch():
            wrong = gateway.java.lang.Integer.parseInt("x")
        with suppress(gateway.java.lang.NumberFormatException):
            wrong.result()
        kept.add(1)

    attempt()
    gc.collect()
    before = gateway.session.statistics()["references"]
    for _ in range(10):
        attempt()
    gc.collect()
    assert gateway.session.statistics()["references"] == before


def test_futures_of_a_batch_that_was_interrupted_have_what_came(gateway: bridge.Gateway) -> None:
    def attempt() -> None:
        kept = gateway.java.util.ArrayList()
        presses = threading.Timer(0.1, signal.pthread_kill, (threading.main_thread().ident or 0, signal.SIGINT))
        with pytest.raises(KeyboardInterrupt):
            try:
                with gateway.batch():
                    added, slept, size = kept.add(1), gateway.java.lang.Thread.sleep(20_000), kept.size()
                    presses.start()
            finally:
                presses.join()
        assert (added.result(), size.result()) == (True, 1)
        with pytest.raises(gateway.java.lang.InterruptedException):
            slept.result()

    attempt()
    gc.collect()
    before = gateway.session.statistics()["references"]
    for _ in range(3):
        attempt()
    gc.collect()
    assert gateway.session.statistics()["references"] == before


def test_what_is_called_in_the_midst_of_a_batch_is_not_added_to_it(gateway: bridge.Gateway) -> None:
    seen: list[object] = []

    def called(value: object) -> object:
        seen.append(gateway.java.lang.Math.max(1, 2))
        return value

    optional = gateway.java.util.Optional.of(1)
    kept = gateway.java.util.ArrayList()
    with gateway.batch() as batch:
        first = optional.map(called)
        for _ in range(1_000):
            kept.add(1)
        # Of a message before this one: that is sent first.
        kept.add(first)
        second = optional.map(called)
        assert seen == [2]
        assert len(batch) == 1_003
    assert seen == [2, 2]
    assert first.result().get() == second.result().get() == 1
    assert kept.size() == 1_001


def test_an_argument_that_has_the_batch_sent_does_not_mistake_those_before_it(gateway: bridge.Gateway) -> None:
    length = gateway.java.lang.String.valueOf
    both = gateway.tested.Called.both
    with gateway.batch():
        early = length("early")
        for _ in range(1_000):
            length("between")
        late = length("late")
        joined = both(lambda a, b: f"{a} {b}", late, early)
    assert joined.result() == "late early"
