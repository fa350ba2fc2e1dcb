"""Classes: how they are found, and what is an instance of what."""

from __future__ import annotations

from adaptor import PACKAGE, Bridge, case, own, raises


@case("classes: a class is found by the path of its package")
def by_path(bridge: Bridge) -> None:
    made = bridge.java.util.ArrayList()
    made.add(1)
    assert made.size() == 1


@case("classes: a class found by path and by name is the same")
def by_name(bridge: Bridge) -> None:
    made = bridge.cls("java.util.ArrayList")()
    assert made.getClass().equals(bridge.java.util.ArrayList().getClass())


@case("classes: a class that does not exist is refused, and named")
def unknown_class(bridge: Bridge) -> None:
    with raises(bridge.error, AssertionError, *bridge.refusals) as caught:
        bridge.cls("acceptance.Vanished")()
    assert "Vanished" in str(caught[0])


@case("classes: a package cannot be called")
def package_call(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        bridge.java.util()


@case("classes: a static nested class is constructed")
def nested(bridge: Bridge) -> None:
    assert own(bridge, "Outer$Nested")().place() == "nested"
    assert own(bridge, "Outer$Nested$Deeper")().place() == "deeper"


@case("classes: a nested class is an attribute of the outer one")
def nested_attribute(bridge: Bridge) -> None:
    outer = own(bridge, "Outer")
    assert outer.Nested().place() == "nested"
    assert outer.Nested.Deeper().place() == "deeper"
    assert outer.Nested.DEPTH == 1


@case("classes: an inner class is constructed with its outer object")
def inner(bridge: Bridge) -> None:
    outer = own(bridge, "Outer")("owner")
    assert outer.inner().owner() == "owner"
    assert own(bridge, "Outer$Inner")(outer).owner() == "owner"


@case("classes: an object of an anonymous class has its interface's methods")
def anonymous(bridge: Bridge) -> None:
    assert own(bridge, "Outer").anonymous().greet("you") == "anonymous you"


@case("classes: an object is an instance of its class, superclasses and interfaces")
def instances(bridge: Bridge) -> None:
    made = bridge.java.util.ArrayList()
    for name in ("java.util.ArrayList", "java.util.AbstractList", "java.util.List", "java.lang.Iterable", "java.lang.Object"):
        assert bridge.instance(made, name), name


@case("classes: an object is not an instance of another class")
def no_instance(bridge: Bridge) -> None:
    made = bridge.java.util.ArrayList()
    for name in ("java.util.LinkedList", "java.util.Map", "java.lang.Number"):
        assert not bridge.instance(made, name), name


@case("classes: isinstance with the class itself tells what an object is")
def python_isinstance(bridge: Bridge) -> None:
    made = bridge.java.util.ArrayList()
    assert isinstance(made, bridge.cls("java.util.List"))
    assert not isinstance(made, bridge.cls("java.util.Map"))


@case("classes: Python's classes of Java classes inherit as in Java")
def python_issubclass(bridge: Bridge) -> None:
    assert issubclass(bridge.cls("java.util.ArrayList"), bridge.cls("java.util.AbstractList"))
    assert not issubclass(bridge.cls("java.util.ArrayList"), bridge.cls("java.util.LinkedList"))


@case("classes: an object whose static type is Object has the methods of its own class")
def dynamic_type(bridge: Bridge) -> None:
    holder = bridge.java.util.ArrayList()
    holder.add(own(bridge, "Members")(6))
    assert holder.get(0).seen() == 6


@case("classes: getClass names the class")
def get_class(bridge: Bridge) -> None:
    assert own(bridge, "Members")().getClass().getName() == f"{PACKAGE}.Members"


@case("classes: Class.forName gives an object that Java takes for the class")
def for_name(bridge: Bridge) -> None:
    kind = bridge.java.lang.Class.forName("java.util.ArrayList")
    assert kind.getSimpleName() == "ArrayList"
    assert kind.isInstance(bridge.java.util.ArrayList())


@case("enums: a constant is a static field")
def enum_constant(bridge: Bridge) -> None:
    colour = own(bridge, "Colour")
    assert colour.small(colour.RED) == "red"


@case("enums: a constant has its name, its place and its own methods")
def enum_members(bridge: Bridge) -> None:
    blue = own(bridge, "Colour").BLUE
    assert (blue.name(), blue.ordinal(), blue.cold()) == ("BLUE", 2, True)


@case("enums: a constant equals itself and no other")
def enum_equality(bridge: Bridge) -> None:
    colour = own(bridge, "Colour")
    assert colour.RED == colour.RED
    assert colour.RED.next() == colour.GREEN
    assert colour.RED != colour.GREEN


@case("enums: all constants are given by values()")
def enum_values(bridge: Bridge) -> None:
    assert [constant.name() for constant in own(bridge, "Colour").values()] == ["RED", "GREEN", "BLUE"]


@case("enums: a constant is found by its name")
def enum_value_of(bridge: Bridge) -> None:
    colour = own(bridge, "Colour")
    assert colour.valueOf("GREEN") == colour.GREEN


@case("enums: a constant is an instance of its enum, even if it has a body")
def enum_instance(bridge: Bridge) -> None:
    colour = own(bridge, "Colour")
    assert bridge.instance(colour.BLUE, f"{PACKAGE}.Colour")
    assert bridge.instance(colour.BLUE, "java.lang.Enum")


@case("enums: constants are keys of a Java map")
def enum_keys(bridge: Bridge) -> None:
    colour = own(bridge, "Colour")
    table = bridge.java.util.HashMap()
    table.put(colour.RED, "stop")
    assert table.get(colour.RED) == "stop"
    assert table.get(colour.GREEN) is None


@case("records: components are read by their methods")
def record_components(bridge: Bridge) -> None:
    point = own(bridge, "Point")(3, -4)
    assert (point.x(), point.y()) == (3, -4)


@case("records: two of the same components are equal")
def record_equality(bridge: Bridge) -> None:
    point = own(bridge, "Point")
    assert point(1, 2).equals(point(1, 2))
    assert point(1, 2) == point(1, 2)
    assert point(1, 2) != point(2, 1)


@case("records: they have methods and static fields like classes")
def record_members(bridge: Bridge) -> None:
    point = own(bridge, "Point")
    assert str(point(1, 2).plus(point.ORIGIN).plus(point(3, 4))) == "Point[x=4, y=6]"


@case("generics: a type parameter takes and gives any object")
def generic_box(bridge: Bridge) -> None:
    box = own(bridge, "Box")
    assert box("text").get() == "text"
    assert box.of(5).get() == 5
    made = box(1)
    made.set(2)
    assert made.get() == 2


@case("generics: a generic method returns the very object that it was given")
def generic_identity(bridge: Bridge) -> None:
    members, made = own(bridge, "Members"), bridge.java.util.ArrayList()
    assert members.same(own(bridge, "Box").identity(made), made)
