"""Numbers and truth values."""

from __future__ import annotations

import math
from decimal import Decimal

from adaptor import Bridge, case, own, raises


@case("numbers: the edges of int and long come back as they went")
def edges(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    for number in (-(2**31), 2**31 - 1, 0, -1):
        assert overloads.onlyInt(number) == number
    for number in (-(2**63), 2**63 - 1, -(2**31) - 1, 2**31, 1):
        assert overloads.onlyLong(number) == number


@case("numbers: a small int is a long where one is wanted")
def small_long(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").onlyLong(7) == 7


@case("numbers: bytes and shorts take ints within their range")
def narrow(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    assert [overloads.onlyByte(number) for number in (-128, 0, 127)] == [-128, 0, 127]
    assert [overloads.onlyShort(number) for number in (-32768, 32767)] == [-32768, 32767]


@case("numbers: an int beyond the parameter's range is refused")
def out_of_range(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    for method, number in (
        (overloads.onlyByte, 128),
        (overloads.onlyShort, -32769),
        (overloads.onlyInt, 2**31),
        (overloads.onlyLong, 2**63),
    ):
        with raises(*bridge.refusals):
            method(number)


@case("numbers: a float is not an int")
def float_for_int(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Overloads").onlyInt(1.0)


@case("numbers: an int is a double and a float where one is wanted")
def int_for_double(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").onlyDouble(3) == 3.0
    assert own(bridge, "Overloads").onlyFloat(3) == 3.0


@case("numbers: a truth value is a boolean, and comes back as bool")
def booleans(bridge: Bridge) -> None:
    only = own(bridge, "Overloads").onlyBoolean
    assert only(True) is True
    assert only(False) is False


@case("numbers: an int is not a boolean")
def int_for_boolean(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Overloads").onlyBoolean(1)


@case("numbers: doubles come back bit by bit")
def doubles(bridge: Bridge) -> None:
    values, overloads = own(bridge, "Values"), own(bridge, "Overloads")
    for number in (0.1, -1e308, 5e-324, 1.7976931348623157e308, 2.0**53 + 2, math.pi):
        assert overloads.onlyDouble(number) == number
        assert values.fromBits(values.bits(number)) == number


@case("numbers: infinities, NaN and the negative zero come back as they went")
def special_doubles(bridge: Bridge) -> None:
    only = own(bridge, "Overloads").onlyDouble
    assert only(math.inf) == math.inf
    assert only(-math.inf) == -math.inf
    assert math.isnan(only(math.nan))
    assert math.copysign(1, only(-0.0)) == -1


@case("numbers: a Java float arrives with the value that it has")
def floats(bridge: Bridge) -> None:
    assert float(own(bridge, "Values").third()) == 0.3333333432674408


@case("numbers: boxed numbers arrive as native ones")
def boxes(bridge: Bridge) -> None:
    arrived = list(own(bridge, "Values").boxes())
    assert arrived == [-1, -2, -3, -4, 0.5, 0.25, "c", True]
    assert arrived[7] is True


@case("numbers: boxed numbers arrive with Python's own types")
def boxed_types(bridge: Bridge) -> None:
    assert [type(value) for value in own(bridge, "Values").boxes()] == [int, int, int, int, float, float, str, bool]


@case("numbers: a boxed parameter takes what its primitive takes")
def boxed_parameters(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    assert overloads.boxedLong(2**40) == 2**40
    assert overloads.boxedDouble(0.5) == 0.5
    assert overloads.boxedDouble(None) is None


@case("numbers: a small int is a Long where one is wanted")
def boxed_small(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").boxedLong(1) == 1


@case("numbers: an int is an Integer where an Object is wanted, or a Long if it is longer")
def as_object(bridge: Bridge) -> None:
    arrived = own(bridge, "Overloads").arrived
    assert [arrived(value) for value in (1, 2**31, True, 0.5)] == ["Integer", "Long", "Boolean", "Double"]


@case("numbers: a Number takes ints and floats")
def as_number(bridge: Bridge) -> None:
    only = own(bridge, "Overloads").onlyNumber
    assert only(1) == "Integer 1"
    assert only(0.5) == "Double 0.5"


@case("numbers: a BigInteger arrives as int")
def big_result(bridge: Bridge) -> None:
    big = own(bridge, "Values").power(-3, 201)
    assert big == -(3**201)
    assert type(big) is int


@case("numbers: an int of any size is a BigInteger where one is wanted")
def big_argument(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    for number in (0, -1, 2**63, 2**64 - 1, -(2**200), 10**500):
        assert values.big(number) == number


@case("numbers: an int beyond 64 bits is a BigInteger where an Object is wanted")
def big_object(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").arrived(2**64) == "BigInteger"


@case("numbers: a BigDecimal arrives as Decimal")
def decimal_result(bridge: Bridge) -> None:
    number = bridge.java.math.BigDecimal("-12345678901234567890.0123456789")
    assert number == Decimal("-12345678901234567890.0123456789")
    assert type(number) is Decimal


@case("numbers: a Decimal is a BigDecimal, and keeps its trailing zeros")
def decimal_argument(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert str(values.decimal(Decimal("1.500"))) == "1.500"
    assert values.scale(Decimal("1.500")) == 3


@case("numbers: a Decimal NaN is refused")
def decimal_nan(bridge: Bridge) -> None:
    with raises(bridge.error, *bridge.refusals):
        own(bridge, "Values").decimal(Decimal("NaN"))


@case("numbers: a thousand ints add up")
def adding(bridge: Bridge) -> None:
    add, sum_ = own(bridge, "Members").add, 0
    for number in range(1000):
        sum_ = add(sum_, number)
    assert sum_ == 499_500
