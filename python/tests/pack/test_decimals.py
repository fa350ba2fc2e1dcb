"""Decimals: sign, digits and exponent round-trip in every context and class."""

from __future__ import annotations

import decimal
from decimal import Decimal

import pytest
from samewire import pack

DIGITS = (1, 2, 17, 18, 19, 20, 60, 4000, 9864)
EXPONENTS = (0, 1, -1, 5, -5, -17, -18, -19, -100, 1000, 2**31, -(2**31) + 1)


def unscaled(number: Decimal) -> tuple[int, int]:
    """Coefficient with its sign, and exponent."""
    sign, digits, exponent = number.as_tuple()
    assert isinstance(exponent, int)
    whole = 0
    for digit in digits:
        whole = whole * 10 + digit
    return (-whole if sign else whole), exponent


@pytest.mark.parametrize("exponent", EXPONENTS)
def test_round_trip(exponent: int) -> None:
    own = pack.codec(list[Decimal])
    numbers = [Decimal(0), Decimal(1000), Decimal("0.00"), Decimal("0.001"), Decimal("-0")]
    numbers += [Decimal((sign, (digit,) * length, exponent)) for sign in (0, 1) for digit in (0, 1, 9) for length in DIGITS[:8]]
    numbers.append(Decimal((0, (1,) * DIGITS[-1], exponent)))
    decoded = own.decode(own.encode(numbers))
    assert list(map(unscaled, decoded)) == list(map(unscaled, numbers))
    with decimal.localcontext(decimal.Context(prec=2, capitals=0, Emax=5, Emin=-5)):
        assert own.encode(numbers) == own.encode(decoded)
        assert list(map(unscaled, own.decode(own.encode(numbers)))) == list(map(unscaled, numbers))


def test_what_a_subclass_says_of_itself_does_not_count() -> None:
    class Money(Decimal):
        def __str__(self) -> str:
            return "a lot"

        def as_tuple(self) -> decimal.DecimalTuple:
            return decimal.DecimalTuple(1, (6,), 6)

    own = pack.codec(list[Decimal])
    assert own.encode([Money("12.50"), Money(7)]) == own.encode([Decimal("12.50"), Decimal(7)])


@pytest.mark.parametrize("text", ["NaN", "-NaN", "sNaN12", "Infinity", "-Infinity"])
def test_what_is_not_finite(text: str) -> None:
    with pytest.raises(pack.SamewireError, match="not finite") as caught:
        pack.codec(list[Decimal]).encode([Decimal(text)])
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$[0]")


@pytest.mark.parametrize("length", [1, 19, 9000, 10_001])
@pytest.mark.parametrize("exponent", [2**31 + 1, -(2**31), 10**10, -(10**10), 10**17, -(10**17)])
def test_exponents_beyond_the_format(length: int, exponent: int) -> None:
    with pytest.raises(pack.SamewireError, match="scale") as caught:
        pack.codec(Decimal).encode(Decimal((0, (1,) * length, exponent)))
    assert (caught.value.code, caught.value.path) == ("type_mismatch", "$")
