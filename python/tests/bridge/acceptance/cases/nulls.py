"""null and None."""

from __future__ import annotations

from adaptor import Bridge, array_of, case, filled, own, raises


@case("null: it arrives as None for every declared type")
def result(bridge: Bridge) -> None:
    values = own(bridge, "Values")
    assert values.noText() is None
    assert values.noBytes() is None
    assert values.echoObject(None) is None


@case("null: None is null to Java")
def argument(bridge: Bridge) -> None:
    assert own(bridge, "Values").isNull(None) is True
    assert own(bridge, "Values").echo(None) is None


@case("null: None is not a primitive value")
def primitive(bridge: Bridge) -> None:
    overloads = own(bridge, "Overloads")
    for method in (overloads.onlyInt, overloads.onlyBoolean, overloads.onlyDouble, overloads.onlyChar):
        with raises(*bridge.refusals):
            method(None)


@case("null: a list holds it")
def in_list(bridge: Bridge) -> None:
    held = filled(bridge, None, "a")
    assert held[0] is None
    assert list(held) == [None, "a"]


@case("null: an array holds it")
def in_array(bridge: Bridge) -> None:
    array = array_of(bridge, "java.lang.String", ["a", None])
    assert array[1] is None
    assert own(bridge, "Values").names(array) == "[a, null]"


@case("null: a Java object does not equal None")
def inequality(bridge: Bridge) -> None:
    made = own(bridge, "Members")()
    assert made != None  # noqa: E711
    assert not (made == None)  # noqa: E711, SIM201
    assert made is not None


@case("null: Optional of null is empty")
def optional(bridge: Bridge) -> None:
    optional = bridge.java.util.Optional
    assert not optional.ofNullable(None).isPresent()
    assert optional.ofNullable("x").get() == "x"
    assert optional.empty().orElse(None) is None
