"""Properties of codecs over random types and values."""

from __future__ import annotations

import datetime
import enum
import itertools
from dataclasses import make_dataclass
from decimal import Decimal
from types import GenericAlias
from typing import Annotated, Any, NamedTuple, TypeAlias

import hypothesis.strategies as st
import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from samewire import pack

#: A Python type and a strategy for its values.
Typed: TypeAlias = tuple[Any, st.SearchStrategy[Any]]
UNIQUE = itertools.count()


def integers(low: int, high: int) -> st.SearchStrategy[int]:
    return st.one_of(st.integers(low, high), st.sampled_from([low, high, 0]), st.integers(max(low, -200), min(high, 200)))


class Size(enum.Enum):
    SMALL = 1
    LARGE = 2


TIMES = st.datetimes(
    datetime.datetime(2, 1, 1), datetime.datetime(9998, 12, 31), timezones=st.timezones() | st.just(datetime.UTC)
).map(lambda time: time.astimezone(datetime.UTC))
DECIMALS = st.builds(lambda n, e: Decimal(n).scaleb(e), st.integers(-(10**20), 10**20), st.integers(-30, 30))
KEYS: list[Typed] = [
    (bool, st.booleans()),
    (int, integers(-(2**63), 2**63 - 1)),
    (Annotated[int, pack.I8], integers(-128, 127)),
    (Annotated[int, pack.U64], integers(0, 2**64 - 1)),
    (Annotated[int, pack.BIGINT], st.integers()),
    (str, st.text(max_size=120)),
    (datetime.date, st.dates()),
    (datetime.time, st.times()),
    (datetime.timedelta, st.timedeltas()),
    (datetime.datetime, TIMES),
    (Annotated[int, pack.TIMESTAMP], integers(-(10**18), 10**18)),
    (Size, st.sampled_from(Size)),
]
SCALARS: list[Typed] = [
    *KEYS,
    (float, st.floats(allow_nan=False)),
    (Annotated[float, pack.F32], st.floats(width=32, allow_nan=False)),
    (bytes, st.binary(max_size=60)),
    (Decimal, DECIMALS),
]
ANYTHING: st.SearchStrategy[Any] = st.recursive(
    st.one_of(*(values for kind, values in SCALARS if kind is not Size)) | st.none(),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(st.text(max_size=9), inner, max_size=4)
        | st.dictionaries(integers(-(2**63), 2**63 - 1), inner, max_size=4)
    ),
    max_leaves=6,
)


@st.composite
def record(draw: st.DrawFn, parts: st.SearchStrategy[Typed]) -> Typed:
    """A struct class of one of four kinds."""
    fields = draw(st.lists(parts, min_size=1, max_size=12))
    name = f"S{next(UNIQUE)}"
    kinds = [(f"f{i}", kind) for i, (kind, _) in enumerate(fields)]
    cls: Any = NamedTuple
    match draw(st.integers(0, 3)):
        case 0:
            cls = make_dataclass(name, kinds)
        case 1:
            cls = make_dataclass(name, kinds, slots=True)
        case 2:
            cls = cls(name, kinds)
        case _:
            cls = msgspec.defstruct(name, kinds)
    return cls, st.builds(cls, *(values for _, values in fields))


def containers(parts: st.SearchStrategy[Typed]) -> st.SearchStrategy[Typed]:
    """Types with parts."""
    keys = st.sampled_from(KEYS)
    return st.one_of(
        parts.map(lambda one: (GenericAlias(list, (one[0],)), st.lists(one[1], max_size=25))),
        parts.map(lambda one: (GenericAlias(tuple, (one[0], ...)), st.lists(one[1], max_size=9).map(tuple))),
        parts.filter(lambda one: one[0] is not Any).map(lambda one: (one[0] | None, st.none() | one[1])),
        st.lists(parts, min_size=1, max_size=4).map(
            lambda every: (
                GenericAlias(tuple, tuple(kind for kind, _ in every)),
                st.tuples(*(values for _, values in every)),
            )
        ),
        keys.map(lambda one: (GenericAlias(set, (one[0],)), st.sets(one[1], max_size=20))),
        keys.map(lambda one: (GenericAlias(frozenset, (one[0],)), st.frozensets(one[1], max_size=5))),
        st.tuples(keys, parts).map(
            lambda two: (
                GenericAlias(dict, (two[0][0], two[1][0])),
                st.dictionaries(two[0][1], two[1][1], max_size=20),
            )
        ),
        record(parts),
    )


TYPES = st.recursive(st.sampled_from([*SCALARS, (Any, ANYTHING)]), containers, max_leaves=8)


def same(left: Any, right: Any) -> bool:
    """Whether values are equal, with zeros of one sign and outer containers of one type."""
    if isinstance(left, float):
        return isinstance(right, float) and left.hex() == right.hex()
    return bool(left == right) and (type(left) is type(right) or isinstance(left, list | tuple))


@pytest.mark.long
@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), TYPES)
def test_what_is_written_is_read(data: st.DataObject, typed: Typed) -> None:
    kind, values = typed
    own, fast = pack.codec(kind), pack.codec(kind, profile="fast", digest=True)
    loose = pack.codec(kind, gc=False)
    for value in data.draw(st.lists(values, min_size=1, max_size=3)):
        message = own.encode(value)
        decoded = own.decode(message)
        assert same(decoded, value)
        assert own.encode(decoded) == message
        assert same(loose.decode(message), value)
        quick = fast.encode(value)
        assert same(own.decode(quick), value)
        assert fast.encode(own.decode(quick)) == quick
        buffer = bytearray(b"before")
        assert own.encode_into(value, buffer) == len(message)
        assert buffer == b"before" + message
        assert b"".join(own.encode_chunks(value, 7)) == message
        assert same(own.resolve(own.schema).decode(message), value)


@settings(max_examples=100, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), TYPES)
def test_a_message_that_ends_early_is_refused(data: st.DataObject, typed: Typed) -> None:
    kind, values = typed
    own = pack.codec(kind)
    message = own.encode(data.draw(values))
    for cut in sorted(data.draw(st.sets(st.integers(0, len(message) - 1), max_size=12))):
        with pytest.raises(pack.SamewireError) as caught:
            own.decode(message[:cut])
        assert caught.value.at is not None
        assert caught.value.at <= cut


@pytest.mark.long
@settings(max_examples=150, deadline=None, suppress_health_check=list(HealthCheck))
@given(st.data(), TYPES, st.binary(max_size=60))
def test_any_bytes_make_a_value_or_a_coded_error(data: st.DataObject, typed: Typed, noise: bytes) -> None:
    kind, values = typed
    own = pack.codec(kind)
    message = bytearray(own.encode(data.draw(values)))
    at = data.draw(st.integers(0, len(message)))
    message[at : at + len(noise) // 2] = noise
    for wild in (bytes(message), noise, b"\x80" + noise):
        try:
            value = own.decode(wild)
        except pack.SamewireError as error:
            assert error.path
        else:
            own.encode(value)


@settings(max_examples=300, deadline=None)
@given(st.lists(st.text(max_size=130) | st.sampled_from(["aa", "日本", "é" * 40]), max_size=150))
def test_texts_of_every_width_repeated_or_not(texts: list[str]) -> None:
    for profile in pack.Profile:
        own = pack.codec(list[str], profile=profile)
        decoded = own.decode(own.encode(texts))
        assert decoded == texts
        # Texts must be in CPython's narrowest form: dicts do not find others.
        assert dict.fromkeys(decoded, 1) == dict.fromkeys(texts, 1)
        assert [text.isascii() for text in decoded] == [all(ord(c) < 128 for c in text) for text in texts]
