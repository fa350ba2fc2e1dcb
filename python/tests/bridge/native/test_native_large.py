"""Large values: blobs, in both directions and through callbacks."""

from __future__ import annotations

import array
import tracemalloc
from typing import Any

import pytest
from samewire import bridge
from samewire._native import StaticMethod

SIZES = [0, 1, 65_535, 65_536, 65_537, 1_048_576, 1_048_577, 3_000_001]


@pytest.mark.parametrize("size", SIZES)
def test_bytes_go_and_come(gateway: bridge.Gateway, size: int) -> None:
    given = bytes(range(256)) * (size // 256) + bytes(range(size % 256))
    copied = StaticMethod(gateway.session, "java.util.Arrays", "copyOf")(given, size)
    assert bytes(copied) == given
    assert StaticMethod(gateway.session, "java.util.Arrays", "copyOf").returning("bytes")(given, size) == given


@pytest.mark.parametrize(("code", "kind"), [("b", "i8"), ("h", "i16"), ("i", "i32"), ("q", "i64"), ("f", "f32"), ("d", "f64")])
@pytest.mark.parametrize("count", [3, 100_000])
def test_numbers_go_and_come_as_memory(gateway: bridge.Gateway, code: str, kind: str, count: int) -> None:
    given = array.array(code, [index % 100 for index in range(count)])
    copy = StaticMethod(gateway.session, "java.util.Arrays", "copyOf").returning(f"array<{kind}>")
    if kind == "i8":
        copy = StaticMethod(gateway.session, "java.util.Arrays", "copyOf").returning("bytes")
        assert copy(bytes(given), count) == bytes(given)
        return
    come = copy(given, count)
    assert isinstance(come, memoryview) and not come.readonly
    assert (come.format, come.nbytes, list(come)) == (code, given.itemsize * count, given.tolist())


@pytest.mark.parametrize("value", [list(range(100_000)), [0.5] * 20_000, [True] * 70_000, [2**40] * 10_000, ["text"] * 50_000])
def test_long_lists_go_and_come(gateway: bridge.Gateway, value: list[Any]) -> None:
    made = gateway.java.util.ArrayList(value)
    assert made.size() == len(value)
    assert made.to_py() == value


def test_several_large_arguments_follow_in_order(gateway: bridge.Gateway) -> None:
    one, two = b"a" * 100_000, b"b" * 200_000
    equals = StaticMethod(gateway.session, "java.util.Arrays", "equals")
    assert equals(one, one) and not equals(one, two) and not equals(two, one)
    mismatch = StaticMethod(gateway.session, "java.util.Arrays", "mismatch")
    assert mismatch(one + two, one + one) == 100_000


def test_large_values_pass_through_callbacks(gateway: bridge.Gateway) -> None:
    large = bytes(1_200_000)
    optional = gateway.java.util.Optional.of(large)
    seen: list[int] = []

    def turned(value: bytes) -> bytes:
        seen.append(len(value))
        assert gateway.java.lang.Math.abs(-1) == 1
        return value + b"!"

    assert len(bytes(optional.map(turned).get())) == len(large) + 1
    assert seen == [len(large)]


def test_a_large_value_takes_no_second_copy(gateway: bridge.Gateway) -> None:
    given = bytes(32 << 20)
    length = StaticMethod(gateway.session, "java.lang.reflect.Array", "getLength")
    length(given)
    tracemalloc.start()
    try:
        assert length(given) == len(given)
        assert tracemalloc.get_traced_memory()[1] < 1 << 20
    finally:
        tracemalloc.stop()
