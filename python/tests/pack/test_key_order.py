"""The option `sort_keys`: equal dicts give equal bytes for every order of their entries."""

from __future__ import annotations

import collections
import datetime
import decimal
import enum
import uuid
from dataclasses import dataclass
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.errors import SamewireError


class Suit(enum.Enum):
    CLUBS = 1
    DIAMONDS = 2
    HEARTS = 3


@dataclass
class Row:
    id: Annotated[int, pack.I32]
    counts: dict[str, Annotated[int, pack.I32]]


@dataclass
class Point:
    x: Annotated[int, pack.I32]
    y: str


UTC = datetime.UTC
EAST = datetime.timezone(datetime.timedelta(hours=2))
#: Types of keys, and keys in ascending order.
KEYS: list[tuple[Any, list[Any]]] = [
    (str, ["", "a", "ab", "b", "\u20ac", "\U00010000", "\uffff"]),
    (int, [-(2**63), -1, 0, 3, 2**62]),
    (Annotated[int, pack.U64], [0, 1, 2**63]),
    (Annotated[int, pack.BIGINT], [-(10**30), -5, 10**30]),
    (bool, [False, True]),
    (uuid.UUID, [uuid.UUID(int=1), uuid.UUID(int=170), uuid.UUID(int=2**127)]),
    (Suit, [Suit.CLUBS, Suit.DIAMONDS, Suit.HEARTS]),
    (datetime.date, [datetime.date(1969, 1, 1), datetime.date(2026, 1, 1)]),
    (datetime.time, [datetime.time(1), datetime.time(1, 0, 0, 1)]),
    (datetime.timedelta, [datetime.timedelta(-1), datetime.timedelta(1)]),
    (
        datetime.datetime,
        [datetime.datetime(2026, 1, 1, 1, tzinfo=EAST), datetime.datetime(2026, 1, 1, 0, tzinfo=UTC)],
    ),
]

profiles = pytest.mark.parametrize("profile", ["compact", "fast"])


def _orders(keys: list[Any]) -> list[list[Any]]:
    return [keys, keys[::-1], [*keys[1:], *keys[:1]]]


@profiles
@pytest.mark.parametrize(("kind", "keys"), KEYS, ids=lambda part: str(getattr(part, "__name__", "")))
def test_equal_dicts_give_equal_bytes_sorted_as_sets_are(kind: Any, keys: list[Any], profile: str) -> None:
    plain = pack.codec(dict[kind, int], profile=profile)
    codec = pack.codec(dict[kind, int], profile=profile, sort_keys=True)
    expected = plain.encode({key: place for place, key in enumerate(keys)})
    for order in _orders(keys):
        assert codec.encode({key: keys.index(key) for key in order}) == expected
        mapping = collections.OrderedDict((key, keys.index(key)) for key in order)
        assert codec.encode(mapping) == expected
    assert plain.encode({key: keys.index(key) for key in reversed(keys)}) != expected
    if keys[0].__class__ is not datetime.datetime:
        assert list(codec.decode(expected)) == keys
    sets = pack.codec(set[kind], profile=profile)
    assert set(sets.decode(sets.encode(set(keys)))) == set(keys)


@profiles
def test_long_dicts_and_dicts_in_columns_are_sorted(profile: str) -> None:
    many = [f"key {place:03}" for place in range(500)]
    rows = pack.codec(list[Row], profile=profile, sort_keys=True)

    def row_list(keys: list[str]) -> list[Row]:
        return [Row(place, {key: len(key) for key in keys[:5]}) for place in range(100)]

    few = many[:5]
    assert rows.encode(row_list(few[::-1])) == pack.codec(list[Row], profile=profile).encode(row_list(few))
    points = pack.codec(dict[str, Point], profile=profile, sort_keys=True)
    expected = pack.codec(dict[str, Point], profile=profile).encode({key: Point(1, key) for key in many})
    assert points.encode({key: Point(1, key) for key in reversed(many)}) == expected
    # Objects of a subclass take another way.
    assert points.encode(collections.OrderedDict((key, Point(1, key)) for key in reversed(many))) == expected


@profiles
def test_dicts_inside_any_are_sorted(profile: str) -> None:
    plain: pack.Codec[Any] = pack.codec(Any, profile=profile)
    codec: pack.Codec[Any] = pack.codec(Any, profile=profile, sort_keys=True)
    expected = plain.encode({key: {-1: key, 2: key, 300: decimal.Decimal(1)} for key in "ab"})
    assert codec.encode({key: {300: decimal.Decimal(1), 2: key, -1: key} for key in "ba"}) == expected
    assert (
        codec.encode({"b": {2: "b", 300: decimal.Decimal(1), -1: "b"}, "a": {-1: "a", 300: decimal.Decimal(1), 2: "a"}})
        == expected
    )


@profiles
def test_keys_of_another_type_are_refused_with_their_path(profile: str) -> None:
    codec = pack.codec(dict[str, int], profile=profile, sort_keys=True)
    for wrong in ({"a": 1, 2: 3}, {2: 3, "a": 1}, {None: 1}):
        with pytest.raises(SamewireError, match="type_mismatch"):
            codec.encode(wrong)  # type: ignore[arg-type]
    anys: pack.Codec[Any] = pack.codec(Any, profile=profile, sort_keys=True)
    for mixed in ({"a": 1, 2: 3}, {2: 3, "a": 1}, {1.5: 1, 0.5: 2}, {None: 1, "a": 2}):
        with pytest.raises(SamewireError, match="type_mismatch"):
            anys.encode(mixed)
    instants = pack.codec(dict[datetime.datetime, int], sort_keys=True)
    same = datetime.datetime(2026, 1, 1, 2, tzinfo=EAST)
    assert instants.encode({same: 1}) == instants.encode({same.astimezone(UTC): 1})


def test_the_option_is_a_flag_that_is_kept() -> None:
    with pytest.raises(SamewireError, match="sort_keys=1: expected True or False"):
        pack.codec(dict[str, int], sort_keys=1)  # type: ignore[call-overload]
    codec = pack.codec(dict[str, int], sort_keys=True)._with_digest()
    assert codec.encode({"b": 1, "a": 2}) == codec.encode({"a": 2, "b": 1})
    plain = pack.codec(dict[str, int])
    assert list(plain.decode(plain.encode({"b": 1, "a": 2}))) == ["b", "a"]
