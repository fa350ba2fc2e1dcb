"""Values beyond a limit of either side: the call raises, the session goes on. And limits that a program raises."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest
from samewire import bridge
from samewire.errors import SamewireError
from samewire.limits import Limits
from served_gateway import TOKEN, served

#: Entries of a map that just fit into the tight limits; elements likewise; open containers likewise.
ENTRIES, ELEMENTS, DEPTH = 100, 250, 4
TIGHT = Limits(items=ELEMENTS, cells=6 * ENTRIES, depth=DEPTH)
OPTIONS = [part for name in ("items", "cells", "depth") for part in ("--limit", f"{name}={getattr(TIGHT, name)}")]


@pytest.fixture(scope="module", params=["Python", "Java"])
def tight(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[str, bridge.Gateway]]:
    """The side that has tight limits, and a gateway whose other side has the default ones."""
    folder = tmp_path_factory.mktemp("tight")
    folder.chmod(0o700)
    place = folder / "gateway.sock"
    side: str = request.param
    with (
        served(place, "--unix", str(place), *(OPTIONS if side == "Java" else ())),
        bridge.connect(f"unix:{place}", token=TOKEN, limits=TIGHT if side == "Python" else None) as gateway,
    ):
        yield side, gateway


def nested(depth: int, leaf: Any = 0) -> list[Any]:
    """Lists within one another, which a writer with deeper limits sends."""
    value: list[Any] = [leaf]
    for _ in range(depth - 1):
        value = [value, None]
    return value


BEYOND: dict[str, tuple[Any, str]] = {
    "entries": ({str(i): i for i in range(ENTRIES + 1)}, "limit_items"),
    "entries of nested maps": ([{"a": i, "b": i} for i in range(ENTRIES // 2 + 1)], "limit_items"),
    "elements": ([i if i % 2 else None for i in range(ELEMENTS + 1)], "limit_items"),
    "texts": ([str(i) for i in range(ELEMENTS + 1)], "limit_items"),
    "a set": ({str(i) for i in range(ELEMENTS + 1)}, "limit_items"),
    "depth": (nested(DEPTH + 1), "limit_depth"),
}


def settled(gateway: bridge.Gateway, references: int, exported: int) -> None:
    """Waits until no more objects are kept on either side than before."""
    deadline = time.monotonic() + 60
    while True:
        counts = gateway.statistics()
        if counts["references"] <= references and counts["exported"] <= exported and counts["java"]["exported"] <= references:
            return
        assert time.monotonic() < deadline, str(counts)
        gateway.java.lang.System.gc()
        time.sleep(0.02)


@pytest.mark.parametrize("what", BEYOND)
def test_an_argument_beyond_a_limit_is_an_error_of_its_call(tight: tuple[str, bridge.Gateway], what: str) -> None:
    side, gateway = tight
    value, code = BEYOND[what]
    if side == "Python":
        if code == "limit_depth":  # a writer keeps to its own depth
            with pytest.raises(SamewireError, match=r"limits\.depth") as refused:
                gateway.java.util.ArrayList(value)
            assert refused.value.code == code
        return
    holder = gateway.java.util.ArrayList()
    before = gateway.statistics()
    with pytest.raises(SamewireError, match=r"limits\.\w+, \d+") as refused:
        gateway.java.util.Objects.equals([holder, print, value, holder, len], gateway.java.util.ArrayList())
    assert refused.value.code == code
    with gateway.batch():
        given: list[Any] = [value, holder, value, [[]]]
        futures = [gateway.java.util.Objects.isNull(one) for one in given]
    for future in futures[::2]:
        with pytest.raises(SamewireError) as refused:
            future.result()
        assert refused.value.code == code
    assert [future.result() for future in futures[1::2]] == [False, False]
    assert holder.size() == 0
    del futures, future, refused
    settled(gateway, before["references"], before["exported"])


@pytest.mark.parametrize("what", BEYOND)
def test_a_result_beyond_a_limit_is_an_error_of_its_call(tight: tuple[str, bridge.Gateway], what: str) -> None:
    side, gateway = tight
    value, code = BEYOND[what]
    holder = gateway.java.util.ArrayList()
    if side == "Java":
        # What Python returns to a call of Java's.
        for _ in range(2):
            with pytest.raises(bridge.JavaError, match=rf"{code}: .*limits\.\w+, \d+"):
                gateway.java.util.HashMap().computeIfAbsent("key", lambda _: value)
        assert holder.size() == 0
        return
    before = gateway.statistics()
    objects = [gateway.java.lang.Object() for _ in range(3)]
    made = built(gateway, value)
    whole = gateway.java.util.ArrayList()
    for one in (objects[0], made, objects[1], objects[2]):
        whole.add(one)
    with pytest.raises(SamewireError, match=r"limits\.\w+, \d+") as refused:
        whole.to_py()
    assert refused.value.code == code
    with gateway.batch():
        first, second = whole.size(), whole.isEmpty()
    assert (first.result(), second.result()) == (4, False)
    del objects, made, whole, one, first, second, refused
    settled(gateway, before["references"], before["exported"])


def built(gateway: bridge.Gateway, value: Any) -> Any:
    """A Java collection of a value, made in pieces that fit."""
    util = gateway.java.util
    if isinstance(value, dict):
        made = util.LinkedHashMap()
        for key, one in value.items():
            made.put(key, built(gateway, one))
        return made
    if isinstance(value, list | set):
        made = util.LinkedHashSet() if isinstance(value, set) else util.ArrayList()
        for one in value:
            made.add(built(gateway, one))
        return made
    return value


def test_values_that_just_fit_cross(tight: tuple[str, bridge.Gateway]) -> None:
    _, gateway = tight
    for value in (
        {str(i): i for i in range(ENTRIES)},
        [i if i % 2 else None for i in range(ELEMENTS)],
        [str(i) for i in range(ELEMENTS)],
        nested(DEPTH),
    ):
        holder = gateway.java.util.HashMap().computeIfAbsent("key", lambda _, value=value: value)
        assert holder.to_py() == value


def test_a_launched_jvm_has_the_limits_of_the_program() -> None:
    texts = ["x" * 9_000_000 + str(i) for i in range(8)]
    with bridge.launch(limits=Limits(frame_bytes=2**27), timeout=60) as gateway:
        assert gateway.java.util.ArrayList(texts).to_py() == texts
    with bridge.launch(limits=Limits(frame_bytes=2**20), timeout=60) as gateway:
        with pytest.raises(SamewireError, match="1048576") as refused:
            gateway.java.util.ArrayList(texts)
        assert refused.value.code == "limit_size"
        long = gateway.java.lang.StringBuilder("x" * 1_000_000).append("x" * 100_000)
        with pytest.raises(SamewireError, match="1048576") as refused:
            long.toString()
        assert refused.value.code == "limit_size"
        assert long.length() == 1_100_000


def test_large_elements_come_in_smaller_chunks(gateway: bridge.Gateway) -> None:
    util = gateway.java.util
    text = "x" * 1_000_000
    texts = util.ArrayList(util.Collections.nCopies(100, text))
    assert sum(map(len, texts)) == 100 * len(text)
    assert sum(map(len, util.ArrayList(util.Collections.nCopies(100, bytes(1_000_000))))) == 100_000_000
    assert sum(len(one) for one in texts.stream()) == 100 * len(text)
    numbered = util.HashMap()
    for number in range(100):
        numbered.put(number, text)
    assert sum(len(value) for _, value in numbered.items()) == 100 * len(text)
    assert sorted(numbered) == list(range(100))
    array = texts.toArray()
    assert sum(map(len, array)) == 100 * len(text)
    assert next(iter(texts)) == text


def test_values_larger_than_a_message_come_in_pieces() -> None:
    """As small ones come: arrays of numbers in one piece, other containers element by element."""
    most = 2 << 20
    with bridge.launch(limits=Limits(frame_bytes=most)) as gateway:
        arrays = gateway.java.util.Arrays
        doubles = gateway.new_array(gateway.jvm.double, most // 8 + 1)
        doubles[-1] = 0.5
        chars = gateway.new_array(gateway.jvm.char, most // 2 + 1)
        arrays.fill(chars, "x")
        raw = gateway.new_array(gateway.jvm.byte, most + 1)
        flags = gateway.new_array(gateway.jvm.boolean, most + 1)
        expected = [0.0] * (most // 8) + [0.5]
        assert doubles.to_py() == expected
        assert chars.to_py() == ["x"] * (most // 2 + 1)
        assert raw.to_py() == bytes(most + 1)
        assert flags.to_py() == [False] * (most + 1)
        assert gateway.java.util.Collections.singletonList(doubles).to_py() == [expected]
        assert gateway.java.util.Map.of("key", doubles).to_py() == {"key": expected}
        texts = [f"{i} {'x' * 100}" for i in range(most // 100)]
        held = gateway.java.util.ArrayList()
        for at in range(0, len(texts), 1000):
            held.addAll(texts[at : at + 1000])
        assert held.to_py() == texts
        assert held.toArray().to_py() == texts
        assert gateway.java.util.HashSet(held).to_py() == {*texts}
        text = gateway.java.lang.StringBuilder("x" * (most // 2))
        text.append(text).append(text)
        with pytest.raises(SamewireError, match="limit_size"):
            text.toString()


def test_large_values_have_a_bound_of_their_own() -> None:
    """Below the size of a piece in which they come, too."""
    with bridge.launch(limits=Limits(frame_bytes=128 * 1024)) as gateway:
        assert gateway.java.util.ArrayList([*range(100_000)]).get(99_999) == 99_999
        assert gateway.java.util.Arrays.copyOf(bytes(3_000_000), 2_500_000) == bytes(2_500_000)
        assert gateway.java.lang.Math.max(1, 2) == 2


def test_bytes_longer_than_a_message_are_elements() -> None:
    with bridge.launch(limits=Limits(frame_bytes=2**20)) as gateway:
        util, data = gateway.java.util, bytes(range(256)) * 8_192
        long, short = gateway.new_array("byte", 2**21), gateway.new_array("byte", 3)
        long[:] = data
        listed = util.Arrays.asList(long, short)
        assert listed.to_py() == [data, bytes(3)]
        assert [bytes(one) for one in listed] == [data, bytes(3)]
        assert bytes(listed[0]) == data
        assert listed[1] == bytes(3)
        assert util.Collections.singletonMap("a", long).to_py() == {"a": data}
        assert util.Collections.singletonList(listed).to_py() == [[data, bytes(3)]]
        assert gateway.new_array("byte", 2, 2**21).to_py() == [bytes(2**21)] * 2
        assert util.Objects.requireNonNull(long) == data
