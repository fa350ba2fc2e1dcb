"""Values cross as Py4J's users know them."""

from __future__ import annotations

from decimal import Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import pytest
from samewire.py4j import java_gateway, protocol
from samewire.py4j.java_collections import JavaArray, JavaIterator, JavaList, JavaMap, JavaSet
from samewire.py4j.protocol import Py4JError

if TYPE_CHECKING:
    from py4j_servers import Server


@pytest.mark.parametrize(
    "value",
    [None, True, False, 0, -(1 << 31), (1 << 31) - 1, 1 << 31, -(1 << 63), 1.5, float("inf"), Decimal("1.250"), b"\x00\xff\n", ""]
    + ["a\nb\r\\n\\\\\\r", "Żółć 🐍", "\\"],
)
def test_a_value_comes_back_equal(gateway: Any, value: Any) -> None:
    held = gateway.jvm.java.util.ArrayList()
    held.add(value)
    back = held.get(0)
    assert back == value
    assert type(back) is type(value)


@pytest.mark.parametrize("number", [2**63, -(2**63) - 1, 10**36])
def test_an_integer_of_more_than_64_bits_is_refused(gateway: Any, number: int) -> None:
    assert gateway.jvm.java.lang.Math.abs(1 - 2**63) == 2**63 - 1
    for call in (gateway.jvm.java.lang.Math.abs, gateway.jvm.java.util.ArrayList().add, gateway.jvm.java.lang.Long):
        with pytest.raises(Py4JError, match="NumberFormatException"):
            call(number)
    assert gateway.jvm.java.lang.Math.abs(-4) == 4


@pytest.mark.parametrize("text", ["", "\\", "\\n", "\n", "\\\\n\r\n", "a\\rb", "\\\\\\"])
def test_an_escaped_text_is_one_line_and_unescapes_to_itself(text: str) -> None:
    escaped = protocol.escape_new_line(text)
    assert "\n" not in escaped
    assert "\r" not in escaped
    assert protocol.unescape_new_line(escaped) == text


def test_commands_have_the_incumbents_words() -> None:
    from py4j import protocol as theirs

    names = {name for name in vars(theirs) if name.isupper() and isinstance(getattr(theirs, name), (str, int))}
    assert {name: getattr(protocol, name, None) for name in names} == {name: getattr(theirs, name) for name in names}
    for value in (None, True, 7, 1 << 40, 0.1, float("-inf"), float("nan"), Decimal("2.5"), b"ab", bytearray(b"c"), "x\ny"):
        assert protocol.get_command_part(value) == theirs.get_command_part(value)


def test_public_names_are_the_incumbents() -> None:
    import py4j.clientserver
    import py4j.compat
    import py4j.finalizer
    import py4j.java_collections
    import py4j.java_gateway
    import py4j.signals
    import samewire.py4j.clientserver
    import samewire.py4j.compat
    import samewire.py4j.finalizer
    import samewire.py4j.java_collections
    import samewire.py4j.signals

    for name in ("clientserver", "compat", "finalizer", "java_collections", "java_gateway", "protocol", "signals"):
        theirs, ours = getattr(py4j, name), getattr(samewire.py4j, name)
        own = {key for key, value in vars(theirs).items() if getattr(value, "__module__", "") == f"py4j.{name}"}
        assert own - set(vars(ours)) == set(), name


def test_collections_have_pythons_methods(gateway: Any) -> None:
    jvm = gateway.jvm
    numbers = jvm.java.util.ArrayList()
    numbers.extend(jvm.java.util.Collections.nCopies(3, 0))
    numbers[0:3] = [3, 1, 2]
    assert isinstance(numbers, JavaList)
    assert [*numbers] == [3, 1, 2]
    numbers.sort()
    assert str(numbers) == "[1, 2, 3]"
    assert repr(numbers[1:] + numbers[:1]) == "[2, 3, 1]"
    assert (numbers * 2).count(1) == 2
    del numbers[0:2]
    assert [*numbers] == [3]
    with pytest.raises(IndexError, match="list index out of range"):
        numbers[1]
    with pytest.raises(ValueError, match="not in java_list"):
        numbers.remove("x")

    entries = jvm.java.util.TreeMap()
    entries["a"] = 1
    assert isinstance(entries, JavaMap)
    assert dict(entries) == {"a": 1}
    names = jvm.java.util.TreeSet()
    names.add("b")
    assert isinstance(names, JavaSet)
    assert "b" in names
    assert isinstance(names.iterator(), JavaIterator)
    with pytest.raises(KeyError):
        names.remove("c")


def test_an_array_is_a_sequence_of_fixed_length(gateway: Any) -> None:
    array = gateway.new_array(gateway.jvm.java.lang.String, 3)
    array[0] = "x"
    array[1:3] = ["y", "z"]
    assert isinstance(array, JavaArray)
    assert [*array] == ["x", "y", "z"]
    assert [*array[::2]] == ["x", "z"]
    assert array[-1] == "z"
    with pytest.raises(IndexError):
        array[3] = "w"
    assert len(gateway.new_array(gateway.jvm.int, 2, 4)[0]) == 4


def test_auto_convert_takes_collections(server: Server) -> None:
    with server.gateway(auto_convert=True) as gateway:
        made = gateway.jvm.java.util.ArrayList([1, {"k": {2}}, (3,)])
        assert made[0] == 1
        assert isinstance(made[1], JavaMap)
        assert isinstance(made[2], JavaList)
        assert 2 in made[1]["k"]


def test_converters_are_asked_in_their_order(server: Server) -> None:
    class Odd:
        def can_convert(self, value: Any) -> bool:
            return bool(value == [1])

        def convert(self, value: Any, gateway_client: Any) -> Any:
            return java_gateway.JavaClass("java.util.LinkedList", gateway_client)()

    first = Odd()
    protocol.register_input_converter(first, prepend=True)
    try:
        with server.gateway(auto_convert=True) as gateway:
            assert gateway.jvm.java.util.ArrayList([1]).size() == 0
            assert gateway.jvm.java.util.ArrayList([2]).size() == 1
    finally:
        protocol.INPUT_CONVERTER.remove(first)


def test_a_converter_of_a_program_s_own_is_asked_for_plain_values_too(server: Server) -> None:
    class Shouting:
        def can_convert(self, value: Any) -> bool:
            return bool(value == "x")

        def convert(self, value: Any, gateway_client: Any) -> Any:
            return "X"

    with server.gateway(auto_convert=True) as gateway:
        text = gateway.jvm.java.lang.String
        assert text.valueOf("x") == "x"  # no converter known so far takes a text
        last = protocol.INPUT_CONVERTER[-1]
        own = Shouting()
        try:
            # In another's place: there are as many as before.
            protocol.INPUT_CONVERTER[-1] = own
            assert [text.valueOf("x"), text.valueOf("y")] == ["X", "y"]
        finally:
            protocol.INPUT_CONVERTER[-1] = last
        assert text.valueOf("x") == "x"


def test_pyspark_s_converters_are_asked_for_what_is_not_plain_alone(server: Server) -> None:
    asked: list[Any] = []

    class OfDates:
        def can_convert(self, value: Any) -> bool:
            asked.append(value)
            return isinstance(value, Fraction)

        def convert(self, value: Any, gateway_client: Any) -> Any:
            return float(value)

    OfDates.__module__ = "pyspark.sql.types"
    first = OfDates()
    protocol.register_input_converter(first, prepend=True)
    try:
        with server.gateway(auto_convert=True) as gateway:
            text = gateway.jvm.java.lang.String
            absolute = gateway.jvm.java.lang.Math.abs
            assert text.valueOf("x") == "x"
            assert absolute(Fraction(-1, 2)) == 0.5
            if server.kind == "native":
                assert asked == [Fraction(-1, 2)]
    finally:
        protocol.INPUT_CONVERTER.remove(first)


@pytest.mark.parametrize("failed", [Py4JError("toString threw"), protocol.Py4JNetworkError("it is gone")])
def test_an_exception_whose_text_throws_has_a_text(failed: Py4JError) -> None:
    class Dialect:
        def stack_trace(self, _: Any) -> str:
            raise failed

    class Client:
        dialect = Dialect()

    class Thrown:
        _gateway_client = Client()

    error = protocol.Py4JJavaError("An error occurred", Thrown())
    if isinstance(failed, protocol.Py4JNetworkError):
        with pytest.raises(protocol.Py4JNetworkError):
            str(error)
    else:
        assert str(error) == "An error occurred: its text cannot be read: toString threw"
