"""Invalid calls: wrong types raise TypeError, wrong values and options `misuse` (spec/errors.md)."""

from __future__ import annotations

import array
import enum
import math
from collections.abc import Callable
from dataclasses import make_dataclass
from typing import Annotated, Any

import pytest
from samewire import pack

ints = pack.codec(list[int])
decoder: Any = ints.resolve("list<i32>")
pieces: Any = ints.encode_chunks
codec: Any = pack.codec
Limits: Any = pack.Limits
FrameScanner: Any = pack.FrameScanner
frame: Any = pack.frame
parse: Any = pack.Schema.parse
Name: Any = pack.Name
named: Any = pack.named
difference: Any = ints.schema.difference
decode: Any = ints.decode
encode_into: Any = ints.encode_into
resolve: Any = ints.resolve
types_of: Any = pack.types_of
of: Any = pack.Schema.of


class Color(enum.Enum):
    RED = 1


def struct(field: str) -> type:
    return make_dataclass("S", [("x", Annotated[int, pack.Name(field)])])


MISUSED: list[Callable[[], object]] = [
    lambda: pieces([1], 0),
    lambda: pieces([1], -1),
    lambda: pieces([1], -(2**70)),
    lambda: pieces([1], 2**70),
    lambda: decoder.encode([1]),
    lambda: decoder.encode_into([1], bytearray()),
    lambda: decoder.encode_chunks([1], 1),
    *(lambda value=value: Limits(items=value) for value in (0, -1, 2**32, True, 1.5, "1", None, math.nan, math.inf)),
    *(lambda value=value: FrameScanner(value) for value in (3, "x", pack.Limits, {"frame_bytes": 3})),
    *(lambda value=value: codec(int, limits=value) for value in (3, None, pack.Limits)),
    *(lambda value=value: codec(int, profile=value) for value in (3, None, "best", [0])),
    *(lambda value=value: codec(int, digest=value) for value in (1, None, "yes")),
    *(lambda value=value: codec(int, gc=value) for value in (0, None, math.nan)),
    lambda: codec(int, namespace=3),
    lambda: codec("Nobody"),
    lambda: codec(Annotated[int, pack.F32]),
    lambda: codec(Annotated[int, pack.I8, pack.I16]),
    lambda: codec(Annotated[int, pack.REF]),
    *(lambda name=name: codec(struct(name)) for name in ("", "x" * 256, "\ud800")),
    *(lambda name=name: codec(named(name)(struct("x"))) for name in ("", "x" * 256, "\ud800")),
    lambda: named("Color", BLUE="blue")(Color),
    lambda: frame(b""),
]

WRONG_TYPES: list[Callable[[], object]] = [
    *(lambda size=size: pieces([1], size) for size in (1.5, "1", None, math.nan)),
    lambda: pieces([1]),
    *(lambda data=data: decode(data) for data in (3, "x", None, memoryview(b"abcd")[::2])),
    *(lambda buffer=buffer: encode_into([1], buffer) for buffer in (b"", None, [0])),
    *(lambda data=data: FrameScanner().feed(data) for data in (3, "x", None, array.array("i", [1]))),
    *(lambda data=data: frame(data) for data in (3, "x", None, array.array("i", [1]))),
    *(lambda text=text: parse(text) for text in (3, None, bytearray(b"i8"))),
    *(lambda text=text: resolve(text) for text in (3, None, ["i8"])),
    *(lambda text=text: types_of(text) for text in (3, None)),
    *(lambda other=other: difference(other) for other in (3, None, "i8")),
    *(lambda root=root: of(root) for root in (3, None, "i8")),
    *(lambda name=name: Name(name) for name in (3, None, b"x")),
    lambda: named(3),
    lambda: named("Color", RED=3),
    lambda: named("x")(3),
    lambda: codec(),
    lambda: codec(int, size=3),
    lambda: Limits(3),
    lambda: Limits(size=3),
    lambda: pack.Codec(),
]


@pytest.mark.parametrize("call", MISUSED)
def test_values_and_options_that_cannot_be(call: Callable[[], object]) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        call()
    error = caught.value
    assert (error.code, error.at, error.path) == ("misuse", None, None)
    assert error.text


@pytest.mark.parametrize("call", WRONG_TYPES)
def test_arguments_of_another_type(call: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        call()


def test_nothing_has_changed_afterwards() -> None:
    buffer = bytearray(b"kept")
    with pytest.raises(TypeError):
        encode_into([1], memoryview(buffer))
    with pytest.raises(pack.SamewireError):
        encode_into(3, buffer)
    assert buffer == b"kept"
    scanner = pack.FrameScanner()
    scanner.feed(pack.frame(b"\x80\x01")[:1])
    with pytest.raises(TypeError):
        scanner.feed("x")  # type: ignore[arg-type]
    scanner.feed(b"\x80\x01")
    assert scanner.next() == b"\x80\x01"


def test_no_limits_are_the_default_ones() -> None:
    assert pack.FrameScanner(None).next() is None
    assert b"".join(ints.encode_chunks([1], 2**63)) == ints.encode([1])
