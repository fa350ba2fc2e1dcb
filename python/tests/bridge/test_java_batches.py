"""Batches of calls."""

from __future__ import annotations

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
