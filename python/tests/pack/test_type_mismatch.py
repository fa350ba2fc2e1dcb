"""Values that do not fit their type, and valid messages that Python's types cannot hold."""

from __future__ import annotations

import datetime
import uuid
from decimal import Decimal
from typing import Annotated, Any

import pytest
from samewire import pack
from samewire.pack import nanoseconds
from sample_classes import Cat, Color, Dog, Level

MISMATCHES: list[tuple[Any, Any, str]] = [
    (int, True, "expected int, got bool"),
    (int, 1.0, "expected int, got float"),
    (int, "1", "expected int, got str"),
    (int, 2**63, "9223372036854775808 is out of range for i64 (-9223372036854775808 to 9223372036854775807)"),
    (Annotated[int, pack.U8], -1, "-1 is out of range for u8 (0 to 255)"),
    (Annotated[int, pack.U64], 2**64, "18446744073709551616 is out of range for u64"),
    (Annotated[int, pack.U64], -1, "-1 is out of range for u64"),
    (bool, 1, "expected bool, got int"),
    (float, "x", "expected float, got str"),
    (float, 2**53 + 1, "no float holds exactly"),
    (float, True, "expected float, got bool"),
    (Annotated[float, pack.F32], 1e300, "1e+300 is out of range for f32"),
    (str, b"x", "expected str, got bytes"),
    (bytes, "x", "expected bytes, got str"),
    (Decimal, 1, "expected Decimal, got int"),
    (Decimal, Decimal("NaN"), "not finite"),
    (Decimal, Decimal("-Infinity"), "not finite"),
    (uuid.UUID, "x", "expected UUID, got str"),
    (datetime.date, datetime.datetime(2000, 1, 1), "expected date, got datetime"),
    (datetime.datetime, datetime.datetime(2000, 1, 1), "tzinfo"),
    (datetime.datetime, datetime.datetime(1, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(hours=1))), "year 1"),
    (datetime.time, datetime.time(1, tzinfo=datetime.UTC), "without tzinfo"),
    (datetime.timedelta, 1, "expected timedelta, got int"),
    (Annotated[int, pack.TIME], 86_400_000_000_000, "nanoseconds"),
    (Annotated[int, pack.TIME], -1, "nanoseconds"),
    (Annotated[int, pack.DURATION], 2**63 * 10**9, "64 bits"),
    (Annotated[int, pack.DURATION], 2**300, "64 bits"),
    (Annotated[int, pack.TIMESTAMP], 2**70, "year 1"),
    (Annotated[int, pack.TIMESTAMP], "x", "expected int, got str"),
    (Color, 1, "expected a member of Color"),
    (Color, Level.LOW, "expected a member of Color"),
    (list[int], "abc", "expected list, got str"),
    (list[int], {1, 2}, "expected list, got set"),
    (list[int], 5, "expected list, got int"),
    (tuple[int, str], (1,), "expected a tuple of 2"),
    (tuple[int, str], "ab", "expected tuple"),
    (set[int], [1], "expected set, got list"),
    (dict[str, int], [("a", 1)], "expected dict, got list"),
    (Cat | Dog, 5, "expected a member of the union"),
    (Cat, Dog("a", 1), "expected Cat, got"),
    (Any, object(), "expected a value for Any"),
    (Any, {1.5: 2}, "as a key inside Any"),
    (Any, {1, 2}, "expected a value for Any"),
]


@pytest.mark.parametrize(("kind", "value", "text"), MISMATCHES)
def test_rejects_a_value_of_another_type(kind: Any, value: Any, text: str) -> None:
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(kind).encode(value)
    assert caught.value.code == "type_mismatch"
    assert caught.value.path is not None
    assert caught.value.at is None
    assert text in caught.value.text


def test_lone_surrogates_and_sizes() -> None:
    for text in ("\ud800", "a\udfffb", "\ud83d\ude00", "😀\ud800", "\ud800" * 100):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(list[str]).encode(["x", text])
        assert (caught.value.code, caught.value.path) == ("bad_utf8", "$[1]")
    big = pack.codec(Annotated[int, pack.BIGINT])
    assert big.decode(big.encode(-(2 ** (8 * 4096 - 1)))) == -(2 ** (8 * 4096 - 1))
    for value in (2 ** (8 * 4096 - 1), 2**100_000):
        with pytest.raises(pack.SamewireError) as caught:
            big.encode(value)
        assert caught.value.code == "limit_size"
    wide = Decimal("1" * 9000)
    assert pack.codec(Decimal).decode(pack.codec(Decimal).encode(wide)) == wide
    for number in (Decimal("1" * 10_001), Decimal("1" * 9_900)):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(Decimal).encode(number)
        assert caught.value.code == "limit_size"
    for number in (Decimal("1E+2147483649"), Decimal("1E-2147483648")):
        with pytest.raises(pack.SamewireError) as caught:
            pack.codec(Decimal).encode(number)
        assert caught.value.code == "type_mismatch"


def test_what_python_cannot_hold_says_so() -> None:
    exact = pack.codec(list[Annotated[int, pack.TIMESTAMP]]).encode([1000, 1001])
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(list[datetime.datetime]).decode(exact)
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[1]")
    assert "pack.TIMESTAMP" in caught.value.text
    forever = pack.codec(Annotated[int, pack.DURATION]).encode(2**62 * 10**9)
    with pytest.raises(pack.SamewireError) as caught:
        pack.codec(datetime.timedelta).decode(forever)
    assert caught.value.code == "type_mismatch"
    fine = pack.codec(Annotated[int, pack.TIME]).encode(1)
    with pytest.raises(pack.SamewireError):
        pack.codec(datetime.time).decode(fine)


@pytest.mark.parametrize(
    "key",
    [
        *(None, True, False, 1.0, 2**63, -(2**63) - 1, b"x", (1,), Decimal(1), uuid.UUID(int=1), Color.RED),
        *(datetime.date(2000, 1, 1), datetime.time(1), datetime.timedelta(1), datetime.datetime(2000, 1, 1, tzinfo=datetime.UTC)),
        *(nanoseconds.TimeNs(1), nanoseconds.DurationNs(1), nanoseconds.TimestampNs(1)),
    ],
)
def test_keys_inside_any(key: Any) -> None:
    anything: Any = Any
    for kind, value, path in (
        (anything, {key: 1}, "$[0].key"),
        (anything, [1, {-1: 1, -2: 2, key: 3}], "$[1][2].key"),
        (dict[str, Any], {"a": {"b": {key: 1}}}, "$[0].value[0].value[0].key"),
    ):
        for profile in ("compact", "fast"):
            with pytest.raises(pack.SamewireError) as caught:
                pack.codec(kind, profile=profile).encode(value)
            assert (caught.value.code, caught.value.path, caught.value.at) == ("type_mismatch", path, None)
            assert "str or int of 64 bits as a key inside Any" in caught.value.text


def test_classes_of_str_and_int_are_keys_inside_any() -> None:
    class Word(str):
        pass

    anything: Any = Any
    own = pack.codec(anything)
    assert own.encode({Word("a"): 1, "9": 2}) == own.encode({"a": 1, "9": 2})
    assert own.encode({Level.HIGH: 2, 2**63 - 1: 3}) == own.encode({9: 2, 2**63 - 1: 3})
    assert own.decode(own.encode({"5": {5: 2, -(2**63): 3}})) == {"5": {5: 2, -(2**63): 3}}


def test_keys_inside_any_are_of_one_kind() -> None:
    class Word(str):
        pass

    anything: Any = Any
    for keys in ([1, Level.HIGH, "5"], ["1", Word("5"), 5], ["5", "", Level.HIGH], [5, -1, Word("")], ["a", "b", 1, None]):
        for profile in ("compact", "fast"):
            with pytest.raises(pack.SamewireError) as caught:
                pack.codec(anything, profile=profile).encode({"in": [dict.fromkeys(keys)]})
            assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[0].value[0][2].key")
            assert "write the ints as str, or use two dicts" in caught.value.text
