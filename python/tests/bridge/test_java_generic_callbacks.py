"""What Python's callables return to an interface with type arguments, as `Function<Long, Long>`."""

from __future__ import annotations

import decimal
from typing import Any

import pytest
from samewire import bridge


@pytest.mark.parametrize(
    ("call", "result"),
    [
        (lambda of: of.next(lambda number: number + 1, 5), 7),
        (lambda of: of.next(abs, -(2**40)), 2**40 + 1),
        (lambda of: of.sum(lambda a, b: a + b), 3),
        (lambda of: of.called(lambda: 5), 5),
        (lambda of: of.letter(lambda: "x"), "x"),
        (lambda of: of.decimal(lambda: 1), "2"),
        (lambda of: of.decimal(lambda: decimal.Decimal("1.50")), "2.50"),
        (lambda of: of.first(lambda: [5]), 5),
        (lambda of: of.value(lambda key: {key: [5]}), 5),
        (lambda of: of.curried(lambda a: lambda b: a + b), 3),
        (lambda of: of.total(number for number in (1, 2)), 3),
        (lambda of: of.total(iter([1, 2])), 3),
        (lambda of: of.many(lambda: 1, lambda: 2), 3),
        (lambda of: of.OfLong().shown(lambda: 5), "Integer 5"),
        (lambda of: of.open(lambda: 5), 5),
        (lambda of: of.open(lambda: [1.5]).to_py(), [1.5]),
    ],
)
def test_a_result_is_of_the_type_argument(call: Any, result: Any, gateway: bridge.Gateway) -> None:
    assert call(gateway.tested.Generic) == result


@pytest.mark.parametrize(
    "call",
    [
        lambda of: of.next(lambda number: 1.5, 5),
        lambda of: of.called(lambda: 70_000),
        lambda of: of.text(lambda: 5),
        lambda of: of.first(lambda: ["a"]),
    ],
)
def test_another_result_is_refused_with_its_type(call: Any, gateway: bridge.Gateway) -> None:
    with pytest.raises(Exception, match="type_mismatch"):
        call(gateway.tested.Generic)


@bridge.implements("tested.Generic$Source")
class Source:
    def apply(self, key: str) -> int:
        return len(key)

    def all(self) -> dict[str, int]:
        return {"a": 5}


def test_an_object_returns_them_from_each_method(gateway: bridge.Gateway) -> None:
    generic = gateway.tested.Generic
    assert generic.source(Source()) == 7
    assert generic.many(gateway.implement(lambda: 5, "java.util.function.Supplier")) == 5


def test_one_callable_is_one_object_for_each_type(gateway: bridge.Gateway) -> None:
    def double(number: int) -> int:
        return number * 2

    generic = gateway.tested.Generic
    assert generic.same(double, double)
    assert generic.next(double, 2) == 5
    listed = gateway.java.util.ArrayList([1])
    assert listed.stream().map(double).toList().to_py() == [2]
    assert generic.open(lambda: gateway.implement(double, "java.util.function.Function")) is double
