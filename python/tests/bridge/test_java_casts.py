"""Choices between overloads: by the type that a program says, and by how many arguments a callable takes."""

from __future__ import annotations

from typing import Any

import pytest
from samewire import bridge


@pytest.fixture
def of(gateway: bridge.Gateway) -> Any:
    return gateway.tested.Choices


def test_null_is_of_the_type_that_is_said(gateway: bridge.Gateway, of: Any) -> None:
    with pytest.raises(bridge.NoOverload, match=r"ambiguous: .*bridge\.cast\(None, 'java\.lang\.(String|StringBuilder)'\)"):
        of.text(None)
    assert of.text(bridge.cast(None, "java.lang.String")) == "String null"
    assert of.text(bridge.cast(None, gateway.java.lang.StringBuilder)) == "StringBuilder"
    assert of.text(bridge.typed(None, str | None)) == "String null"
    assert of.boxed(bridge.cast(None, "java.lang.Long")) == "Long null"
    assert of.held(bridge.cast(None, "java.util.Map")) == "Map"
    for _ in range(1000):  # code of its own
        assert of.text(bridge.cast(None, "java.lang.String")) == "String null"


def test_references_are_of_the_type_that_is_said(gateway: bridge.Gateway, of: Any) -> None:
    values = gateway.java.util.ArrayList([1])
    said = [of.held(values)]
    said += [of.held(bridge.cast(values, f"java.{name}")) for name in ("util.Collection", "util.List", "lang.Object")]
    assert said == ["List", "Collection", "List", "Object"]
    with pytest.raises(bridge.JavaError, match="type_mismatch"):
        of.held(bridge.cast(values, "java.util.Map"))
    made = [gateway.java.util.ArrayList([n]) for n in range(3)]
    with gateway.batch():
        futures = [of.held(bridge.cast(made.pop(), "java.util.Collection")) for _ in range(3)]
        with pytest.raises(bridge.SamewireError, match="cast it after the batch"):
            of.held(bridge.cast(gateway.java.util.ArrayList(), "java.util.Collection"))
    assert [future.result() for future in futures] == ["Collection"] * 3


def test_values_are_converted_to_the_type_that_is_said(of: Any) -> None:
    assert of.held(bridge.cast([2, 1, 2], "java.util.Set")) == "Set [2, 1]"
    assert of.held(bridge.cast([1], "java.util.Collection")) == "Collection"
    assert of.number(bridge.cast(5, "java.lang.Object")) == "Integer 5"
    assert of.number(bridge.cast("ab", "java.lang.CharSequence")) == "String ab"
    with pytest.raises(bridge.NoSuchName):
        of.held(bridge.cast(None, "java.util.NoList"))


def test_numbers_are_of_the_class_that_is_said(gateway: bridge.Gateway, of: Any) -> None:
    made = [bridge.JByte(5), bridge.JShort(5), bridge.JInt(5), bridge.JLong(5), bridge.JFloat(5), bridge.JDouble(5)]
    assert [of.number(one) for one in made] == ["byte 5", "short 5", "int 5", "long 5", "float 5.0", "double 5.0"]
    assert [of.number(bridge.JChar("x")), of.number(bridge.JBoolean(True))] == ["char x", "boolean true"]
    assert of.number(bridge.cast(5, "long")) == "long 5"
    assert of.boxed(bridge.cast(5, "java.lang.Long")) == "Long 5"
    assert of.boxed(bridge.JLong(5)) == "Long 5"
    held = gateway.java.util.HashMap()
    held[bridge.JLong(25)] = "a"
    assert (held[25], gateway.tested.Inherited.classes(held)) == ("a", "Long")
    for wrong, error in ((2**63, OverflowError), ("5", TypeError), (True, TypeError), (1.5, TypeError), (None, TypeError)):
        with pytest.raises(error):
            bridge.JLong(wrong)
    for text in ("", "ab", "\U0001f600", 5):
        with pytest.raises(TypeError):
            bridge.JChar(text)


class Methods:
    def none(self) -> str:
        return "-"

    def one(self, a: str) -> str:
        return a

    def two(self, a: str, b: str) -> str:
        return a + b


def test_a_callable_is_meant_for_what_gives_it_as_many_arguments(of: Any) -> None:
    assert of.by(lambda: "-") == "Supplier -"
    assert of.by(lambda a: a) == "Function a"
    assert of.by(lambda a, b: a + b) == "BiFunction ab"
    assert of.by(lambda a, b, c="c": a + b + c) == "BiFunction abc"
    assert [of.by(Methods().none), of.by(Methods().one), of.by(Methods().two)] == ["Supplier -", "Function a", "BiFunction ab"]
    assert of.counted(lambda a: a, 1) == "Function a"
    assert of.counted(lambda: "-", 1) == "Supplier -"


def test_a_callable_that_any_number_suits_needs_a_type(of: Any) -> None:
    def anything(*values: str) -> str:
        return "+".join(values)

    for function in (anything, lambda a="x": a, max):
        with pytest.raises(bridge.NoOverload, match=r"bridge\.cast\(function, 'java\.util\.function\."):
            of.by(function)
    assert of.by(bridge.cast(anything, "java.util.function.BiFunction")) == "BiFunction a+b"
    assert of.one(anything) == "Function a"
    assert of.one(str.upper) == "Function A"
