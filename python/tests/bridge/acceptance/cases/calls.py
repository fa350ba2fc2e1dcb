"""Calls of methods and constructors."""

from __future__ import annotations

from adaptor import Bridge, array_of, case, own, raises


@case("calls: a static method returns its value")
def static_method(bridge: Bridge) -> None:
    assert own(bridge, "Members").add(2, 3) == 5


@case("calls: an instance method returns its value")
def instance_method(bridge: Bridge) -> None:
    assert own(bridge, "Members")(7).seen() == 7


@case("calls: a constructor is chosen by the number of arguments")
def constructors_by_count(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert members().toString() == "Members(default, 1)"
    assert members("both", 2).toString() == "Members(both, 2)"


@case("calls: a constructor is chosen by the types of arguments")
def constructors_by_type(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert members(5).toString() == "Members(int, 5)"
    assert members("five").toString() == "Members(five, 1)"


@case("calls: calls can be chained")
def chained(bridge: Bridge) -> None:
    assert own(bridge, "Members")(1).next().next().self().next().seen() == 4


@case("calls: a method without a result returns None")
def no_result(bridge: Bridge) -> None:
    assert own(bridge, "Members")().nothing() is None


@case("calls: eight arguments of different types arrive in their order")
def eight_arguments(bridge: Bridge) -> None:
    text = own(bridge, "Members").eight(1, 2, 0.5, "text", True, "c", b"\x00\x01\x02", "object")
    assert text == "1 2 0.5 text true c 3 object"


@case("calls: twelve arguments arrive in their order")
def twelve_arguments(bridge: Bridge) -> None:
    assert own(bridge, "Members").twelve(*(3**power for power in range(12))) == sum(3**power for power in range(12))


@case("calls: a bound method can be kept and called later")
def bound_method(bridge: Bridge) -> None:
    members = own(bridge, "Members")(1)
    following = members.next
    following()
    following()
    assert members.seen() == 3


@case("calls: an inherited method is called as one's own")
def inherited(bridge: Bridge) -> None:
    assert own(bridge, "Members")().ancestral() == "ancestral"


@case("calls: a static method of a superclass is reached through a subclass")
def inherited_static(bridge: Bridge) -> None:
    assert own(bridge, "Members").origin() == "origin"


@case("calls: a method that returns a narrower type is called once")
def covariant(bridge: Bridge) -> None:
    copy = own(bridge, "Members")("text", 4).copy()
    assert copy.seen() == 4


@case("calls: methods of a class that is not public are called through its interface")
def hidden_class(bridge: Bridge) -> None:
    assert own(bridge, "Shape").square(3.0).area() == 9.0


@case("calls: a static method of an interface is called on the interface")
def interface_static(bridge: Bridge) -> None:
    shape = own(bridge, "Shape")
    assert shape.both(shape.square(1.0), shape.square(2.0)) == "area 1.0, area 4.0"


@case("calls: a default method of an interface is called on a Java object")
def default_method(bridge: Bridge) -> None:
    assert own(bridge, "Shape").square(2.0).describe() == "area 4.0"


@case("calls: a method whose name is a keyword of Python can be called")
def keyword_method(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert bridge.method(members(), "in")() == "in"
    assert bridge.method(members, "pass")() == "pass"


@case("calls: a method with the name of a builtin function needs no other name")
def builtin_name(bridge: Bridge) -> None:
    assert own(bridge, "Members").print() == "print"


@case("calls: variable arguments may be none, one or many")
def varargs(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert members.join() == "0:"
    assert members.join("a") == "1:a"
    assert members.join("a", "b", "c") == "3:a,b,c"


@case("calls: variable arguments may be passed as one array")
def varargs_array(bridge: Bridge) -> None:
    assert own(bridge, "Members").join(array_of(bridge, "java.lang.String", ["x", "y"])) == "2:x,y"


@case("calls: variable arguments follow fixed ones")
def varargs_after_fixed(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert members.scaled(10) == 0
    assert members.scaled(10, 1, 2, 3) == 60


@case("calls: variable arguments of type Object take values of any type")
def varargs_objects(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    assert members.objects() == "0"
    assert members.objects(1, "two", 3.0) == "3:java.lang.Integer"
    assert members.objects("one") == "1:java.lang.String"


@case("calls: String.format takes variable arguments of several types")
def string_format(bridge: Bridge) -> None:
    assert bridge.java.lang.String.format("%s=%d (%.1f)", "x", 7, 0.5) == "x=7 (0.5)"


@case("calls: a wrong number of arguments is refused")
def wrong_count(bridge: Bridge) -> None:
    with raises(*bridge.refusals) as caught:
        own(bridge, "Members").add(1)
    assert "add" in str(caught[0])


@case("calls: an argument of a wrong type is refused, and the method is named")
def wrong_type(bridge: Bridge) -> None:
    with raises(*bridge.refusals) as caught:
        own(bridge, "Members").add("one", 2)
    assert "add" in str(caught[0])


@case("calls: an argument of a wrong class is refused")
def wrong_class(bridge: Bridge) -> None:
    with raises(*bridge.refusals):
        own(bridge, "Shape").both(own(bridge, "Members")(), bridge.java.util.ArrayList())


@case("calls: an unknown method is refused, and named")
def unknown_method(bridge: Bridge) -> None:
    with raises(*bridge.refusals) as caught:
        own(bridge, "Members")().vanish()
    assert "vanish" in str(caught[0])


@case("calls: an unknown method is an AttributeError as soon as it is looked up")
def unknown_attribute(bridge: Bridge) -> None:
    with raises(AttributeError):
        _ = own(bridge, "Members")().vanish


@case("calls: an unknown static method is refused, and named")
def unknown_static(bridge: Bridge) -> None:
    with raises(*bridge.refusals) as caught:
        own(bridge, "Members").vanish()
    assert "vanish" in str(caught[0])


@case("calls: private and protected methods cannot be called")
def private_method(bridge: Bridge) -> None:
    for name in ("hidden", "guarded"):
        with raises(*bridge.refusals):
            getattr(own(bridge, "Members")(), name)()


@case("calls: an abstract class cannot be constructed")
def abstract_class(bridge: Bridge) -> None:
    with raises(bridge.error, *bridge.refusals):
        own(bridge, "Ancestor")()


@case("calls: an unsuitable argument leaves the gateway usable")
def usable_after_refusal(bridge: Bridge) -> None:
    members = own(bridge, "Members")
    for _ in range(3):
        with raises(*bridge.refusals):
            members.add(object(), 1)
        assert members.add(1, 1) == 2
