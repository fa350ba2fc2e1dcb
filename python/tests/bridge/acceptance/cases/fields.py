"""Fields of objects and classes."""

from __future__ import annotations

from adaptor import Bridge, case, own, raises


@case("fields: a static field is read")
def static_field(bridge: Bridge) -> None:
    assert bridge.get(own(bridge, "Members"), "CONSTANT") == "constant"


@case("fields: a static field that Python assigns is what Java sees")
def assign_static(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    bridge.set(members, "counter", 5)
    assert members.counted() == 5
    assert bridge.get(members, "counter") == 5


@case("fields: a field of an object is read")
def read_field(bridge: Bridge) -> None:
    members = own(bridge, "Members")("text", 9)
    assert bridge.get(members, "number") == 9
    assert bridge.get(members, "text") == "text"
    assert bridge.get(members, "fixed") == 1 << 40


@case("fields: a field that Python assigns is what Java sees")
def assign_field(bridge: Bridge) -> None:
    members = own(bridge, "Members")()
    bridge.set(members, "number", 33)
    assert members.seen() == 33


@case("fields: a field of an object's attribute is the field, without a function")
def attribute(bridge: Bridge) -> None:
    members = own(bridge, "Members")(3)
    assert members.number == 3
    members.number = 4
    assert members.seen() == 4


@case("fields: a field holds a Java object and gives that object back")
def object_field(bridge: Bridge) -> None:
    members, held = own(bridge, "Members"), bridge.java.util.ArrayList()
    owner = members()
    bridge.set(owner, "any", held)
    held.add("later")
    assert bridge.get(owner, "any").get(0) == "later"
    assert members.same(bridge.get(owner, "any"), held)


@case("fields: None is null")
def null_field(bridge: Bridge) -> None:
    members = own(bridge, "Members")("text")
    bridge.set(members, "text", None)
    assert members.toString() == "Members(null, 1)"
    assert bridge.get(members, "text") is None


@case("fields: an array in a field can be changed in place")
def array_field(bridge: Bridge) -> None:
    members = own(bridge, "Members")()
    numbers = bridge.get(members, "numbers")
    numbers[1] = 20
    assert list(bridge.get(members, "numbers")) == [1, 20, 3]


@case("fields: a final field cannot be assigned")
def final_field(bridge: Bridge) -> None:
    members = own(bridge, "Members")()
    with raises(bridge.error, *bridge.refusals):
        bridge.set(members, "fixed", 1)
    assert bridge.get(members, "fixed") == 1 << 40


@case("fields: a value of a wrong type cannot be assigned")
def wrong_type(bridge: Bridge) -> None:
    members = own(bridge, "Members")(8)
    with raises(bridge.error, *bridge.refusals):
        bridge.set(members, "number", "eight")
    assert members.seen() == 8


@case("fields: an inherited field is read")
def inherited_field(bridge: Bridge) -> None:
    assert bridge.get(own(bridge, "Members")(), "inherited") == "inherited field"


@case("fields: a field that does not exist cannot be read")
def unknown_field(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        bridge.get(own(bridge, "Members")(), "vanished")


@case("fields: a private field cannot be read")
def private_field(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        bridge.get(own(bridge, "Members")(), "secret")


@case("fields: a method that has the name of a field can be called")
def method_of_same_name(bridge: Bridge) -> None:
    assert bridge.method(own(bridge, "Members")(), "size")() == 8


@case("fields: a field that has the name of a method can be read")
def field_of_same_name(bridge: Bridge) -> None:
    assert bridge.get(own(bridge, "Members")(), "size") == 7


@case("fields: a constant of an interface is read")
def interface_constant(bridge: Bridge) -> None:
    assert bridge.get(own(bridge, "Shape"), "TAU") == 6.25


@case("fields: the edges of Java's number types are their constants")
def edges(bridge: Bridge) -> None:
    lang = bridge.java.lang
    assert bridge.get(lang.Integer, "MAX_VALUE") == 2**31 - 1
    assert bridge.get(lang.Long, "MIN_VALUE") == -(2**63)
    assert bridge.get(lang.Double, "MAX_VALUE") == 1.7976931348623157e308
