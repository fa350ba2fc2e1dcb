"""References and memory: calls that succeed or fail anywhere leak nothing and free nothing twice."""

from __future__ import annotations

import gc
import random
import resource
import sys
import tracemalloc
import uuid
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from decimal import Decimal
from typing import Annotated, Any

import pytest
from samewire import pack
from sample_classes import CLASSES, Cat, Color, Dog, FrozenSlots, one


@dataclass
class Many:
    """A field of every type."""

    text: str
    wide: str
    number: int
    huge: Annotated[int, pack.BIGINT]
    real: float
    exact: Decimal
    key: uuid.UUID
    raw: bytes
    pet: Cat | Dog
    color: Color
    pairs: dict[str, tuple[int, str]]
    group: set[str]
    numbers: list[int]
    flags: list[bool]
    texts: list[str | None]
    anything: Any
    shared: list[Annotated[Cat, pack.REF]]


def many() -> Many:
    cat = Cat("shared cat")
    return Many(
        *("some text", "日本の本", 123_456, 2**100, 0.5, Decimal("12.50"), uuid.UUID(int=5), b"some bytes", Dog("d", 4)),
        *(Color.GREEN, {"one": (1_000_000, "a word"), "two": (2_000_000, "a word")}, {"abc", "defg"}),
        list(range(1000, 1100)),
        [True, False] * 9,
        ["xy", None, "some text"],
        [1.5, {"k": [b"v", 2**70]}, "some text"],
        [cat, cat, Cat("another cat")],
    )


@contextmanager
def steady(what: object = None) -> Iterator[None]:
    """Asserts that the block leaks no memory of Python's allocators, but for a few blocks of caches."""
    gc.collect()
    before = sys.getallocatedblocks()
    yield
    gc.collect()
    grown = sys.getallocatedblocks() - before
    assert grown < 200, f"{grown} blocks more after {what}"


def counts(objects: list[Any]) -> list[int]:
    """Reference counts, including those that counting takes."""
    return [sys.getrefcount(objects[i]) for i in range(len(objects))]


def repeat(count: int, call: Callable[[], object]) -> None:
    for _ in range(count):
        call()


def failing(call: Callable[[], object]) -> Callable[[], object]:
    def attempt() -> object:
        try:
            return call()
        except pack.SamewireError as error:
            return error.code

    return attempt


@pytest.mark.parametrize("profile", pack.Profile)
def test_encoding_and_decoding_leave_nothing_behind(profile: pack.Profile) -> None:
    own = pack.codec(Many, profile=profile)
    value, buffer = many(), bytearray()
    data = own.encode(value)

    def append() -> None:
        own.encode_into(value, buffer)
        buffer.clear()

    calls: list[Callable[[], object]] = [
        *(lambda: own.encode(value), lambda: own.decode(data), lambda: own.decode(bytearray(data))),
        *(lambda: b"".join(own.encode_chunks(value, 10)), append),
    ]
    for call in calls:
        repeat(50, call)
        with steady(call):
            repeat(1000, call)


@pytest.mark.parametrize("cls", CLASSES)
def test_every_kind_of_class_leaves_nothing_behind(cls: Any) -> None:
    own = pack.codec(list[cls])
    value = [one(cls, number) for number in range(20)]
    data = own.encode(value)
    ends = [data[: len(data) * part // 16] for part in range(16)]
    repeat(5, lambda: own.decode(data))
    with steady("whole messages"):
        repeat(300, lambda: own.decode(data))
    with steady("messages that end early"):
        for end in ends:
            repeat(50, failing(lambda end=end: own.decode(end)))  # type: ignore[misc]
    value[7] = one(FrozenSlots, 3) if cls is not FrozenSlots else Cat("x")
    with steady("a value that does not fit"):
        repeat(300, failing(lambda: own.encode(value)))


def test_references_to_what_is_written_are_counted_right() -> None:
    own = pack.codec(Many)
    value = many()
    inner = [getattr(value, name) for name in Many.__dataclass_fields__]
    parts = [value, *inner, value.texts[0], *value.shared, Many, Cat]
    before = counts(parts)
    data = own.encode(value)
    repeat(100, lambda: own.encode(value))
    assert counts(parts) == before
    value.shared.append(None)  # type: ignore[arg-type]
    repeat(100, failing(lambda: own.encode(value)))
    assert counts(parts) == before
    count = sys.getrefcount(data)
    kept = own.decode(data)
    assert sys.getrefcount(data) == count
    assert kept.raw == value.raw


def test_references_to_constants_are_counted_right() -> None:
    """Values share None, booleans, small ints, short texts and enum members; their counts go back."""
    own = pack.codec(list[tuple[bool, int | None, str, Color, str]])
    value = [(n % 2 == 0, n if n % 3 else None, "x" * (n % 2), Color.RED, "aa") for n in range(200)]
    data = own.encode(value)
    constants = [None, True, False, 7, "x", "", Color.RED, tuple, list, str, int, Color]
    kept = [own.decode(data) for _ in range(3)]
    before = counts(constants)
    for _ in range(50):
        kept.append(own.decode(data))
        kept.pop(0)
        failing(lambda: own.decode(data[:-1]))()
    after = counts(constants)
    # Comparing and counting take a few references themselves.
    assert all(abs(now - then) < 20 for now, then in zip(after, before, strict=True))


def test_a_decoded_value_is_owned_by_its_holder_alone() -> None:
    own = pack.codec(list[Cat])
    data = own.encode([Cat("a name"), Cat("a name"), Cat("other")])
    first, second, third = own.decode(data)
    assert first.name is second.name
    assert counts([third.name, first.name]) == [counts([str(1.5)])[0] + 1, counts([str(1.5)])[0] + 2]
    dead = weakref.ref(first)
    del first
    assert dead() is None


def test_damaged_messages_leave_nothing_behind() -> None:
    own = pack.codec(Many)
    data = own.encode(many())
    source = random.Random(5)
    damaged = []
    for _ in range(400):
        message = bytearray(data)
        for _ in range(source.randint(1, 3)):
            message[source.randrange(len(message))] = source.randrange(256)
        damaged.append(bytes(message[: source.randint(1, len(message))] if source.random() < 0.5 else message))
    calls = [failing(lambda message=message: own.decode(message)) for message in damaged]  # type: ignore[misc]
    for call in calls:
        call()
    with steady("damaged messages"):
        for call in calls:
            repeat(5, call)


def test_memory_is_not_kept_after_large_messages() -> None:
    own = pack.codec(list[str])
    large = [f"text number {n}" for n in range(200_000)]
    data = own.encode(large)
    tracemalloc.start()
    try:
        repeat(3, lambda: own.decode(data))
        repeat(3, failing(lambda: own.decode(data[:-1])))
        repeat(3, failing(lambda: own.encode([*large, None])))  # type: ignore[list-item]
        gc.collect()
        now, _ = tracemalloc.get_traced_memory()
        assert now < 1 << 20
    finally:
        tracemalloc.stop()
    # The extension's own allocations are not traced: the process must not grow.
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    repeat(30, lambda: own.encode(large))
    repeat(30, failing(lambda: own.encode([*large, None])))  # type: ignore[list-item]
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 40_000


def test_codecs_are_freed() -> None:
    def make() -> weakref.ref[type]:
        @dataclass
        class Local:
            x: int
            pet: Cat

        own = pack.codec(list[Local], namespace={"Local": Local})
        assert own.decode(own.encode([Local(1, Cat("a"))])) == [Local(1, Cat("a"))]
        own.resolve(own.schema).decode(own.encode([Local(1, Cat("a"))]))
        return weakref.ref(Local)

    make()
    dead = [make() for _ in range(20)]
    gc.collect()
    assert [ref() for ref in dead] == [None] * 20


def test_values_kept_are_right_and_apart() -> None:
    own = pack.codec(Many)
    datas = []
    for number in range(300):
        value = many()
        value.number = number
        value.texts.append(f"number {number}")
        datas.append(own.encode(value))
    kept = [own.decode(data) for data in datas]
    gc.collect()
    for number, value in enumerate(kept):
        assert value.number == number
        assert value.texts[-1] == f"number {number}"
        assert value.shared[0] is value.shared[1]
    assert [own.encode(value) for value in kept] == datas
    kept[0].numbers.append(1)
    assert kept[1].numbers == list(range(1000, 1100))


@dataclass
class Bough:
    kids: list[Bough]


@dataclass
class Twig:
    kids: list[Twig]
    numbers: list[int]


def varint(number: int) -> bytes:
    more = [number >> shift & 0x7F | 0x80 for shift in range(0, max(number.bit_length(), 1), 7)]
    return bytes([*more[:-1], more[-1] & 0x7F])


def nested(levels: int, before: bytes, after: bytes, inside: bytes = b"") -> bytes:
    """A message of nested rows whose counts each claim all remaining bytes; the last bytes are of no type."""
    made = bytearray(inside + b"\x7e" * (100_000 - 8 * levels))
    for _ in range(levels):
        made[:0] = before + varint(len(made) + len(after)) + after
    return b"\x80" + bytes(made)


def taken(own: pack.Codec[Any], data: bytes) -> float:
    """Peak allocation while an invalid message is read, in bytes for each byte of it."""
    tracemalloc.start()
    try:
        with pytest.raises(pack.SamewireError):
            own.decode(data)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return peak / len(data)


@pytest.mark.parametrize(
    ("kind", "before", "after"),
    [
        *((Any, b"\x08", b""), (list[Any], b"", b"\x08"), (Bough, b"", b"")),
        *((tuple[tuple[tuple[str, ...], ...], ...], b"", b""), (list[list[list[list[float]]]], b"", b"")),
    ],
)
def test_counts_that_lie_do_not_add_up(kind: Any, before: bytes, after: bytes) -> None:
    own = pack.codec(kind)
    # Eight items of eight bytes for each byte of the message (spec/limits.md), plus what any call takes.
    assert all(taken(own, nested(levels, before, after)) < 65 for levels in (1, 3, 60))


def test_a_row_of_numbers_inside_rows_that_lie_takes_as_much_again() -> None:
    own = pack.codec(Twig)
    # No kids, and as many numbers of one bit: a pointer for each bit is 64 bytes for a byte.
    inside = b"\x00" + varint(8 * 99_000)
    assert taken(own, nested(0, b"", b"", inside)) < 65
    assert 110 < max(taken(own, nested(levels, b"", b"", inside)) for levels in range(6, 10)) < 129


def test_rows_whose_items_are_bits_come_back() -> None:
    """Nested rows that need the whole allocation budget of a message of their length."""
    own = pack.codec(list[list[list[bool] | None] | None])
    row: Any = [[True] * 8000, *[None] * 7999]
    value: Any = [*[None] * 7999, row]
    assert own.decode(own.encode(value)) == value
    resolved = own.resolve(own.schema)
    assert resolved.decode(own.encode(value)) == value
