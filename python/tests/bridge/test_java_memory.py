"""A JVM without memory for a message: the caller's error says what happened and what to do; the session goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from samewire import bridge
from samewire.errors import SamewireError

#: Texts that a frame of default limits holds, and a heap of 64 MB does not.
TEXTS = ["x" * 100] * 600_000


@pytest.fixture(scope="module")
def small() -> Iterator[bridge.Gateway]:
    with bridge.launch(options="-Xmx64m") as gateway:
        yield gateway


def argument(gateway: bridge.Gateway) -> Any:
    return gateway.java.util.ArrayList(TEXTS)


def returned_by_python(gateway: bridge.Gateway) -> Any:
    return gateway.java.util.Optional.of(1).map(lambda _: TEXTS)


def returned_bytes(gateway: bridge.Gateway) -> Any:
    return gateway.java.util.Optional.of(1).map(lambda _: b"x" * 60_000_000)


def returned_by_java(gateway: bridge.Gateway) -> Any:
    return gateway.java.util.Collections.nCopies(600_000, "x" * 100).to_py()


@pytest.mark.parametrize(
    ("way", "consequence"),
    [
        (argument, "The call has not run"),
        (returned_by_python, "It was the reply of a call into Python, which has run"),
        (returned_bytes, "It was the reply of a call into Python, which has run"),
        (returned_by_java, "ask for less at once"),
    ],
)
def test_a_message_without_room_is_told_and_the_session_goes_on(
    small: bridge.Gateway, way: Callable[[bridge.Gateway], Any], consequence: str
) -> None:
    with pytest.raises(small.java.lang.OutOfMemoryError, match="-Xmx") as caught:
        way(small)
    assert consequence in str(caught.value)
    assert "Java heap space" in str(caught.value)
    assert small.java.lang.Math.max(1, 2) == 2


def test_a_batch_without_room_ends_alone(small: bridge.Gateway) -> None:
    names = small.java.util.ArrayList()
    channels = small.statistics()["channels"]
    batch = small.batch()
    with pytest.raises(small.java.lang.OutOfMemoryError, match="The batch has not run"), batch:
        added = names.add("a")
        large = names.addAll(TEXTS)
    for future in (added, large):
        with pytest.raises(SamewireError, match="the batch has not run") as caught:
            future.result()
        assert caught.value.code == "limit_size"
    with small.batch():
        again = names.add("b")
    assert again.result()
    assert list(names) == ["b"]
    assert small.statistics()["channels"] == channels


def test_an_iterator_for_a_collection_is_refused_with_advice(small: bridge.Gateway) -> None:
    numbers = small.java.util.ArrayList()
    with pytest.raises(TypeError, match=r"argument 2 is an iterator, .*pass list\(\.\.\.\) of it for a java\.util\.Collection"):
        numbers.addAll(0, (i for i in range(3)))
    with pytest.raises(TypeError, match="argument 1 is an iterator"):
        small.java.util.HashSet(map(str, range(3)))
    assert small.java.lang.String.join(",", (str(i) for i in range(3))) == "0,1,2"
