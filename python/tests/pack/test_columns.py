"""Columns (spec/columns.md, a draft): against the oracle, in every kind of class, and with code that runs meanwhile."""

# Classes that are made at run time stand where types stand.
# mypy: disable-error-code="valid-type"

from __future__ import annotations

import random
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, make_dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Annotated, Any, NamedTuple, NotRequired, TypedDict

import attrs
import msgspec
import pytest
from notation import Notations, Values
from samewire import pack
from samewire.pack import SamewireError, codec, types_of
from samewire.pack.introspect import native_type_of

from spec.matrix.pack.random_schemas import random_schemas
from spec.matrix.pack.values import Heights, ValueMaker
from spec.oracle.core.errors import SamewireError as OracleError
from spec.oracle.pack.canonical import canonical
from spec.oracle.pack.decode import decode
from spec.oracle.pack.encode import encode
from spec.oracle.pack.parse import parse
from spec.oracle.pack.schema import Type

# The oracle lifts this limit for the whole process as it is imported; the package's other tests count on it.
sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)


def schema(text: str) -> Type:
    return parse(canonical(parse(text)))


ENDING = [text for text in random_schemas() if "ref<" not in text and Heights().of(schema(text)) is not None]
KINDS = sorted(ENDING, key=len)[:5]
"""The shorter types: the oracle takes its time."""


def columnar(chance: random.Random, text: str) -> Iterator[tuple[str, Any]]:
    """A list of structs and a map of tuples that hold values of a type."""
    maker = ValueMaker(chance)
    parts = [maker.value(schema(text)) for _ in range(4)]
    some = [chance.choice(parts) for _ in range(chance.choice([64, 65, 80]))]
    rows = [{"a": value, "b": str(i) if i % 3 else None} for i, value in enumerate(some)]
    yield f"list<struct Outer {{ a: {text}, b: option<i32> }}>", rows
    yield f"map<u16, tuple<{text}>>", [[str(i), [value]] for i, value in enumerate(some)]


def outcome(read: Any) -> Any:
    """A value, or the code, offset and path of its error."""
    try:
        return read()
    except (SamewireError, OracleError) as error:
        return error.code, error.at, error.path


@pytest.fixture
def digits() -> Iterator[None]:
    """Lets the oracle write integers of 4,096 bytes."""
    sys.set_int_max_str_digits(0)
    yield
    sys.set_int_max_str_digits(sys.int_info.default_max_str_digits)


@pytest.mark.long
@pytest.mark.usefixtures("digits")
@pytest.mark.parametrize("text", KINDS, ids=range(len(KINDS)))
def test_the_oracles_bytes_and_its_errors_for_damaged_ones(text: str) -> None:
    chance = random.Random(text)
    for outer, value in columnar(chance, text):
        kind = types_of(outer)
        native = native_type_of(kind)
        own = codec(kind, check=False)
        data = encode(schema(outer), value)
        assert own.encode(Values().of(value, native)) == data
        decoded = own.decode(data)
        assert Notations().of(decoded, native) == value
        assert own.encode(decoded) == data
        assert Notations().of(own.resolve(own.schema).decode(data), native) == value
        for _ in range(3):
            mutant = bytearray(data)
            for _ in range(chance.randint(1, 3)):
                mutant[chance.randrange(1, len(mutant))] = chance.choice([0, 1, 2, 3, 0x7F, 0x80, 0xFF, chance.randrange(256)])
            wanted = outcome(partial(decode, schema(outer), bytes(mutant)))
            came = outcome(partial(own.decode, bytes(mutant)))
            if isinstance(came, tuple) and came[0] == "type_mismatch":
                continue  # a time that Python's class cannot hold
            assert (came if isinstance(came, tuple) else Notations().of(came, native)) == wanted, mutant.hex()


class Tupled(NamedTuple):
    n: int
    text: str
    kids: list[float]


class Keyed(TypedDict):
    n: int
    text: str
    kids: list[float]
    more: NotRequired[int | None]


FIELDS: list[tuple[str, Any]] = [("n", int), ("text", str), ("kids", list[float])]
CLASSES: dict[str, Any] = {
    "plain": make_dataclass("Row", FIELDS),
    "slots": make_dataclass("Row", FIELDS, slots=True),
    "frozen": make_dataclass("Row", FIELDS, slots=True, frozen=True),
    "named": Tupled,
    "typed": Keyed,
    "msgspec": msgspec.defstruct("Row", FIELDS),
    "attrs": attrs.make_class("Row", {name: attrs.field(type=kind) for name, kind in FIELDS}, slots=True),
}


@pytest.mark.parametrize("name", CLASSES)
def test_every_kind_of_class(name: str) -> None:
    cls = CLASSES[name]
    rows = [cls(n=i * 1000, text=f"t{i % 5}", kids=[i / 2] * (i % 3)) for i in range(200)]
    own, fast = codec(list[cls]), codec(list[cls], profile="fast")
    data = own.encode(rows)
    assert len(data) < len(fast.encode(rows))
    for reader in (own, fast, codec(list[cls], gc=False), fast.resolve(own.schema)):
        decoded = reader.decode(data)
        assert decoded == rows
        assert type(decoded[0]) is type(rows[0])
    assert codec(tuple[cls, ...]).decode(data) == tuple(rows)
    assert codec(deque[cls]).decode(data) == deque(rows)


def test_a_reader_of_fewer_and_of_more_fields() -> None:
    writer = make_dataclass("Row", [("n", int), ("text", str), ("by", dict[str, list[int]])])
    rows = [writer(i, f"t{i}", {"k": [i]}) for i in range(100)]
    data = codec(list[writer]).encode(rows)
    small = make_dataclass("Row", [("text", str), ("new", int | None)])
    reader = codec(list[small]).resolve(codec(list[writer]).schema)
    assert reader.decode(data) == [small(f"t{i}", None) for i in range(100)]


def test_equal_texts_of_a_column_are_one_object() -> None:
    cls = CLASSES["slots"]
    rows = [cls(i, "".join(["nor", "th"]), []) for i in range(100)]
    decoded: Any = codec(list[cls]).decode(codec(list[cls]).encode(rows))
    assert all(row.text is decoded[0].text for row in decoded)


def test_hooks_run_for_each_element_and_may_fail() -> None:
    made: list[int] = []

    @dataclass
    class Row:
        n: int
        inner: Tupled

        def __post_init__(self) -> None:
            made.append(self.n)
            assert self.inner.text
            if self.n == 1_000_000:
                raise ValueError("no such row")

    rows = [Row(i, Tupled(i, f"t{i}", [])) for i in range(150)]
    own = codec(list[Row], namespace={"Tupled": Tupled})
    data = own.encode(rows)
    made.clear()
    assert own.decode(data) == rows
    assert sorted(made) == list(range(150))
    rows[70].n = 1_000_000
    with pytest.raises(ValueError, match="no such row"):
        own.decode(own.encode(rows))


Deep = make_dataclass("Deep", [("n", int), ("text", str)])
Wide = make_dataclass("Wide", [("at", int), ("text", str), ("deep", list[Deep]), ("open", Any)])


@pytest.mark.parametrize(
    ("change", "code", "path"),
    [
        (lambda row: setattr(row, "at", "x"), "type_mismatch", "$[77].at"),
        (lambda row: setattr(row, "at", 1 << 63), "type_mismatch", "$[77].at"),
        (lambda row: setattr(row, "text", "\ud800"), "bad_utf8", "$[77].text"),
        (lambda row: setattr(row.deep[2], "text", None), "type_mismatch", "$[77].deep[2].text"),
        (lambda row: setattr(row, "open", [1, {"k": object()}]), "type_mismatch", "$[77].open[1][0].value"),
        (lambda row: delattr(row, "text"), "type_mismatch", "$[77].text"),
    ],
)
def test_mistakes_have_the_paths_of_rows(change: Any, code: str, path: str) -> None:
    rows = [Wide(i, f"t{i}", [Deep(j, "d") for j in range(3)], [i]) for i in range(100)]
    change(rows[77])
    for profile in pack.Profile:
        with pytest.raises(SamewireError) as caught:
            codec(list[Wide], profile=profile).encode(rows)
        assert (caught.value.code, caught.value.path) == (code, path)


def test_other_classes_and_one_shot_iterables_are_written_too() -> None:
    class Text(str):
        __slots__ = ()

    class Longer(list):  # type: ignore[type-arg]
        pass

    rows = [Wide(i, f"t{i % 7}", [Deep(j, "d") for j in range(i % 3)], None) for i in range(100)]
    own = codec(list[Wide])
    data = own.encode(rows)
    other: list[Any] = [Wide(True + row.at - 1, Text(row.text), Longer(row.deep), None) for row in rows]
    assert own.encode(other) == data
    assert own.encode(row for row in rows) == data  # type: ignore[arg-type]
    for row in other:
        row.deep = iter(row.deep)
    assert own.encode(other) == data


def test_objects_that_change_while_they_are_read_are_seen_once() -> None:
    class Sly:
        """An integer that takes away what was gathered before it."""

        def __index__(self) -> int:
            for row in rows:
                row.text = "another"
                row.deep.clear()
            rows.clear()
            return 5

    own = codec(list[Wide])
    rows = [Wide(i, f"text {i}", [Deep(i, "d" * (i % 9))], [f"open {i}"]) for i in range(100)]
    rows[99].at = Sly()
    wanted = [Wide(i, f"text {i}", [Deep(i, "d" * (i % 9))], [f"open {i}"]) for i in range(99)] + [
        Wide(5, "another", [], ["open 99"])
    ]
    assert own.decode(own.encode(rows)) == wanted


def test_times_that_the_class_cannot_hold_are_refused_unless_a_key_is_repeated_before() -> None:
    fine = "list<struct Row { by: map<u8, bool>, at: timestamp }>"
    rows = [{"by": [["1", True], ["2", True]], "at": str(1 + i)} for i in range(64)]
    data = encode(schema(fine), rows)

    @pack.named("Row")
    @dataclass
    class Row:
        by: dict[Annotated[int, pack.U8], bool]
        at: datetime

    own = codec(list[Row], namespace={"datetime": datetime, "Annotated": Annotated, "pack": pack})
    with pytest.raises(SamewireError) as caught:
        own.decode(data)
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[].at")
    at = decode_keys(data)
    twice = data[:at] + bytes([1, 0] + [0] * 16) + data[at + 18 :]
    assert outcome(lambda: own.decode(twice))[0] == outcome(lambda: decode(schema(fine), twice))[0] == "malformed"


def decode_keys(data: bytes) -> int:
    """Where the keys of the only map begin: behind its counts, all of which are 2."""
    return data.index(bytes([1, 2, 1] + [0] * 8)) + 11


def test_instants_and_durations_of_every_unit() -> None:
    cls = make_dataclass("Row", [("at", datetime), ("took", timedelta)])
    begin = datetime(2024, 1, 1, tzinfo=UTC)
    for step in (timedelta(seconds=1), timedelta(milliseconds=3), timedelta(microseconds=7)):
        rows = [cls(begin + i * step, -i * step) for i in range(100)]
        own = codec(list[cls])
        assert own.decode(own.encode(rows)) == rows


def test_counts_are_bounded_before_memory_is_taken() -> None:
    own = codec(types_of("list<struct Row { a: option<i8>, b: bool }>"))
    message = bytes.fromhex("80ffffffff0f") + b"\x00" * 64
    with pytest.raises(SamewireError) as caught:
        own.decode(message)
    assert caught.value.code in ("limit_items", "truncated")
