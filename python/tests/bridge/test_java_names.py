"""Packages, classes, members: how names of Java become attributes."""

from __future__ import annotations

import pytest
from samewire import bridge


def test_a_class_is_an_attribute_of_its_package(gateway: bridge.Gateway) -> None:
    assert gateway.jvm.java.util.ArrayList is gateway.java.util.ArrayList
    assert repr(gateway.java.util.ArrayList) == "<Java class java.util.ArrayList>"
    assert repr(gateway.java.util) == "<Java package java.util>"
    assert gateway.java.util.ArrayList.__module__ == "java.util"


def test_classes_of_java_lang_need_no_package(gateway: bridge.Gateway) -> None:
    assert gateway.jvm.Math.max(2, 3) == 3
    assert gateway.jvm.System is gateway.java.lang.System


def test_a_nested_class_is_an_attribute_of_its_class(gateway: bridge.Gateway) -> None:
    deep = gateway.tested.Names.Inner.Deep
    assert deep.where() == "deep"
    assert gateway.jvm["tested.Names$Inner$Deep"] is deep
    assert gateway.jvm["tested.Names.Inner.Deep"].where() == "deep"
    assert deep.__qualname__ == "Names.Inner.Deep"
    assert gateway.java.util.Map.Entry.__name__ == "Entry"


def test_a_class_in_lower_case_is_found_when_it_is_used(gateway: bridge.Gateway) -> None:
    assert gateway.tested.lowercase.method() == "called"
    assert gateway.tested.lowercase.LIMIT == 9
    assert gateway.jvm["tested.lowercase"].LIMIT == 9
    assert str(gateway.tested.lowercase()).startswith("tested.lowercase@")


def test_what_does_not_exist_is_an_attribute_error_that_says_so(gateway: bridge.Gateway) -> None:
    with pytest.raises(bridge.NoSuchName, match=r"java\.util\.ArrayLost"):
        _ = gateway.java.util.ArrayLost
    with pytest.raises(AttributeError, match="vanish"):
        _ = gateway.java.lang.Math.vanish
    with pytest.raises(AttributeError, match="vanish"):
        gateway.java.util.ArrayList().vanish()
    with pytest.raises(KeyError):
        _ = gateway.jvm["no.such.Class"]
    with pytest.raises(bridge.NoSuchName, match=r"no\.such\.thing"):
        gateway.no.such.thing()
    assert not hasattr(gateway.java.util, "Nothing")


def test_names_that_are_keywords_end_in_an_underscore(gateway: bridge.Gateway) -> None:
    names = gateway.tested.Names()
    assert names.from_() == "from"
    assert gateway.tested.Names.with_("text") == "text"


def test_a_field_with_the_name_of_a_method_ends_in_an_underscore(gateway: bridge.Gateway) -> None:
    names = gateway.tested.Names()
    assert names.size() == 1
    assert names.size_ == 3
    names.size_ = 4
    assert names.size_ == 4


def test_overloads_may_be_static_and_not(gateway: bridge.Gateway) -> None:
    assert gateway.tested.Names.both() == "static"
    assert gateway.tested.Names().both(2) == "instance 2"
    assert gateway.java.lang.Integer.toString(5) == "5"


def test_private_members_do_not_exist(gateway: bridge.Gateway) -> None:
    with pytest.raises(AttributeError):
        _ = gateway.tested.Names().secret


def test_fields_are_read_and_set(gateway: bridge.Gateway) -> None:
    names = gateway.tested.Names()
    assert (names.fixed, names.text) == (7, "text")
    names.text = None
    assert names.text is None
    gateway.tested.Names.counter = 5
    assert gateway.tested.Names.counter == 5
    assert gateway.tested.Names.CONSTANT == "constant"
    assert gateway.java.lang.Integer.MAX_VALUE == 2**31 - 1


def test_final_and_unknown_fields_are_not_set(gateway: bridge.Gateway) -> None:
    names = gateway.tested.Names()
    with pytest.raises(bridge.SamewireError):
        names.fixed = 1
    with pytest.raises(AttributeError):
        names.unknown = 1
    with pytest.raises(AttributeError, match="final"):
        gateway.tested.Names.CONSTANT = "other"
    with pytest.raises(AttributeError, match="does not exist"):
        gateway.tested.Names.unknown = 1


def test_enums_have_members(gateway: bridge.Gateway) -> None:
    colour = gateway.tested.Names.Colour
    assert [str(member) for member in colour] == ["RED", "GREEN", "BLUE"]
    assert colour.RED.next() == colour.GREEN
    assert colour["BLUE"].next() == colour.RED
    assert (colour.BLUE.shade(), colour["BLUE"].shade(), colour["RED"].shade()) == ("deep", "deep", "plain")
    assert isinstance(colour.BLUE, colour)
    assert colour.RED < colour.BLUE
    assert gateway.tested.Names.of(colour.RED) == "red"
    assert {colour.RED: 1}[colour.valueOf("RED")] == 1
    assert len(colour) == 3
    with pytest.raises(bridge.NoSuchName, match="PINK"):
        _ = colour["PINK"]


def test_names_complete(gateway: bridge.Gateway) -> None:
    assert {"ArrayList", "HashMap", "concurrent"} <= set(dir(gateway.java.util))
    assert {"java", "tested"} <= set(dir(gateway.jvm))
    assert {"Names", "Books"} <= set(dir(gateway.tested))
    assert {"add", "size", "stream"} <= set(dir(gateway.java.util.ArrayList()))
    assert {"valueOf", "Inner", "CONSTANT"} & set(dir(gateway.tested.Names)) == {"Inner", "CONSTANT"}


def test_a_class_as_an_argument_is_its_class_object(gateway: bridge.Gateway) -> None:
    assert gateway.java.util.ArrayList.class_.getName() == "java.util.ArrayList"
    assert gateway.java.lang.Number.class_.isAssignableFrom(gateway.java.lang.Integer)
    assert gateway.jvm.int.class_.getName() == "int"


def test_an_interface_and_an_abstract_class_cannot_be_constructed(gateway: bridge.Gateway) -> None:
    with pytest.raises(TypeError):
        gateway.java.util.List()


def test_a_call_of_what_a_gateway_does_not_have_says_what_it_has(gateway: bridge.Gateway) -> None:
    with pytest.raises(bridge.NoSuchName, match=r"no class 'implements' in the JVM.*; did you mean gateway\.implement\?"):
        gateway.implements("java.util.Comparator")
    with pytest.raises(bridge.NoSuchName, match=r"no class 'com\.nowhere' .* hides it$"):
        gateway.jvm.com.nowhere()


def test_a_name_that_is_not_there_is_told_what_is_like_it(gateway: bridge.Gateway) -> None:
    with pytest.raises(
        AttributeError, match=r"no class and no package 'java\.util\.ArrayLst' in the JVM.*did you mean ArrayList"
    ):
        _ = gateway.java.util.ArrayLst
