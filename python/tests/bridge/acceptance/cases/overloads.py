"""Which of several methods of one name is called."""

from __future__ import annotations

from adaptor import Bridge, array_of, case, own, raises


@case("overloads: each Python type has its own Java type")
def by_type(bridge: Bridge) -> None:
    pick = own(bridge, "Overloads").pick
    assert pick(1) == "int"
    assert pick(0.5) == "double"
    assert pick(True) == "boolean"
    assert pick("text") == "String"
    assert pick(bridge.java.util.ArrayList()) == "Object"


@case("overloads: an int beyond 32 bits is a long")
def long_integer(bridge: Bridge) -> None:
    pick = own(bridge, "Overloads").pick
    assert pick(2**31) == "long"
    assert pick(-(2**31) - 1) == "long"
    assert pick(2**31 - 1) == "int"
    assert pick(-(2**31)) == "int"


@case("overloads: a text of one character is a String before it is a char")
def one_character(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").pick("c") == "String"


@case("overloads: an int is a long before it is a double")
def integer_widened(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").number(1) == "long"
    assert own(bridge, "Overloads").number(1.0) == "double"


@case("overloads: a float is a double before it is a float")
def double_first(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").real(0.5) == "double"


@case("overloads: an int is an Integer before it is an Object")
def integer_boxed(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").boxed(1) == "Integer"
    assert own(bridge, "Overloads").boxed("1") == "Object"


@case("overloads: a wider primitive comes before a box, as in Java")
def widened_before_boxed(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").phase(1) == "long"


@case("overloads: an int is not a char")
def integer_and_char(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").letters(65) == "int"
    assert own(bridge, "Overloads").letters("A") == "char"


@case("overloads: a text is a CharSequence before it is an Object")
def char_sequence(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").sequence("text") == "CharSequence"


@case("overloads: the most specific interface of an object wins")
def most_specific(bridge: Bridge) -> None:
    holder, util = own(bridge, "Overloads").holder, bridge.java.util
    assert holder(util.ArrayList()) == "List"
    assert holder(util.HashSet()) == "Collection"
    assert holder(util.HashMap()) == "Map"


@case("overloads: the most specific class of an object wins")
def most_specific_class(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").relative(own(bridge, "Members")()) == "Members"


@case("overloads: Python's containers choose between List, Map, Set and byte[]")
def containers(bridge: Bridge) -> None:
    kinds = own(bridge, "Overloads").kinds
    assert kinds([1]) == "List"
    assert kinds({"a": 1}) == "Map"
    assert kinds({1}) == "Set"
    assert kinds(b"bytes") == "byte[]"


@case("overloads: None chooses the most specific class")
def null_specific(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").nothing(None) == "String"


@case("overloads: None that suits two classes equally is refused")
def null_ambiguous(bridge: Bridge) -> None:
    with raises(*bridge.refusals) as caught:
        own(bridge, "Overloads").ambiguous(None)
    assert "ambiguous" in str(caught[0])


@case("overloads: a fixed number of arguments comes before variable ones")
def varargs_last(bridge: Bridge) -> None:
    some = own(bridge, "Overloads").some
    assert some("a") == "one"
    assert some("a", "b") == "two"
    assert some("a", "b", "c") == "many"
    assert some() == "many"


@case("overloads: a static and an instance method may share a name")
def static_and_instance(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    assert overloads.mixed(1) == "static"
    assert overloads().mixed("text") == "instance"
    assert overloads().mixed(1) == "static"


@case("overloads: a call with another type chooses anew")
def not_remembered(bridge: Bridge) -> None:
    pick = own(bridge, "Overloads").pick
    for _ in range(3):
        assert [pick(1), pick(2**40), pick("x"), pick(0.5), pick(False)] == ["int", "long", "String", "double", "boolean"]


@case("overloads: an array of ints is an Object where nothing narrower fits")
def array_as_object(bridge: Bridge) -> None:
    assert own(bridge, "Overloads").pick(array_of(bridge, "int", [1])) == "Object"


@case("overloads: StringBuilder.append takes each type by its own overload")
def string_builder(bridge: Bridge) -> None:
    builder = bridge.java.lang.StringBuilder()
    builder.append("a").append(1).append(True).append(0.5).append(2**40)
    assert builder.toString() == "a1true0.51099511627776"


@case("overloads: String.valueOf is called with the type of the argument")
def value_of(bridge: Bridge) -> None:
    value_of_ = bridge.java.lang.String.valueOf
    assert [value_of_(1), value_of_(True), value_of_(0.5), value_of_(2**40)] == ["1", "true", "0.5", "1099511627776"]
